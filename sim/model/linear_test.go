package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// batch returns n samples with unit noise about a line.
func batch(r *rand.Rand, n int) Batch {
	var b Batch
	b.Resize(n, 1)
	for i := range n {
		x := r.NormFloat64()
		b.X[i], b.Y[i] = float32(x), float32(0.7*x-0.3+r.NormFloat64())
	}
	return b
}

// TestLossIsItsDefinition: L = (1/N) Σ (y − w·x − c)².
func TestLossIsItsDefinition(t *testing.T) {
	tests := []struct {
		name   string
		model  Linear
		params []float32
		x, y   []float32
		want   float64
	}{
		{"one sample", Linear{}, []float32{2}, []float32{3}, []float32{5}, 1},
		{"mean, not sum", Linear{}, []float32{1}, []float32{1, 1, 1, 1}, []float32{3, 3, 3, 3}, 4},
		{"offset", Linear{Intercept: true}, []float32{2, 1}, []float32{1, -1}, []float32{3, -1}, 0},
		{"offset, off by 1 and 3", Linear{Intercept: true}, []float32{0, 1}, []float32{7, 9}, []float32{2, 4}, 5},
		{"empty", Linear{Intercept: true}, []float32{2, 1}, nil, nil, 0},
	}
	for _, tt := range tests {
		b := Batch{X: tt.x, Y: tt.y, N: len(tt.x)}
		if got := tt.model.Loss(tt.params, b); got != tt.want {
			t.Errorf("%s: Loss(%v, %v) = %v, want %v", tt.name, tt.params, b, got, tt.want)
		}
		each, sum := make([]float32, b.N), 0.0
		tt.model.Losses(each, tt.params, b)
		for _, l := range each {
			sum += float64(l)
		}
		if want := tt.want * float64(b.N); sum != want {
			t.Errorf("%s: Losses(%v, %v) = %v, want a sum of %v", tt.name, tt.params, b, each, want)
		}
	}
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	for range 100 {
		b, w, c := batch(r, 1+r.IntN(50)), r.NormFloat64(), r.NormFloat64()
		params := []float32{float32(w), float32(c)}
		want := 0.0
		for i := range b.N {
			e := float64(b.Y[i]) - float64(params[0])*float64(b.X[i]) - float64(params[1])
			want += e * e / float64(b.N)
		}
		if got := (Linear{Intercept: true}).Loss(params, b); math.Abs(got-want) > 1e-12*want {
			t.Errorf("seed %d: Loss(%v) over %d samples = %v, want %v", seed, params, b.N, got, want)
		}
	}
}

// TestGradientFiniteDifferences checks each coordinate against the central
// difference of Loss. Loss is a quadratic, so the difference is exact but for
// rounding. The step is a power of two, so that params ± step are exact.
func TestGradientFiniteDifferences(t *testing.T) {
	const seed, step = 1, 1. / 64
	r := rand.New(rand.NewPCG(seed, seed))
	for _, m := range []Linear{{}, {Intercept: true}} {
		for _, n := range []int{1, 2, 10, 200} {
			b := batch(r, n)
			params, moved, got := make([]float32, m.Size()), make([]float32, m.Size()), make([]float32, m.Size())
			for j := range params {
				params[j] = float32(math.Round(r.NormFloat64()*256) / 256)
			}
			for j := range got {
				got[j] = float32(math.NaN()) // Gradient overwrites
			}
			if loss, want := m.Gradient(got, params, b), m.Loss(params, b); loss != want {
				t.Errorf("seed %d: %+v, %d samples: Gradient returns %v, want the loss %v", seed, m, n, loss, want)
			}
			for j := range params {
				copy(moved, params)
				moved[j] = params[j] + step
				up := m.Loss(moved, b)
				moved[j] = params[j] - step
				want := (up - m.Loss(moved, b)) / (2 * step)
				if math.Abs(float64(got[j])-want) > 1e-6*max(1, math.Abs(want)) {
					t.Errorf("seed %d: %+v, %d samples: Gradient[%d] = %v, want the central difference %v", seed, m, n,
						j, got[j], want)
				}
			}
		}
	}
}

// TestGradientIsOfTheMean: the same samples twice over have the same gradient.
func TestGradientIsOfTheMean(t *testing.T) {
	m := Linear{Intercept: true}
	b := Batch{X: []float32{1, 2, -1}, Y: []float32{0, 1, 5}, N: 3}
	twice := Batch{X: append(b.X, b.X...), Y: append(b.Y, b.Y...), N: 6}
	one, two := make([]float32, 2), make([]float32, 2)
	m.Gradient(one, []float32{1, 2}, b)
	m.Gradient(two, []float32{1, 2}, twice)
	if one[0] != two[0] || one[1] != two[1] {
		t.Errorf("Gradient of a batch = %v, and of it twice over = %v, want the same", one, two)
	}
}

func TestGradientOfNothing(t *testing.T) {
	for _, m := range []Linear{{}, {Intercept: true}} {
		got := make([]float32, m.Size())
		for j := range got {
			got[j] = 9
		}
		m.Gradient(got, []float32{1, 2}[:m.Size()], Batch{})
		for j, g := range got {
			if g != 0 {
				t.Errorf("%+v: Gradient[%d] of an empty batch = %v, want 0", m, j, g)
			}
		}
	}
}

func TestBatchFirst(t *testing.T) {
	b := Batch{X: []float32{1, 2, 3, 4, 5, 6}, Y: []float32{7, 8, 9}, N: 3} // two inputs a sample
	tests := []struct {
		name string
		of   Batch
		n    int
		want Batch
	}{
		{"some", b, 2, Batch{X: b.X[:4], Y: b.Y[:2], N: 2}},
		{"all", b, 3, b},
		{"more than there are", b, 10, b},
		{"none", b, 0, Batch{X: b.X[:0], Y: b.Y[:0]}},
		{"of nothing", Batch{}, 5, Batch{}},
	}
	for _, tt := range tests {
		if got := tt.of.First(tt.n); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: First(%d) = %v, want %v", tt.name, tt.n, got, tt.want)
		}
	}
}

func TestBatchResize(t *testing.T) {
	var b Batch
	for _, tt := range []struct{ n, inputs int }{{5, 1}, {3, 1}, {0, 1}, {4, 2}, {5, 3}} {
		b.Resize(tt.n, tt.inputs)
		if b.N != tt.n || len(b.X) != tt.n*tt.inputs || len(b.Y) != tt.n {
			t.Errorf("Resize(%d, %d): N = %d, len X = %d, len Y = %d", tt.n, tt.inputs, b.N, len(b.X), len(b.Y))
		}
	}
	if n := testing.AllocsPerRun(10, func() { b.Resize(1, 3); b.Resize(5, 3) }); n != 0 {
		t.Errorf("Resize within the capacity allocates %v times, want 0", n)
	}
}
