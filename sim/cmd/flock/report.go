//go:build !js

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/draw/scene/glyphs"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

var _ = register(command{
	name: "report", args: "[FLAGS] FILE …", run: reportFiles,
	doc: "tables and tests of files of results: -format markdown, latex, html, csv or json; -svg FOLDER draws; -h lists the flags",
})

// defaultSite is the address at which flock serve shows the page.
const defaultSite = "http://localhost:8080/"

// reportFlags are the flags of a report.
type reportFlags struct {
	format, measures, columns, against, spread, unit, site, title, plan, svg string
	score, rope, family                                                      string
	runs                                                                     bool
}

func (f *reportFlags) add(fs *flag.FlagSet) {
	fs.StringVar(&f.format, "format", "markdown", "markdown, latex, html, csv or json")
	fs.StringVar(&f.measures, "measure", "", "scores to show, with commas between them, such as accuracy,ari")
	fs.StringVar(&f.columns, "columns", "", "the setting whose values are columns")
	fs.StringVar(&f.against, "against", "", "the method that others are compared with; the best unless set")
	fs.StringVar(&f.score, "score", "", "effect sizes with intervals before the tests: gain, over the better of fedavg and "+
		"local, or else over -against; share, of the gain of a lane oracle; raw, the measure itself")
	fs.StringVar(&f.rope, "rope", "", "with -score: scores that differ by at most this are practically equal (default 0.01, of shares 0.05)")
	fs.StringVar(&f.family, "family", "",
		"with -score: the setting whose values are families, which weigh the same (default data, if it varies)")
	fs.StringVar(&f.spread, "spread", "sd", "sd: mean ± standard deviation; quartiles: median and quartiles")
	fs.StringVar(&f.unit, "unit", "seed",
		"what tests compare: seed, every run; setting, the mean over seeds of each setting")
	fs.StringVar(&f.site, "site", defaultSite, "address of the page that links open")
	fs.StringVar(&f.title, "title", "", "heading of the report")
	fs.StringVar(&f.plan, "plan", "", "a file with the plan of records that come as JSON Lines")
	fs.StringVar(&f.svg, "svg", "", "write pictures into this folder, as SVG that needs no fonts")
	fs.BoolVar(&f.runs, "runs", false, "list every run with its link and fingerprint")
}

var reportFormats = []string{"markdown", "latex", "html", "csv", "json"}

// options reads the flags.
func (f *reportFlags) options() (*report.Options, error) {
	o := &report.Options{Title: f.title, Columns: f.columns, Baseline: f.against, Spread: report.Spread(f.spread),
		Unit: report.Unit(f.unit), Runs: f.runs}
	for _, c := range []struct {
		flag, got string
		allowed   []string
	}{{"-format", f.format, reportFormats}, {"-spread", f.spread, []string{"sd", "quartiles"}}, {"-unit",
		f.unit, []string{"seed", "setting"}}} {
		if !slices.Contains(c.allowed, c.got) {
			return nil, &param.Error{Field: c.flag, Got: c.got, Want: say.Messagef("one of %s", strings.Join(c.allowed, ", "))}
		}
	}
	if f.score != "" {
		if f.format == "csv" {
			return nil, errors.New("-score has no CSV; take -format json, markdown, latex or html")
		}
		o.Score, o.Family = report.Score(f.score), f.family
		if scores := []string{"gain", "share", "raw"}; !slices.Contains(scores, f.score) {
			return nil, &param.Error{Field: "-score", Got: f.score, Want: say.Messagef("one of %s", strings.Join(scores, ", "))}
		}
		if f.rope != "" {
			v, err := strconv.ParseFloat(f.rope, 64)
			if err != nil || !(v >= 0 && v <= 1e9) {
				return nil, &param.Error{Field: "-rope", Got: f.rope, Want: "a number of at least 0, such as 0.01"}
			}
			o.Rope = &v
		}
	} else if f.rope != "" || f.family != "" {
		return nil, errors.New("-rope and -family are about effect sizes: give -score gain, share or raw as well")
	}
	if f.measures != "" {
		for name := range strings.SplitSeq(f.measures, ",") {
			m, err := report.FindMeasure(strings.TrimSpace(name))
			if err != nil {
				return nil, err
			}
			o.Measures = append(o.Measures, m)
		}
	}
	return o, nil
}

