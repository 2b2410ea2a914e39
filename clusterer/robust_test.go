package clusterer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// robustCase is a case of testdata/robust.py.
type robustCase struct {
	Points, Start, Centroids Matrix
	Medians                  bool
	Trim, Inertia            float64
	Labels                   []int
	Kept                     []bool
	K                        int
}

// TestRobustMeansGolden repeats what NumPy makes of the same points and starts, and reaches the least sum of all ways.
func TestRobustMeansGolden(t *testing.T) {
	all := golden[struct{ Given, Least []robustCase }](t, "robust")[0]
	for n, c := range all.Given {
		m := RobustMeans{Medians: c.Medians, Trim: c.Trim}
		m.FitFrom(&c.Points, &c.Start)
		if !slices.Equal(m.Labels, c.Labels) || !slices.Equal(m.Kept, c.Kept) || !near(m.Inertia, c.Inertia, 1e-12) {
			t.Errorf("case %d: labels %v, sum %v, want %v, %v", n, m.Labels, m.Inertia, c.Labels, c.Inertia)
		}
		for j, v := range c.Centroids.Data {
			if !near(m.Centroids.Data[j], v, 1e-12) {
				t.Errorf("case %d: centres %v, want %v", n, m.Centroids.Data, c.Centroids.Data)
				break
			}
		}
	}
	for n, c := range all.Least {
		m := RobustMeans{Medians: c.Medians, Trim: c.Trim}
		m.Fit(&c.Points, c.K, rand.New(rand.NewPCG(1, uint64(n))))
		if !near(m.Inertia, c.Inertia, 1e-12) {
			t.Errorf("case %d of all labellings: the sum is %v, the least is %v", n, m.Inertia, c.Inertia)
		}
	}
	if len(all.Given) < 10 || len(all.Least) < 10 {
		t.Error("there are too few cases")
	}
}

// TestFarPoints: where k-means spends its centres on a few far points, trimming, and with few enough medians, find the groups.
func TestFarPoints(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var points Matrix
		points.Reshape(34, 2)
		group := make([]int, 30)
		for i := range 34 {
			x, y := []float64{0, 10, 0}[i%3], []float64{0, 0, 10}[i%3]
			if i < 30 {
				group[i] = i % 3
			} else {
				x, y = 400+x, 30*float64(i) // liars
			}
			points.Data[2*i], points.Data[2*i+1] = x+r.NormFloat64(), y+r.NormFloat64()
		}
		var plain KMeans
		plain.Fit(&points, 3, r)
		trimmed := RobustMeans{Trim: 0.15}
		trimmed.Fit(&points, 3, r)
		if got := AdjustedRand(plain.Labels[:30], group); got > 0.7 {
			t.Errorf("seed %d: k-means is right on %v: this proves nothing", seed, got)
		}
		if got := AdjustedRand(trimmed.Labels[:30], group); got != 1 {
			t.Errorf("seed %d: trimmed k-means has ARI %v, want 1", seed, got)
		}
	}
}

// TestRobustMeansAlone: no points, one point, equal points, points that are not finite; nothing is allocated the second time.
func TestRobustMeansAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, m := range []RobustMeans{{}, {Medians: true}, {Trim: 0.4}} {
		for _, rows := range [][]float64{{}, {5, 6}, {1, 1, 1, 1, 1, 1}, {1, 2, math.Inf(1), 3, 4, 5}} {
			points := Matrix{Rows: len(rows) / 2, Cols: 2, Data: rows}
			m.Fit(&points, 2, r)
			if len(m.Labels) != points.Rows || m.Inertia != 0 {
				t.Errorf("%v: labels %v, sum %v", rows, m.Labels, m.Inertia)
			}
			for i, label := range m.Labels {
				if (label < 0) == finite(points.Row(i)) {
					t.Errorf("%v: point %d has label %d", rows, i, label)
				}
			}
		}
		points := Matrix{Rows: 10, Cols: 2, Data: make([]float64, 20)}
		for j := range points.Data {
			points.Data[j] = r.NormFloat64()
		}
		m.Fit(&points, 3, r)
		if n := testing.AllocsPerRun(5, func() { m.Fit(&points, 3, r) }); n > 0 {
			t.Errorf("Fit allocates %v times, want 0", n)
		}
	}
}
