package engine_test

import (
	"fmt"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
)

// TestEveryFloor: on an easy case, a gap of 40° and 100 samples a round, every method reaches by its
// defaults the mean ARI that [engine.Methods] has for it, and those without clusters score exactly 0.
func TestEveryFloor(t *testing.T) {
	t.Parallel()
	const seeds = 10
	for _, a := range catalog.Finished() {
		known := engine.Methods[a.Name]
		mean := 0.0
		for seed := 1001; seed <= 1000+seeds; seed++ {
			query := fmt.Sprintf("dphi=40&b=100&probe=100&T=80&algos=%s&sd=%d&sm=%d&sa=%d", a.Name, seed, seed, seed)
			mean += record(t, query, nil).summaries[0].ARI / seeds
		}
		if mean < known.Floor || known.Zero != "" && mean != 0 {
			t.Errorf("%s: mean ARI %.3f over %d seeds, want at least the Floor of its line in "+
				"sim/engine/methods_test.go, %v, and 0 where the line has Zero", a.Name, mean, seeds, known.Floor)
		}
	}
}
