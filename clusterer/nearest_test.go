package clusterer

import (
	"math"
	"slices"
	"testing"
)

// A point has the label that k-means gave it.
func TestNearestMatchesKMeans(t *testing.T) {
	var km KMeans
	for seed := range uint64(60) {
		r := source(seed)
		points := gaussian(r, 1+r.IntN(40), 1+r.IntN(5))
		km.Fit(points, 1+r.IntN(6), r)
		labels := make([]int, points.Rows)
		if Nearest(labels, points, &km.Centroids); !slices.Equal(labels, km.Labels) {
			t.Errorf("seed %d: Nearest = %v, want %v", seed, labels, km.Labels)
		}
	}
	points := gaussian(source(1), 2, 2)
	wantPanic(t, "labels", func() { Nearest(make([]int, 1), points, points) })
	wantPanic(t, "columns", func() { Nearest(make([]int, 2), points, gaussian(source(1), 1, 3)) })
	wantPanic(t, "no centres", func() { Nearest(make([]int, 2), points, &Matrix{0, 2, nil}) })
}

// naiveFarthest goes on from the given points, by looking at all pairs.
func naiveFarthest(points *Matrix, given, k int) []int {
	var chosen []int
	for len(chosen) < k {
		if len(chosen) < given {
			chosen = append(chosen, len(chosen))
			continue
		}
		next, widest := 0, -1.0
		for i := range points.Rows {
			least := math.Inf(1)
			for _, c := range chosen {
				least = min(least, squaredDistance(points.Row(i), points.Row(c)))
			}
			if least > widest {
				next, widest = i, least
			}
		}
		chosen = append(chosen, next)
	}
	return chosen
}

func TestFarthestMatchesNaive(t *testing.T) {
	var f Farthest
	for seed := range uint64(100) {
		r := source(seed)
		points := gaussian(r, 1+r.IntN(20), 2)
		if seed%2 == 0 { // ties and duplicates
			for i := range points.Data {
				points.Data[i] = math.Round(points.Data[i])
			}
		}
		given, k := 1+r.IntN(points.Rows), 1+r.IntN(8)
		f.Fit(points, given, k)
		want := naiveFarthest(points, given, k)
		if !slices.Equal(f.Chosen, want) {
			t.Errorf("seed %d: Chosen = %v, want %v", seed, f.Chosen, want)
		}
		for c, i := range f.Chosen {
			if !slices.Equal(f.Centres.Row(c), points.Row(i)) {
				t.Errorf("seed %d: centre %d = %v, want %v", seed, c, f.Centres.Row(c), points.Row(i))
			}
		}
	}
}

func TestFarthestDegenerate(t *testing.T) {
	var f Farthest
	if f.Fit(&Matrix{0, 2, nil}, 1, 3); len(f.Chosen) != 0 || !f.Centres.equal(&Matrix{3, 2, make([]float64, 6)}) {
		t.Errorf("Farthest of no points = %v at %v, want none, at 0", f.Chosen, f.Centres.Data)
	}
	if f.Fit(&Matrix{2, 1, []float64{5, 5}}, 1, 3); !slices.Equal(f.Chosen, []int{0, 0, 0}) {
		t.Errorf("Farthest of equal points = %v, want the first again", f.Chosen)
	}
	points := gaussian(source(1), 3, 2)
	wantPanic(t, "k", func() { f.Fit(points, 1, 0) })
	wantPanic(t, "given", func() { f.Fit(points, 0, 2) })
	wantPanic(t, "given", func() { f.Fit(points, 4, 5) })
}
