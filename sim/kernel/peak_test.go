//go:build amd64 || js

package kernel

import "testing"

// BenchmarkPeak is the most that the machine does by multiplying and then
// adding vectors of float32: the bound for all products.
func BenchmarkPeak(b *testing.B) {
	const turns = 1000
	for b.Loop() {
		peak(turns)
	}
	b.ReportMetric(turns*peakFlops*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
}
