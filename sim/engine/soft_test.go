package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
)

// soft are methods whose clients weigh several models, and blended all of them:
// clients train such models under weights that labels do not tell.
const soft = "fedem,fedrc,fedsoft"

var blended = append(strings.Split(soft, ","), "hcfl", "hcflplus", "fedgmm")

// TestSoftTraffic: K models each way with FedEM; with FedRC also K × classes up, and
// down from the second round on; with FedSoft K models and one back, and K
// weights, in the rounds of an estimate, and one model each way in the others.
func TestSoftTraffic(t *testing.T) {
	for _, tt := range []struct {
		query         string
		d, k, classes int
	}{
		{"data=linreg&T=12", 2, 3, 0},
		{"data=mix1d&T=12&K=5&C=7", 1, 5, 0},
		{"data=digits&n=80&T=5&C=4&K=3&exam=5&every=3&shift=none&net=softmax&b=8&probe=8", 7850, 3, 10},
	} {
		for _, protocol := range []string{"", "&avg=model&tau=2&opt=adam&lr=0.01"} {
			r := record(t, tt.query+protocol+"&est=2&algos="+soft, nil)
			var down, up [3]int
			for n, f := range r.lanes[0] {
				if n > 0 {
					table := tt.k * tt.classes
					down[0], up[0] = down[0]+tt.k*tt.d, up[0]+tt.k*tt.d
					down[1], up[1] = down[1]+tt.k*tt.d, up[1]+tt.k*tt.d+table
					if n > 1 {
						down[1] += table
					}
					if n%2 == 1 {
						down[2], up[2] = down[2]+tt.k*tt.d, up[2]+tt.k+tt.d
					} else {
						down[2], up[2] = down[2]+tt.d, up[2]+tt.d
					}
				}
				for lane := range r.lanes {
					if f = r.lanes[lane][n]; f.Down != float64(down[lane]) || f.Up != float64(up[lane]) {
						t.Fatalf("%s%s: %s after %d rounds: %v down and %v up, want %d and %d", tt.query, protocol,
							r.header.Lanes[lane].ID, n, f.Down, f.Up, down[lane], up[lane])
					}
				}
			}
		}
	}
}

// TestSoftMixtures: every frame has weights that add up to 1, and clients are
// labelled by the largest.
func TestSoftMixtures(t *testing.T) {
	for _, query := range []string{"data=linreg&T=40", "data=mix1d&T=20&K=5", "data=linreg&T=30&rho=0.5&drop=0.3",
		"data=digits&n=120&T=4&C=5&K=3&exam=5&shift=none&net=softmax&avg=model&b=8"} {
		r := record(t, query+"&algos="+soft, nil)
		for lane, frames := range r.lanes {
			models := r.header.Lanes[lane].Models
			for n, f := range frames {
				if !f.Events.Has(trace.Soft) || len(f.Mixture) != models*len(f.Label) {
					t.Fatalf("%s: %s: round %d has %d weights", query, r.header.Lanes[lane].ID, n, len(f.Mixture))
				}
				for i, label := range f.Label {
					row := f.Mixture[i*models : (i+1)*models]
					sum := 0.0
					for _, w := range row {
						sum += float64(w)
					}
					if math.Abs(sum-1) > 1e-5 || row[label] != slices.Max(row) {
						t.Fatalf("%s: %s: round %d: client %d with label %d has weights %v", query,
							r.header.Lanes[lane].ID, n, i, label,
							row)
					}
				}
			}
		}
	}
}

// TestSoftScheduling: neither processors nor shards change a bit, with everything
// that a device keeps.
func TestSoftScheduling(t *testing.T) {
	for _, query := range []string{
		"data=digits&C=5&n=200&T=4&every=2&exam=10&hidden=6&K=3&b=16&probe=16&algos=" + soft,
		"data=digits&C=5&n=200&T=4&every=2&exam=10&net=softmax&K=3&b=16&avg=model&tau=2&rho=0.6&drop=0.2&draws=2&algos=" + soft,
		"data=garments&C=4&n=120&T=4&net=autoencoder&code=8,4,8&K=2&b=20&avg=model&algos=" + soft,
	} {
		want := record(t, query, nil)
		p := newPlaces(2, nil)
		same(t, query, play(t, query, p), want)
		if p.asked.Load() == 0 {
			t.Errorf("%s: no shard was asked", query)
		}
		p.close()
	}
}

// TestSoftPrinciples: clients that see other digits are separated by FedEM and not by FedRC, whose
// clients end up with one model; clients that call the same digits differently are served better by
// either than by one model (the two principles of HCFL, section 4, and its Figure 2).
func TestSoftPrinciples(t *testing.T) {
	t.Parallel()
	const base = "data=digits&n=720&C=9&K=3&shift=none&net=softmax&avg=model&b=16&every=40&algos=fedavg,fedem,fedrc"
	const runs = 5
	var gain [3]float64 // over one model, in the mean
	for seed := 1; seed <= runs; seed++ {
		seeds := fmt.Sprintf("&sd=%d&sm=%d", seed, seed)
		skew := record(t, base+"&T=30&split=skew1"+seeds, nil)
		if one, parted := skew.summaries[2].Clusters, skew.summaries[1].Clusters; one != 1 || parted < 2 {
			t.Errorf("seed %d: clients with other digits use %d models with FedRC and %d with FedEM, want 1 and more",
				seed, one,
				parted)
		}
		if em, rc := skew.summaries[1].Accuracy, skew.summaries[2].Accuracy; em <= rc {
			t.Errorf("seed %d: on its own digits a client gets %v right with FedEM and %v with FedRC, want more", seed,
				em, rc)
		}
		named := record(t, base+"&T=40&concept=permute&order=shuffled"+seeds, nil)
		for lane := 1; lane < 3; lane++ {
			gain[lane] += (named.summaries[lane].Accuracy - named.summaries[0].Accuracy) / runs
		}
	}
	for lane, name := range []string{1: "FedEM", 2: "FedRC"} {
		if lane > 0 && gain[lane] < 0.15 {
			t.Errorf("clients with other names get %.3f more right with %s than with one model, want much more",
				gain[lane],
				name)
		}
	}
}
