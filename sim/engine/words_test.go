package engine_test

import (
	"fmt"
	"testing"
)

// TestWordsFloor: clients with other names of topics are separated by gradients and by losses, by
// the defaults.
func TestWordsFloor(t *testing.T) {
	const seeds = 10
	floors := []float64{0.97, 0.7, 0.97} // IFCA now and then leaves two groups in one cluster
	var ari [3]float64
	for seed := 1001; seed <= 1000+seeds; seed++ {
		query := fmt.Sprintf("data=words&n=3000&T=30&algos=cflgp,ifca,clove&sd=%d&sm=%d&sa=%d", seed, seed, seed)
		r := record(t, query, nil)
		checkFrames(t, query, r)
		for i, s := range r.summaries {
			ari[i] += s.ARI / seeds
		}
	}
	t.Logf("mean ARI %.3f", ari)
	for i, floor := range floors {
		if ari[i] < floor {
			t.Errorf("lane %d: mean ARI %.3f over %d seeds, want %v", i, ari[i], seeds, floor)
		}
	}
}
