package clusterer

import (
	"math"
	"testing"
)

func TestPlaneDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		points Matrix
		want   []float64
		kept   float64
	}{
		{"no points", Matrix{0, 3, nil}, []float64{}, 1},
		{"no columns", Matrix{2, 0, nil}, []float64{0, 0, 0, 0}, 1},
		{"one point", Matrix{1, 3, []float64{4, 5, 6}}, []float64{0, 0}, 1},
		{"identical points", Matrix{3, 2, []float64{.1, .7, .1, .7, .1, .7}}, make([]float64, 6), 1},
		{"one column", Matrix{3, 1, []float64{1, 2, 6}}, []float64{-2, 0, -1, 0, 3, 0}, 1},
		{"two columns", Matrix{2, 2, []float64{-3, 0, 3, 0}}, []float64{-3, 0, 3, 0}, 1},
		{"not a number", Matrix{2, 1, []float64{math.NaN(), 1}}, []float64{0, 0, 0, 0}, 0},
	}
	var p Plane
	var dst Matrix
	for _, tt := range tests {
		if got := p.Fit(&dst, &tt.points); got != tt.kept {
			t.Errorf("%s: Fit = %v, want %v", tt.name, got, tt.kept)
		}
		if dst.Rows != tt.points.Rows || dst.Cols != 2 {
			t.Errorf("%s: dst %d × %d, want %d × 2", tt.name, dst.Rows, dst.Cols, tt.points.Rows)
		}
		for i, want := range tt.want {
			if got := dst.Data[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: dst.Data[%d] = %v, want %v", tt.name, i, got, want)
			}
		}
	}
}

// Equal points leave no direction, not even one of the error in their mean.
func TestPlaneOfEqualPoints(t *testing.T) {
	var p Plane
	var dst Matrix
	for n := range 60 {
		points := uniform(source(uint64(n)), n, 4)
		for i := range n {
			copy(points.Row(i), points.Row(0))
		}
		kept := p.Fit(&dst, points)
		for _, x := range dst.Data {
			if x != 0 || kept != 1 {
				t.Errorf("n %d: Fit = %v, dst = %v, want 1, zeros", n, kept, dst.Data)
				break
			}
		}
	}
}

// Points that lie in a plane keep their distances in the picture.
func TestPlaneKeepsDistances(t *testing.T) {
	for seed := range uint64(30) {
		r := source(seed)
		flat, basis, points := gaussian(r, 20, 2), gaussian(r, 2, 6), new(Matrix)
		points.Reshape(20, 6)
		for i := range 20 {
			for j := range 6 {
				points.Row(i)[j] = 3 + flat.Row(i)[0]*basis.Row(0)[j] + flat.Row(i)[1]*basis.Row(1)[j]
			}
		}
		before := points.clone()
		var p Plane
		var dst Matrix
		if kept := p.Fit(&dst, points); !near(kept, 1, 1e-12) {
			t.Errorf("seed %d: Fit = %v, want 1", seed, kept)
		}
		for i := range 20 {
			got, want := squaredDistance(dst.Row(i), dst.Row(0)), squaredDistance(points.Row(i), points.Row(0))
			if !near(got, want, 1e-10) {
				t.Errorf("seed %d: squared distance 0 to %d = %v, want %v", seed, i, got, want)
			}
		}
		if !points.equal(before) {
			t.Errorf("seed %d: Fit changed its input", seed)
		}
	}
}

// turned returns points rotated by angle, mirrored if flip, and moved.
func turned(points *Matrix, angle float64, flip bool, dx, dy float64) *Matrix {
	out, sin, cos := points.clone(), math.Sin(angle), math.Cos(angle)
	for i := range out.Rows {
		x, y := out.Row(i)[0], out.Row(i)[1]
		if flip {
			y = -y
		}
		out.Row(i)[0], out.Row(i)[1] = cos*x-sin*y+dx, sin*x+cos*y+dy
	}
	return out
}

