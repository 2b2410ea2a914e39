//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/textfile"
	"flockscope/sim/version"
)

var _ = register(command{
	name: "results", args: "FILE", run: printResults,
	doc: "print what a file of results holds: a table, -csv, -json, -jsonl; -plan prints its plan",
})

var _ = register(command{
	name: "merge", args: "-o FILE FILES", run: merge,
	doc: "put files of results, or records as JSON Lines, into one file",
})

// printResults prints a file of results as sweep does.
func printResults(_ context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("results")
	var flags sweepFlags
	flags.addFormat(fs)
	flags.damage.add(fs)
	planOnly := fs.Bool("plan", false, "print the plan")
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) != 1 {
		return badInput(fmt.Errorf("results takes one file of results, got %q", names))
	}
	f, err := flags.damage.open(names[0], errs)
	if err != nil {
		return badInput(err)
	}
	defer f.Close()
	if *planOnly {
		_, err := io.WriteString(out, f.Plan())
		return errors.Join(err, flags.damage.err())
	}
	p, err := planOf(f)
	if damaged := flags.damage.err(); err != nil && damaged != nil {
		return errors.Join(damaged, err)
	}
	if err != nil {
		return badInput(err)
	}
	if f.Engine() != version.Engine {
		fmt.Fprintf(errs, "flock: these results are from version %d of the engine; this is version %d\n", f.Engine(),
			version.Engine)
	}
	w := bufio.NewWriterSize(out, 1<<16)
	t := &table{plan: p, store: f, cell: func(c experiment.Config, seed int) plan.Cell {
		return p.AtVersion(c, seed, f.Engine())
	}}
	if err := t.sayOthers(f, errs); err != nil {
		return err
	}
	return errors.Join(t.print(w, &flags), w.Flush(), flags.damage.err())
}

