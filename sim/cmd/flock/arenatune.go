//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/tune"
)

// tuneArena chooses settings for every method and family of rows, and prints them as lines of the arena's sweep, with what
// fewer tries would have found.
func (n *namedSweep) tuneArena(ctx context.Context, s *papers.Sweep, out, errs io.Writer) error {
	if n.sweep.out != "" {
		return badInput(errors.New("-o names one file, and each family has one; leave it out"))
	}
	if s.IsStudy() {
		return badInput(errors.New("-tune chooses settings for the arena, not for a study"))
	}
	accuracy, err := report.FindMeasure("accuracy")
	if err != nil {
		return err
	}
	if n.reduced {
		s = s.Small()
	}
	whole := &report.Document{Title: "Chosen settings"}
	var lines []string
	for _, f := range s.Families {
		r, err := n.tuneFamily(ctx, s.OfFamily(f.Name), accuracy, errs)
		if err != nil {
			return err
		}
		if r == nil {
			lines = append(lines, fmt.Sprintf("# %s: nothing is chosen; name folders with %s by -data", f.Name,
				strings.Join(s.OfFamily(f.Name).Sets(), " and ")))
			continue
		}
		d, err := r.Document(f.Name)
		if err != nil {
			return err
		}
		// What came out of every try is in the results files, and ranges are the same for all families.
		d.Parts = slices.DeleteFunc(d.Parts, func(p report.Part) bool {
			return p.Heading == tune.EveryTry || p.Heading == tune.Ranges && len(whole.Parts) > 0
		})
		for i := range d.Parts {
			d.Parts[i].Heading = strings.TrimSuffix(f.Name+": "+d.Parts[i].Heading, ": ")
		}
		whole.Parts = append(whole.Parts, d.Parts...)
		for _, t := range s.Chosen(f.Name, r) {
			lines = append(lines, fmt.Sprintf("tuned   %s | %s | %s", t.Family, t.Lane, t.Settings))
		}
	}
	text := "```\n" + strings.Join(lines, "\n") + "\n```"
	whole.Parts = slices.Insert(whole.Parts, 0, report.Part{Text: []string{"Lines for sweeps/arena.tuned, beside the arena's sweep; " +
		"methods without a line keep their defaults.", text}})
	return whole.Write(out, report.Format(n.report.format), n.report.site)
}

// tuneFamily searches on the rows of a family, and on each set of files that they need; nil if one is missing.
func (n *namedSweep) tuneFamily(ctx context.Context, s *papers.Sweep, m *report.Measure,
	errs io.Writer) (*tune.Result, error) {
	var on []sweepOnData
	if len(s.Rows()) > 0 {
		on = append(on, sweepOnData{Sweep: s})
	}
	for i := range n.sets {
		set := &n.sets[i]
		if slices.Contains(s.Sets(), set.files.Name) {
			of, err := s.On(set.files)
			if err != nil {
				return nil, badInput(err)
			}
			on = append(on, sweepOnData{of, set})
		}
	}
	if len(on) < len(s.Sets()) {
		return nil, nil
	}
	var search *tune.Search
	var sources []report.Source
	for _, s := range on {
		var err error
		if search, err = s.Search(); err != nil {
			return nil, err
		}
		p, err := search.Plan()
		if err != nil {
			return nil, err
		}
		if err := n.play(ctx, s, p, io.Discard, errs, func(_ io.Writer, source report.Source) error {
			sources = append(sources, source)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	study, err := report.Joined(sources, catalog.Schema().Parse, nil)
	if err != nil {
		return nil, err
	}
	r, err := search.Choose(study, m)
	if err != nil {
		return nil, err
	}
	links := *search
	if links.Base, err = on[0].OfFirstRow(); err != nil {
		return nil, err
	}
	r.Search = &links
	return r, nil
}