func TestAlignUndoesTurnAndFlip(t *testing.T) {
	for seed := range uint64(100) {
		r := source(seed)
		reference := gaussian(r, 3+r.IntN(20), 2)
		dst := turned(reference, 7*r.Float64(), seed%2 == 0, 10*r.Float64(), -3)
		before := reference.clone()
		x0, y0 := planeMean(dst.Data)
		Align(dst, reference)
		if got := residual(dst, reference); got > 1e-24*float64(dst.Rows) {
			t.Errorf("seed %d: residual after Align = %v, want 0", seed, got)
		}
		if x, y := planeMean(dst.Data); math.Abs(x-x0)+math.Abs(y-y0) > 1e-12 {
			t.Errorf("seed %d: mean after Align = %v, %v, want %v, %v", seed, x, y, x0, y0)
		}
		if !reference.equal(before) {
			t.Errorf("seed %d: Align changed its reference", seed)
		}
	}
}

// No turn of the result does better, and distances stay as they were.
func TestAlignIsBest(t *testing.T) {
	for seed := range uint64(100) {
		r := source(seed)
		n := 1 + r.IntN(12)
		reference, dst := gaussian(r, n, 2), gaussian(r, n, 2)
		before := dst.clone()
		Align(dst, reference)
		best := residual(dst, reference)
		if was := residual(before, reference); best > was*(1+1e-12) {
			t.Errorf("seed %d: residual after Align = %v, want at most %v", seed, best, was)
		}
		for step := range 90 {
			other := turned(before, float64(step)*math.Pi/45, step%2 == 0, 0, 0)
			if got := residual(other, reference); got < best*(1-1e-12) {
				t.Errorf("seed %d: residual of another turn = %v, want at least %v", seed, got, best)
			}
		}
		for i := range n {
			got, want := squaredDistance(dst.Row(i), dst.Row(0)), squaredDistance(before.Row(i), before.Row(0))
			if !near(got, want, 1e-12) {
				t.Errorf("seed %d: squared distance 0 to %d = %v, want %v", seed, i, got, want)
			}
		}
	}
}

// To a reference on a line a rotation and a reflection come equally close. The
// rotation is taken, so that a picture does not flip by chance.
func TestAlignPrefersRotation(t *testing.T) {
	for seed := range uint64(100) {
		r := source(seed)
		reference, dst := gaussian(r, 5, 2), gaussian(r, 5, 2)
		slope := r.NormFloat64()
		for i := range reference.Rows {
			reference.Row(i)[1] = slope * reference.Row(i)[0]
		}
		before := orientation(dst)
		if Align(dst, reference); orientation(dst) != before {
			t.Errorf("seed %d: Align flipped the points", seed)
		}
	}
}

// orientation reports whether the first three points turn left.
func orientation(m *Matrix) bool {
	x := m.Data
	return (x[2]-x[0])*(x[5]-x[1]) > (x[4]-x[0])*(x[3]-x[1])
}

func TestAlignDegenerate(t *testing.T) {
	tests := []struct {
		name           string
		dst, reference Matrix
	}{
		{"empty", Matrix{0, 2, nil}, Matrix{0, 2, nil}},
		{"one point", Matrix{1, 2, []float64{1, 2}}, Matrix{1, 2, []float64{3, 4}}},
		{"one spot", Matrix{2, 2, []float64{1, 2, 1, 2}}, Matrix{2, 2, []float64{3, 4, 5, 6}}},
		{"reference is one spot", Matrix{2, 2, []float64{1, 2, 3, 4}}, Matrix{2, 2, []float64{5, 6, 5, 6}}},
		{"not a number", Matrix{2, 2, []float64{1, 2, 3, 4}}, Matrix{2, 2, []float64{5, math.NaN(), 5, 6}}},
		{"already aligned", Matrix{3, 2, []float64{0, 0, 4, 0, 2, 3}}, Matrix{3, 2, []float64{0, 0, 4, 0, 2, 3}}},
		// On a line a rotation and a reflection fit alike; the identity is kept.
		{"on a line", Matrix{2, 2, []float64{-1, 0, 1, 0}}, Matrix{2, 2, []float64{-2, 0, 2, 0}}},
	}
	for _, tt := range tests {
		want := tt.dst.clone()
		if Align(&tt.dst, &tt.reference); !tt.dst.equal(want) {
			t.Errorf("%s: Align = %v, want %v", tt.name, tt.dst.Data, want.Data)
		}
	}
	wantPanic(t, "columns", func() { Align(gaussian(source(1), 2, 3), gaussian(source(1), 2, 3)) })
	wantPanic(t, "rows", func() { Align(gaussian(source(1), 2, 2), gaussian(source(1), 3, 2)) })
}
