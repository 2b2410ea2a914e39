package report

import (
	"fmt"
	"slices"
)

// Joined makes one study of sweeps that vary the same settings around bases of their own, such as rows with drawn samples
// and rows on files. Its axes are those of the plans, with the values of all of them; a value that two plans have stands for
// one setting.
func Joined(sources []Source, parse Parse, labels Labels) (*Study, error) {
	if len(sources) == 1 {
		return New(sources, parse, labels)
	}
	whole := &Study{runs: map[place]*Run{}, parse: parse}
	some := slices.DeleteFunc(slices.Clone(sources), func(s Source) bool { return len(s.Records) == 0 })
	if _, err := gather(some); err != nil { // they cannot be compared
		return nil, err
	}
	var entries []entry
	for i := range sources {
		source := &sources[i]
		if len(source.Records) == 0 {
			whole.note("%s holds no results.", source.Name)
			continue
		}
		records, err := gather(sources[i : i+1])
		if err != nil {
			return nil, err
		}
		part := &Study{runs: map[place]*Run{}, parse: parse}
		more, err := part.axesFromPlan(source.Plan, records)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.Name, err)
		}
		for _, note := range part.Notes {
			whole.note("%s: %s", source.Name, note)
		}
		if whole.Axes == nil {
			whole.Axes = part.Axes
		}
		if !slices.EqualFunc(whole.Axes, part.Axes, func(x, y Axis) bool { return x.Key == y.Key }) {
			return nil, fmt.Errorf("%s varies other settings than %s", source.Name, sources[0].Name)
		}
		entries = append(entries, more...)
	}
	return whole.complete(entries, labels)
}