// reportFiles prints a report of files of results.
func reportFiles(_ context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("report")
	var flags reportFlags
	flags.add(fs)
	damaged := &cluster.Damaged{Log: cluster.NewLog(errs)}
	addDamaged(fs, &damaged.Skip)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return badInput(errors.New("report takes files of results (flock sweep -o FILE) or records as JSON Lines, got none"))
	}
	o, err := flags.options()
	if err != nil {
		return badInput(err)
	}
	given, err := flags.givenPlan()
	if err != nil {
		return badInput(err)
	}
	sources, err := damaged.Sources(names, given)
	if err != nil {
		return inputUnlessDamaged(err)
	}
	labels, err := labelsOf(sources[0].Plan)
	if err != nil {
		return err
	}
	study, err := report.New(sources, catalog.Schema().Parse, labels)
	if lost := damaged.Err(); err != nil && lost != nil {
		return errors.Join(lost, err)
	}
	if err != nil {
		return badInput(err)
	}
	return errors.Join(flags.print(study, o, out, errs), damaged.Err())
}

// givenPlan returns the plan in the file of -plan, nil for none.
func (f *reportFlags) givenPlan() (*plan.Plan, error) {
	if f.plan == "" {
		return nil, nil
	}
	text, err := readText(f.plan, maxPlan)
	if err != nil {
		return nil, err
	}
	draft, err := plan.ParseDraft(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.plan, err)
	}
	p, err := draft.Plan(catalog.Schema().Parse)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.plan, err)
	}
	return p, nil
}

// labelsOf returns the labels of values if the plan is that of a named sweep.
func labelsOf(p *plan.Plan) (report.Labels, error) {
	all, err := papers.All()
	if p == nil || err != nil {
		return nil, err
	}
	for _, s := range all {
		if p.Data != "" {
			if s, err = s.On(&papers.Files{Texts: s.Texts()}); err != nil {
				continue
			}
		}
		// Files need additional settings, so only the varied settings are compared.
		named, labels, err := s.Plan()
		if err == nil && slices.EqualFunc(named.Axes, p.Axes, func(a, b plan.Axis) bool {
			return a.Key == b.Key && slices.Equal(a.Values, b.Values)
		}) {
			return labels, nil
		}
	}
	return nil, nil
}

// print writes a report and its pictures.
func (f *reportFlags) print(study *report.Study, o *report.Options, out, errs io.Writer) error {
	for _, note := range study.Notes { // the report has them, too, but a reader may look at one table alone
		fmt.Fprintln(errs, "flock:", note)
	}
	w := bufio.NewWriterSize(out, 1<<16)
	var err error
	switch f.format {
	case "csv":
		err = study.WriteCSV(w, o)
	case "json":
		err = study.WriteJSON(w, o)
		if wrong := (*param.Error)(nil); errors.As(err, &wrong) {
			return badInput(err)
		}
	default:
		o.Pictures = f.format == "html"
		var d *report.Document
		if d, err = study.Report(o); err != nil {
			return badInput(err)
		}
		err = d.Write(w, report.Format(f.format), f.site)
	}
	if err = errors.Join(err, w.Flush()); err != nil || f.svg == "" {
		return err
	}
	return writePictures(f.svg, study.Pictures(o), errs)
}

// writePictures creates a folder and writes pictures into it.
func writePictures(folder string, pictures []report.Picture, errs io.Writer) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	outlines := scene.ReadOutlines(string(glyphs.Text))
	for _, p := range pictures {
		f, err := os.Create(filepath.Join(folder, p.Name))
		if err != nil {
			return err
		}
		if err := errors.Join(p.Outlined(f, outlines), f.Close()); err != nil {
			return err
		}
	}
	fmt.Fprintf(errs, "flock: %s %s in %s\n", say.Amount(len(pictures), "picture"),
		say.Either(len(pictures), "is", "are"), folder)
	return nil
}
