package clusterer

import (
	"math"
	"testing"
)

func TestDistancesGolden(t *testing.T) {
	type row struct {
		Name              string
		Points, Euclidean Matrix
		Cosine            Matrix
		Shares            Matrix
		JensenShannon     Matrix `json:"jensen_shannon"`
	}
	var euclidean, cosine, js Matrix
	for _, tt := range golden[row](t, "distances") {
		Distances(&euclidean, &tt.Points)
		Cosines(&cosine, &tt.Points)
		JensenShannon(&js, &tt.Shares)
		for at, want := range tt.Euclidean.Data {
			if got := euclidean.Data[at]; !near(got, want, 1e-14) {
				t.Errorf("%s: Distances[%d] = %v, want %v", tt.Name, at, got, want)
			}
			if got, want := cosine.Data[at], tt.Cosine.Data[at]; !near(got, want, 1e-14) {
				t.Errorf("%s: Cosines[%d] = %v, want %v", tt.Name, at, got, want)
			}
			// Where distributions are nearly equal SciPy's own digits cancel:
			// half of them, as the distance is a root.
			if got, want := js.Data[at], tt.JensenShannon.Data[at]; math.Abs(got*got-want*want) > 1e-15 {
				t.Errorf("%s: JensenShannon[%d] = %v, want %v", tt.Name, at, got, want)
			}
		}
	}
}

func TestDistanceProperties(t *testing.T) {
	kinds := []struct {
		name    string
		f       func(dst, points *Matrix)
		self    float64
		low, hi float64
		metric  bool
	}{
		{"Distances", Distances, 0, 0, math.Inf(1), true},
		{"Cosines", Cosines, 1, -1, 1, false},
		{"JensenShannon", JensenShannon, 0, 0, math.Sqrt(math.Ln2) + 1e-15, true},
	}
	for seed := range uint64(60) {
		r := source(seed)
		n := 1 + r.IntN(12)
		points := uniform(r, n, 1+r.IntN(6))
		copy(points.Row(n-1), points.Row(0))
		before := points.clone()
		for _, kind := range kinds {
			d := gaussian(r, 2, 3) // to be overwritten
			kind.f(d, points)
			for i := range n {
				if got := d.Row(i)[i]; got != kind.self {
					t.Errorf("seed %d: %s[%d, %d] = %v, want %v", seed, kind.name, i, i, got, kind.self)
				}
				for j := range n {
					got := d.Row(i)[j]
					if got != d.Row(j)[i] || got < kind.low || got > kind.hi {
						t.Errorf("seed %d: %s[%d, %d] = %v, %v the other way, want %v … %v", seed, kind.name, i, j, got, d.Row(j)[i], kind.low, kind.hi)
					}
					for k := range n {
						if via := d.Row(i)[k] + d.Row(k)[j]; kind.metric && got > via+1e-12 {
							t.Errorf("seed %d: %s from %d to %d = %v, want at most %v by way of %d", seed, kind.name, i, j, got, via, k)
						}
					}
				}
			}
			if got := d.Row(0)[n-1]; !near(got, kind.self, 1e-15) {
				t.Errorf("seed %d: %s of equal points = %v, want %v", seed, kind.name, got, kind.self)
			}
		}
		if !points.equal(before) {
			t.Errorf("seed %d: a distance changed its input", seed)
		}
	}
}

func TestDistanceDegenerate(t *testing.T) {
	var d Matrix
	Cosines(&d, &Matrix{3, 2, []float64{0, 0, 3, 4, -6, -8}})
	want := &Matrix{3, 3, []float64{0, 0, 0, 0, 1, -1, 0, -1, 1}}
	if !d.equal(want) {
		t.Errorf("Cosines with the origin = %v, want %v", d.Data, want.Data)
	}
	JensenShannon(&d, &Matrix{4, 2, []float64{0, 0, 0, 0, 3, 0, 0, 5}})
	far := math.Sqrt(math.Ln2)
	want = &Matrix{4, 4, []float64{0, 0, far, far, 0, 0, far, far, far, far, 0, far, far, far, far, 0}}
	for at, got := range d.Data {
		if !near(got, want.Data[at], 1e-15) {
			t.Errorf("JensenShannon[%d] = %v, want %v", at, got, want.Data[at])
		}
	}
	for _, f := range []func(dst, points *Matrix){Distances, Cosines, JensenShannon} {
		if f(&d, &Matrix{0, 3, nil}); d.Rows != 0 || d.Cols != 0 {
			t.Errorf("distances of no points: %d × %d, want 0 × 0", d.Rows, d.Cols)
		}
	}
	wantPanic(t, "not square", func() { CosinesOfGram(gaussian(source(1), 2, 3)) })
}

// Next to each other, distributions keep their digits: moving x of the mass of a
// half gives a divergence of x²/2·(1 + 2x²/3 + …).
func TestJensenShannonNearby(t *testing.T) {
	var d Matrix
	for x := 0.0625; x > 1e-12; x /= 2 {
		JensenShannon(&d, &Matrix{2, 2, []float64{0.5, 0.5, 0.5 + x, 0.5 - x}})
		// With u = x/2 the two are (½ ∓ u) about a mean moved by u.
		p, q, m := 0.5, 0.5+x, 0.5+x/2
		series := func(m float64) float64 { // m times the series of divergence, for p, q = m ∓ x/2
			z := (x / 2 / m) * (x / 2 / m)
			return m * (z + z*z/6 + z*z*z/15 + z*z*z*z/28 + z*z*z*z*z/45)
		}
		want := math.Sqrt((series(m) + series(1-m)) / 2)
		if got := d.Data[1]; math.Abs(got-want) > 1e-8*want {
			t.Errorf("JensenShannon of %v and %v = %v, want %v", p, q, got, want)
		}
	}
}
