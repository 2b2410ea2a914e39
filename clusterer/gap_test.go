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

// Values by hand. The first is the example of maxSE in R's package cluster, where the
// paper's rule (Tibs2001SEmax with one standard error) finds 3, as it does here.
func TestGapRule(t *testing.T) {
	tests := []struct {
		name         string
		gaps, errors []float64
		paper, want  int
	}{
		{"R", []float64{2, 3, 5, 4, 7, 8, 5, 4}, []float64{0.5, 0.5, 1, 0.5, 0.5, 1.5, 0.5, 0.5}, 3, 3},
		{"one cluster", []float64{0.5, 0.2, 0.1, 0}, []float64{0.1, 0.1, 0.1, 0.1}, 1, 1},
		{"one cluster, within an error", []float64{0.5, 0.2, 0.58, 0.3}, []float64{0.1, 0.1, 0.1, 0.1}, 1, 1},
		{"three alike", []float64{-0.53, -0.51, 0.93, 0.7}, []float64{0.3, 0.26, 0.38, 0.36}, 1, 3},
		{"eight alike", []float64{-0.09, -0.06, 0.09, 0.36, 0.55, 0.87, 1.44, 3.59, 3.58},
			[]float64{0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05}, 1, 8},
		{"never falls", []float64{0, 1, 2}, []float64{0.1, 0.1, 0.1}, 3, 3},
		{"an equal", []float64{0, 1, 1.25}, []float64{0.25, 0.25, 0.25}, 2, 2},
		{"one point", []float64{0}, []float64{0}, 1, 1},
		{"none", nil, nil, 0, 0},
	}
	for _, tt := range tests {
		if got := leastAcceptable(tt.gaps, tt.errors); got != tt.want {
			t.Errorf("%s: k = %d, want %d", tt.name, got, tt.want)
		}
		if got := paperGap(tt.gaps, tt.errors); got != tt.paper {
			t.Errorf("%s: the paper's rule finds %d, want %d", tt.name, got, tt.paper)
		}
	}
}

// paperGap is the rule as printed: the least k of all.
func paperGap(gaps, errors []float64) int {
	for k := 1; k < len(gaps); k++ {
		if gaps[k-1] >= gaps[k]-errors[k] {
			return k
		}
	}
	return len(gaps)
}

// Clusters that are all as far from each other, the corners of a simplex, are found.
// The paper's rule finds one cluster there.
func TestGapFindsEquidistant(t *testing.T) {
	for _, k := range []int{3, 4, 5, 6} {
		right, papers := 0, 0
		const seeds = 20
		for seed := range uint64(seeds) {
			r := source(seed)
			points := Matrix{Rows: 6 * k, Cols: k, Data: make([]float64, 6*k*k)}
			for i := range points.Rows {
				for j := range k {
					points.Row(i)[j] = 0.05 * r.NormFloat64()
				}
				points.Row(i)[i%k]++
			}
			g := Gap{References: 10, KMeans: KMeans{Restarts: 4}}
			if g.Fit(&points, k+4, r) == k {
				right++
			}
			if paperGap(g.Gaps, g.Errors) == k {
				papers++
			}
		}
		if right < seeds*9/10 || papers > right {
			t.Errorf("Gap finds %d clusters in %d of %d runs, want nearly all; the paper's rule in %d", k, right, seeds,
				papers)
		}
	}
}

// Where the paper's rule finds more than one cluster, so does Fit, and the same number.
// Errors are the standard deviation of the logarithms, widened for B being finite.
func TestGapFit(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		b := 2 + r.IntN(4)
		g := Gap{References: b, KMeans: KMeans{Restarts: 1}}
		points, _ := blobs(r, 20, 2, 4, 4)
		got := g.Fit(points, 6, r)
		if want := paperGap(g.Gaps, g.Errors); want > 1 && got != want {
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
