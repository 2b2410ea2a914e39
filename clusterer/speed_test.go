package clusterer

import (
	"fmt"
	"testing"
)

// After the first call of a shape, nothing allocates.
func TestNoAllocation(t *testing.T) {
	for _, n := range []int{12, 150} {
		for i, tt := range calls(n) {
			// AllocsPerRun(1) makes one call before the one it counts. It counts
			// for the whole process, where the runtime may happen to allocate
			// something of its own: a fault of ours shows every time.
			got := testing.AllocsPerRun(1, tt.call)
			for range 3 {
				got = min(got, testing.AllocsPerRun(1, calls(n)[i].call))
			}
			if got != 0 {
				t.Errorf("%s of %d points: %v allocations in the second call, want 0", tt.name, n, got)
			}
		}
	}
}

type call struct {
	name string
	call func()
}

// calls returns one call of each method on n points, with buffers of its own
// that no call has used yet.
func calls(n int) []call {
	r := source(1)
	points, labels := blobs(r, n, 3, 3, 5)
	wide, tall := gaussian(r, n, 2*n), gaussian(r, 2*n, n)
	truth, work := randomLabels(r, n, 3), make([]int, n)
	cost, columns := gaussian(r, 8, 10), make([]int, 8)
	flat, reference, start := gaussian(r, n, 2), gaussian(r, n, 2), gaussian(r, 3, 3)
	gram, cosines, distances := new(Matrix), new(Matrix), new(Matrix)
	Gram(gram, points, 0, points.Cols)
	Cosines(cosines, points)
	Distances(distances, points)
	one, other := uniform(r, 3, n), uniform(r, 3, n)
	for i := range 3 {
		orthonormalize(one, i)
		orthonormalize(other, i)
	}
	var (
		fit, from       KMeans
		rows, cols      Spectral
		assign, relabel Assigner
		rand, misplaced Contingency
		silhouette      Separation
		entropy, purity Contingency
		plane           Plane
		viaGram, basis  Spectral
		ward, given     Agglomerative
		angles          Angles
		halves, leading Bipartition
		farthest        Farthest
		proven          AwasthiSheffet
		gap             = Gap{References: 2, KMeans: KMeans{Restarts: 1}}
		merging, means  SelectK
		a, b, c, d, e   Matrix
		euclid, cos     Matrix
	)
	return []call{
		{"KMeans.Fit", func() { fit.Fit(points, 3, r) }},
		{"KMeans.FitFrom", func() { from.FitFrom(points, start) }},
		{"Spectral.Fit wide", func() { rows.Fit(&a, wide, 3) }},
		{"Spectral.Fit tall", func() { cols.Fit(&b, tall, 3) }},
		{"Assigner.Assign", func() { assign.Assign(columns, cost) }},
		{"Assigner.Relabel", func() { copy(work, labels); relabel.Relabel(work, truth, 3) }},
		{"Contingency.AdjustedRand", func() { rand.AdjustedRand(truth, labels) }},
		{"Contingency.Misplaced", func() { misplaced.Misplaced(truth, labels) }},
		{"Contingency.VMeasure", func() { entropy.VMeasure(truth, labels) }},
		{"Contingency.Purity", func() { purity.Purity(truth, labels) }},
		{"Separation.Silhouette", func() { silhouette.Silhouette(points, labels) }},
		{"Plane.Fit", func() { plane.Fit(&c, points) }},
		{"Align", func() { Align(flat, reference) }},
		{"Spectral.FitGram", func() { viaGram.FitGram(&d, gram, 3); viaGram.Orient(&d, points) }},
		{"Spectral.Basis", func() { basis.Basis(&e, wide, 3) }},
		{"Agglomerative.Fit", func() { ward.Fit(points); ward.Tree.Cut(3); ward.Tree.CutAt(1) }},
		{"Agglomerative.FitDistances", func() { given.FitDistances(distances) }},
		{"Angles.Fit", func() { angles.Fit(one, other); MinAngle(one, other) }},
		{"Bipartition.Fit", func() { halves.Fit(cosines, Complete) }},
		{"Bipartition.FitSpectral", func() { leading.FitSpectral(cosines, r) }},
		{"Farthest.Fit", func() { farthest.Fit(points, 1, 3); Nearest(work, points, &farthest.Centres) }},
		{"AwasthiSheffet.Fit", func() { proven.Fit(points, 3, r) }},
		{"Gap.Fit", func() { gap.Fit(points, 3, r) }},
		{"SelectK.Merge", func() { merging.Merge(points, 4) }},
		{"SelectK.Means", func() { means.Means(points, 4, r) }},
		{"Distances", func() { Distances(&euclid, points) }},
		{"Cosines", func() { Cosines(&cos, points) }},
	}
}

