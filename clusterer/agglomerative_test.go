package clusterer

import (
	"math"
	"slices"
	"testing"
)

var (
	linkages     = []Linkage{Ward, Complete, Average, Weighted, Single}
	linkageNames = []string{"ward", "complete", "average", "weighted", "single"} // as SciPy has them
)

// naiveTree merges the nearest two clusters, the first on ties, by looking at all
// pairs every time.
func naiveTree(distances *Matrix, linkage Linkage) []Merge {
	n := distances.Rows
	d := distances.clone()
	for i := range n {
		for j := range n {
			d.Row(i)[j] = distances.Row(max(i, j))[min(i, j)]
			if linkage == Ward {
				d.Row(i)[j] *= d.Row(i)[j]
			}
		}
	}
	size, id := make([]int, n), make([]int, n)
	for i := range n {
		size[i], id[i] = 1, i
	}
	var merges []Merge
	for m := range n - 1 {
		a, b := -1, -1
		for i := range n {
			for j := i + 1; j < n; j++ {
				if size[i] > 0 && size[j] > 0 && (a < 0 || d.Row(i)[j] < d.Row(a)[b]) {
					a, b = i, j
				}
			}
		}
		c := d.Row(a)[b]
		for k := range n {
			if k != a && k != b && size[k] > 0 {
				x := linkage.merged(d.Row(a)[k], d.Row(b)[k], c, float64(size[a]), float64(size[b]), float64(size[k]))
				d.Row(a)[k], d.Row(k)[a] = x, x
			}
		}
		if linkage == Ward {
			c = math.Sqrt(c)
		}
		size[a], size[b] = size[a]+size[b], 0
		merges = append(merges, Merge{min(id[a], id[b]), max(id[a], id[b]), c, size[a]})
		id[a] = n + m
	}
	return merges
}

func TestAgglomerativeGolden(t *testing.T) {
	type row struct {
		Name, Linkage string
		Points, Z     Matrix
		K             int
		Labels        []int
	}
	for _, tt := range golden[row](t, "agglomerative") {
		ag := Agglomerative{Linkage: Linkage(slices.Index(linkageNames, tt.Linkage))}
		ag.Fit(&tt.Points)
		for m, got := range ag.Tree.Merges {
			z := tt.Z.Row(m)
			want := Merge{int(z[0]), int(z[1]), z[2], int(z[3])}
			if got.A != want.A || got.B != want.B || got.Size != want.Size || !near(got.Height, want.Height, 1e-12) {
				t.Errorf("%s: merge %d = %v, want %v", tt.Name, m, got, want)
			}
		}
		if tt.Labels != nil {
			if got := AdjustedRand(tt.Labels, ag.Tree.Cut(tt.K)); got != 1 {
				t.Errorf("%s: AdjustedRand to scikit-learn = %v, want 1", tt.Name, got)
			}
		}
	}
}

func TestTreeOtsuGolden(t *testing.T) {
	type row struct {
		Name, Linkage string
		Points        Matrix
		Height        float64
		Labels        []int
	}
	for _, tt := range golden[row](t, "otsu") {
		ag := Agglomerative{Linkage: Linkage(slices.Index(linkageNames, tt.Linkage))}
		ag.Fit(&tt.Points)
		height := ag.Tree.Otsu()
		if labels, _ := ag.Tree.CutAt(height); !near(height, tt.Height, 1e-12) || !slices.Equal(labels, tt.Labels) {
			t.Errorf("%s: Otsu = %v with labels %v, want %v with %v", tt.Name, height, labels, tt.Height, tt.Labels)
		}
	}
}

// Whole distances from a small range tie most of the time, so the choice among
// ties is tested as well.
func TestAgglomerativeMatchesNaive(t *testing.T) {
	var ag Agglomerative
	for seed := range uint64(400) {
		r := source(seed)
		n := 1 + r.IntN(24)
		d := uniform(r, n, n)
		if seed%4 != 0 {
			values := float64(1 + r.IntN(9))
			for i := range d.Data {
				d.Data[i] = math.Floor(d.Data[i] * values)
			}
		}
		before := d.clone()
		for _, linkage := range linkages {
			ag.Linkage = linkage
			ag.FitDistances(d)
			if want := naiveTree(d, linkage); !slices.Equal(ag.Tree.Merges, want) {
				t.Errorf("seed %d, linkage %d: Merges = %v, want %v", seed, linkage, ag.Tree.Merges, want)
			}
		}
		if !d.equal(before) {
			t.Errorf("seed %d: FitDistances changed its input", seed)
		}
	}
}

