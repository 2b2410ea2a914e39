package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/trace"
)

// TestReleasedCode: the loop that was released, which stops clustering after ten
// rounds, finds less than the paper's algorithm does: the specification has a mean
// ARI of 0.52 and 1.00 over 20 seeds. One run's ARI deviates by less than 0.4, so
// the mean of 20 is good to 0.09, and 0.8 is three times that above.
func TestReleasedCode(t *testing.T) {
	runs := overSeeds(t,
		"data=linreg&dphi=20&algos=cflgp,cflgp:r,cflgp:r10&cflgp:r.as=released&cflgp:r10.as=released&cflgp:r10.tcl=10", 20)
	paper, code, short := mean(runs, 0, finalARI), mean(runs, 1, finalARI), mean(runs, 2, finalARI)
	t.Logf("mean ARI %.3f, as released without end %.3f, as released %.3f", paper, code, short)
	if paper < 0.97 || short > 0.8 || short > code {
		t.Errorf("mean ARI %.3f, as released without end %.3f, as released %.3f, want 0.97 or more, less, and 0.8 or less",
			paper, code, short)
	}
}

// TestPrintedSum: gradients that are added up, as in the paper's Algorithm 1, move models by rate ×
// n × L at most, n being the clients of a model. On these lines L is 2.535, of E[x²] = 1/3 and E[x]
// = 1/2: at the rate 0.1 four clients per model give 1, and sixteen to 4, where 2 is the most that
// converges. The mean knows no number of clients (specification, sections 2.8 and 15).
func TestPrintedSum(t *testing.T) {
	for _, tt := range []struct {
		clients  int
		diverges bool
	}{{12, false}, {48, true}} {
		runs := overSeeds(t, fmt.Sprintf("data=linreg&dphi=20&C=%d&algos=cflgp,cflgp:s&cflgp:s.fold=sum",
			tt.clients), 20)
		for i := range runs {
			mean, sum := &runs[i].lanes[0].summary, &runs[i].lanes[1].summary
			if mean.Diverged >= 0 || (sum.Diverged >= 0) != tt.diverges {
				t.Errorf("%d clients, seeds %d: diverged in round %d by the mean, %d by the sum; want that by the sum: %v",
					tt.clients, i+1, mean.Diverged, sum.Diverged, tt.diverges)
			}
		}
	}
}

// TestFindK: on lines 30° apart the silhouette of mean gradients finds how many
// there are, and so does the elbow unless there are many.
func TestFindK(t *testing.T) {
	for _, groups := range []int{2, 3, 4} {
		query := fmt.Sprintf(
			"data=linreg&dphi=30&D=%d&C=24&b=20&T=100&algos=cflgp,cflgp:e&cflgp.findk=silhouette&cflgp:e.findk=elbow", groups)
		runs := overSeeds(t, query, 12)
		for lane := range 2 {
			right := 0
			for i := range runs {
				l := &runs[i].lanes[lane]
				for n := 0; n <= 20; n++ {
					if l.clusters[n] != 1 {
						t.Fatalf("%s: %d clusters in round %d, want one model for 20 rounds", query, l.clusters[n], n)
					}
				}
				if l.clusters[100] == groups && l.summary.ARI == 1 {
					right++
				}
			}
			t.Logf("%d groups, lane %d: right in %d of 12", groups, lane, right)
			if right < 10 && (lane == 0 || groups < 4) {
				t.Errorf("%d groups, lane %d: right in %d of 12 runs", groups, lane, right)
			}
		}
	}
}

// TestFindKByGap: the gap statistic finds groups that are all as far from each other,
// where the paper's rule would find one, and one where there is one.
func TestFindKByGap(t *testing.T) {
	for _, tt := range []struct {
		query              string
		rounds, want, most int // clusters, and how many of 12 runs may miss them
	}{
		{"data=linreg&T=22", 22, 3, 3},
		{"data=linreg&dphi=0&T=22", 22, 1, 6},
		{"data=mix1d&T=22", 22, 2, 2},
		{"data=pairs8&within=0.7&C=32&T=22", 22, 8, 1},
		{"data=digits&net=softmax&n=800&T=8&solo=6&every=8", 8, 4, 2},
		{"data=digits&net=softmax&n=800&T=8&solo=6&every=8&shift=none", 8, 1, 2},
	} {
		query := tt.query + "&algos=cflgp&findk=gap"
		runs, missed := overSeeds(t, query, 12), 0
		for i := range runs {
			if runs[i].lanes[0].clusters[tt.rounds] != tt.want {
				missed++
			}
		}
		if missed > tt.most {
			t.Errorf("%s: %d of 12 runs do not find %d clusters, want at most %d", query, missed, tt.want, tt.most)
		}
	}
}

