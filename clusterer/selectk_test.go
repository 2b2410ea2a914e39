package clusterer

import (
	"math"
	"slices"
	"testing"
)

func TestSelectKFindsBlobs(t *testing.T) {
	var s SelectK
	for seed := range uint64(60) {
		r := source(seed)
		k := 2 + r.IntN(5)
		points, truth := separated(r, 6*k, k)
		for _, margin := range []float64{0, 0.1} {
			s.Margin = margin
			if got := s.Merge(points, 9); got != k || AdjustedRand(truth, s.Labels) != 1 {
				t.Errorf("seed %d, margin %v: Merge = %v with labels %v, want %v with %v", seed, margin, got, s.Labels,
					k, truth)
			}
			if got := s.Means(points, 9, r); got != k || AdjustedRand(truth, s.Labels) != 1 {
				t.Errorf("seed %d, margin %v: Means = %v with labels %v, want %v with %v", seed, margin, got, s.Labels,
					k, truth)
			}
		}
	}
}

// The k returned is the first whose score no earlier one denies it, and its labels
// have that score.
func TestSelectKScores(t *testing.T) {
	var s SelectK
	for seed := range uint64(100) {
		r := source(seed)
		points := gaussian(r, 3+r.IntN(20), 2)
		s.Margin, s.Linkage = 0.2*r.Float64(), linkages[r.IntN(len(linkages))]
		k := s.Merge(points, 2+r.IntN(8))
		want, best := 2, s.Scores[0]
		for i, score := range s.Scores {
			if score > best+s.Margin*math.Abs(best) {
				want, best = i+2, score
			}
		}
		if k != want {
			t.Errorf("seed %d: Merge = %v of scores %v, want %v", seed, k, s.Scores, want)
		}
		if got, _ := Silhouette(points, s.Labels); got != s.Scores[k-2] {
			t.Errorf("seed %d: score of the labels = %v, want %v", seed, got, s.Scores[k-2])
		}
	}
}

func TestSelectKDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		points Matrix
		most   int
		want   int
	}{
		{"empty", Matrix{0, 2, nil}, 4, 1},
		{"one point", Matrix{1, 2, []float64{1, 2}}, 4, 1},
		{"two points", Matrix{2, 1, []float64{1, 2}}, 4, 1},
		{"three points", Matrix{3, 1, []float64{1, 2, 9}}, 9, 2},
		{"equal points", Matrix{5, 1, []float64{2, 2, 2, 2, 2}}, 4, 1},
		{"two spots", Matrix{5, 1, []float64{2, 2, 7, 7, 7}}, 4, 2},
		{"no choice", Matrix{4, 1, []float64{1, 2, 8, 9}}, 1, 1},
		{"not a number", Matrix{4, 1, []float64{1, math.NaN(), 8, 9}}, 3, 2},
		{"none finite", Matrix{2, 1, []float64{math.NaN(), math.Inf(1)}}, 3, 1},
	}
	var s SelectK
	for _, tt := range tests {
		got := s.Merge(&tt.points, tt.most)
		if got != tt.want || len(s.Labels) != tt.points.Rows || got == 1 && slices.Max(append(s.Labels, 0)) != 0 {
			t.Errorf("%s: Merge = %v with labels %v, want %v", tt.name, got, s.Labels, tt.want)
		}
		if got := s.Means(&tt.points, tt.most, source(1)); got != tt.want {
			t.Errorf("%s: Means = %v, want %v", tt.name, got, tt.want)
		}
	}
}
