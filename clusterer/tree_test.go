package clusterer

import (
	"math"
	"slices"
	"testing"
)

func TestTreeCut(t *testing.T) {
	// On a line at 0, 10, 1, 12, 5: single linkage merges at 1, 2, 4 and 5.
	points := &Matrix{5, 1, []float64{0, 10, 1, 12, 5}}
	ag := Agglomerative{Linkage: Single}
	ag.Fit(points)
	if want := []Merge{{0, 2, 1, 2}, {1, 3, 2, 2}, {4, 5, 4, 3}, {6, 7, 5, 5}}; !slices.Equal(ag.Tree.Merges, want) {
		t.Errorf("Merges = %v, want %v", ag.Tree.Merges, want)
	}
	cuts := [][]int{{0, 0, 0, 0, 0}, {0, 1, 0, 1, 0}, {0, 1, 0, 1, 2}, {0, 1, 0, 2, 3}, {0, 1, 2, 3, 4}}
	for i, want := range cuts {
		if got := ag.Tree.Cut(i + 1); !slices.Equal(got, want) {
			t.Errorf("Cut(%d) = %v, want %v", i+1, got, want)
		}
	}
	if got := ag.Tree.Cut(9); !slices.Equal(got, cuts[4]) {
		t.Errorf("Cut(9) = %v, want %v", got, cuts[4])
	}
	tests := []struct {
		height float64
		k      int
	}{
		{-1, 5}, {0.9, 5}, {1, 4}, {2, 3}, {4.5, 2}, {5, 1}, {math.Inf(1), 1}, {math.NaN(), 5},
	}
	for _, tt := range tests {
		if got, k := ag.Tree.CutAt(tt.height); k != tt.k || !slices.Equal(got, cuts[tt.k-1]) {
			t.Errorf("CutAt(%v) = %v, %v, want %v, %v", tt.height, got, k, cuts[tt.k-1], tt.k)
		}
	}
	wantPanic(t, "k", func() { ag.Tree.Cut(0) })
}

// TestTreeOtsu: the threshold lies in the middle of the gap that parts heights in two kinds
// with the least squares, whatever their unit; where there is one kind nothing is cut.
func TestTreeOtsu(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name    string
		heights []float64
		want    float64
	}{
		{"no points", nil, inf},
		{"two points", []float64{3}, inf},
		{"one kind", []float64{2, 2, 2}, inf},
		{"but for rounding", []float64{0.1 + 0.2, 0.3, 0.3}, inf},
		{"zeros", []float64{0, 0}, inf},
		{"two kinds", []float64{1, 1, 5}, 3},
		// Squares of 1, 2 | 4, 9: 0.5 + 12.5; of 1, 2, 4 | 9: 4.67.
		{"by squares", []float64{1, 2, 4, 9}, 6.5},
		// The largest gap is from 5 to 8, with squares of 8.75; by 3 | 5 they are 2 + 4.5.
		{"not the largest gap", []float64{1, 2, 3, 5, 8}, 4},
		{"negative", []float64{-1, -0.9, -0.2}, -0.55},
		{"equal heights stay together", []float64{0, 1, 1, 1}, 0.5},
		{"a tie: the lower", []float64{0, 1, 2}, 0.5},
		{"infinite ones do not count", []float64{1, 1, 5, inf, inf}, 3},
	}
	for _, tt := range tests {
		tree := Tree{Points: len(tt.heights) + 1}
		scaled := Tree{Points: tree.Points}
		for _, h := range tt.heights {
			tree.Merges = append(tree.Merges, Merge{Height: h})
			scaled.Merges = append(scaled.Merges, Merge{Height: 1024 * h})
		}
		if got := tree.Otsu(); got != tt.want {
			t.Errorf("%s: Otsu of %v = %v, want %v", tt.name, tt.heights, got, tt.want)
		}
		if got := scaled.Otsu(); got != 1024*tt.want {
			t.Errorf("%s: Otsu of 1024 times as much = %v, want %v", tt.name, got, 1024*tt.want)
		}
	}
}

func TestTreeEmpty(t *testing.T) {
	var tree Tree
	if got := tree.Cut(3); len(got) != 0 {
		t.Errorf("Cut of no points = %v, want none", got)
	}
	if got, k := tree.CutAt(1); len(got) != 0 || k != 0 {
		t.Errorf("CutAt of no points = %v, %v, want none, 0", got, k)
	}
}

func TestTreeProperties(t *testing.T) {
	var ag Agglomerative
	for seed := range uint64(80) {
		r := source(seed)
		n := 1 + r.IntN(40)
		points := uniform(r, n, 1+r.IntN(4))
		if seed%2 == 0 { // duplicate points
			for i := range points.Data {
				points.Data[i] = math.Floor(3 * points.Data[i])
			}
		}
		for _, linkage := range linkages {
			ag.Linkage = linkage
			ag.Fit(points)
			size := make([]int, 2*n)
			for i := range n {
				size[i] = 1
			}
			for m, step := range ag.Tree.Merges {
				if m > 0 && step.Height < ag.Tree.Merges[m-1].Height {
					t.Errorf("seed %d, linkage %d: heights fall from %v to %v", seed, linkage,
						ag.Tree.Merges[m-1].Height, step.Height)
				}
				if step.A >= step.B || step.B >= n+m || step.Size != size[step.A]+size[step.B] {
					t.Errorf("seed %d, linkage %d: merge %d = %v makes no sense", seed, linkage, m, step)
				}
				size[n+m], size[step.A], size[step.B] = step.Size, 0, 0 // each is merged once
			}
			finer := make([]int, n)
			for k := n; k >= 1; k-- {
				labels := ag.Tree.Cut(k)
				seen := 0
				for i, l := range labels {
					if l > seen {
						t.Errorf("seed %d: Cut(%d) = %v, want labels in order of their first points", seed, k, labels)
					}
					seen = max(seen, l+1)
					// Points together stay together as k falls.
					if j := slices.Index(finer, finer[i]); k < n && labels[i] != labels[j] {
						t.Errorf("seed %d: Cut(%d) separates points %d and %d, which Cut(%d) does not", seed, k, j,
							i, k+1)
					}
				}
				if seen != k {
					t.Errorf("seed %d: Cut(%d) has %d labels", seed, k, seen)
				}
				copy(finer, labels)
			}
		}
	}
}
