package clusterer

import (
	"math"
	"slices"
	"testing"
)

// leastCross returns the least possible similarity across, over all splits of the
// points into two sides.
func leastCross(similarity *Matrix) float64 {
	n, least := similarity.Rows, math.Inf(1)
	for side := 1; side < 1<<(n-1); side++ { // point n−1 stays on side 0
		cross := math.Inf(-1)
		for i := range n {
			for j := range i {
				if side>>i&1 != side>>j&1 {
					cross = max(cross, similarity.Row(i)[j])
				}
			}
		}
		least = min(least, cross)
	}
	return least
}

// Single linkage makes the greatest similarity across least.
func TestBipartitionIsOptimal(t *testing.T) {
	var b Bipartition
	for seed := range uint64(100) {
		r := source(seed)
		points := gaussian(r, 2+r.IntN(8), 3)
		if seed%3 == 0 { // ties
			for i := range points.Data {
				points.Data[i] = math.Round(points.Data[i])
			}
		}
		var s Matrix
		Cosines(&s, points)
		before := s.clone()
		if b.Fit(&s, Single); b.Cross != leastCross(&s) {
			t.Errorf("seed %d: Cross = %v, want %v", seed, b.Cross, leastCross(&s))
		}
		for _, linkage := range []Linkage{Single, Complete, Average, Weighted} {
			b.Fit(&s, linkage)
			cross := math.Inf(-1)
			for i, l := range b.Labels {
				for j, m := range b.Labels {
					if l != m {
						cross = max(cross, s.Row(max(i, j))[min(i, j)])
					}
				}
			}
			if b.Cross != cross || b.Cross < leastCross(&s) {
				t.Errorf("seed %d, linkage %d: Cross = %v, want %v", seed, linkage, b.Cross, cross)
			}
			if b.Labels[0] != 0 || slices.Max(b.Labels) != 1 {
				t.Errorf("seed %d, linkage %d: Labels = %v, want two sides, the first point's 0", seed, linkage,
					b.Labels)
			}
		}
		if !s.equal(before) {
			t.Errorf("seed %d: Fit changed its input", seed)
		}
	}
}

// Two bundles of directions come apart, whichever way.
func TestBipartitionFindsBundles(t *testing.T) {
	var b Bipartition
	for seed := range uint64(60) {
		r := source(seed)
		points, truth := separated(r, 4+r.IntN(20), 2)
		var s Matrix
		Cosines(&s, points)
		for _, linkage := range []Linkage{Single, Complete} {
			if b.Fit(&s, linkage); !slices.Equal(b.Labels, truth) {
				t.Errorf("seed %d, linkage %d: Labels = %v, want %v", seed, linkage, b.Labels, truth)
			}
		}
		connectivity := b.FitSpectral(&s, r)
		if !slices.Equal(b.Labels, truth) {
			t.Errorf("seed %d: FitSpectral has Labels %v, want %v", seed, b.Labels, truth)
		}
		if n := float64(points.Rows); connectivity < 1/n || connectivity > 1 {
			t.Errorf("seed %d: connectivity = %v, want %v … 1", seed, connectivity, 1/n)
		}
	}
}

func TestBipartitionDegenerate(t *testing.T) {
	tests := []struct {
		name         string
		s            Matrix
		labels       []int
		cross        float64
		connectivity float64
	}{
		{"empty", Matrix{0, 0, nil}, []int{}, math.Inf(-1), 0},
		{"one point", Matrix{1, 1, []float64{1}}, []int{0}, math.Inf(-1), 1},
		{"opposite", Matrix{2, 2, []float64{1, -1, -1, 1}}, []int{0, 1}, -1, 1},
		{"at right angles", Matrix{2, 2, []float64{1, 0, 0, 1}}, []int{0, 1}, 0, 0.5},
	}
	var b Bipartition
	for _, tt := range tests {
		if b.Fit(&tt.s, Complete); !slices.Equal(b.Labels, tt.labels) || b.Cross != tt.cross {
			t.Errorf("%s: Fit = %v, cross %v, want %v, %v", tt.name, b.Labels, b.Cross, tt.labels, tt.cross)
		}
		if got := b.FitSpectral(&tt.s, source(1)); !slices.Equal(b.Labels, tt.labels) || b.Cross != tt.cross ||
			!near(got, tt.connectivity, 1e-15) {
			t.Errorf("%s: FitSpectral = %v, cross %v, connectivity %v, want %v, %v, %v", tt.name, b.Labels, b.Cross,
				got, tt.labels, tt.cross, tt.connectivity)
		}
	}
	wantPanic(t, "not square", func() { b.Fit(gaussian(source(1), 2, 3), Single) })
	wantPanic(t, "not square", func() { b.FitSpectral(gaussian(source(1), 2, 3), source(1)) })
	wantPanic(t, "Ward", func() { b.Fit(&tests[1].s, Ward) })
}
