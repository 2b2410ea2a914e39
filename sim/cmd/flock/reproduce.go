//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/datafiles"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "arena", args: "[-design] [-reduced] [-data FOLDER] [-study NAME]", run: arena,
	doc: "compare all methods on many kinds of clients; -design prints what is compared, -data adds rows on real files, -study runs a study beside it; resumable, with the flags of sweep and report",
})

var _ = register(command{
	name: "reproduce", args: "-list | [-reduced] [-data FOLDER] NAME …", run: reproduce,
	doc: "run tables or figures of papers, or all, and print their numbers beside ours; -list names them; -data runs them on MNIST's files and the like",
})

// arena runs the sweep named arena.
func arena(ctx context.Context, args []string, out, errs io.Writer) error {
	n := &namedSweep{command: "arena"}
	names, err := n.parse(args, out)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return badInput(fmt.Errorf("arena takes no arguments, got %q", names[0]))
	}
	s, studies, err := papers.FindArena(n.study)
	if err != nil {
		return badInput(err)
	}
	if n.design {
		d, err := s.Design(studies)
		if err != nil {
			return err
		}
		return d.Write(out, report.Format(n.report.format), n.report.site)
	}
	if err := n.openAll(); err != nil {
		return badInput(err)
	}
	if n.tune {
		return n.tuneArena(ctx, s, out, errs)
	}
	return n.runArena(ctx, s, out, errs)
}

// runArena computes the drawn rows and those on each set of files, each into a file of its own, and prints a report of each:
// flock page makes one page of them all.
func (n *namedSweep) runArena(ctx context.Context, s *papers.Sweep, out, errs io.Writer) error {
	on, err := n.arenaParts(s)
	if err != nil {
		return badInput(err)
	}
	if err := n.runEach(ctx, on, out, errs); err != nil {
		return err
	}
	if len(on) > 1 {
		fmt.Fprintln(errs, "flock: flock page makes one page of these files")
	}
	return nil
}

// reproduce runs sweeps of papers.
func reproduce(ctx context.Context, args []string, out, errs io.Writer) error {
	n := &namedSweep{command: "reproduce"}
	names, err := n.parse(args, out)
	if err != nil {
		return err
	}
	all, err := papers.All()
	if err != nil {
		return err
	}
	if n.list {
		return listSweeps(out, all)
	}
	if n.onlyStored && n.book == "" {
		return badInput(errors.New("-stored goes with -book FOLDER"))
	}
	if err := n.openAll(); err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return badInput(errors.New("say what to reproduce, such as cflgp-fig1a; flock reproduce -list names everything"))
	}
	if slices.ContainsFunc(names, isPattern) || n.book != "" || n.cost {
		chosen := slices.DeleteFunc(all, func(s *papers.Sweep) bool {
			return !s.IsPaper() || !slices.ContainsFunc(names, func(name string) bool { return matches(name, s.Name) })
		})
		if len(chosen) == 0 {
			return badInput(fmt.Errorf("no sweep has a name like %s; flock reproduce -list names them",
				strings.Join(names, " ")))
		}
		switch {
		case n.cost:
			return n.printCosts(ctx, chosen, out, errs)
		case n.book != "":
			return n.writeBook(ctx, chosen, errs)
		}
		return n.runAll(ctx, chosen, out, errs)
	}
	var named []sweepOnData
	for _, name := range names { // all names before any computation
		s, err := papers.Find(name)
		if err != nil {
			return badInput(err)
		}
		on, err := n.on(s)
		if err != nil {
			return badInput(err)
		}
		named = append(named, on...)
	}
	return n.runEach(ctx, named, out, errs)
}

// arenaParts returns the sweeps that make up the arena: its drawn rows, and those of each set, with default settings or with
// those that were chosen for each family.
func (n *namedSweep) arenaParts(s *papers.Sweep) (on []sweepOnData, err error) {
	if n.reduced {
		s = s.Small()
	}
	parts := []*papers.Sweep{s}
	if n.tuned {
		parts = nil
		for _, f := range s.Families {
			if of, ok := s.WithTuned(f.Name); ok {
				parts = append(parts, of)
			}
		}
		if len(parts) == 0 {
			return nil, fmt.Errorf("%s has no tuned settings; lines \"tuned\" of its sweep say them", s.Name)
		}
	}
	for _, s := range parts {
		if len(s.Rows()) > 0 {
			on = append(on, sweepOnData{Sweep: s})
		}
	}
	for i := range n.sets {
		set, used := &n.sets[i], false
		for _, s := range parts {
			if !slices.Contains(s.Sets(), set.files.Name) {
				continue
			}
			of, err := s.On(set.files)
			if err != nil {
				return nil, err
			}
			on, used = append(on, sweepOnData{of, set}), true
		}
		if _, err := s.On(set.files); !used && err != nil {
			return nil, err
		}
	}
	return on, nil
}

