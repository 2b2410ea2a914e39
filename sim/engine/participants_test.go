package engine_test

import (
	"math"
	"testing"

	"flockscope/sim/trace"
)

// pairsARI is the adjusted Rand index by its definition (Hubert and Arabie 1985), from pairs of
// clients that are together in groups, in labels, and in both.
func pairsARI(group, label []int) float64 {
	var both, groups, labels, all float64
	for i := range group {
		for j := range i {
			g, l := group[i] == group[j], label[i] == label[j]
			all++
			if g {
				groups++
			}
			if l {
				labels++
			}
			if g && l {
				both++
			}
		}
	}
	if all == 0 {
		return 1
	}
	expected, most := groups*labels/all, (groups+labels)/2
	if most == expected {
		return 1
	}
	return (both - expected) / (most - expected)
}

// TestParticipants: ari is over the clients that have replied so far, and ari_participants over
// those that replied in the round. A clustering counts as found and settled, with its cost, once
// all have replied.
func TestParticipants(t *testing.T) {
	early := 0
	for _, query := range []string{"data=linreg&T=60&algos=ifca&rho=0.1", "data=linreg&T=60&algos=cflgp,fedavg&late=5&join=20",
		"data=linreg&T=40&algos=clove,ifca&rho=0.5&drop=0.4", "data=linreg&T=4&algos=ifca&rho=0.1"} {
		r := record(t, query, nil)
		for lane, frames := range r.lanes {
			seen, unseen := make([]bool, len(r.header.Group)), len(r.header.Group)
			found, price, settled := -1, 0.0, -1
			for n, f := range frames[1:] {
				var here, ever [2][]int
				for i, s := range f.State {
					if s == trace.Present && !seen[i] {
						seen[i] = true
						unseen--
					}
					if s == trace.Present {
						here[0], here[1] = append(here[0], int(r.header.Group[i])), append(here[1], int(f.Label[i]))
					}
					if seen[i] {
						ever[0], ever[1] = append(ever[0], int(r.header.Group[i])), append(ever[1], int(f.Label[i]))
					}
				}
				if want := pairsARI(here[0], here[1]); len(here[0]) > 0 && math.Abs(f.ARIParticipants-want) > 1e-12 ||
					len(here[0]) == 0 && !math.IsNaN(f.ARIParticipants) {
					t.Errorf("%s: round %d of %v: the participants' ARI is %v, want %v", query, n+1, here, f.ARIParticipants, want)
				}
				if want := pairsARI(ever[0], ever[1]); len(ever[0]) > 0 && math.Abs(f.ARI-want) > 1e-12 {
					t.Errorf("%s: round %d of %v: ARI %v, want %v", query, n+1, ever, f.ARI, want)
				}
				right := f.ARI == 1 && unseen == 0
				if f.ARI == 1 && unseen > 0 {
					early++
				}
				if right && found < 0 {
					found, price = n+1, f.Down+f.Up
				}
				if !right {
					settled = -1
				} else if settled < 0 {
					settled = n + 1
				}
			}
			if s := r.summaries[lane]; s.FirstCorrect != found || found > 0 && s.CostToCorrect != price ||
				s.Settled != settled ||
				s.ARIParticipants != frames[len(frames)-1].ARIParticipants {
				t.Errorf("%s, lane %d: found %d for %v, settled %d, want %d for %v and %d", query, lane, s.FirstCorrect, s.CostToCorrect,
					s.Settled, found, price, settled)
			}
		}
	}
	if early == 0 {
		t.Error("nobody was right before all were heard: this proves nothing")
	}
}
