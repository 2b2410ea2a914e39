package engine_test

import (
	"cmp"
	"slices"
	"testing"

	"flockscope/sim/trace"
)

// TestSpectrum: frames have singular values in the rounds in which the server
// looked at them, and in no others.
func TestSpectrum(t *testing.T) {
	run := record(t, "data=linreg&T=12&algos=cflgp,ifca", nil)
	for _, f := range run.lanes[0] {
		if looked := f.Events.Has(trace.Reclustered); looked != (len(f.Spectrum) > 0) || looked != (f.Directions == 3) {
			t.Errorf("round %d: clustered %v, %d singular values, %d directions", f.Round, looked, len(f.Spectrum),
				f.Directions)
		}
		if !slices.IsSortedFunc(f.Spectrum, func(a, b float32) int { return cmp.Compare(b, a) }) {
			t.Errorf("round %d: singular values %v do not descend", f.Round, f.Spectrum)
		}
	}
	for _, f := range run.lanes[1] {
		if len(f.Spectrum) > 0 || f.Directions != 0 {
			t.Errorf("IFCA looks at no singular values, round %d has %v", f.Round, f.Spectrum)
		}
	}
	many := record(t, "data=linreg&C=60&D=8&K=8&T=8&algos=cflgp,flexcfl", nil)
	for lane, frames := range many.lanes {
		most := 0
		for _, f := range frames {
			most = max(most, len(f.Spectrum))
		}
		if most == 0 || most > trace.MaxSpectrum {
			t.Errorf("%s: at most %d singular values, want 1 to %d", many.header.Lanes[lane].ID, most,
				trace.MaxSpectrum)
		}
	}
}
