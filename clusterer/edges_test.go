package clusterer

import (
	"math"
	"slices"
	"testing"
)

// TestChecksItsMatrices: every entry point names a matrix whose data are longer than its
// shape says, which no loop would run into, for each of its arguments.
func TestChecksItsMatrices(t *testing.T) {
	good := func() *Matrix { return &Matrix{2, 2, []float64{1, 0, 0, 1}} }
	long := &Matrix{2, 2, []float64{1, 0, 0, 1, 7}}
	labels, three := []int{0, 1}, []int{0, 1, 1}
	longPoints := &Matrix{3, 2, make([]float64, 7)}
	fitted := func() *Spectral {
		sp := new(Spectral)
		sp.Fit(new(Matrix), good(), 2)
		return sp
	}
	for name, f := range map[string]func(){
		"Agglomerative.Fit":          func() { new(Agglomerative).Fit(long) },
		"Agglomerative.FitDistances": func() { new(Agglomerative).FitDistances(long) },
		"Align dst":                  func() { Align(long, good()) },
		"Align reference":            func() { Align(good(), long) },
		"Angles.Fit a":               func() { new(Angles).Fit(long, good()) },
		"Angles.Fit b":               func() { new(Angles).Fit(good(), long) },
		"MinAngle a":                 func() { MinAngle(long, good()) },
		"MinAngle b":                 func() { MinAngle(good(), long) },
		"Assigner.Assign":            func() { new(Assigner).Assign(make([]int, 2), long) },
		"AwasthiSheffet.Fit":         func() { new(AwasthiSheffet).Fit(longPoints, 2, source(1)) },
		"Bipartition.Fit":            func() { new(Bipartition).Fit(long, Single) },
		"Bipartition.FitSpectral":    func() { new(Bipartition).FitSpectral(long, source(1)) },
		"Cosines":                    func() { Cosines(new(Matrix), long) },
		"CosinesOfGram":              func() { CosinesOfGram(long) },
		"Distances":                  func() { Distances(new(Matrix), long) },
		"Farthest.Fit":               func() { new(Farthest).Fit(long, 1, 2) },
		"Gap.Fit":                    func() { new(Gap).Fit(longPoints, 2, source(1)) },
		"Gram":                       func() { Gram(new(Matrix), long, 0, 2) },
		"KMeans.Fit":                 func() { new(KMeans).Fit(long, 1, source(1)) },
		"KMeans.FitFrom points":      func() { new(KMeans).FitFrom(long, good()) },
		"KMeans.FitFrom start":       func() { new(KMeans).FitFrom(good(), long) },
		"Nearest points":             func() { Nearest(labels, long, good()) },
		"Nearest centres":            func() { Nearest(labels, good(), long) },
		"Plane.Fit":                  func() { new(Plane).Fit(new(Matrix), long) },
		"SelectK.Means":              func() { new(SelectK).Means(longPoints, 2, source(1)) },
		"SelectK.Merge":              func() { new(SelectK).Merge(longPoints, 2) },
		"Silhouette":                 func() { Silhouette(longPoints, three) },
		"Spectral.Basis":             func() { new(Spectral).Basis(new(Matrix), long, 1) },
		"Spectral.Fit":               func() { new(Spectral).Fit(new(Matrix), long, 1) },
		"Spectral.FitGram":           func() { new(Spectral).FitGram(new(Matrix), long, 1) },
		"Spectral.Orient a":          func() { fitted().Orient(good(), long) },
		"Spectral.Orient dst":        func() { fitted().Orient(long, good()) },
	} {
		wantPanic(t, name, f)
	}
	for _, m := range []Matrix{{-1, -1, make([]float64, 1)}, {-2, 0, nil}, {0, -2, nil}, {-2, -3, make([]float64, 6)}} {
		wantPanic(t, "negative size", m.check)
	}
	wantPanic(t, "Reshape", func() { new(Matrix).Reshape(2, -1) })
	wantPanic(t, "Reshape", func() { new(Matrix).Reshape(-1, -2) })
}

