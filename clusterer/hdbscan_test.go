package clusterer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// byFirst numbers labels by the first point that has each; −1 stays.
func byFirst(labels []int) []int {
	names, out := map[int]int{-1: -1}, make([]int, len(labels))
	for i, l := range labels {
		if _, ok := names[l]; !ok {
			names[l] = len(names) - 1
		}
		out[i] = names[l]
	}
	return out
}

// TestHDBSCANGolden: the labels are those of the hdbscan of Python (see testdata/density.py), of blobs, directions, points
// without structure, tiny samples, ties and points that coincide.
func TestHDBSCANGolden(t *testing.T) {
	type row struct {
		Name    string
		MinSize int
		Below   []float64 // the triangle of distances below the diagonal
		Labels  []int
	}
	var h HDBSCAN
	for _, tt := range golden[row](t, "hdbscan") {
		n := len(tt.Labels)
		var d Matrix
		d.Reshape(n, n)
		clear(d.Data)
		at := 0
		for i := range n {
			for j := range i {
				d.Row(i)[j], d.Row(j)[i] = tt.Below[at], tt.Below[at]
				at++
			}
		}
		h.MinSize = tt.MinSize
		k := h.FitDistances(&d)
		if want := byFirst(tt.Labels); !slices.Equal(h.Labels, want) || k != slices.Max(want)+1 {
			t.Errorf("%s, MinSize %d: %d clusters %v, want %v", tt.Name, tt.MinSize, k, h.Labels, want)
		}
	}
}

// apart returns the distances of points on a line.
func apart(at ...float64) *Matrix {
	var d Matrix
	d.Reshape(len(at), len(at))
	for i, x := range at {
		for j, y := range at {
			d.Row(i)[j] = math.Abs(x - y)
		}
	}
	return &d
}

// TestHDBSCANByHand: what follows from the definition alone.
func TestHDBSCANByHand(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		size int
		at   []float64
		want []int
	}{
		{"no points", 2, nil, []int{}},
		{"fewer points than a cluster has", 3, []float64{0, 1}, []int{-1, -1}},
		{"a single group is the whole, which is no cluster", 2, []float64{0, 1, 2, 3}, []int{-1, -1, -1, -1}},
		{"two groups", 2, []float64{0, 1, 100, 101}, []int{0, 0, 1, 1}},
		{"an outlier is in none", 2, []float64{0, 1, 1000, 100, 101}, []int{0, 0, -1, 1, 1}},
		{"all coincide", 2, []float64{5, 5, 5, 5}, []int{-1, -1, -1, -1}},
		{"two places", 2, []float64{5, 5, 5, 7, 7}, []int{0, 0, 0, 1, 1}},
		// 0 and 1 split at distance 9, 3 and 4 at 3: at 1/3 − 1/9 they are parted late, and last until 1.
		{"groups of groups", 2, []float64{0, 1, 10, 11, 100, 101, 110, 111}, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{"not a number", 2, []float64{0, 1, nan, 100, 101}, []int{0, 0, -1, 1, 1}},
		{"infinitely far", 2, []float64{0, 1, inf, 100, 101, nan}, []int{0, 0, -1, 1, 1, -1}},
		{"nothing but that", 2, []float64{nan, nan, inf}, []int{-1, -1, -1}},
	}
	for _, tt := range tests {
		h := HDBSCAN{MinSize: tt.size}
		if h.FitDistances(apart(tt.at...)); !slices.Equal(h.Labels, tt.want) {
			t.Errorf("%s: %v has the labels %v, want %v", tt.name, tt.at, h.Labels, tt.want)
		}
	}
}

// TestHDBSCANInvariant: the clusters do not depend on the order of points, nor on the unit of distances; a call of a
// shape that it has seen allocates nothing.
func TestHDBSCANInvariant(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + random.IntN(30)
		at, order := make([]float64, n), random.Perm(n)
		for i := range at {
			at[i] = 20*float64(random.IntN(4)) + random.NormFloat64()*math.Exp(random.NormFloat64())
		}
		moved := make([]float64, n)
		for i, to := range order {
			moved[to] = 1024 * at[i]
		}
		h, other := HDBSCAN{MinSize: 2 + random.IntN(4)}, HDBSCAN{}
		other.MinSize = h.MinSize
		d := apart(at...)
		h.FitDistances(d)
		other.FitDistances(apart(moved...))
		back := make([]int, n)
		for i, to := range order {
			back[i] = other.Labels[to]
		}
		if got := byFirst(back); !slices.Equal(got, h.Labels) {
			t.Fatalf("MinSize %d: %v has the labels %v, and in another order %v", h.MinSize, at, h.Labels, got)
		}
		if allocated := testing.AllocsPerRun(3, func() { h.FitDistances(d) }); allocated > 0 {
			t.Fatalf("the second call allocates %v times", allocated)
		}
	}
}
