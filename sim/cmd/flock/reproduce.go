//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"flockscope/sim/cmd/flock/book"
	"flockscope/sim/cmd/flock/report"
	"flockscope/sim/version"
)

var _ = register(command{
	name: "arena", args: "[-reduced] [-o FILE]", run: arena,
	doc: "compare all methods on many kinds of heterogeneity, with equal budgets; resumable, with the flags of sweep and report",
})

var _ = register(command{
	name: "reproduce", args: "-list | [-reduced] NAME … | all", run: reproduce,
	doc: "run a table or figure of a paper and print its numbers beside ours; -list names them",
})

// arena runs the sweep that is called so.
func arena(ctx context.Context, args []string, out, errs io.Writer) error {
	n := &named{command: "arena"}
	names, err := n.parse(args, out)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return badInput(fmt.Errorf("arena takes no arguments, got %q", names[0]))
	}
	return n.run(ctx, book.Arena, out, errs)
}

// reproduce runs sweeps of papers.
func reproduce(ctx context.Context, args []string, out, errs io.Writer) error {
	n := &named{command: "reproduce"}
	names, err := n.parse(args, out)
	if err != nil {
		return err
	}
	all, err := book.All()
	if err != nil {
		return err
	}
	if n.list {
		return listSweeps(out, all)
	}
	if len(names) == 0 {
		return badInput(errors.New("say what to reproduce, such as cflgp-fig1a; flock reproduce -list names everything"))
	}
	if slices.Equal(names, []string{everything}) {
		return n.runAll(ctx, all, out, errs)
	}
	for _, name := range names { // before anything is computed
		if _, err := book.Find(name); err != nil {
			return badInput(err)
		}
	}
	if len(names) > 1 && n.sweep.out != "" {
		return badInput(errors.New("-o names the file of one sweep; without it each gets one of its own, in this folder"))
	}
	for _, name := range names {
		if err := n.run(ctx, name, out, errs); err != nil {
			return err
		}
	}
	return nil
}

// listSweeps prints names and titles.
func listSweeps(out io.Writer, all []*book.Sweep) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range all {
		if !s.IsPaper() {
			continue
		}
		title := s.Title
		if len(s.Cannot) > 0 {
			title += " (cannot be run: " + strings.Join(s.Cannot, " ") + ")"
		}
		fmt.Fprintf(w, "%s\t%s\n", s.Name, title)
	}
	return w.Flush()
}

// named is a command that runs a named sweep and reports it.
type named struct {
	command       string
	sweep         sweepFlags
	report        reportFlags
	reduced, list bool
}

// parse reads the flags and returns what else there is.
func (n *named) parse(args []string, out io.Writer) ([]string, error) {
	fs := newFlags(n.command)
	n.sweep.seeds = ""
	n.report.add(fs)
	if n.command == book.Arena { // it is about kinds of data, not about seeds
		n.report.unit, fs.Lookup("unit").DefValue = "setting", "setting"
	}
	fs.BoolVar(&n.reduced, "reduced", false, "fewer seeds: some minutes in place of an hour")
	if n.command == "reproduce" {
		fs.BoolVar(&n.list, "list", false, "name everything that can be reproduced")
	}
	n.sweep.addPlaces(fs)
	names, err := parseInterspersed(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(out, "flock %s\n", n.command)
		fs.SetOutput(out)
		fs.PrintDefaults()
		return nil, flag.ErrHelp
	}
	if err != nil {
		return nil, badInput(err)
	}
	if n.report.plan != "" {
		return nil, badInput(fmt.Errorf("%s has a plan of its own; -plan goes with flock report", n.command))
	}
	return names, nil
}

// everything stands for all sweeps of papers.
const everything = "all"

// run computes a sweep and prints its report.
func (n *named) run(ctx context.Context, name string, out, errs io.Writer) error {
	s, err := book.Find(name)
	if err != nil {
		return badInput(err)
	}
	o, err := n.report.options()
	if err != nil {
		return badInput(err)
	}
	return n.compute(ctx, s, out, errs, func(w io.Writer, study *report.Study) error {
		return n.print(s, study, o, w, errs)
	})
}

