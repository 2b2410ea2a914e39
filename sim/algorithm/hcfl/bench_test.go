//go:build unix

package hcfl_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
)

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) Begin(*trace.Header)     {}
func (nothing) Frame(int, *trace.Frame) {}
func (nothing) Round(int)               {}
func (nothing) End(int, *trace.Summary) {}

// BenchmarkHeads is ten rounds of local training with the convolutional network, for FedAvg, and for HCFL+ and FedEM with
// more and more heads, and FedEM. Compare the processor times of one run: what HCFL+
// promises is at most 1.6 times FedAvg with three heads, and less than 10 % more for each further head. Few samples are held
// out or probed, since evaluations of all models for the page are no part of the methods.
func BenchmarkHeads(b *testing.B) {
	names := []string{"fedavg"}
	for _, k := range []int{1, 3, 6, 12} {
		names = append(names, fmt.Sprint("hcflplus&K=", k))
	}
	for _, name := range append(names, "fedem&K=3") {
		b.Run(name, func(b *testing.B) {
			c, problems := catalog.Schema().Parse("data=digits&net=cnn&C=12&n=3000&T=10&every=10&avg=model&exam=5&probe=1&hrho=2&spare=1000&algos=" + name)
			if err := experiment.First(problems); err != nil {
				b.Fatal(err)
			}
			from := userTime(b)
			for b.Loop() {
				if err := engine.Run(context.Background(), c, nil, nothing{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((userTime(b)-from).Seconds()/float64(b.N), "user-s/op")
		})
	}
}

// userTime returns the time that the processors have spent in this program.
func userTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
