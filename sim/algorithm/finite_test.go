package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// TestNumbersThatAreNotFinite: what a client reports to be compared by, and is not
// finite, moves nobody else: the others get the models that they get when this client
// does not come, and it keeps its own.
func TestNumbersThatAreNotFinite(t *testing.T) {
	const clients, size = 9, 4
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	tests := []struct {
		name   string
		words  []string
		rounds int
	}{
		{"clove", []string{"K=3"}, 2},
		{"clove", []string{"K=3", "by=ward"}, 2},
		{"clove", []string{"bestk=silhouette", "most=4"}, 2},
		{"clove", []string{"K=3", "sqrt=1"}, 2},
		{"cflgp", []string{"K=3", "P=2"}, 4},
		{"cflgp", []string{"findk=silhouette", "most=4", "solo=3", "P=2"}, 6},
		{"cflgp", []string{"findk=elbow", "most=4", "solo=3", "P=2"}, 6},
	}
	for _, tt := range tests {
		for seed := range 12 {
			diverged := seed % clients
			play := func(spoil bool) *algotest.Rig {
				r := algotest.NewRig(t, tt.name, clients, size, nil, tt.words...)
				var s rng.Stream
				// Three kinds of clients; a number depends on client, model and purpose alone.
				number := func(i, k, j int) float64 {
					s.Reset(uint64(seed), rng.Samples, 1000*k+j, i)
					return 1 + 3*float64((i%3+k)%3) + 0.01*s.Normal()
				}
				spoilt := func(i int, v float64) float64 {
					if i == diverged && spoil {
						return bad[seed%len(bad)]
					}
					return v
				}
				r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
					if task.Losses {
						for k := range reply.Losses {
							reply.Losses[k] = spoilt(i, number(i, k, 0))
						}
					}
					for n, k := range task.Updates {
						for j := range size {
							algotest.UpdateBuffer(reply, n, size)[j] = float32(number(i, k, j))
						}
					}
					if task.Feature > 0 || tt.name == "cflgp" { // the update is one, where the model is the common one
						reply.Feature = make([]float32, size)
						for j := range size {
							reply.Feature[j] = float32(spoilt(i, number(i, task.Feature-1, j)))
						}
						if len(task.Updates) > 0 && task.Feature == 0 && spoil && i == diverged {
							algotest.UpdateBuffer(reply, 0, size)[0] = float32(bad[seed%len(bad)])
						}
					}
				}
				for t := range tt.rounds {
					r.Round.Begin(t)
					if !spoil {
						here := slices.Delete(slices.Clone(r.Round.Participants), diverged, diverged+1)
						r.Round.SetParticipants(here, make([]bool, clients))
					}
					r.Server.Round(r.Round)
				}
				return r
			}
			with, without := play(true), play(false)
			start := algotest.NewRig(t, tt.name, clients, size, nil, tt.words...).Label[diverged]
			for i, k := range with.Label {
				switch {
				case i != diverged && k != without.Label[i]:
					t.Errorf("%s %v, seed %d: client %d has model %d beside one that is not finite, %d without it",
						tt.name, tt.words,
						seed, i, k, without.Label[i])
				case i == diverged && k != start:
					t.Errorf("%s %v, seed %d: the client that is not finite has model %d, want %d as before", tt.name,
						tt.words, seed,
						k, start)
				}
			}
			if moved := slices.Clone(with.Label); tt.words[0] == "K=3" {
				slices.Sort(moved)
				if len(slices.Compact(moved)) != 3 {
					t.Errorf("%s %v, seed %d: labels %v, want three clusters", tt.name, tt.words, seed, with.Label)
				}
			}
		}
	}
}

// TestPullsThatAreNotFinite: such a pull is at right angles to all others, and merges
// nobody.
func TestPullsThatAreNotFinite(t *testing.T) {
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		r := algotest.NewRig(t, "stocfl", 6, 2, nil, "most=6", "like=0.5")
		r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
			for n := range task.Updates {
				clear(algotest.UpdateBuffer(reply, n, 2))
			}
			reply.Answer = append(reply.Answer[:0], float32(i%2), float32(1-i%2))
			if i == 3 && task.Call == opDirection {
				reply.Answer[0] = v
			}
		}
		r.Play(0)
		want := []int{r.Label[0], r.Label[1], r.Label[0], r.Label[3], r.Label[0], r.Label[1]}
		if !slices.Equal(r.Label, want) || r.Label[0] == r.Label[1] || r.Label[3] == r.Label[0] ||
			r.Label[3] == r.Label[1] {
			t.Errorf("a pull with %v: labels %v, want two clusters and client 3 alone", v, r.Label)
		}
		for _, x := range r.Embedding().Data {
			if math.IsNaN(x) {
				t.Errorf("a pull with %v: the map has NaN", v)
			}
		}
	}
	if k := numeric.Argmax([]float64{math.NaN(), 1, 3, math.NaN()}); k != 2 {
		t.Errorf("greatest = %d, want 2", k)
	}
}
