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
	"flockscope/sim/experiment"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/datafiles"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
	"flockscope/sim/lab/tune"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

var _ = register(command{
	name: "tune", args: "[-methods NAMES] [-tries N] [-o FILE] QUERY", run: tuneMethods,
	doc: "choose settings of methods by random search, on held-back training samples; resumable and divisible as sweeps are",
})

// tuneFlags are the flags of a search, in addition to those of an experiment.
type tuneFlags struct {
	sweepFlags
	methods, tries, measure, format, site string
	chosen                                bool
}

// tuneMethods searches and prints what came out.
func tuneMethods(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("tune")
	var flags tuneFlags
	fs.StringVar(&flags.methods, "methods", "", "methods with commas between them, or all; those of the query unless set")
	fs.StringVar(&flags.tries, "tries", "12", "tries of each method; the first has the defaults")
	fs.StringVar(&flags.seeds, "seeds", "3", "runs of each try, with seeds that begin 1000 above those of the query")
	fs.Func("vary", "a setting of the data and its values, over which tries are averaged; any number of times",
		func(text string) error {
			flags.vary = append(flags.vary, text)
			return nil
		})
	fs.StringVar(&flags.floats, "floats", "0", "budget, as in flock sweep")
	fs.StringVar(&flags.measure, "measure", "",
		"the score by which tries are compared, such as bestval; accuracy unless set, or the loss where there are no classes")
	fs.StringVar(&flags.format, "format", "markdown", "markdown, latex or html")
	fs.StringVar(&flags.site, "site", defaultSite, "address of the page that links open")
	fs.BoolVar(&flags.chosen, "chosen", false, "print only the chosen values, as flock sweep -vary takes them")
	flags.addDestination(fs)
	base, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	if formats := []string{"markdown", "latex", "html"}; !slices.Contains(formats, flags.format) {
		return badInput(&param.Error{Field: "-format", Got: flags.format,
			Want: say.Messagef("one of %s", strings.Join(formats, ", "))})
	}
	hash, err := datafiles.Hash(*fs.Lookup("data").Value.(*paths))
	if err != nil {
		return badInput(err)
	}
	search, err := flags.search(base, hash)
	if err != nil {
		return badInput(err)
	}
	p, err := search.Plan()
	if err != nil {
		return badInput(err)
	}
	if err := checkPlayable(p, file); err != nil {
		return badInput(err)
	}
	measure, err := flags.measureOf()
	if err != nil {
		return badInput(err)
	}
	return flags.play(ctx, p, file, out, cluster.NewLog(errs), func(w io.Writer, t *results.Table) error {
		records, err := t.Own()
		if err != nil {
			return err
		}
		source := report.Source{Name: flags.out, Plan: t.Plan, Records: records}
		study, err := report.New([]report.Source{source}, catalog.Schema().Parse, nil)
		if err != nil {
			return err
		}
		return flags.printChosen(w, search, study, measure)
	})
}

// search reads the flags of a search.
func (f *tuneFlags) search(base experiment.Config, hash string) (s *tune.Search, err error) {
	s = &tune.Search{Base: base, Vary: f.vary, Data: hash}
	if s.Tries, err = wholeFlag("-tries", f.tries, tune.MostTries); err != nil {
		return nil, err
	}
	if s.Seeds, err = wholeFlag("-seeds", f.seeds, tune.SeedsApart); err != nil {
		return nil, err
	}
	if s.Floats, err = plan.ParseFloats(f.floats); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(f.vary, func(v string) bool { return strings.HasPrefix(v, "algos=") }) {
		return nil, errors.New("-vary names settings of the data; name methods by -methods")
	}
	var all []string
	for _, m := range catalog.Schema().Finished().Algorithms {
		all = append(all, m.Name)
	}
	switch f.methods {
	case "all":
		s.Methods = all
	case "":
		for i, l := range base.Lanes() {
			own := func(x param.Field) bool { return base.Own(i, x.Name) }
			if l.Label != "" || slices.ContainsFunc(base.LaneFields(i), own) {
				return nil, fmt.Errorf("the lane %s has settings of its own; give them to all methods, as lr=0.1 without "+
					"a lane's name, and name methods by -methods", l.ID())
			}
			s.Methods = append(s.Methods, l.Algorithm)
		}
	default:
		for name := range strings.SplitSeq(f.methods, ",") {
			name = strings.TrimSpace(name)
			named := func(m registry.Meta) bool { return m.Name == name }
			if !slices.ContainsFunc(catalog.Schema().Algorithms, named) || slices.Contains(s.Methods, name) {
				return nil, &param.Error{Field: "-methods", Got: name,
					Want: say.Messagef("all, or different ones of %s", strings.Join(all, ", "))}
			}
			s.Methods = append(s.Methods, name)
		}
	}
	return s, nil
}

// measureOf returns the measure of the flags, nil for the default.
func (f *tuneFlags) measureOf() (*report.Measure, error) {
	if f.measure == "" {
		return nil, nil
	}
	return report.FindMeasure(f.measure)
}

// printChosen prints what a search found.
func (f *tuneFlags) printChosen(w io.Writer, search *tune.Search, study *report.Study, m *report.Measure) error {
	if m == nil {
		m = study.MainMeasure()
	}
	r, err := search.Choose(study, m)
	if err != nil {
		return err
	}
	if f.chosen {
		_, err := fmt.Fprintln(w, r.Lanes())
		return err
	}
	d, err := r.Document("Chosen settings")
	if err != nil {
		return err
	}
	return d.Write(w, report.Format(f.format), f.site)
}
