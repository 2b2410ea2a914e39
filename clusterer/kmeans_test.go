package clusterer

import (
	"math"
	"slices"
	"testing"
)

func TestKMeansDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		points Matrix
		k      int
		want   []int
	}{
		{"no points", Matrix{0, 2, nil}, 3, []int{}},
		{"no columns", Matrix{3, 0, nil}, 2, []int{0, 0, 0}},
		{"one point", Matrix{1, 2, []float64{5, 6}}, 3, []int{0}},
		{"identical points", Matrix{5, 2, []float64{.1, .7, .1, .7, .1, .7, .1, .7, .1, .7}}, 3, []int{0, 0, 0, 0, 0}},
		{"zeros", Matrix{4, 1, make([]float64, 4)}, 4, []int{0, 0, 0, 0}},
		{"not a number", Matrix{3, 1, []float64{1, math.NaN(), 1}}, 2, []int{0, -1, 0}},
		{"all not a number", Matrix{2, 1, []float64{math.NaN(), math.NaN()}}, 2, []int{-1, -1}},
		{"infinite", Matrix{3, 1, []float64{math.Inf(1), 1, 1}}, 2, []int{-1, 0, 0}},
		{"overflowing", Matrix{3, 1, []float64{1e200, -1e200, 2}}, 2, []int{-1, -1, 0}},
	}
	var km KMeans
	for _, tt := range tests {
		km.Fit(&tt.points, tt.k, source(1))
		if !slices.Equal(km.Labels, tt.want) {
			t.Errorf("%s: Labels = %v, want %v", tt.name, km.Labels, tt.want)
		}
		if km.Inertia != 0 {
			t.Errorf("%s: Inertia = %v, want 0", tt.name, km.Inertia)
		}
		if len(km.Labels) != tt.points.Rows || km.Centroids.Rows != tt.k || km.Centroids.Cols != tt.points.Cols {
			t.Errorf("%s: %d labels, centroids %d × %d, want %d, %d × %d", tt.name,
				len(km.Labels), km.Centroids.Rows, km.Centroids.Cols, tt.points.Rows, tt.k, tt.points.Cols)
		}
	}
}

// With at least as many centroids as distinct points, each of those has one and
// the inertia is 0 up to the error of a mean.
func TestKMeansMoreCentroidsThanPoints(t *testing.T) {
	var km KMeans
	for seed := range uint64(50) {
		r := source(seed)
		distinct := 1 + r.IntN(6)
		few, points, truth := gaussian(r, distinct, 3), new(Matrix), randomLabels(r, 20, distinct)
		points.Reshape(20, 3)
		for i, l := range truth {
			copy(points.Row(i), few.Row(l))
		}
		km.Fit(points, distinct+r.IntN(4), r)
		if got := AdjustedRand(truth, km.Labels); got != 1 || km.Inertia > 1e-25 {
			t.Errorf("seed %d: AdjustedRand = %v, Inertia = %v, want 1, 0", seed, got, km.Inertia)
		}
	}
}

// A run goes on from centres that are not finite: from where a finite one is, or else
// from the first finite point, or else from 0.
func TestFitFromLostCentres(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name          string
		points, start Matrix
		want          []float64
		labels        []int
	}{
		{"a finite centre", Matrix{3, 1, []float64{1, 3, nan}}, Matrix{2, 1, []float64{nan, 2}}, []float64{1, 3}, []int{0, 1, -1}},
		{"no finite centre", Matrix{3, 1, []float64{nan, 1, 3}}, Matrix{2, 1, []float64{nan, math.Inf(1)}}, []float64{1, 3}, []int{-1, 0, 1}},
		{"nothing finite", Matrix{2, 1, []float64{nan, nan}}, Matrix{2, 1, []float64{nan, nan}}, []float64{0, 0}, []int{-1, -1}},
		{"no finite point", Matrix{2, 1, []float64{nan, nan}}, Matrix{2, 1, []float64{nan, 2}}, []float64{2, 2}, []int{-1, -1}},
	} {
		var km KMeans
		km.FitFrom(&tt.points, &tt.start)
		centres := slices.Sorted(slices.Values(km.Centroids.Data))
		if !slices.Equal(centres, tt.want) || AdjustedRand(km.Labels, tt.labels) != 1 {
			t.Errorf("%s: centroids %v and labels %v, want %v and %v", tt.name, centres, km.Labels, tt.want, tt.labels)
		}
	}
}

