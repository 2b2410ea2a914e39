package clusterer

import (
	"math"
	"testing"
)

func TestElbow(t *testing.T) {
	tests := []struct {
		name  string
		curve []float64
		want  int
	}{
		{"none", nil, 0},
		{"one", []float64{5}, 1},
		{"two", []float64{5, 1}, 1},
		{"bend at 2", []float64{100, 10, 8, 6, 4}, 2},
		{"bend at 3", []float64{100, 60, 5, 4, 3, 2}, 3},
		{"straight", []float64{0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}, 1},
		{"level", []float64{0, 0, 0, 0}, 1},
		{"bent up", []float64{10, 9, 8, 0}, 1},
		{"tie", []float64{3, 1, 0, 0}, 2},
		{"not a number", []float64{1, math.NaN(), 0}, 0},
		{"infinite", []float64{math.Inf(1), 2, 1}, 0},
	}
	for _, tt := range tests {
		if got := Elbow(tt.curve); got != tt.want {
			t.Errorf("%s: Elbow(%v) = %v, want %v", tt.name, tt.curve, got, tt.want)
		}
	}
}

// The unit of the curve does not matter, and distance along the axis ranks points
// as distance across the chord does.
func TestElbowProperties(t *testing.T) {
	for seed := range uint64(200) {
		r := source(seed)
		curve := make([]float64, 3+r.IntN(10))
		for i := range curve {
			curve[i] = math.Floor(100 * r.Float64() / float64(1+i))
		}
		got := Elbow(curve)
		last := len(curve) - 1
		dy := curve[last] - curve[0]
		best, deepest := 1, 1e-7
		for i, y := range curve {
			depth := (float64(i)*dy - float64(last)*(y-curve[0])) / math.Hypot(float64(last), dy)
			if depth > deepest+1e-9 {
				best, deepest = i+1, depth
			}
		}
		if dy < 0 && got != best {
			t.Errorf("seed %d: Elbow(%v) = %v, want %v", seed, curve, got, best)
		}
		scale(curve, 8)
		if larger := Elbow(curve); larger != got {
			t.Errorf("seed %d: Elbow = %v after scaling, want %v", seed, larger, got)
		}
	}
}

func TestLargestGap(t *testing.T) {
	tests := []struct {
		values []float64
		want   int
	}{
		{nil, 0}, {[]float64{3}, 1}, {[]float64{9, 8, 3, 2}, 2}, {[]float64{9, 3, 2}, 1}, {[]float64{9, 9, 9, 0}, 3},
		{[]float64{9, 6, 3}, 1}, {[]float64{2, 2}, 1}, {[]float64{math.NaN(), 1}, 0}, {[]float64{math.Inf(1), 3, 1}, 0},
	}
	for _, tt := range tests {
		if got := LargestGap(tt.values); got != tt.want {
			t.Errorf("LargestGap(%v) = %v, want %v", tt.values, got, tt.want)
		}
	}
}
