package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/trace"
)

// TestEvaluations: models are evaluated before the first round, at regular intervals, and after the last;
// frames have only a hash of them.
func TestEvaluations(t *testing.T) {
	for _, tt := range []struct {
		rounds, every int
		want          []int
	}{{4, 2, []int{0, 2, 4}}, {5, 2, []int{0, 2, 4, 5}}, {3, 1, []int{0, 1, 2, 3}}, {3, 100, []int{0, 3}},
		{1, 1, []int{0, 1}}} {
		query := fmt.Sprintf(
			"data=digits&n=80&C=4&exam=5&shift=none&net=softmax&b=8&probe=8&T=%d&every=%d&algos=cflgp,ifca,clove,local",
			tt.rounds, tt.every)
		r := record(t, query, nil)
		checkFrames(t, query, r)
		for i, frames := range r.lanes {
			if info := r.header.Lanes[i]; info.FrameParams != 0 || info.Size != 7850 {
				t.Errorf("%s: lane %+v, want 7850 parameters, of which none are drawn", query, info)
			}
			var got []int
			for n := range frames {
				if frames[n].Events.Has(trace.Evaluated) {
					got = append(got, n)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: lane %d is examined after rounds %v, want %v", query, i, got, tt.want)
			}
		}
	}
}

// TestEvaluationsChangeNothing: how often models are evaluated, and on how many samples, has no effect on
// algorithms.
func TestEvaluationsChangeNothing(t *testing.T) {
	const base = "data=digits&n=120&C=4&shift=rotations&angles=0,180&net=softmax&b=8&probe=8&T=4&K=2"
	for _, lanes := range []string{
		"&algos=cflgp,ifca,clove,clove:model&clove:model.avg=model",
		"&algos=fedem,fedgmm,fedproto,hcfl&avg=model&weigh=sample&adapt=both&dist=any&hrho=0.001&plain=1&few=2&spare=1&rho=0.7",
		"&algos=fedala,fedsoft,perfedavg,fedpac&rho=0.7&drop=0.3",
	} {
		first := record(t, base+lanes+"&every=1&exam=7", nil)
		for _, other := range []string{"&every=2&exam=7", "&every=4&exam=0", "&every=1000&exam=1"} {
			r := record(t, base+lanes+other, nil)
			for i := range r.lanes {
				for n := range r.lanes[i] {
					f, g := &r.lanes[i][n], &first.lanes[i][n]
					if !slices.Equal(f.Label, g.Label) || !slices.Equal(f.Embedding, g.Embedding) || f.Down != g.Down ||
						f.Up != g.Up || !slices.Equal(f.Mixture, g.Mixture) ||
						f.Events.Has(trace.Evaluated) && f.Weights != g.Weights {
						t.Errorf("%s: with %s lane %d differs in round %d", base+lanes, other, i, n)
					}
				}
			}
		}
	}
}

// TestNetworksAreSound: the checks of every run, for every algorithm on data
// that need a network, with and without planted groups.
func TestNetworksAreSound(t *testing.T) {
	for _, query := range append(networks[:len(networks):len(networks)],
		"data=digits&n=100&C=5&T=3&exam=5&shift=none&split=dirichlet&alpha=0.1&net=softmax&b=9&probe=9",
		"data=garments&n=200&C=6&T=2&exam=5&shift=none&concept=permute&concepts=2&net=softmax&b=9&probe=9",
		"data=digits&n=60&C=4&T=2&every=1&exam=5&shift=none&net=cnn&b=4&probe=4") {
		for _, lanes := range []string{"cflgp,ifca,clove,fedavg",
			"local,clove:s,cflgp:one,ifca:all&clove:s.sqrt=1&cflgp:one.beta=1&cflgp:one.stop=1&cflgp:one.cr=1000&ifca:all.divide=all"} {
			query := query + "&algos=" + lanes
			r := record(t, query, nil)
			checkFrames(t, query, r)
			for i, s := range r.summaries {
				if s.Diverged >= 0 {
					t.Errorf("%s: lane %d diverged in round %d: %s", query, i, s.Diverged, s.Cause)
				}
			}
			if r.header.HasTruth() != (r.header.DataPreview.NoTruth == "") {
				t.Errorf("%s: %d groups, and the reason %q", query, r.header.Groups, r.header.DataPreview.NoTruth)
			}
		}
	}
}

// TestNetworksDiverge: a network that diverges stops its lane like any other, and leaves no number
// in a frame that is not finite.
func TestNetworksDiverge(t *testing.T) {
	t.Parallel()
	diverged := 0
	for _, network := range []string{
		"data=digits&n=100&C=4&T=20&every=1&exam=5&shift=none&net=mlp&hidden=30,30,30&b=8&probe=8",
		"data=garments&n=100&C=4&T=20&every=7&exam=5&shift=none&net=mlp&hidden=30,30,30&b=8&probe=8",
	} {
		for _, protocol := range []string{"&lr=10", "&lr=10&avg=model", "&lr=10&avg=model&opt=momentum&tau=3"} {
			for _, algorithm := range algorithms() {
				query := network + protocol + "&algos=" + algorithm
				r := record(t, query, nil)
				checkFrames(t, query, r)
				if s := r.summaries[0]; s.Diverged >= 0 {
					diverged++
					want := fmt.Sprintf("the models diverged in round %d; try a smaller learning rate", s.Diverged)
					if s.Cause.String() != want || !r.lanes[0][s.Diverged].Events.Has(trace.Diverged) {
						t.Errorf("%s: %q with %+v in that round, want %q", query, s.Cause,
							r.lanes[0][s.Diverged].Events, want)
					}
				}
			}
		}
	}
	if diverged < 5 {
		t.Errorf("%d lanes diverged: this proves little", diverged)
	}
}