// Cutting the same run off after more and more iterations never gives a higher
// inertia, also when centres start far off and must be relocated.
func TestInertiaNeverRises(t *testing.T) {
	for seed := range uint64(100) {
		r := source(seed)
		points, _ := blobs(r, 60, 2, 5, 4)
		start := gaussian(r, 6, 2)
		if seed%2 == 1 {
			for i := range 2 * 3 {
				start.Data[i] += 100
			}
		}
		last := math.Inf(1)
		for limit := 1; limit <= 30; limit++ {
			km := KMeans{Iterations: limit, Tolerance: -1}
			km.FitFrom(points, start)
			if km.Inertia > last*(1+1e-12) {
				t.Errorf("seed %d: Inertia after %d iterations = %v, want at most %v", seed, limit, km.Inertia, last)
			}
			last = km.Inertia
		}
	}
}

// However a run ends, labels name the nearest centroid and the inertia is the
// sum of those distances.
func TestLabelsAgreeWithCentroids(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		points := gaussian(r, 40, 3)
		km := KMeans{Iterations: 1 + int(seed%7), Restarts: 2}
		km.Fit(points, 5, r)
		var inertia float64
		for i, l := range km.Labels {
			own := squaredDistance(points.Row(i), km.Centroids.Row(l))
			inertia += own
			for k := range km.Centroids.Rows {
				if d := squaredDistance(points.Row(i), km.Centroids.Row(k)); d < own {
					t.Errorf("seed %d: Labels[%d] = %d at %v, want %d at %v", seed, i, l, own, k, d)
				}
			}
		}
		if km.Inertia != inertia {
			t.Errorf("seed %d: Inertia = %v, want %v", seed, km.Inertia, inertia)
		}
	}
}

// Centres without points go to the points farthest from their own centres, one
// each; where no point is off its centre, to the biggest cluster.
func TestRelocation(t *testing.T) {
	tests := []struct {
		name          string
		points, start []float64
		want          []float64 // after one iteration
	}{
		{"one empty", []float64{0, 1, 10}, []float64{0, 100}, []float64{0.5, 10}},
		{"two empty", []float64{0, 1, 10}, []float64{0, 100, 100}, []float64{0, 10, 1}},
		{"two empty, one to fill", []float64{0, 0, 10}, []float64{0, 100, 100}, []float64{0, 10, 0}},
		{"none to fill", []float64{5, 5, 7}, []float64{7, 5, 100}, []float64{7, 5, 5}},
	}
	km := KMeans{Iterations: 1}
	for _, tt := range tests {
		km.FitFrom(&Matrix{len(tt.points), 1, tt.points}, &Matrix{len(tt.start), 1, tt.start})
		if !slices.Equal(km.Centroids.Data, tt.want) {
			t.Errorf("%s: Centroids = %v, want %v", tt.name, km.Centroids.Data, tt.want)
		}
	}
}

// Every start finds these two pairs, exactly, under one naming or the other: the
// first start's naming stands.
func TestFirstStartWinsTies(t *testing.T) {
	points := &Matrix{4, 1, []float64{0, 2, 10, 12}}
	for seed := range uint64(20) {
		one, ten := KMeans{Restarts: 1}, KMeans{}
		one.Fit(points, 2, source(seed))
		ten.Fit(points, 2, source(seed))
		if one.Inertia != 4 || !slices.Equal(one.Labels, ten.Labels) {
			t.Errorf("seed %d: Labels = %v from ten starts, want %v as from the first", seed, ten.Labels, one.Labels)
		}
	}
}

// More restarts see the same starts first, so they cannot do worse.
func TestRestartsHelp(t *testing.T) {
	for seed := range uint64(30) {
		points := gaussian(source(seed), 50, 2)
		last := math.Inf(1)
		for _, restarts := range []int{1, 2, 5, 10, 20} {
			km := KMeans{Restarts: restarts}
			km.Fit(points, 6, source(seed+1000))
			if km.Inertia > last {
				t.Errorf("seed %d: Inertia with %d restarts = %v, want at most %v", seed, restarts, km.Inertia, last)
			}
			last = km.Inertia
		}
	}
}