// TestHeadAndTrunk: clients with other names of digits are separated by the last layer's gradients
// alone, over one trunk for all (appendix F.7), with less to send.
func TestHeadAndTrunk(t *testing.T) {
	const query = "data=digits&n=600&C=8&T=14&every=7&exam=20&net=mlp&hidden=32&lr=0.5&b=40&probe=10&shift=none&concept=permute&concepts=2&K=2&algos=cflgp,cflgp:h&cflgp:h.layer=head&cflgp:h.trunk=common"
	for seed := 1; seed <= 10; seed++ {
		q := fmt.Sprintf("%s&sd=%d&sm=%d&sa=%d", query, seed, seed, seed)
		r := record(t, q, nil)
		checkFrames(t, q, r)
		for i, s := range r.summaries {
			if s.ARI != 1 {
				t.Errorf("%s: lane %d ends at ARI %v, want 1", q, i, s.ARI)
			}
		}
		all, head := r.summaries[0], r.summaries[1]
		if head.Up >= all.Up {
			t.Errorf("%s: %v floats sent with features of the last layer, %v with all", q, head.Up, all.Up)
		}
	}
}

// TestLateClients: clients that join after clustering has stopped are assigned, too.
func TestLateClients(t *testing.T) {
	const base = "data=linreg&dphi=40&C=15&b=20&probe=100&T=80&late=5&join=60"
	for _, lane := range []string{"cflgp&tcl=30", "cflgp&stop=1", "cflgp&meet=once", "clove&settle=stable",
		"clove&settle=stable&first=random"} {
		runs := overSeeds(t, base+"&algos="+lane, 12)
		got := mean(runs, 0, finalARI)
		t.Logf("%s: mean ARI %.3f", lane, got)
		if got < 0.97 {
			t.Errorf("%s: mean ARI %.3f, want 0.97 or more", lane, got)
		}
	}
}

// TestSettledTraffic: a settled CLoVE costs what FedAvg does, and a newcomer
// the models once (specification, section 10).
func TestSettledTraffic(t *testing.T) {
	const d, k = 2, 3
	for seed := 1; seed <= 10; seed++ {
		r := record(t,
			fmt.Sprintf("data=linreg&dphi=40&C=12&probe=100&T=60&late=3&join=40&algos=clove&settle=stable&sd=%d",
				seed), nil)
		down, up, settled := 0, 0, false
		var known [12]bool
		frames := r.lanes[0]
		for n := 1; n < len(frames); n++ {
			f := &frames[n]
			settled = settled || f.Events.Has(trace.ClusteringStopped)
			for i, state := range f.State {
				if state == trace.Absent {
					continue
				}
				down, up = down+d, up+d
				if !settled {
					down, up = down+(k-1)*d, up+k
				} else if !known[i] {
					down, up = down+k*d, up+k
				}
				known[i] = true
			}
			if f.Down != float64(down)/12 || f.Up != float64(up)/12 {
				t.Fatalf("seed %d: after %d rounds %v down and %v up, want %v and %v", seed, n, f.Down, f.Up,
					float64(down)/12,
					float64(up)/12)
			}
		}
		if !settled {
			t.Errorf("seed %d: never settled", seed)
		}
	}
}

// TestOptionsAllocateNothing: the settings that are not defaults.
func TestOptionsAllocateNothing(t *testing.T) {
	for _, lanes := range []string{
		"clove&bestk=silhouette", "clove&by=ward", "clove&bestk=silhouette&by=ward&margin=0.1", "clove&settle=stable", "clove&match=0", "clove&first=random",
		"cflgp&layer=head&trunk=common", "cflgp&as=released", "cflgp&tcl=10", "cflgp&meet=once", "cflgp&findk=elbow",
	} {
		for _, data := range []string{"data=linreg&C=15", "data=mix1d&probe=100"} {
			query := data + "&T=80&algos=" + lanes
			if at := allocatingRounds(t, query, nil, 40, 80); len(at) > 0 {
				t.Errorf("%s: allocations in rounds %v, want none", query, at)
			}
		}
	}
}

// TestUnknownKIsSound: with far more models than kinds, and with clients that come
// and go.
func TestUnknownKIsSound(t *testing.T) {
	for _, query := range []string{
		"data=mix1d&T=30&algos=clove,clove:w,cflgp&bestk=silhouette&clove:w.by=ward&cflgp.findk=gap&cflgp.solo=5",
		"data=linreg&C=5&most=64&T=30&rho=0.5&drop=0.2&algos=clove,cflgp&bestk=silhouette&findk=silhouette&solo=3",
		"data=linreg&C=9&T=30&rho=0.4&drop=0.5&algos=clove,cflgp&settle=stable&calm=2&agree=0.5&tcl=7",
		"data=linreg&C=1&D=1&K=1&T=9&algos=clove,cflgp&bestk=silhouette&findk=elbow&solo=2&first=random&settle=stable",
		"data=digits&n=240&C=6&T=8&every=2&exam=20&net=softmax&b=16&probe=20&shift=rotations&angles=0,180&algos=clove,cflgp,cflgp:g&bestk=silhouette&cflgp.findk=silhouette&solo=2&cflgp:g.findk=gap&start=same",
		"data=linreg&dphi=0&sigma=0&T=30&algos=clove,cflgp,cflgp:e,cflgp:g&bestk=silhouette&cflgp.findk=silhouette&cflgp:e.findk=elbow&cflgp:g.findk=gap&solo=3",
	} {
		r := record(t, query, nil)
		checkFrames(t, query, r)
		if again := record(t, query, nil).fingerprints(); !slices.Equal(again, r.fingerprints()) {
			t.Errorf("%s: fingerprints %x and then %x", query, r.fingerprints(), again)
		}
	}
}
