package clusterer

import (
	"math"
	"testing"
)

// Both sides draw their own reference sets, so that the means of their logarithms
// differ by chance: by their standard errors, of which five are allowed.
func TestGapGolden(t *testing.T) {
	type row struct {
		Name                     string
		Points                   Matrix
		Inertia, Mean, Deviation []float64
		References               int
	}
	for _, tt := range golden[row](t, "gap") {
		var g Gap
		g.Fit(&tt.Points, len(tt.Inertia), source(1))
		b := 20.0
		for k, want := range tt.Inertia {
			// With more clusters than there are blobs, the best of ten starts is
			// one of many local minima.
			if got := g.inertia[k]; math.Abs(got-want) > 0.02 {
				t.Errorf("%s, k %d: ln W = %v, want %v", tt.Name, k+1, got, want)
			}
			mine := g.Errors[k] / math.Sqrt(1+1/b)
			tolerance := 5 * math.Sqrt(mine*mine/b+tt.Deviation[k]*tt.Deviation[k]/float64(tt.References))
			if got, want := g.Gaps[k]+g.inertia[k], tt.Mean[k]; math.Abs(got-want) > tolerance {
				t.Errorf("%s, k %d: mean ln W of uniform points = %v, want %v ± %v", tt.Name, k+1, got, want, tolerance)
			}
		}
	}
}

// Blobs far apart for their spread are found, and a single one is left whole. The
// rule stops early where noise lifts Gap(k) by one standard error, so a few misses
// would be its own.
func TestGapFindsBlobs(t *testing.T) {
	g := Gap{References: 10, KMeans: KMeans{Restarts: 4}}
	for _, k := range []int{1, 2, 3, 4} {
		right := 0
		const seeds = 20
		for seed := range uint64(seeds) {
			r := source(seed)
			points, _ := separated(r, 60, k)
			if g.Fit(points, 8, r) == k {
				right++
			}
		}
		if right < seeds*8/10 {
			t.Errorf("Gap finds %d blobs in %d of %d runs, want nearly all", k, right, seeds)
		}
	}
}

// The k returned is the least that the rule allows, and Errors are the standard
// deviation of the logarithms, widened for B being finite.
func TestGapRule(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		b := 2 + r.IntN(4)
		g := Gap{References: b, KMeans: KMeans{Restarts: 1}}
		points, _ := blobs(r, 20, 2, 4, 4)
		got := g.Fit(points, 6, r)
		want := 6
		for k := 5; k >= 1; k-- {
			if g.Gaps[k-1] >= g.Gaps[k]-g.Errors[k] {
				want = k
			}
		}
		if got != want {
			t.Errorf("seed %d: Fit = %v of gaps %v with errors %v, want %v", seed, got, g.Gaps, g.Errors, want)
		}
		for k, got := range g.Errors {
			var sum, squares float64
			for _, x := range g.logs[k*b : (k+1)*b] {
				sum += x
				squares += x * x
			}
			n := float64(b)
			if want := (squares/n - sum/n*sum/n) * (1 + 1/n); math.Abs(got*got-want) > 1e-12 {
				t.Errorf("seed %d: Errors[%d]² = %v, want %v", seed, k, got*got, want)
			}
		}
	}
}

func TestGapDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		points Matrix
		want   int
	}{
		{"empty", Matrix{0, 2, nil}, 0},
		{"one point", Matrix{1, 2, []float64{1, 2}}, 1},
		{"equal points", Matrix{4, 1, []float64{3, 3, 3, 3}}, 1},
		{"two spots", Matrix{6, 1, []float64{0, 0, 0, 1, 1, 1}}, 2},
		{"not a number", Matrix{3, 1, []float64{0, math.NaN(), 1}}, 0},
		{"infinite", Matrix{3, 1, []float64{0, 1, math.Inf(-1)}}, 0},
	}
	var g Gap
	for _, tt := range tests {
		if got := g.Fit(&tt.points, 3, source(1)); got != tt.want {
			t.Errorf("%s: Gap.Fit = %v, want %v", tt.name, got, tt.want)
		}
	}
	wantPanic(t, "most", func() { g.Fit(gaussian(source(1), 3, 2), 0, source(1)) })
}
