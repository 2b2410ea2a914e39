package engine_test

import (
	"fmt"
	"testing"
)

// floors are what every method reaches on an easy case, a gap of 40° and 100 samples
// a round, by its defaults: the least mean ARI over seeds. They leave room below what
// new seeds came to. An ARI of 0.52 is that of two groups in one cluster.
var floors = map[string]float64{
	"cflgp": 0.99, "clove": 0.99, "pacfl": 0.99, "kfed": 0.99,
	"fedclust": 0.9,
	"ifca":     0.8, "fedem": 0.8, "fedrc": 0.8, "hcfl": 0.8, "fedgmm": 0.8, // now and then two groups stay in one cluster
	"fedsoft":  0.7,
	"hcflplus": 0.5, // as often as not
	"fesem":    0.4, // more often than not
	"stocfl":   0.3, // nearly always
	"flexcfl":  0.3, // decided once, by directions in a plane
	"cfl":      0.3, // splits at the wrong place, or not at all
}

// silent are methods without clusters: one model for all clients, or one for each.
var silent = []string{"fedavg", "local", "perfedavg", "fedproto", "fedala", "fedpac"}

// TestEveryFloor: no method escapes, and those without clusters score exactly 0.
//
// ICFL never splits here. Its connectivity is the largest eigenvalue of the cosines
// over their number, and groups that pull in opposite directions along one line have
// cosines 1 and −1, of rank one: a connectivity of 1, as if all pulled together.
func TestEveryFloor(t *testing.T) {
	t.Parallel()
	const seeds = 10
	zero := map[string]bool{"icfl": true}
	for _, name := range silent {
		zero[name] = true
	}
	for _, name := range algorithms() {
		floor, judged := floors[name]
		if judged == zero[name] {
			t.Errorf("%s has no floor, or two", name)
			continue
		}
		mean := 0.0
		for seed := 1001; seed <= 1000+seeds; seed++ {
			query := fmt.Sprintf("dphi=40&b=100&probe=100&T=80&algos=%s&sd=%d&sm=%d&sa=%d", name, seed, seed, seed)
			mean += record(t, query, nil).summaries[0].ARI / seeds
		}
		if judged && mean < floor || !judged && mean != 0 {
			t.Errorf("%s: mean ARI %.3f over %d seeds, want %v", name, mean, seeds, floor)
		}
	}
}