// listSweeps prints the names and titles of the sweeps.
func listSweeps(out io.Writer, all []*papers.Sweep) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\truns\treduced\ttable or figure")
	for _, s := range all {
		if !s.IsPaper() {
			continue
		}
		title := s.Title
		if len(s.Real) > 0 {
			title += "; -data: " + strings.Join(s.Sets(), ", ")
		}
		if len(s.Cannot) > 0 {
			fmt.Fprintf(w, "%s\t–\t–\t%s (cannot be run: %s)\n", s.Name, title, strings.Join(s.Cannot, " "))
			continue
		}
		p, _, err := s.Plan()
		if err != nil {
			return err
		}
		small, _, err := s.Small().Plan()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, say.Whole(p.Runs()), say.Whole(small.Runs()), title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n-data: the files of this set, in a folder, may take the place of drawn digits or texts.")
	return err
}

// namedSweep is a command that runs a named sweep and prints its report.
type namedSweep struct {
	command             string
	sweep               sweepFlags
	report              reportFlags
	reduced, list       bool
	data                paths
	sets                []dataSet // sets of data
	pairs               []dataSet // two of them together, those that were needed so far
	study               string    // study beside the arena
	design, tune, tuned bool
	book                string // folder for a book of results
	onlyStored          bool   // compute nothing: take what results files, and the book, have
	cost                bool
}

// dataSet is a set of files that replace synthetic samples.
type dataSet struct {
	paths []paths // one list, or two of a pair
	files *papers.Files
	file  *workload.File
}

// sweepOnData is a sweep and the data set that it uses, nil for synthetic samples.
type sweepOnData struct {
	*papers.Sweep
	set *dataSet
}

// parse reads the flags and returns the remaining arguments.
func (n *namedSweep) parse(args []string, out io.Writer) ([]string, error) {
	fs := newFlags(n.command)
	n.sweep.seeds = ""
	n.report.add(fs)
	if n.command == papers.Arena { // the arena compares kinds of data
		n.report.unit, fs.Lookup("unit").DefValue = "setting", "setting"
		fs.BoolVar(&n.design, "design", false, "compute nothing, but print what is compared: rows, methods, budgets and studies")
		fs.BoolVar(&n.tune, "tune", false, "choose settings for each method and family of rows, by random search on training samples that clients hold back")
		fs.BoolVar(&n.tuned, "tuned", false, "with the settings that were chosen for each family, in place of the defaults")
		fs.StringVar(&n.study, "study", "", "a study beside the arena: k, what a wrong number of clusters costs, or liars")
		fs.Var(&n.data, "data", "a folder of files, any number of times: rows on MNIST, Fashion-MNIST, AG News, FEMNIST or Amazon run if it has the set")
	}
	if n.command == "reproduce" {
		fs.StringVar(&n.book, "book", "", "write a page for each table into this folder, and RESULTS, which counts what holds")
		fs.BoolVar(&n.onlyStored, "stored", false, "with -book: compute nothing, but write what the results files in this folder have, and else the book")
		fs.BoolVar(&n.cost, "cost", false, "compute nothing, but print how long each table takes")
	}
	fs.BoolVar(&n.reduced, "reduced", false, map[bool]string{true: "few seeds, and a part of the whole",
		false: "a small form with few seeds, to try it out: not comparable with the paper's numbers"}[n.command == papers.Arena])
	if n.command == "reproduce" {
		fs.BoolVar(&n.list, "list", false, "name everything that can be reproduced")
		fs.Var(&n.data, "data", "run on these files in place of drawn digits or texts: the folder of MNIST's, Fashion-MNIST's, CIFAR-10's or AG News' files, or files with commas between them; of several folders, each table runs on the sets of its paper")
	}
	n.sweep.addDestination(fs)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return nil, badInput(err)
	}
	if n.report.plan != "" {
		return nil, badInput(fmt.Errorf("%s has a plan of its own; -plan goes with flock report", n.command))
	}
	return names, nil
}

// allSweeps is the name for all sweeps of papers.
const allSweeps = "all"

// isPattern reports whether a name can match several sweeps, whose results form one document.
func isPattern(name string) bool { return name == allSweeps || strings.Contains(name, "*") }

