//go:build unix

package cluster

import (
	"context"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"flockscope/sim/catalog"
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
				p, err := d.Plan(catalog.Schema().Parse)
				if err != nil {
					b.Fatal(err)
				}
				s := &Sweep{Options: Options{Part: Part{Count: 1}}, plan: p, store: &results.Memory{},
					place: local{runtime.GOMAXPROCS(0)}}
				switch way {
				case "file":
					f, err := results.Open(filepath.Join(b.TempDir(), "a.flock"), CheckRecord)
					if err != nil {
						b.Fatal(err)
					}
					defer f.Close()
					s.store = f
				case "nats":
					s.place = &Queue{Workers: runtime.GOMAXPROCS(0), Replicas: 1, Redeliver: 30 * time.Second}
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
				} else if err := s.Run(context.Background()); err != nil {
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