// From points or from their distances, the tree is the same; for Ward the
// squares pass through a root, so only to the last bits.
func TestAgglomerativeOfPoints(t *testing.T) {
	var a, b Agglomerative
	for seed := range uint64(60) {
		r := source(seed)
		points := gaussian(r, 2+r.IntN(30), 1+r.IntN(5))
		before := points.clone()
		d := new(Matrix)
		Distances(d, points)
		for _, linkage := range linkages {
			a.Linkage, b.Linkage = linkage, linkage
			a.Fit(points)
			b.FitDistances(d)
			for m, want := range b.Tree.Merges {
				got := a.Tree.Merges[m]
				if got.A != want.A || got.B != want.B || got.Size != want.Size ||
					!near(got.Height, want.Height, 1e-12) {
					t.Errorf("seed %d, linkage %d: merge %d = %v, want %v", seed, linkage, m, got, want)
				}
			}
		}
		if !points.equal(before) {
			t.Errorf("seed %d: Fit changed its input", seed)
		}
	}
}

// Ward's heights add up to the spread of the points: each merge raises the
// inertia by half its square, from 0 to that of one cluster.
func TestWardAddsUpToInertia(t *testing.T) {
	var ag Agglomerative
	for seed := range uint64(50) {
		r := source(seed)
		points := gaussian(r, 2+r.IntN(40), 3)
		ag.Fit(points)
		var got float64
		for _, m := range ag.Tree.Merges {
			got += m.Height * m.Height / 2
		}
		if want := meanVariance(points) * float64(3*points.Rows); !near(got, want, 1e-12) {
			t.Errorf("seed %d: half the squared heights add up to %v, want %v", seed, got, want)
		}
	}
}

// The same points in another order give the same heights and the same clusters.
func TestAgglomerativeOrder(t *testing.T) {
	var a, b Agglomerative
	for seed := range uint64(60) {
		r := source(seed)
		n := 2 + r.IntN(30)
		points, moved := gaussian(r, n, 3), new(Matrix)
		moved.Reshape(n, 3)
		perm := r.Perm(n)
		for i, p := range perm {
			copy(moved.Row(i), points.Row(p))
		}
		for _, linkage := range linkages {
			a.Linkage, b.Linkage = linkage, linkage
			a.Fit(points)
			b.Fit(moved)
			for m := range a.Tree.Merges {
				if got, want := b.Tree.Merges[m].Height, a.Tree.Merges[m].Height; !near(got, want, 1e-12) {
					t.Errorf("seed %d, linkage %d: height %d = %v after shuffling, want %v", seed, linkage, m,
						got, want)
				}
			}
			k := 1 + r.IntN(n)
			want := make([]int, n)
			for i, p := range perm {
				want[i] = a.Tree.Cut(k)[p]
			}
			if got := AdjustedRand(want, b.Tree.Cut(k)); got != 1 {
				t.Errorf("seed %d, linkage %d: AdjustedRand after shuffling = %v, want 1", seed, linkage, got)
			}
		}
	}
}

func TestAgglomerativeDegenerate(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name    string
		d       Matrix
		heights []float64 // of complete linkage
	}{
		{"empty", Matrix{0, 0, nil}, nil},
		{"one point", Matrix{1, 1, []float64{0}}, nil},
		{"two points", Matrix{2, 2, []float64{0, 0, 3, 0}}, []float64{3}},
		{"equal points", Matrix{4, 4, make([]float64, 16)}, []float64{0, 0, 0}},
		{"negated similarities", Matrix{3, 3, []float64{-1, 0, 0, -.5, -1, 0, .25, -.75, -1}}, []float64{-.75, .25}},
		{"infinite", Matrix{3, 3, []float64{0, 0, 0, inf, 0, 0, 1, inf, 0}}, []float64{1, inf}},
		{"not a number", Matrix{3, 3, []float64{0, 0, 0, nan, 0, 0, nan, 2, 0}}, []float64{2, inf}},
	}
	for _, tt := range tests {
		for _, linkage := range linkages {
			ag := Agglomerative{Linkage: linkage}
			ag.FitDistances(&tt.d)
			if ag.Tree.Points != tt.d.Rows || len(ag.Tree.Merges) != len(tt.heights) {
				t.Errorf("%s, linkage %d: %d points, %d merges, want %d, %d", tt.name, linkage, ag.Tree.Points,
					len(ag.Tree.Merges), tt.d.Rows, len(tt.heights))
			}
			for m, want := range tt.heights {
				if got := ag.Tree.Merges[m].Height; linkage == Complete && got != want {
					t.Errorf("%s: height %d = %v, want %v", tt.name, m, got, want)
				}
			}
		}
	}
	var ag Agglomerative
	wantPanic(t, "not square", func() { ag.FitDistances(gaussian(source(1), 2, 3)) })
}