// compute computes a sweep into its file and hands over what came out.
func (n *named) compute(ctx context.Context, s *book.Sweep, out, errs io.Writer,
	then func(w io.Writer, study *report.Study) error) error {
	p, labels, err := s.Plan(n.reduced)
	if err != nil {
		return badInput(err)
	}
	flags := n.sweep
	if flags.out == "" {
		flags.out = fmt.Sprintf("%s-v%d.flock", s.Name, s.Version)
	}
	return flags.play(ctx, p, nil, out, errs, func(w io.Writer, t *table) error {
		source, err := t.source(flags.out)
		if err != nil {
			return err
		}
		study, err := report.New([]report.Source{source}, parseQuery, labels)
		if err != nil {
			return err
		}
		return then(w, study)
	})
}

// runAll computes all sweeps of papers and prints one report: the papers' numbers, their
// claims, and what is missing.
func (n *named) runAll(ctx context.Context, all []*book.Sweep, out, errs io.Writer) error {
	o, err := n.report.options()
	if err != nil {
		return badInput(err)
	}
	if n.sweep.out != "" || n.report.format == "csv" || n.report.format == "json" {
		return badInput(errors.New("all sweeps at once have a file each and are documents; leave -o out, and choose markdown, latex or html"))
	}
	o.NoTables = true
	d := &report.Document{Title: cmp.Or(o.Title, "Tables and figures of papers, reproduced")}
	d.Parts = append(d.Parts, report.Part{Text: o.Intro})
	cannot := &report.Table{Names: 2, Head: []string{"what", "why"}}
	for _, s := range all {
		if !s.IsPaper() {
			continue
		}
		if len(s.Cannot) > 0 {
			cannot.Rows = append(cannot.Rows, []report.Cell{{Text: s.Title}, {Text: strings.Join(s.Cannot, " ")}})
			continue
		}
		fmt.Fprintf(errs, "flock: %s\n", s.Name)
		err := n.compute(ctx, s, io.Discard, errs, func(_ io.Writer, study *report.Study) error {
			part, err := s.Report(study, *o, n.made(s))
			if err == nil {
				d.Parts = append(d.Parts, part.Under()...)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	d.Parts = append(d.Parts, report.Part{Heading: "What cannot be run", Table: cannot})
	return d.Write(out, report.Format(n.report.format), n.report.site)
}

// print writes the report of a named sweep.
func (n *named) print(s *book.Sweep, study *report.Study, o *report.Options, w, errs io.Writer) error {
	if len(o.Measures) == 0 {
		o.Measures = s.Measures
	}
	if o.Columns == "" {
		o.Columns = s.Columns
	}
	if n.report.format == "csv" || n.report.format == "json" {
		return n.report.print(study, o, w, errs)
	}
	o.NoTests = s.IsPaper()
	o.Pictures = n.report.format == "html"
	d, err := s.Report(study, *o, n.made(s))
	if err != nil {
		return err
	}
	if err := d.Write(w, report.Format(n.report.format), n.report.site); err != nil || n.report.svg == "" {
		return err
	}
	return writePictures(n.report.svg, study.Pictures(o), errs)
}

// made says how the numbers came about.
func (n *named) made(s *book.Sweep) string {
	command := "flock " + n.command
	if n.reduced {
		command += " -reduced"
	}
	if s.IsPaper() {
		command += " " + s.Name
	}
	return fmt.Sprintf("Made by `%s`, version %d of this sweep, by %s, version %d of the engine.", command, s.Version,
		version.Text("flock"), version.Engine)
}

// source returns the records of a table.
func (t *table) source(name string) (report.Source, error) {
	source := report.Source{Name: name, Plan: t.plan}
	for r, err := range t.rows() {
		if err != nil {
			return source, err
		}
		for _, record := range r.records {
			if record != nil {
				source.Records = append(source.Records, *record)
			}
		}
	}
	return source, nil
}
