package model

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestDropout: a gradient drops the share of numbers that it should, others at each step and for each sample, predictions
// drop none, and the derivatives of what was dropped are 0.
func TestDropout(t *testing.T) {
	const rows, width, percent = 40, 500, 30
	l := &dropout{shape: flat(width), percent: percent}
	p := pass{rows: rows, in: make([]float32, rows*width), out: make([]float32, rows*width), training: true, key: 1,
		dIn: make([]float32, rows*width), dOut: make([]float32, rows*width)}
	s := stream(1, 0, 0)
	for i := range p.in {
		p.in[i], p.dOut[i] = float32(1+s.Float64()), float32(s.Normal())
	}
	l.forward(&p)
	l.backward(&p)
	var dropped float64
	for i, x := range p.in {
		scale := p.out[i] / x
		if scale == 0 {
			dropped++
		} else if math.Abs(float64(scale)-1/0.7) > 1e-6 {
			t.Fatalf("%v becomes %v, want it divided by 0.7", x, p.out[i])
		}
		if want := p.dOut[i] * scale; math.Abs(float64(p.dIn[i]-want)) > 1e-6 {
			t.Fatalf("derivative %v, want %v", p.dIn[i], want)
		}
	}
	// Six standard deviations of a share of independent draws.
	if n := float64(rows * width); math.Abs(dropped/n-0.3) > 6*math.Sqrt(0.3*0.7/n) {
		t.Errorf("%v of %v are dropped, want 30 %%", dropped, n)
	}
	// Of two samples, and of two steps, 0.7² of the numbers stay in both.
	both := func(a, b []float32) float64 {
		n := 0.0
		for i := range a {
			if a[i] != 0 && b[i] != 0 {
				n++
			}
		}
		return n / float64(len(a))
	}
	first := slices.Clone(p.out)
	if got := both(first[:rows/2*width], first[rows/2*width:]); math.Abs(got-0.49) > 0.03 {
		t.Errorf("%v stay in both of two samples, want 0.49", got)
	}
	p.key = 2
	l.forward(&p)
	if got := both(first, p.out); math.Abs(got-0.49) > 0.03 {
		t.Errorf("%v stay in both of two steps, want 0.49", got)
	}
	p.training = false
	l.forward(&p)
	if !slices.Equal(p.out, p.in) {
		t.Error("predictions drop numbers")
	}
}

// TestDropoutKeys: parameters decide what is dropped; the same ones drop the same.
func TestDropoutKeys(t *testing.T) {
	n := parsed(t, "dense20-drop-dense5", Samples{Shape: flat(4), Classes: 2})
	params, b := draw(n, 1, 9)
	a, again, other := make([]float32, n.Size()), make([]float32, n.Size()), make([]float32, n.Size())
	n.Gradient(a, params, b)
	n.Loss(params, b)
	n.Gradient(again, params, b)
	params[n.Size()-1] += 1e-6 // behind the dropout
	n.Gradient(other, params, b)
	if !slices.Equal(a, again) || slices.Equal(a, other) {
		t.Error("the same parameters drop other numbers, or other parameters the same")
	}
}

// TestStatistics follows the running mean and variance of a channel by hand: PyTorch's rule, with the unbiased variance.
func TestStatistics(t *testing.T) {
	n := parsed(t, "bn", Samples{Shape: flat(3), Classes: 2})
	params, gradient := make([]float32, n.Size()), make([]float32, n.Size())
	n.Init(params, stream(1, 0, 0))
	b := Batch{X: []float32{1, 2, 3, 4, 5, 9}, Y: []float32{0, 1}, N: 2}
	n.Gradient(gradient, params, b)
	segment := func(name string) []float32 {
		for _, s := range n.Segments() {
			if strings.HasSuffix(s.Name, name) {
				return s.Of(params)
			}
		}
		t.Fatal(name)
		return nil
	}
	n.Track(params, gradient)
	mean, variance := segment(".mean")[0], segment(".variance")[0]
	// Mean 4, sum of squares 9+4+1+0+1+25 = 40, over 5.
	if math.Abs(float64(mean)-0.1*4) > 1e-6 || math.Abs(float64(variance)-(0.9+0.1*8)) > 1e-6 {
		t.Errorf("after a step mean and variance are %v, %v, want 0.4, 1.7", mean, variance)
	}
	before := slices.Clone(params)
	Adam().Step(params, gradient, 0.01)
	if segment(".mean")[0] != before[n.statistics[0].Lo] || slices.Equal(before, params) {
		t.Error("the optimiser moves the running statistics, or nothing")
	}
}
