//go:build unix

package main

import (
	"context"
	"io"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
)

// What a cell takes: the run alone in a plain loop, and by way of each place and store.
// The difference between two rows is what is added to a run; on a busy machine that of
// the processor's time is the one to believe.
func BenchmarkCells(b *testing.B) {
	for _, workload := range []struct{ name, query string }{
		{"linreg", "T=50&algos=ifca"},
		{"default", ""},
		{"digits", "data=digits"},
	} {
		for _, way := range []string{"loop", "memory", "file", "nats"} {
			b.Run(workload.name+"/"+way, func(b *testing.B) {
				d := &plan.Draft{Query: workload.query, Seeds: b.N}
				p, err := d.Plan(parseQuery)
				if err != nil {
					b.Fatal(err)
				}
				s := &sweeper{plan: p, of: 1, store: &results.Memory{}, place: local{runtime.GOMAXPROCS(0)},
					errs: io.Discard}
				switch way {
				case "file":
					f, err := results.Open(filepath.Join(b.TempDir(), "a.flock"), checkRecord)
					if err != nil {
						b.Fatal(err)
					}
					defer f.Close()
					s.store = f
				case "nats":
					s.place = &cluster{workers: runtime.GOMAXPROCS(0), replicas: 1, redeliver: 30 * time.Second}
				}
				before := processorTime(b)
				b.ResetTimer()
				if way == "loop" {
					for seed := range b.N {
						c := p.At(p.Base, seed)
						if err := engine.Run(context.Background(), c.Config, nil, c.Watch()); err != nil {
							b.Fatal(err)
						}
					}
				} else if err := s.compute(context.Background()); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
	}
}

// processorTime returns what the program has used of processors.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