// TestRefusedShapes: each part of a condition refuses by itself.
func TestRefusedShapes(t *testing.T) {
	a, dst := gaussian(source(1), 3, 2), new(Matrix)
	for _, span := range [][2]int{{-1, 1}, {2, 1}, {0, 3}, {-2, -1}} {
		wantPanic(t, "Gram", func() { Gram(dst, a, span[0], span[1]) })
	}
	for _, shape := range [][2]int{{3, 3}, {3, 1}, {2, 2}, {4, 2}} {
		wantPanic(t, "Align dst", func() { Align(gaussian(source(1), shape[0], shape[1]), a) })
		wantPanic(t, "Align reference", func() { Align(a, gaussian(source(1), shape[0], shape[1])) })
	}
	sp := new(Spectral)
	sp.Fit(dst, a, 2)
	wantPanic(t, "Orient dst", func() { sp.Orient(gaussian(source(1), 2, 2), a) })
	sp.FitGram(dst, gaussian(source(1), 3, 3), 2)
	wantPanic(t, "Orient a", func() { sp.Orient(gaussian(source(1), 3, 2), gaussian(source(1), 2, 2)) })
	wantPanic(t, "Orient both", func() { sp.Orient(gaussian(source(1), 2, 2), gaussian(source(1), 2, 2)) })
	for name, f := range map[string]func(){
		"Fit":     func() { sp.Fit(dst, a, -1) },
		"FitGram": func() { sp.FitGram(dst, gaussian(source(1), 3, 3), -1) },
	} {
		func() {
			defer func() {
				if got, want := recover(), "clusterer: Spectral: negative number of features"; got != want {
					t.Errorf("%s of -1 features panics with %v, want %q", name, got, want)
				}
			}()
			f()
		}()
	}
	if sp.Fit(dst, a, 0); dst.Rows != 3 || dst.Cols != 0 || len(sp.Values) != 2 {
		t.Errorf("no features are %d × %d with %d singular values, want 3 × 0 with 2", dst.Rows, dst.Cols,
			len(sp.Values))
	}
}

// TestLloydFirstLabelling: the first labelling is a change even if all points go to one
// centre, whichever it is: the centre then moves to their mean.
func TestLloydFirstLabelling(t *testing.T) {
	points := &Matrix{3, 1, []float64{1, 2, 6}}
	for at := range 3 {
		start := &Matrix{3, 1, []float64{1e6, 2e6, 3e6}}
		start.Data[at] = 0
		km := KMeans{Iterations: 1}
		km.FitFrom(points, start)
		if km.Centroids.Data[at] == 0 {
			t.Errorf("all points are nearest to centre %d, which stays at 0: %v", at, km.Centroids.Data)
		}
	}
}

// TestRelocateTies: of several points equally far from their centre, an empty centre takes
// the first, and a second empty one the next.
func TestRelocateTies(t *testing.T) {
	points := &Matrix{3, 1, []float64{-1, 1, 0}}
	var km KMeans
	km.FitFrom(points, &Matrix{2, 1, []float64{0, 100}})
	if want := []int{1, 0, 0}; !slices.Equal(km.Labels, want) {
		t.Errorf("labels %v, want %v: the empty centre goes to the first of the two far points", km.Labels, want)
	}
	points = &Matrix{5, 2, []float64{0, 3, 0, -3, 3, 0, -3, 0, 0, 0}}
	km.FitFrom(points, &Matrix{3, 2, []float64{0, 0, 100, 100, 200, 200}})
	if km.Labels[0] != 1 || km.Labels[1] != 2 {
		t.Errorf("labels %v, want centre 1 at the first point and centre 2 at the second", km.Labels)
	}
}

