package engine_test

import (
	"fmt"
	"testing"
)

// TestWirelessFloor: the environments of clients are found without labels, by the defaults. All
// models start as bad for one environment as for another, so with IFCA it is a matter of luck which
// groups choose the same one (CFL-GP's Table 4 has it fail throughout). One autoencoder for all
// loses much more.
func TestWirelessFloor(t *testing.T) {
	t.Parallel()
	const seeds = 10
	floors := []float64{0.97, 0.25, 0.95}
	var ari, loss [4]float64
	for seed := 1001; seed <= 1000+seeds; seed++ {
		query := fmt.Sprintf("data=wireless&T=15&exam=50&every=15&algos=cflgp,ifca,clove,fedavg&sd=%d&sm=%d&sa=%d", seed,
			seed, seed)
		r := record(t, query, nil)
		checkFrames(t, query, r)
		for i, s := range r.summaries {
			ari[i] += s.ARI / seeds
			loss[i] += s.Loss / seeds
		}
	}
	t.Logf("mean ARI %.3f, mean loss %.5f", ari, loss)
	for i, floor := range floors {
		if ari[i] < floor {
			t.Errorf("lane %d: mean ARI %.3f over %d seeds, want %v", i, ari[i], seeds, floor)
		}
	}
	if ari[3] != 0 || loss[3] < 1.3*loss[0] || loss[3] < 1.3*loss[2] {
		t.Errorf("mean losses %.5f: one model for all should lose a third more than CFL-GP's and CLoVE's", loss)
	}
}

// TestWirelessWithoutGap: nothing but the gap sets environments apart.
func TestWirelessWithoutGap(t *testing.T) {
	const seeds = 5
	for _, name := range []string{"cflgp", "clove"} {
		mean := 0.0
		for seed := 1001; seed <= 1000+seeds; seed++ {
			query := fmt.Sprintf("data=wireless&dtheta=0&T=10&exam=50&every=10&algos=%s&sd=%d&sm=%d&sa=%d", name,
				seed, seed,
				seed)
			mean += record(t, query, nil).summaries[0].ARI / seeds
		}
		t.Logf("%s: mean ARI %.3f", name, mean)
		if mean > 0.3 {
			t.Errorf("%s: mean ARI %.3f where environments are alike, want chance", name, mean)
		}
	}
}