func BenchmarkKMeans(b *testing.B) {
	for _, size := range []struct{ n, cols, k int }{{12, 3, 3}, {48, 3, 3}, {128, 4, 4}, {2000, 10, 10}} {
		b.Run(fmt.Sprintf("%dx%d/k=%d", size.n, size.cols, size.k), func(b *testing.B) {
			r := source(1)
			points, _ := blobs(r, size.n, size.cols, size.k, 5)
			var km KMeans
			b.ReportAllocs()
			for b.Loop() {
				km.Fit(points, size.k, r)
			}
		})
	}
}

func BenchmarkSpectral(b *testing.B) {
	for _, size := range []struct{ rows, cols int }{{12, 6}, {48, 6}, {12, 3000}, {128, 4000}, {300, 300},
		{1000, 1000}} {
		b.Run(fmt.Sprintf("%dx%d", size.rows, size.cols), func(b *testing.B) {
			a := gaussian(source(1), size.rows, size.cols)
			var sp Spectral
			var dst Matrix
			b.ReportAllocs()
			for b.Loop() {
				sp.Fit(&dst, a, 3)
			}
		})
	}
}

func BenchmarkAssign(b *testing.B) {
	for _, n := range []int{3, 10, 100, 500} {
		b.Run(fmt.Sprintf("%dx%d", n, n), func(b *testing.B) {
			cost, dst := gaussian(source(1), n, n), make([]int, n)
			var as Assigner
			b.ReportAllocs()
			for b.Loop() {
				as.Assign(dst, cost)
			}
		})
	}
}

func BenchmarkMetrics(b *testing.B) {
	for _, n := range []int{12, 2000} {
		r := source(1)
		points, truth := blobs(r, n, 3, 4, 5)
		labels := randomLabels(r, n, 4)
		var c Contingency
		var s Separation
		b.Run(fmt.Sprintf("AdjustedRand/%d", n), func(b *testing.B) {
			for b.Loop() {
				c.AdjustedRand(truth, labels)
			}
		})
		b.Run(fmt.Sprintf("Misplaced/%d", n), func(b *testing.B) {
			for b.Loop() {
				c.Misplaced(truth, labels)
			}
		})
		b.Run(fmt.Sprintf("Silhouette/%d", n), func(b *testing.B) {
			for b.Loop() {
				s.Silhouette(points, labels)
			}
		})
	}
}

func BenchmarkAgglomerative(b *testing.B) {
	for _, n := range []int{12, 128, 1000} {
		points, _ := blobs(source(1), n, 10, 5, 5)
		for _, linkage := range linkages {
			b.Run(fmt.Sprintf("%s/%d", linkageNames[linkage], n), func(b *testing.B) {
				ag := Agglomerative{Linkage: linkage}
				b.ReportAllocs()
				for b.Loop() {
					ag.Fit(points)
				}
			})
		}
	}
}

// One comparison of flats as PACFL makes it for each pair of points.
func BenchmarkAngles(b *testing.B) {
	for _, p := range []int{3, 5} {
		b.Run(fmt.Sprintf("%dx784", p), func(b *testing.B) {
			var sp Spectral
			var u, v Matrix
			var an Angles
			sp.Basis(&u, gaussian(source(1), 20, 784), p)
			sp.Basis(&v, gaussian(source(2), 20, 784), p)
			for b.Loop() {
				an.Fit(&u, &v)
			}
		})
	}
}

func BenchmarkPlane(b *testing.B) {
	for _, n := range []int{12, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			points, reference := gaussian(source(1), n, 3), gaussian(source(2), n, 2)
			var p Plane
			var dst Matrix
			for b.Loop() {
				p.Fit(&dst, points)
				Align(&dst, reference)
			}
		})
	}
}