// TestMeanVariance: the population variance, a mean over columns.
func TestMeanVariance(t *testing.T) {
	for _, tt := range []struct {
		m    Matrix
		want float64
	}{
		{Matrix{0, 3, nil}, 0}, {Matrix{3, 0, nil}, 0}, {Matrix{1, 1, []float64{5}}, 0},
		{Matrix{2, 1, []float64{1, 3}}, 1}, {Matrix{4, 1, []float64{0, 0, 2, 6}}, 6}, {Matrix{2, 2, []float64{1, 5, 3, 11}}, 5},
	} {
		if got := meanVariance(&tt.m); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("meanVariance(%v) = %v, want %v", tt.m, got, tt.want)
		}
	}
}

// TestOtherLoops: loops that are put in the place of Go's are what runs, and the result is
// what they leave.
func TestOtherLoops(t *testing.T) {
	defer Use(Loops{})
	points, _ := separated(source(1), 12, 3)
	var plain, other KMeans
	plain.Fit(points, 3, source(2))
	seeds, walks := 0, 0
	Use(Loops{
		Seed: func(centroids, points *Matrix, draws, nearest, trial, chosen []float64, candidates, first int) {
			seeds++
			if len(nearest) != 12 || len(trial) != 12 || len(chosen) != 12 || candidates != 3 ||
				len(draws) != 2*candidates {
				t.Errorf("Seed gets room for %d, %d, %d points, %d candidates and %d draws", len(nearest), len(trial),
					len(chosen), candidates, len(draws))
			}
			for k := range centroids.Rows {
				copy(centroids.Row(k), points.Row(k))
			}
		},
		Lloyd: func(centroids, points *Matrix, labels []int, distance, shift []float64, count []int, limit int,
			stop float64) int {
			walks++
			for i := range labels {
				labels[i], distance[i] = i%3, 2
			}
			return 7
		},
	})
	other.Fit(points, 3, source(2))
	if seeds == 0 || walks != seeds || other.Steps != 7 || other.Inertia != 24 {
		t.Errorf("%d seeds, %d walks, %d steps and inertia %v, want as many seeds as walks, 7 and 24", seeds, walks,
			other.Steps, other.Inertia)
	}
	for k := range 3 {
		if !slices.Equal(other.Centroids.Row(k), points.Row(k)) {
			t.Errorf("centroid %d is %v, want point %v, where the other loop began", k, other.Centroids.Row(k),
				points.Row(k))
		}
	}
	if AdjustedRand(plain.Labels, other.Labels) != 1 {
		t.Errorf("labels %v, want those of Go's loops, %v, up to names", other.Labels, plain.Labels)
	}
	Use(Loops{})
	var again KMeans
	if again.Fit(points, 3, source(2)); again.Inertia != plain.Inertia || !slices.Equal(again.Labels, plain.Labels) {
		t.Error("without other loops the result is another one than before")
	}
}

// TestAssignerReuse: what an assigner found before makes no difference to what it finds.
func TestAssignerReuse(t *testing.T) {
	r := source(5)
	var used Assigner
	for range 200 {
		rows := 1 + r.IntN(6)
		cost := gaussian(r, rows, rows+r.IntN(4))
		scale := math.Pow(10, float64(r.IntN(7)-3))
		for i := range cost.Data {
			cost.Data[i] = math.Round(2*cost.Data[i]) * scale
		}
		got, want := make([]int, rows), make([]int, rows)
		a := used.Assign(got, cost)
		var fresh Assigner
		if b := fresh.Assign(want, cost); a != b || !slices.Equal(got, want) {
			t.Fatalf("cost %v: a used assigner finds %v for %v, a new one %v for %v", cost, got, a, want, b)
		}
	}
}

