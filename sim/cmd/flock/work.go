//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/datafiles"
)

var _ = register(command{
	name: "work", args: "-nats URL", run: work,
	doc: "compute cells of sweeps that NATS servers share out; -workers N, -idle TIME, -data FILE",
})

// work computes cells of sweeps until it is stopped.
func work(ctx context.Context, args []string, _, errs io.Writer) error {
	fs := newFlags("work")
	var servers cluster.Servers
	addServers(fs, &servers)
	w := &cluster.Worker{Log: cluster.NewLog(errs)}
	fs.IntVar(&w.Workers, "workers", min(runtime.NumCPU(), cluster.MaxWorkers), "runs at a time")
	fs.DurationVar(&w.Idle, "idle", 0, "end when there has been nothing to do for so long; 0 waits for ever")
	var files paths
	fs.Var(&files, "data", "the files of samples, of a sweep that is about files")
	if err := parse(fs, args); err != nil {
		return badInput(err)
	}
	if servers.URLs == "" || fs.NArg() > 0 {
		return badInput(errors.New("say where the NATS servers are, such as flock work -nats nats://127.0.0.1:4222"))
	}
	if w.Workers < 1 || w.Workers > cluster.MaxWorkers {
		return badInput(fmt.Errorf("-workers: got %d, want a whole number from 1 to %d", w.Workers, cluster.MaxWorkers))
	}
	var err error
	if w.File, w.Data, err = datafiles.OpenHashed(files); err != nil {
		return badInput(err)
	}
	return w.Work(ctx, &servers)
}
