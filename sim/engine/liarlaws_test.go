package engine

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/rng"
	"flockscope/sim/workload"
)

// TestLawsOfLiars: results with liars and robust averages follow from what clients hold and who lies, not from their
// numbers.
func TestLawsOfLiars(t *testing.T) {
	lies := []string{"flip", "scale", "labels", "copy", "collude", "losses"}
	rules := []string{"paper", "median", "trimmed", "geomedian", "clipped", "krum", "multikrum"}
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := 1; seed <= seeds; seed++ {
		for n, a := range catalog.Algorithms() {
			for m, w := range worlds(t, seed)[:2] {
				if Methods[a.Name].Breaks[permuted] != "" || slices.Contains(ambiguous, a.Name) {
					continue
				}
				liars, more := []int{2, 6}, fmt.Sprintf("&mean=%s&lie=%s&liescale=2", rules[(n+m+seed)%len(rules)],
					lies[(n+2*m+seed)%len(lies)])
				var s rng.Stream
				s.Reset(uint64(seed), rng.Samples, 0, 0)
				of, to := indices(9), make([]int, 9)
				for j := range of {
					k := j + s.IntN(len(of)-j)
					of[j], of[k] = of[k], of[j]
				}
				for at, i := range of {
					to[i] = at
				}
				text := func(of func(i int) int) string {
					return fmt.Sprintf("&liars=%d,%d", of(liars[0])+1, of(liars[1])+1)
				}
				one := tell(t, w, a.Name, more+text(func(i int) int { return i }), asIs)
				other := tell(t, w, a.Name, more+text(func(i int) int { return to[i] }),
					func(data workload.Workload) *view { return newView(data, of) })
				l := law{means: true}
				if why := l.broken(one, other, to); why != "" {
					t.Errorf("%s on %s, seed %d, %s: in another order of clients: %s", a.Name, w.name, seed, more, why)
				}
			}
		}
	}
}

// TestLiarTwice: a liar with every sample twice is two such liars, where clients count by their samples.
func TestLiarTwice(t *testing.T) {
	for n, name := range []string{"fedavg", "ifca", "perfedavg"} {
		for _, rule := range []string{"samples", "median", "trimmed", "geomedian"} {
			for _, lie := range []string{"flip", "labels", "copy"} {
				if rule != "samples" && name != "fedavg" {
					continue // their papers count clients
				}
				w := worlds(t, 1)[(n+len(lie))%2]
				more := "&mean=" + rule + "&lie=" + lie + "&liescale=3"
				one := tell(t, w, name, more+"&liars=0,4", func(data workload.Workload) *view {
					v := newView(data, indices(8))
					v.rows[3] = slices.Concat(v.rows[3], v.rows[3])
					return v
				})
				other := tell(t, w, name, more+"&liars=4,9", func(data workload.Workload) *view {
					return newView(data, append(indices(8), 3))
				})
				if why := new(law).broken(one, other, indices(8)); why != "" {
					t.Errorf("%s, %s: %s", name, more, why)
				}
			}
		}
	}
}
