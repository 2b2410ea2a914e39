//go:build amd64 || js

package kernel

import "testing"

// BenchmarkPeak is the most that the machine does by multiplying and then
// adding vectors of float32: the bound for all products.
func BenchmarkPeak(b *testing.B) {
	const turns = 1000
	undisturbed(b, turns*peakFlops, func() { peak(turns) })
}