// matches reports whether a name, or a pattern such as hcfl-*, matches a sweep.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == allSweeps || ok && err == nil
}

// openAll reads the files of -data: each folder is a set, and all single files together are another set.
func (n *namedSweep) openAll() error {
	var sets []paths
	var single paths
	for _, path := range n.data {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			single = append(single, path) // opening the file reports what is wrong
		} else {
			sets = append(sets, paths{path})
		}
	}
	if len(single) > 0 {
		sets = append(sets, single)
	}
	for _, set := range sets {
		files, file, err := datafiles.StandIn(set)
		if err != nil {
			return fmt.Errorf("-data: %w", err)
		}
		n.sets = append(n.sets, dataSet{[]paths{set}, files, file})
	}
	return nil
}

// on returns a sweep, on each of the sets of -data that its paper has; a single set need not be of the paper.
func (n *namedSweep) on(s *papers.Sweep) ([]sweepOnData, error) {
	if n.reduced {
		s = s.Small()
	}
	if len(n.sets) == 0 && s.OnlyFiles() {
		return nil, s.NeedsFiles()
	}
	if len(n.sets) == 0 {
		return []sweepOnData{{Sweep: s}}, nil
	}
	var out []sweepOnData
	for _, name := range s.Sets() {
		if set, err := n.pair(name); err != nil {
			return nil, err
		} else if set != nil {
			s, err := s.On(set.files)
			return []sweepOnData{{s, set}}, err
		}
	}
	for i := range n.sets {
		set := &n.sets[i]
		if len(n.sets) > 1 && len(s.Real) > 0 && !slices.Contains(s.Sets(), set.files.Name) {
			continue
		}
		s, err := s.On(set.files)
		if err != nil {
			return nil, err
		}
		out = append(out, sweepOnData{s, set})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s runs on %s, which -data does not have", s.Name, strings.Join(s.Sets(), ", "))
	}
	return out, nil
}

// pair opens two sets as one, whose name joins theirs; nil if it is not such a name, or -data lacks one of them.
func (n *namedSweep) pair(name string) (*dataSet, error) {
	first, second, ok := strings.Cut(name, papers.Plus)
	find := func(sets []dataSet, name string) *dataSet {
		if i := slices.IndexFunc(sets, func(d dataSet) bool { return d.files.Name == name }); i >= 0 {
			return &sets[i]
		}
		return nil
	}
	a, b := find(n.sets, first), find(n.sets, second)
	if !ok || a == nil || b == nil {
		return nil, nil
	}
	if opened := find(n.pairs, name); opened != nil {
		return opened, nil
	}
	both := slices.Concat(a.paths, b.paths)
	files, file, err := datafiles.StandIn(slices.Concat(both...))
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	files.Name, files.Rights = name, strings.TrimSpace(a.files.Rights+" "+b.files.Rights)
	n.pairs = append(n.pairs, dataSet{both, files, file})
	return &n.pairs[len(n.pairs)-1], nil
}

// runEach computes sweeps, each into a file of its own, and prints a report of each.
func (n *namedSweep) runEach(ctx context.Context, all []sweepOnData, out, errs io.Writer) error {
	o, err := n.report.options()
	if err != nil {
		return badInput(err)
	}
	if len(all) > 1 && n.sweep.out != "" {
		return badInput(errors.New("-o names the file of one sweep, and each sweep and each set of -data has one of its own; leave it out"))
	}
	for _, s := range all {
		if err := n.compute(ctx, s, out, errs, func(w io.Writer, study *report.Study) error {
			return n.print(s, study, o, w, errs)
		}); err != nil {
			return err
		}
	}
	return nil
}

// compute computes a sweep into its file and passes on its results.
func (n *namedSweep) compute(ctx context.Context, s sweepOnData, out, errs io.Writer,
	then func(w io.Writer, study *report.Study) error) error {
	return n.records(ctx, s, out, errs, func(w io.Writer, source report.Source, labels report.Labels) error {
		study, err := report.New([]report.Source{source}, catalog.Schema().Parse, labels)
		if err != nil {
			return err
		}
		return then(w, study)
	})
}

// records computes a sweep into its file and passes on what the file holds.
func (n *namedSweep) records(ctx context.Context, s sweepOnData, out, errs io.Writer,
	then func(io.Writer, report.Source, report.Labels) error) error {
	p, labels, err := s.Plan()
	if err != nil {
		return badInput(err)
	}
	return n.play(ctx, s, p, out, errs, func(w io.Writer, source report.Source) error {
		return then(w, source, labels)
	})
}

