package engine_test

import (
	"fmt"
	"testing"

	"flockscope/sim/trace"
)

// TestTestClientsChangeNothing: test clients change no result: methods do not see them, fingerprints
// leave them out, and they take part in every evaluation.
func TestTestClientsChangeNothing(t *testing.T) {
	for _, query := range []string{
		"data=digits&n=200&C=4&T=4&every=2&exam=0&shift=none&concept=permute&concepts=2&net=mlp&hidden=6&avg=model&b=8&probe=8",
		"data=both&n=300&C=6&T=3&every=2&exam=0&net=softmax&b=8&probe=8&rho=0.7&drop=0.2",
	} {
		for _, lanes := range []string{"fedavg,local,ifca,cfl&K=2", "fedem,fedrc,fedsoft,hcflplus&K=2",
			"fedgmm,hcfl&K=2&form=joint&weigh=sample", "fedala,fedpac,fedproto,perfedavg"} {
			query := query + "&algos=" + lanes
			plain, with := record(t, query, nil), record(t, query+"&guests=20", nil)
			same(t, query, with, plain)
			for lane := range with.lanes {
				for n, f := range with.lanes[lane] {
					if g := plain.lanes[lane][n]; g.Val != 0 || g.Test != 0 {
						t.Errorf("%s: lane %d has Val %v and Test %v without test clients", query, lane, g.Val, g.Test)
					}
					if !f.Events.Has(trace.Evaluated) {
						continue
					}
					if f.Val < 0 || f.Val > 1 || f.Test < 0 || f.Test > 1 {
						t.Errorf("%s: lane %d, round %d: Val is %v and Test %v", query, lane, n, f.Val, f.Test)
					}
				}
				if s := with.summaries[lane]; s.Val+s.Test == 0 {
					t.Errorf("%s: nothing is right in lane %d, for clients or for test clients", query, lane)
				}
				if s, f := with.summaries[lane], with.lanes[lane]; s.Val != f[len(f)-1].Val ||
					s.Test != f[len(f)-1].Test {
					t.Errorf("%s: the summary of lane %d has Val %v and Test %v, the last frame %v and %v", query, lane,
						s.Val, s.Test,
						f[len(f)-1].Val, f[len(f)-1].Test)
				}
			}
			again := play(t, query+"&guests=20", nil)
			for lane, s := range again.summaries {
				if w := with.summaries[lane]; s.Val != w.Val || s.Test != w.Test {
					t.Errorf("%s: lane %d has Val %v and Test %v, and once more %v and %v", query, lane, w.Val, w.Test,
						s.Val, s.Test)
				}
			}
		}
	}
}

// means are the mean Val and Test of every lane over seeds.
func means(t *testing.T, query string, seeds int) (val, test []float64) {
	t.Helper()
	for seed := 1; seed <= seeds; seed++ {
		r := record(t, fmt.Sprintf("%s&sd=%d&sm=%d&sa=%d", query, seed, seed, seed), nil)
		if val == nil {
			val, test = make([]float64, len(r.summaries)), make([]float64, len(r.summaries))
		}
		for lane, s := range r.summaries {
			val[lane] += s.Val / float64(seeds)
			test[lane] += s.Test / float64(seeds)
		}
	}
	return val, test
}

// TestValAgainstTest: where clients hold two classes each, models of one's own and of
// clusters are right on what clients hold back and at a loss elsewhere; one model for
// all is the other way round (HCFL, Tables 1 and 10: personal models have the top Val
// and the bottom Test).
func TestValAgainstTest(t *testing.T) {
	const base = "data=digits&n=1200&C=10&K=5&shift=none&split=classes&per=2&avg=model&b=16&T=12&every=12&exam=0&guests=100&net=softmax"
	seeds := 5
	if testing.Short() {
		seeds = 2
	}
	val, test := means(t, base+"&algos=fedavg,local,ifca", seeds)
	t.Logf("Val %.3f, Test %.3f of FedAvg, local training, IFCA", val, test)
	for lane, name := range []string{1: "local training", 2: "IFCA"} {
		if lane == 0 {
			continue
		}
		if val[lane] < val[0]+0.1 || test[lane] > test[0]-0.2 {
			t.Errorf("Val and Test are %.3f and %.3f with %s, %.3f and %.3f with FedAvg; want more and less", val[lane],
				test[lane], name, val[0], test[0])
		}
	}
	if val[1] < val[2]-0.02 || test[1] > test[2]+0.02 {
		t.Errorf("Val and Test are %.3f and %.3f alone, %.3f and %.3f with IFCA; want as much and less", val[1],
			test[1],
			val[2], test[2])
	}
	if limit := 0.25; test[1] > limit {
		t.Errorf("alone, with two classes of ten, Test is %.3f, want at most %v", test[1], limit)
	}
}

// TestValAndTestOfConcepts: where clients name the same things in three ways, one's own model is
// accurate for another client only if both use the same names by chance, and clusters are accurate
// for both.
func TestValAndTestOfConcepts(t *testing.T) {
	const base = "data=digits&n=1200&C=6&K=3&shift=none&concept=permute&concepts=3&avg=model&b=16&T=15&every=15&exam=0&guests=100&net=softmax"
	seeds := 5
	if testing.Short() {
		seeds = 2
	}
	val, test := means(t, base+"&algos=fedavg,local,fesem", seeds)
	t.Logf("Val %.3f, Test %.3f of FedAvg, local training, FeSEM", val, test)
	if val[1] < val[0]+0.2 || test[1] > 0.4 {
		t.Errorf("alone Val is %.3f and Test %.3f, Val with one model %.3f; want much more, and a third or so", val[1],
			test[1], val[0])
	}
	if val[2] < val[0]+0.2 || test[2] < test[1]+0.2 {
		t.Errorf("Val %.3f and Test %.3f of FeSEM, want far above FedAvg's %.3f and training alone's %.3f", val[2],
			test[2],
			val[0], test[1])
	}
}
