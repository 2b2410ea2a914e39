package workload

import (
	"errors"
	"slices"
	"sort"
	"strconv"

	"flockscope/sim/param"
)

// withOffers calls build. If build returns an error about a setting, withOffers tries the suggested values and others
// that often help, and keeps those that work as suggestions.
func withOffers(v param.Values, build func(v param.Values) (Workload, error)) (Workload, error) {
	w, err := build(v)
	var wrong *param.Error
	if !errors.As(err, &wrong) {
		return w, err
	}
	refused := func(o param.Suggestion) bool {
		_, err := build(v.With(param.Given{o.Key: o.Value}))
		return err != nil
	}
	offers := slices.DeleteFunc(slices.Clone(wrong.Suggestions), refused)
	for _, ladder := range suggestionLadders(wrong.Field, v) {
		known := slices.ContainsFunc(offers, func(o param.Suggestion) bool { return o.Key == ladder[0].Key })
		if known {
			continue
		}
		at := sort.Search(len(ladder), func(i int) bool { return !refused(ladder[i]) })
		if at < len(ladder) {
			offers = append(offers, ladder[at])
		}
	}
	advice := *wrong
	advice.Suggestions = offers
	return nil, &advice
}

// suggestionLadders returns sequences of values that may help if a setting leaves clients without samples, the nearest to the
// present value first. If one value of a sequence helps, so do all later ones.
func suggestionLadders(field string, v param.Values) [][]param.Suggestion {
	var other, fewer []param.Suggestion
	switch field {
	case "alpha":
		for _, x := range roundNumbers {
			if x > v.Float("alpha") {
				other = append(other, param.Suggestion{Key: "alpha", Value: param.FormatFloat(x)})
			}
		}
	case "ratio":
		for _, x := range slices.Backward(roundNumbers) {
			if x >= 1 && x < v.Float("ratio") {
				other = append(other, param.Suggestion{Key: "ratio", Value: param.FormatFloat(x)})
			}
		}
	case "C":
	default:
		return nil
	}
	for c := v.Int("C") - 1; c > 0; c-- {
		fewer = append(fewer, param.Suggestion{Key: "C", Value: strconv.Itoa(c)})
	}
	empty := func(ladder []param.Suggestion) bool { return len(ladder) == 0 }
	return slices.DeleteFunc([][]param.Suggestion{other, fewer}, empty)
}

// roundNumbers are the values in ladders.
var roundNumbers = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