// play computes a plan for a sweep into a file and passes on what the file holds.
func (n *namedSweep) play(ctx context.Context, s sweepOnData, p *plan.Plan, out, errs io.Writer,
	then func(io.Writer, report.Source) error) error {
	flags := n.sweep
	if flags.out == "" {
		flags.out = resultsFile(s.Sweep, p)
	}
	var file *workload.File
	if s.set != nil {
		file = s.set.file
	}
	print := func(w io.Writer, t *results.Table) error {
		records, err := t.Own()
		if err != nil {
			return err
		}
		return then(w, report.Source{Name: flags.out, Plan: t.Plan, Records: records})
	}
	if n.onlyStored {
		return n.stored(flags.out, s.Sweep, p, out, print)
	}
	if n.book != "" {
		if err := n.continueBook(flags.out, p); err != nil {
			return err
		}
	}
	return flags.play(ctx, p, file, out, cluster.NewLog(errs), print)
}

// resultsFile returns the name of the file for the results of a sweep.
func resultsFile(s *papers.Sweep, p *plan.Plan) string {
	name := fmt.Sprintf("%s-v%d", s.Name, s.Version)
	if s.IsReduced && s.HasSmall() { // else it is a part of the full form
		name += "-reduced"
	}
	if p.Data != "" {
		name += fmt.Sprintf("-data-%.8s", p.Data)
	}
	return name + ".flock"
}

// runAll computes sweeps of papers and prints one report: with the papers' numbers, their claims, and missing results.
func (n *namedSweep) runAll(ctx context.Context, all []*papers.Sweep, out, errs io.Writer) error {
	o, err := n.report.options()
	if err != nil {
		return badInput(err)
	}
	if n.sweep.out != "" || n.report.format == "csv" || n.report.format == "json" {
		return badInput(errors.New("all sweeps at once have a file each and are documents; leave -o out, and choose markdown, latex or html"))
	}
	o.NoTables = true
	var reports []*report.Document
	var notOnFiles []string
	for _, found := range all {
		if len(found.Cannot) > 0 {
			continue
		}
		on, err := n.on(found)
		if err != nil {
			notOnFiles = append(notOnFiles, err.Error()+".")
			continue
		}
		for _, s := range on {
			fmt.Fprintf(errs, "flock: %s\n", s.Name)
			err = n.compute(ctx, s, io.Discard, errs, func(_ io.Writer, study *report.Study) error {
				part, err := s.Report(study, *o, n.provenance(s, study))
				reports = append(reports, part)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	if len(reports) == 0 {
		return badInput(errors.New(strings.Join(notOnFiles, " ")))
	}
	d := papers.Combine(o.Title, len(n.sets) > 0, all, reports, notOnFiles)
	return d.Write(out, report.Format(n.report.format), n.report.site)
}

// print writes the report of a named sweep.
func (n *namedSweep) print(s sweepOnData, study *report.Study, o *report.Options, w, errs io.Writer) error {
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
	d, err := s.Report(study, *o, n.provenance(s, study))
	if err != nil {
		return err
	}
	if err := d.Write(w, report.Format(n.report.format), n.report.site); err != nil || n.report.svg == "" {
		return err
	}
	return writePictures(n.report.svg, study.Pictures(o), errs)
}

// dataFlags returns the flags of a command that name the files of some sets.
func dataFlags(sets []dataSet) (flags string) {
	for i := range sets {
		for _, set := range sets[i].paths {
			flags += " -data " + plan.ShellWord(strings.ReplaceAll(datafiles.Titles(set), ", ", ","))
		}
	}
	return flags
}

// provenance describes how the results were computed, and how long that took.
func (n *namedSweep) provenance(s sweepOnData, study *report.Study) string {
	command := "flock " + n.command
	if n.study != "" {
		command += " -study " + n.study
	}
	if n.tuned {
		command += " -tuned"
	}
	if n.reduced {
		command += " -reduced"
	}
	if s.set != nil {
		command += dataFlags([]dataSet{*s.set})
	}
	if s.IsPaper() {
		command += " " + s.Name
	}
	made := fmt.Sprintf("Made by `%s`, version %d of this sweep, by %s, version %d of the engine.", command, s.Version,
		version.Text("flock"), version.Engine)
	if study.Seconds > 0 {
		made += fmt.Sprintf(" The times of its %s add up to %s.", say.Amount(study.Records, "run"), cluster.Duration(study.Seconds))
	}
	return made
}
