package clusterer

import (
	"math"
	"slices"
	"testing"
)

func TestAnglesGolden(t *testing.T) {
	type row struct {
		Name string
		A, B Matrix
		Want []float64
	}
	var an Angles
	for _, tt := range golden[row](t, "angles") {
		for _, swapped := range []bool{false, true} {
			a, b := &tt.A, &tt.B
			if swapped {
				a, b = b, a
			}
			got := an.Fit(a, b)
			if len(got) != len(tt.Want) {
				t.Fatalf("%s: %d angles, want %d", tt.Name, len(got), len(tt.Want))
			}
			for i, want := range tt.Want {
				if math.Abs(got[i]-want) > 2e-15 {
					t.Errorf("%s: angle %d = %v, want %v", tt.Name, i, got[i], want)
				}
			}
		}
	}
}

func TestBasisGolden(t *testing.T) {
	type row struct {
		Name         string
		Points, Want Matrix
		N            int
	}
	var sp Spectral
	var dst Matrix
	for _, tt := range golden[row](t, "basis") {
		sp.Basis(&dst, &tt.Points, tt.N)
		if dst.Rows != tt.Want.Rows || dst.Cols != tt.Want.Cols {
			t.Fatalf("%s: Basis is %d × %d, want %d × %d", tt.Name, dst.Rows, dst.Cols, tt.Want.Rows, tt.Want.Cols)
		}
		for j := range dst.Rows {
			want := tt.Want.Row(j)
			for i, got := range dst.Row(j) {
				if want := signOf(want) * want[i]; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s: Basis row %d[%d] = %v, want %v", tt.Name, j, i, got, want)
				}
			}
		}
	}
}

// flat returns an orthonormal basis of a random flat of p dimensions.
func flat(t *testing.T, points *Matrix, p int) *Matrix {
	t.Helper()
	var sp Spectral
	dst := new(Matrix)
	if sp.Basis(dst, points, p); dst.Rows != p {
		t.Fatalf("Basis has %d rows, want %d", dst.Rows, p)
	}
	return dst
}

func TestAnglesProperties(t *testing.T) {
	var an Angles
	for seed := range uint64(100) {
		r := source(seed)
		p, q, cols := 1+r.IntN(4), 1+r.IntN(4), 8+r.IntN(30)
		a, b := flat(t, gaussian(r, 10, cols), p), flat(t, gaussian(r, 6, cols), q)
		one := slices.Clone(an.Fit(a, b))
		other := an.Fit(b, a)
		for i, want := range one {
			if math.Abs(other[i]-want) > 4e-15 {
				t.Errorf("seed %d: angle %d = %v, %v the other way", seed, i, want, other[i])
			}
			if want < 0 || want > math.Pi/2 || i > 0 && want < one[i-1] {
				t.Errorf("seed %d: angles %v, want ascending in 0 … π/2", seed, one)
			}
		}
		if got := MinAngle(a, b); got < one[0]-4e-15 || got > math.Pi/2 || math.Abs(got-MinAngle(b, a)) > 1e-15 {
			t.Errorf("seed %d: MinAngle = %v, %v the other way, want at least %v", seed, got, MinAngle(b, a), one[0])
		}
		// Another basis of the same flat, and signs, change nothing.
		turned := a.clone()
		if p > 1 {
			rotate(turned.Row(0), turned.Row(1), r.NormFloat64())
		}
		scale(turned.Row(0), -1)
		for i, got := range an.Fit(turned, b) {
			if math.Abs(got-one[i]) > 4e-15 {
				t.Errorf("seed %d: angle %d = %v with another basis, want %v", seed, i, got, one[i])
			}
		}
		for _, got := range an.Fit(turned, a) {
			if got > 4e-15 {
				t.Errorf("seed %d: angle of a flat with itself = %v, want 0", seed, got)
			}
		}
	}
}

func TestMinAngle(t *testing.T) {
	s := math.Sqrt(0.5)
	axes := &Matrix{2, 3, []float64{1, 0, 0, 0, 1, 0}}
	tests := []struct {
		name string
		b    Matrix
		want float64
	}{
		{"same", Matrix{1, 3, []float64{0, 1, 0}}, 0},
		{"opposite", Matrix{1, 3, []float64{0, -1, 0}}, 0},
		{"right angle", Matrix{1, 3, []float64{0, 0, 1}}, math.Pi / 2},
		// In the plane of both, but halfway: the flats meet, the lines do not.
		{"between", Matrix{1, 3, []float64{s, s, 0}}, math.Pi / 4},
		{"tiny", Matrix{1, 3, []float64{-1, 0, 1e-12}}, 1e-12},
		{"nothing", Matrix{0, 3, nil}, math.Pi / 2},
	}
	for _, tt := range tests {
		if got := MinAngle(axes, &tt.b); math.Abs(got-tt.want) > 1e-15*(1+tt.want) && got != tt.want {
			t.Errorf("%s: MinAngle = %v, want %v", tt.name, got, tt.want)
		}
	}
	var an Angles
	if got := an.Fit(axes, &Matrix{0, 3, nil}); len(got) != 0 {
		t.Errorf("angles with nothing = %v, want none", got)
	}
	wantPanic(t, "spaces", func() { an.Fit(axes, gaussian(source(1), 1, 2)) })
	wantPanic(t, "spaces", func() { MinAngle(axes, gaussian(source(1), 1, 2)) })
}

// Directions stay at right angles however small their singular values are, and
// there are no more of them than the rank.
func TestBasisOrthonormal(t *testing.T) {
	var sp Spectral
	var dst Matrix
	for seed := range uint64(60) {
		r := source(seed)
		rank := 1 + r.IntN(4)
		a := new(Matrix)
		a.Reshape(5+r.IntN(20), 5+r.IntN(20))
		clear(a.Data)
		for c := range rank {
			row := gaussian(r, 1, a.Cols).Data
			for i := range a.Rows {
				axpy(r.NormFloat64()*math.Pow(0.03, float64(c)), row, a.Row(i))
			}
		}
		sp.Basis(&dst, a, 6)
		if dst.Rows != rank {
			t.Errorf("seed %d: Basis has %d rows, want %d", seed, dst.Rows, rank)
		}
		for i := range dst.Rows {
			for j := range dst.Rows {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := dot(dst.Row(i), dst.Row(j)); math.Abs(got-want) > 1e-15 {
					t.Errorf("seed %d: directions %d · %d = %v, want %v", seed, i, j, got, want)
				}
			}
			if signOf(dst.Row(i)) != 1 {
				t.Errorf("seed %d: direction %d = %v, want the largest component positive", seed, i, dst.Row(i))
			}
		}
	}
	for _, a := range []*Matrix{{0, 3, nil}, {3, 0, nil}, {2, 2, make([]float64, 4)},
		{1, 2, []float64{math.NaN(), 1}}} {
		if sp.Basis(&dst, a, 2); dst.Rows != 0 || dst.Cols != a.Cols {
			t.Errorf("Basis of %v is %d × %d, want 0 × %d", a, dst.Rows, dst.Cols, a.Cols)
		}
	}
	wantPanic(t, "negative n", func() { sp.Basis(&dst, gaussian(source(1), 2, 2), -1) })
}
