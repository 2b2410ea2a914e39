package clusterer

import (
	"math"
	"slices"
	"testing"
)

// Blobs far apart for their spread are found whatever the seeds.
func TestAwasthiSheffetFindsBlobs(t *testing.T) {
	var as AwasthiSheffet
	for seed := range uint64(100) {
		r := source(seed)
		k := 1 + r.IntN(5)
		points, truth := separated(r, 8*k, k)
		before := points.clone()
		as.Fit(points, k, r)
		if got := AdjustedRand(truth, as.KMeans.Labels); got != 1 {
			t.Errorf("seed %d: AdjustedRand = %v, want 1", seed, got)
		}
		if !points.equal(before) {
			t.Errorf("seed %d: Fit changed its input", seed)
		}
	}
}

// All is done in the flat of the leading directions: what is added at right angles
// to it, too little to become one of them, does not move the start.
func TestAwasthiSheffetProjects(t *testing.T) {
	var as, noisy AwasthiSheffet
	for seed := range uint64(30) {
		points, _ := separated(source(seed), 24, 3)
		wide := new(Matrix)
		wide.Reshape(24, 5)
		r := source(seed + 1000)
		for i := range 24 {
			copy(wide.Row(i), points.Row(i))
			wide.Row(i)[3], wide.Row(i)[4] = 1e-9*r.NormFloat64(), 1e-9*r.NormFloat64()
		}
		as.Fit(points, 3, source(seed))
		noisy.Fit(wide, 3, source(seed))
		for c := range 3 {
			for j, want := range as.start.Row(c) {
				if got := noisy.start.Row(c)[j]; math.Abs(got-want) > 1e-6 {
					t.Errorf("seed %d: start %d = %v, want %v", seed, c, noisy.start.Row(c), as.start.Row(c))
				}
			}
		}
	}
}

func TestAwasthiSheffetNear(t *testing.T) {
	as := AwasthiSheffet{seeds: Matrix{3, 1, []float64{0, 4, 100}}}
	tests := []struct {
		x    float64
		seed int
		ok   bool
	}{
		{0, 0, true}, {1, 0, true}, {1.01, 0, false}, {2.9, 1, false}, {3, 1, true}, {6, 1, true}, {6.1, 1, false}, {-2, 0, true}, {-2.1, 0, false}, {900, 2, false},
	}
	for _, tt := range tests {
		if seed, ok := as.nearSeed([]float64{tt.x}); seed != tt.seed || ok != tt.ok {
			t.Errorf("nearSeed(%v) = %v, %v, want %v, %v", tt.x, seed, ok, tt.seed, tt.ok)
		}
	}
	as.seeds = Matrix{1, 1, []float64{7}}
	if seed, ok := as.nearSeed([]float64{1e9}); seed != 0 || !ok {
		t.Errorf("nearSeed with one seed = %v, %v, want 0, true", seed, ok)
	}
}

// A seed that another one shares, and that has no points of its own, is a centre
// as it is.
func TestAwasthiSheffetEmptySeed(t *testing.T) {
	var as AwasthiSheffet
	as.Fit(&Matrix{3, 2, []float64{3, 4, 3, 4, 3, 4}}, 2, source(1))
	for c := range 2 {
		for j, want := range []float64{3, 4} {
			if got := as.start.Row(c)[j]; !near(got, want, 1e-15) {
				t.Errorf("start %d = %v, want 3, 4", c, as.start.Row(c))
			}
		}
	}
}

func TestAwasthiSheffetDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		points Matrix
		k      int
		labels []int
	}{
		{"empty", Matrix{0, 2, nil}, 2, []int{}},
		{"one point", Matrix{1, 2, []float64{3, 4}}, 2, []int{0}},
		{"as many as clusters", Matrix{2, 1, []float64{3, 4}}, 2, []int{0, 1}},
		{"equal points", Matrix{3, 2, []float64{3, 4, 3, 4, 3, 4}}, 2, []int{0, 0, 0}},
		{"at the origin", Matrix{3, 2, make([]float64, 6)}, 2, []int{0, 0, 0}},
		{"not a number", Matrix{3, 1, []float64{1, math.NaN(), 2}}, 2, []int{0, -1, 1}},
	}
	var as AwasthiSheffet
	for _, tt := range tests {
		as.Fit(&tt.points, tt.k, source(1))
		if !slices.Equal(as.KMeans.Labels, tt.labels) || as.KMeans.Inertia != 0 {
			t.Errorf("%s: Labels = %v, Inertia = %v, want %v, 0", tt.name, as.KMeans.Labels, as.KMeans.Inertia,
				tt.labels)
		}
	}
	wantPanic(t, "k", func() { as.Fit(gaussian(source(1), 3, 2), 0, source(1)) })
}