// planOf reads the plan of a file of results.
func planOf(f interface {
	Name() string
	Plan() string
}) (*plan.Plan, error) {
	draft, err := plan.ParseDraft(f.Plan())
	if err == nil && f.Plan() == "" {
		err = errors.New("it has no plan; -plan with the text of one, given to sweep, adds it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return draft.Plan(parseQuery)
}

// merge puts files of results into one.
func merge(ctx context.Context, args []string, _, errs io.Writer) error {
	fs := newFlags("merge")
	outName := fs.String("o", "", "the file that takes all results")
	var lost damage
	lost.add(fs)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if *outName == "" || len(names) == 0 {
		return badInput(errors.New("say which files to merge and into which, such as flock merge -o all.flock results-*-of-16.flock"))
	}
	for _, name := range names {
		if sameFile(name, *outName) {
			return badInput(fmt.Errorf("%s is the file that takes all results, too; name another with -o", name))
		}
	}
	text, err := commonPlan(append([]string{*outName}, names...))
	if err != nil {
		return inputUnlessIO(err)
	}
	out, err := results.Open(*outName, checkRecord)
	var found *results.Damage
	if errors.As(err, &found) {
		lost.note(found, errs)
		out, err = heal(*outName, errs)
	}
	if err != nil {
		return inputUnlessIO(err)
	}
	defer out.Close()
	if err := out.SetPlan(text); err != nil {
		return err
	}
	var sum merged
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := sum.add(out, name, &lost, errs); err != nil {
			return err
		}
	}
	before := sum.read - sum.added
	fmt.Fprintf(errs, "flock: %s from %s in %s; %s %s there already\n", say.Amount(sum.added, "new record"),
		say.Amount(len(names), "file"), out.Name(), say.Whole(before), say.Either(before, "was", "were"))
	var problems []error
	if sum.failed > 0 {
		problems = append(problems, fmt.Errorf("%s failed; flock results says why", say.Amount(sum.failed, "cell")))
	}
	complete := false
	if text != "" {
		missing, err := missing(out)
		if err != nil {
			return err
		}
		if complete = missing == 0; !complete {
			problems = append(problems, fmt.Errorf("%s %s no result yet; flock sweep -o %s computes %s",
				say.Amount(missing, "cell"), say.Either(missing, "has", "have"), plan.ShellWord(out.Name()),
				say.Either(missing, "it", "them")))
		}
	}
	if err := lost.err(); err != nil && complete {
		fmt.Fprintf(errs, "flock: %v\nflock: nothing of it is missing in %s\n", errors.Join(lost.lost...), out.Name())
	} else if err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

// commonPlan returns the one plan of all files that have one.
func commonPlan(names []string) (text string, err error) {
	from := ""
	for i, name := range names {
		_, statErr := os.Stat(name)
		if isLines(name) || i == 0 && errors.Is(statErr, os.ErrNotExist) {
			continue
		}
		mine, engine, err := results.ReadPlan(name)
		if err != nil {
			return "", badInput(err)
		}
		if engine != version.Engine && engine != 0 {
			return "", badInput(fmt.Errorf("%s %w: its results are from version %d of the engine, and this is version %d; "+
				"merge with the flock that made them", name, results.ErrVersion, engine, version.Engine))
		}
		if mine == "" {
			continue
		}
		if text != "" && mine != text {
			return "", badInput(fmt.Errorf("%s and %s are of different plans; flock results -plan prints each", from,
				name))
		}
		text, from = mine, name
	}
	return text, nil
}

// merged counts what a merge has met.
type merged struct{ read, added, failed int }

// add puts the records of a file into another.
func (m *merged) add(out *results.File, name string, lost *damage, errs io.Writer) error {
	var batch []plan.Record
	flush := func() error {
		added, err := out.Put(batch...)
		m.added += added
		batch = batch[:0]
		return err
	}
	records, closeFile, err := recordsOf(name, lost, errs)
	if err != nil {
		return badInput(err)
	}
	defer closeFile()
	for r, err := range records {
		if err != nil {
			return err
		}
		if r.Version != version.Engine {
			return badInput(fmt.Errorf("%s %w: a record is from version %d of the engine, and this is version %d",
				name, results.ErrVersion, r.Version, version.Engine))
		}
		m.read++
		if r.Error != "" {
			m.failed++
		}
		if batch = append(batch, r); len(batch) == mostTogether {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// isLines reports whether a file holds records as JSON Lines.
func isLines(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return bytes.HasPrefix(textfile.Head(f, 4096), []byte{'{'})
}

// recordsOf returns the records of a file of either kind, and notes what cannot be read.
func recordsOf(name string, lost *damage, errs io.Writer) (records iter.Seq2[plan.Record, error],
	closeFile func() error, err error) {
	if !isLines(name) {
		f, err := lost.open(name, errs)
		if err != nil {
			return nil, nil, err
		}
		return f.All(), f.Close, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return func(yield func(plan.Record, error) bool) {
		n, found := 0, results.Damage{Name: name}
		for line, err := range textfile.Lines(f) {
			if n++; err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var r plan.Record
			if err != nil {
				found.Unsure = "it breaks off there"
				err = fmt.Errorf("cannot be read: %w", err)
			} else if r, err = plan.ParseRecord(line); err == nil {
				err = checkRecord(&r)
			}
			if err == nil {
				if found.Readable++; !yield(r, nil) {
					return
				}
				continue
			}
			if found.Unreadable++; found.First == nil {
				found.First = fmt.Errorf("line %d %w", n, err)
			}
		}
		if found.Lost() {
			lost.note(&found, errs)
		}
	}, f.Close, nil
}

// missing counts the cells of a file's plan that have no record.
func missing(f *results.File) (n int, err error) {
	p, err := planOf(f)
	if err != nil {
		return 0, nil // of files whose plan another version wrote
	}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			continue
		}
		for seed := range p.Seeds {
			if _, ok, err := f.Get(p.At(c, seed).ID); err != nil {
				return 0, err
			} else if !ok {
				n++
			}
		}
	}
	return n, nil
}
