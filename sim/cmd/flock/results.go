//go:build !js

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
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

// printResults prints a file of results in the format of sweep.
func printResults(_ context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("results")
	var flags sweepFlags
	flags.addFormat(fs)
	damaged := &cluster.Damaged{Log: cluster.NewLog(errs)}
	addDamaged(fs, &damaged.Skip)
	planOnly := fs.Bool("plan", false, "print the plan")
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) != 1 {
		return badInput(fmt.Errorf("results takes one file of results, got %q", names))
	}
	f, err := damaged.Open(names[0])
	if err != nil {
		return badInput(err)
	}
	defer f.Close()
	if *planOnly {
		_, err := io.WriteString(out, f.Plan())
		return errors.Join(err, damaged.Err())
	}
	p, err := cluster.ReadPlan(f.Name(), f.Plan())
	if lost := damaged.Err(); err != nil && lost != nil {
		return errors.Join(lost, err)
	}
	if err != nil {
		return badInput(err)
	}
	if f.Engine() != version.Engine {
		fmt.Fprintf(errs, "flock: these results are from version %d of the engine; this is version %d\n", f.Engine(),
			version.Engine)
	}
	t := &results.Table{Plan: p, Records: f, Engine: f.Engine()}
	if err := warnOthers(t, f.Len(), errs); err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	return errors.Join(flags.print(w, t), w.Flush(), damaged.Err())
}

// warnOthers warns of records in a file that the table does not show because they belong to no cell of the plan: the
// plan was made smaller, or an older version of flock has lost a part of it.
func warnOthers(t *results.Table, records int, errs io.Writer) error {
	if t.Plan.Cells() > cluster.MaxUnkept {
		return nil
	}
	own, err := t.Own()
	if err != nil {
		return err
	}
	if n := records - len(own); n > 0 {
		fmt.Fprintf(errs, "flock: %s %s of no cell of the plan and not shown; flock report -plan FILE shows records by "+
			"another plan\n", say.Amount(n, "record"), say.Either(n, "is", "are"))
	}
	return nil
}

// merge combines files of results into one.
func merge(ctx context.Context, args []string, _, errs io.Writer) error {
	fs := newFlags("merge")
	out := fs.String("o", "", "the file that takes all results")
	damaged := &cluster.Damaged{Log: cluster.NewLog(errs)}
	addDamaged(fs, &damaged.Skip)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if *out == "" || len(names) == 0 {
		return badInput(errors.New("say which files to merge and into which, such as flock merge -o all.flock results-*-of-16.flock"))
	}
	return inputIf(cluster.Merge(ctx, *out, names, damaged))
}
