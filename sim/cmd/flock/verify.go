//go:build !js

package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strconv"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/datafiles"
	"flockscope/sim/param"
)

var _ = register(command{
	name: "verify", args: "[-share 0.05] FILE …", run: verify,
	doc: "play a random part of the runs in files of results again, and name those that come out otherwise; -share 1 plays all",
})

// verify replays a part of the runs in files of results.
func verify(ctx context.Context, args []string, out, errs io.Writer) error {
	v := &cluster.Verifier{Out: out, Damaged: &cluster.Damaged{Log: cluster.NewLog(errs)}}
	fs := newFlags("verify")
	fs.Float64Var(&v.Share, "share", 0.05, "which share of the runs to play again, above 0 and at most 1; at least one run")
	fs.Uint64Var(&v.Seed, "seed", 1, "which of them: the same seed chooses the same ones")
	workers := fs.String("workers", strconv.Itoa(min(runtime.NumCPU(), cluster.MaxWorkers)), "runs at a time")
	var files paths
	fs.Var(&files, "data", "the files of samples that the results are about")
	addDamaged(fs, &v.Damaged.Skip)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return badInput(errors.New("verify takes files of results (flock sweep -o FILE) or records as JSON Lines, got none"))
	}
	if !(v.Share > 0 && v.Share <= 1) {
		return badInput(&param.Error{Field: "-share", Got: strconv.FormatFloat(v.Share, 'g', -1, 64),
			Want: "a number above 0 and at most 1"})
	}
	if v.Workers, err = wholeFlag("-workers", *workers, cluster.MaxWorkers); err != nil {
		return badInput(err)
	}
	if v.File, v.Data, err = datafiles.OpenHashed(files); err != nil {
		return badInput(err)
	}
	return inputIf(v.Verify(ctx, names))
}
