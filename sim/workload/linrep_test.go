package workload

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// TestLinRepPlanted: every group's weights lie in one space of c directions and have
// length √c (assumption 3), the same for one seed and others for another.
func TestLinRepPlanted(t *testing.T) {
	for _, tt := range []struct{ d, c, groups string }{{"10", "3", "3"}, {"6", "1", "4"}, {"4", "4", "2"},
		{"30", "2", "8"}} {
		words := []string{"many=" + tt.d, "through=" + tt.c, "D=" + tt.groups}
		w := build(t, "linrep", nil, words...).(*linrep)
		var s rng.Stream
		s.Reset(1, rng.Samples, 0, -1)
		columns := orthonormal(len(w.star[0]), w.width, &s)
		for g, star := range w.star {
			inside, length := 0.0, 0.0
			for k, u := range columns {
				along := 0.0
				for j, x := range u {
					along += x * star[j]
				}
				inside += along * along
				for l, v := range columns[:k+1] {
					product := 0.0
					for j := range u {
						product += u[j] * v[j]
					}
					if want := map[bool]float64{true: 1}[k == l]; math.Abs(product-want) > 1e-12 {
						t.Errorf("%v: columns %d and %d have the product %v, want %v", words, k, l, product, want)
					}
				}
			}
			for _, x := range star {
				length += x * x
			}
			if math.Abs(length-float64(w.width)) > 1e-9 || math.Abs(inside-length) > 1e-9 {
				t.Errorf("%v: group %d has weights of squared length %v, %v of it in the common space, want %d", words,
					g, length, inside, w.width)
			}
		}
		other := build(t, "linrep", nil, append(words, "sd=2")...).(*linrep)
		if other.star[0][0] == w.star[0][0] {
			t.Errorf("%v: two seeds plant the same", words)
		}
	}
}

// TestLinRepRisk: the risk is the mean loss of many fresh samples, within 5 standard
// errors, and σ² for the truth.
func TestLinRepRisk(t *testing.T) {
	w := build(t, "linrep", nil, "many=5", "through=2", "sigma=0.5", "C=6").(*linrep)
	var b model.Batch
	for client := range 6 {
		params := make([]float32, w.Model().Size())
		var s rng.Stream
		s.Reset(3, rng.Models, client, 0)
		w.Start(params, 0, &s)
		s.Reset(3, rng.Samples, 1, client)
		w.Draw(&b, client, 20000, &s)
		losses := make([]float32, b.N)
		w.Model().Losses(losses, params, b)
		mean, squares := 0.0, 0.0
		for _, l := range losses {
			mean += float64(l) / float64(b.N)
			squares += float64(l) * float64(l) / float64(b.N)
		}
		bound := 5 * math.Sqrt((squares-mean*mean)/float64(b.N))
		if got := w.Risk(client, params); math.Abs(got-mean) > bound {
			t.Errorf("client %d: risk %v, the mean loss is %v, want them within %v", client, got, mean, bound)
		}
		// The truth: B = (θ̂, 0) in the direction of the group's weights.
		clear(params)
		for j, x := range w.star[w.group[client]] {
			params[2*j] = float32(x)
		}
		params[len(params)-2] = 1
		if got := w.Risk(client, params); math.Abs(got-0.25) > 1e-6 {
			t.Errorf("client %d: the truth has a risk of %v, want 0.25", client, got)
		}
	}
}

// TestUneven: sizes fall from the first group to the last, every group has a client, and 1 is the usual split.
func TestUneven(t *testing.T) {
	for _, tt := range []struct {
		clients, groups int
		ratio           float64
		want            []int
	}{{12, 3, 1, []int{4, 4, 4}}, {100, 3, 1.0 / 6, []int{63, 26, 11}}, {12, 3, 0.01, []int{10, 1, 1}},
		{3, 3, 0.2, []int{1, 1, 1}}, {2, 3, 0.2, []int{1, 1, 0}}, {5, 1, 0.2, []int{5}}, {20, 2, 0.25, []int{16, 4}}} {
		got := make([]int, tt.groups)
		for _, g := range uneven(tt.clients, tt.groups, tt.ratio) {
			got[g]++
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d clients, ratio %v: sizes %v, want %v", tt.clients, tt.ratio, got, tt.want)
		}
	}
}