// TestVMeasureOfTwoLabels: labels with little entropy count as well.
func TestVMeasureOfTwoLabels(t *testing.T) {
	var c Contingency
	tests := []struct {
		truth, labels             []int
		homogeneity, completeness float64
	}{
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0, 0},
		{[]int{0, 0, 0, 0}, []int{0, 1, 0, 1}, 1, 0},
		{[]int{0, 1, 0, 1}, []int{0, 0, 0, 0}, 0, 1},
		{[]int{0, 0, 1, 1}, []int{1, 1, 0, 0}, 1, 1},
		// H(labels) = 2 ln 2 − ¾ ln 3, H(truth) = ln 2, and ½ of the points leave ln 2 open.
		{[]int{0, 0, 1, 1}, []int{0, 0, 0, 1}, 1 - 0.75*(math.Log(3)-2./3*math.Ln2)/math.Ln2,
			1 - 0.5*math.Ln2/(2*math.Ln2-0.75*math.Log(3))},
	}
	for _, tt := range tests {
		h, k, _ := c.VMeasure(tt.truth, tt.labels)
		if math.Abs(h-tt.homogeneity) > 1e-15 || math.Abs(k-tt.completeness) > 1e-15 {
			t.Errorf("%v as %v: homogeneity %v and completeness %v, want %v and %v", tt.truth, tt.labels, h, k,
				tt.homogeneity, tt.completeness)
		}
	}
}

// TestDefaultTolerance: it is 1e-4, which stops earlier than none.
func TestDefaultTolerance(t *testing.T) {
	earlier := 0
	for seed := range uint64(20) {
		points := uniform(source(seed), 4000, 2)
		start := &Matrix{8, 2, points.Data[:16]}
		steps := func(tolerance float64) int {
			km := KMeans{Tolerance: tolerance}
			km.FitFrom(points, start)
			return km.Steps
		}
		if got, want := steps(0), steps(1e-4); got != want {
			t.Errorf("seed %d: %d steps by default, want %d as with 1e-4", seed, got, want)
		}
		if steps(0) < steps(-1) {
			earlier++
		}
	}
	if earlier < 10 {
		t.Errorf("%d of 20 times the default stops earlier than no tolerance: this proves little", earlier)
	}
}

// TestSpectralForgets: of a matrix without a decomposition nothing is told, whatever the
// matrix before it was.
func TestSpectralForgets(t *testing.T) {
	good, bad := gaussian(source(1), 4, 6), gaussian(source(2), 4, 6)
	bad.Data[7] = math.NaN()
	var sp Spectral
	var dst Matrix
	sp.Fit(&dst, good, 3)
	sp.Fit(&dst, bad, 3)
	zero := func(v float64) bool { return v != 0 }
	if len(sp.Values) != 4 || slices.ContainsFunc(sp.Values, zero) || slices.ContainsFunc(dst.Data, zero) {
		t.Errorf("singular values %v and features %v, want zeros", sp.Values, dst.Data)
	}
}

// TestNothingInThePlane: no points have their mean at 0, and are aligned as they are.
func TestNothingInThePlane(t *testing.T) {
	if x, y := planeMean(nil); x != 0 || y != 0 {
		t.Errorf("the mean of nothing is (%v, %v), want (0, 0)", x, y)
	}
	Align(&Matrix{0, 2, nil}, &Matrix{0, 2, nil})
}

// TestOtherLoopsNeedColumns: points without coordinates are Go's to seed and to move.
func TestOtherLoopsNeedColumns(t *testing.T) {
	defer Use(Loops{})
	Use(Loops{
		Seed: func(_, _ *Matrix, _, _, _, _ []float64, _, _ int) { t.Error("Seed is called without columns") },
		Lloyd: func(_, _ *Matrix, _ []int, _, _ []float64, _ []int, _ int, _ float64) int {
			t.Error("Lloyd is called without columns")
			return 0
		},
	})
	var km KMeans
	if km.Fit(&Matrix{3, 0, nil}, 2, source(1)); km.Inertia != 0 || !slices.Equal(km.Labels, []int{0, 0, 0}) {
		t.Errorf("points without coordinates have labels %v and inertia %v", km.Labels, km.Inertia)
	}
}
