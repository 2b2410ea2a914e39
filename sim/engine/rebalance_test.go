package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/fl"
	"flockscope/ui/formula"
)

// noisy is a run of IFCA with more models than groups, so that some clusters are small.
const noisy = "data=linreg&dphi=20&C=24&D=3&K=6&b=20&lr=0.3&algos=ifca&private=noise&clip=1"

// TestRebalancingBoundsNoise: what RR-Cluster promises. The noise on a model is the mean of as many normal numbers of
// standard deviation gauss · clip as its cluster has updates, so that its variance is (gauss · clip)²/n; with B updates in
// every cluster at least it is at most the B-th part. In the first round all else is equal with and without noise, and
// the difference of the models is the noise alone. The mean square over n numbers is within 5·√(2/n) of what it should be,
// but for one run in a million.
func TestRebalancingBoundsNoise(t *testing.T) {
	const gauss, rate, b, seeds = 0.5, 0.3, 4, 150
	small := map[bool]float64{} // of clusters with fewer than B clients: mean square, in units of (gauss · clip)²/B
	numbers := 0.0
	for seed := 1; seed <= seeds; seed++ {
		query := noisy + fmt.Sprintf("&T=1&sd=%d&sm=%[1]d&sa=%[1]d", seed)
		for _, balanced := range []bool{false, true} {
			rr := ""
			if balanced {
				rr = fmt.Sprintf("&rr=%d", b)
			}
			with := record(t, query+rr+fmt.Sprintf("&gauss=%v", gauss), nil).lanes[0][1]
			without := record(t, query+rr+"&gauss=0", nil).lanes[0][1]
			if !slices.Equal(with.Label, without.Label) {
				t.Fatalf("seed %d: noise changes the labels of the first round", seed)
			}
			size := make([]int, 6)
			for _, k := range with.Label {
				size[k]++
			}
			for k, n := range size {
				if n == 0 || n >= b {
					continue
				}
				for j := 2 * k; j < 2*k+2; j++ {
					noise := float64(with.Models[j]-without.Models[j]) / rate / gauss
					small[balanced] += noise * noise * b
					if !balanced {
						small[balanced] += noise * noise * float64(n-b) // in units of its own size
					}
				}
				if balanced {
					numbers += 2
				}
			}
		}
	}
	if numbers < 200 {
		t.Fatalf("%v numbers of small clusters: this proves nothing", numbers)
	}
	for balanced, sum := range small {
		if got := sum / numbers; math.Abs(got-1) > 5*math.Sqrt(2/numbers) {
			t.Errorf("rebalanced %v: noise on small clusters has %.3f times the variance that it should have", balanced, got)
		}
	}
}

// TestRebalancingTradesNoiseForBias: the paper's trade-off, over many seeds. Where noise is strong and groups are alike, the
// client that is worst off loses far less; without noise and with unlike groups it loses more, since updates of other
// clusters' clients move its model. Losses of single seeds differ by orders of magnitude, so that logarithms are averaged.
//
// The mean over all clients need not fall here: noise is each client's own, and n clients share the n-th part of its
// variance, which adds up to the same for any sizes. With noise that a trusted server adds, as in central differential
// privacy, it would.
func TestRebalancingTradesNoiseForBias(t *testing.T) {
	const seeds = 40
	worst := func(query string) (mean float64) {
		for seed := 1; seed <= seeds; seed++ {
			frames := record(t, kfed+query+fmt.Sprintf("&sd=%d&sm=%[1]d&sa=%[1]d", seed), nil).lanes[0]
			late := 0.0
			for _, f := range frames[len(frames)/2:] {
				late += f.Worst
			}
			mean += math.Log(late) / seeds
		}
		return math.Exp(mean)
	}
	if plain, filled := worst("&dphi=5&gauss=4"), worst("&dphi=5&gauss=4&rr=4"); !(filled < plain*0.85) {
		t.Errorf("with strong noise the worst client loses %.3f, and %.3f with 4 updates per cluster, want less", plain, filled)
	}
	if plain, filled := worst("&dphi=40&gauss=0"), worst("&dphi=40&gauss=0&rr=4"); !(filled > plain*1.03) {
		t.Errorf("without noise the worst client loses %.4f, and %.4f with 4 updates per cluster, want more", plain, filled)
	}
}

// kfed clusters once, into more clusters than there are groups.
const kfed = "data=linreg&C=24&D=3&K=6&b=20&T=40&lr=0.3&private=noise&clip=1&algos=kfed"

// TestRebalancingIsOff: with 0, and where all clusters are large, no bit changes; methods without clusters to fill do not
// have the setting.
func TestRebalancingIsOff(t *testing.T) {
	for _, method := range []string{"ifca", "clove", "cflgp", "fesem", "stocfl", "cfl", "kfed"} {
		query := "data=linreg&C=12&T=12&K=1&most=1&private=noise&gauss=0.2&start=same&algos=" + method
		got, want := recordAny(t, query+"&rr=5").fingerprints(), recordAny(t, query).fingerprints()
		if !slices.Equal(got, want) {
			t.Errorf("%s: with a single cluster, rr=5 changes something", method)
		}
	}
	if a, b := recordAny(t, "T=12&private=noise&rr=3&algos=fedavg,fedem").fingerprints(),
		recordAny(t, "T=12&private=noise&algos=fedavg,fedem").fingerprints(); !slices.Equal(a, b) {
		t.Error("rr changes methods that put nobody into one cluster")
	}
}

// TestRebalancingIsExplained: the view of a round says how many updates were moved, and which model the client's own
// moves, which is that of its label unless it was drawn. Every slot of the sentence has a number.
func TestRebalancingIsExplained(t *testing.T) {
	c := parse(t, noisy+"&T=6&gauss=0.5&rr=4")
	step, _ := catalog.Step("ifca", fl.StepFill)
	told, drawn := 0, 0
	for client := range 24 {
		d, err := engine.Explain(t.Context(), c, nil, 0, 1, client, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range d.Notes {
			if note.Step != fl.StepFill {
				continue
			}
			told++
			values := map[string]float64{}
			for _, v := range note.Values {
				values[v.Name] = v.Numbers[0]
			}
			for _, name := range formula.Slots(step.Says) {
				if _, ok := values[name]; !ok && name != "client" {
					t.Errorf("nothing for [%s] among %v", name, values)
				}
			}
			if values["before"] != values["k"] {
				drawn++
			}
			if values["least"] != 4 || values["moved"] < 1 {
				t.Errorf("the round tells of %v", values)
			}
		}
	}
	if told != 24 || drawn == 0 || drawn > 12 {
		t.Errorf("%d clients are told of clusters that were filled, %d of being drawn", told, drawn)
	}
}