func TestKMeansLeavesInputs(t *testing.T) {
	points, start := gaussian(source(1), 30, 3), gaussian(source(2), 4, 3)
	p, s := points.clone(), start.clone()
	var km KMeans
	km.Fit(points, 4, source(3))
	km.FitFrom(points, start)
	km.FitFrom(points, start) // the second works in the first one's buffers
	if !points.equal(p) || !start.equal(s) {
		t.Error("KMeans changed its inputs")
	}
}

// A result is a fixed point: going on from it changes nothing.
func TestFitFromOwnCentroids(t *testing.T) {
	for seed := range uint64(20) {
		r := source(seed)
		points, _ := blobs(r, 80, 3, 4, 8)
		km := KMeans{Tolerance: -1} // so that it runs until no label changes
		km.Fit(points, 4, r)
		labels, inertia := slices.Clone(km.Labels), km.Inertia
		km.FitFrom(points, &km.Centroids)
		if !slices.Equal(km.Labels, labels) || !near(km.Inertia, inertia, 1e-12) {
			t.Errorf("seed %d: Inertia after going on = %v, want %v", seed, km.Inertia, inertia)
		}
	}
}

func TestFloorLog(t *testing.T) {
	for k := 1; k < 5000; k++ {
		if got, want := floorLog(k), int(math.Floor(math.Log(float64(k)))); got != want {
			t.Errorf("floorLog(%d) = %d, want %d", k, got, want)
		}
	}
}

// countingRand counts what is asked of it.
type countingRand struct {
	Rand
	floats, ints int
}

func (c *countingRand) Float64() float64 { c.floats++; return c.Rand.Float64() }
func (c *countingRand) IntN(n int) int   { c.ints++; return c.Rand.IntN(n) }

// Each start draws one point, then 2 + ⌊ln k⌋ candidates for every other centre.
func TestSeedingCandidates(t *testing.T) {
	points := gaussian(source(1), 40, 2)
	for _, tt := range []struct{ k, floats int }{{1, 0}, {2, 2}, {3, 2 * 3}, {8, 7 * 4}} {
		km, r := KMeans{Restarts: 5}, &countingRand{Rand: source(2)}
		if km.Fit(points, tt.k, r); r.floats != 5*tt.floats || r.ints != 5 {
			t.Errorf("k %d: 5 starts drew %d points and %d candidates, want 5 and %d", tt.k, r.ints, r.floats,
				5*tt.floats)
		}
	}
}

// Greedy seeding on blobs far apart puts one centroid in each nearly always:
// plain uniform seeding of 6 in 6 blobs would in 6!/6⁶ = 1.5% of the runs.
func TestSeedingSpreads(t *testing.T) {
	hits := 0
	km := KMeans{Restarts: 1}
	for seed := range uint64(200) {
		r := source(seed)
		points, truth := new(Matrix), make([]int, 60)
		points.Reshape(60, 2)
		for i := range truth {
			truth[i] = i % 6
			points.Row(i)[0] = float64(100*(i%6)) + r.Float64()
			points.Row(i)[1] = r.Float64()
		}
		km.Fit(points, 6, r)
		if AdjustedRand(truth, km.Labels) == 1 {
			hits++
		}
	}
	if hits < 195 {
		t.Errorf("one start found 6 distant blobs in %d of 200 runs, want at least 195", hits)
	}
}

func TestKMeansPanics(t *testing.T) {
	var km KMeans
	points := gaussian(source(1), 3, 2)
	wantPanic(t, "k 0", func() { km.Fit(points, 0, source(1)) })
	wantPanic(t, "no start", func() { km.FitFrom(points, &Matrix{0, 2, nil}) })
	wantPanic(t, "columns", func() { km.FitFrom(points, gaussian(source(1), 2, 3)) })
	wantPanic(t, "short data", func() { km.Fit(&Matrix{3, 2, make([]float64, 5)}, 1, source(1)) })
}
