package kernel

import (
	"sync"
	"testing"
)

// TestWrongSizes: a size that does not fit is a panic before any memory is
// touched; in a browser it would be Go's own.
func TestWrongSizes(t *testing.T) {
	x := func(n int) []float32 { return make([]float32, n) }
	sums := make([]float64, 5)
	tests := []struct {
		name string
		call func()
	}{
		{"MatMul, c", func() { MatMul(x(5), x(6), x(6), 2, 3, 2) }},
		{"MatMul, a", func() { MatMul(x(4), x(5), x(6), 2, 3, 2) }},
		{"MatMul, b", func() { MatMul(x(4), x(6), x(7), 2, 3, 2) }},
		{"MatMul, negative", func() { MatMul(x(4), x(6), x(6), -2, -3, -2) }},
		{"MatMul, products that wrap to 0", func() { MatMul(nil, nil, nil, 1<<32, 1<<32, 1<<32) }},
		{"MatMulTN", func() { MatMulTN(x(4), x(6), x(5), 2, 3, 2) }},
		{"MatMulNT", func() { MatMulNT(x(4), x(6), x(5), 2, 3, 2) }},
		{"AddMatMulTN", func() { AddMatMulTN(x(4), x(6), x(5), 2, 3, 2) }},
		{"AddMatMulNT", func() { AddMatMulNT(x(3), x(6), x(6), 2, 3, 2) }},
		{"AddBias", func() { AddBias(x(6), x(2), 2, 3) }},
		{"AddBiasPlanes", func() { AddBiasPlanes(x(6), x(3), 2, 3) }},
		{"SumRows", func() { SumRows(x(2), x(6), 2, 3) }},
		{"SumPlanes", func() { SumPlanes(x(3), x(6), 2, 3) }},
		{"ReluBack", func() { ReluBack(x(3), x(2)) }},
		{"SigmoidBack", func() { SigmoidBack(x(2), x(3)) }},
		{"SoftmaxCross, loss", func() { SoftmaxCross(x(1), nil, x(6), x(2), 2, 3) }},
		{"SoftmaxCross, grad", func() { SoftmaxCross(x(2), x(1), x(6), x(2), 2, 3) }},
		{"SoftmaxCross, labels", func() { SoftmaxCross(x(2), nil, x(6), x(3), 2, 3) }},
		{"SoftmaxCross, class 3 of 3", func() { SoftmaxCross(x(1), nil, x(3), []float32{3}, 1, 3) }},
		{"SoftmaxCross, class -1", func() { SoftmaxCross(x(1), nil, x(3), []float32{-1}, 1, 3) }},
		{"SoftmaxCross, class 1.5", func() { SoftmaxCross(x(1), nil, x(3), []float32{1.5}, 1, 3) }},
		{"SoftmaxCross, no classes", func() { SoftmaxCross(x(1), nil, nil, x(1), 1, 0) }},
		{"Squared, want", func() { Squared(x(2), nil, x(6), x(5), 2, 3) }},
		{"Squared, grad", func() { Squared(x(2), x(5), x(6), x(6), 2, 3) }},
		{"Im2Col, dst", func() { Im2Col(x(15), x(9), 1, 3, 3, 2) }},
		{"Im2Col, src", func() { Im2Col(x(16), x(8), 1, 3, 3, 2) }},
		{"Im2Col, kernel too large", func() { Im2Col(nil, x(6), 1, 2, 3, 3) }},
		{"Im2Col, kernel 0", func() { Im2Col(nil, x(6), 1, 2, 3, 0) }},
		{"Col2Im", func() { Col2Im(x(9), x(15), 1, 3, 3, 2) }},
		{"CopyRows, dst", func() { CopyRows(x(5), x(6), 2, 3, Apart(3), Apart(3)) }},
		{"CopyRows, src", func() { CopyRows(x(6), x(9), 2, 3, Apart(3), Rows{5, 2}) }},
		{"CopyRows, rows that overlap", func() { CopyRows(x(9), x(9), 2, 3, Apart(2), Apart(3)) }},
		{"CopyRows, negative", func() { CopyRows(x(9), x(9), 2, 3, Rows{3, -1}, Apart(3)) }},
		{"MaxPool2", func() { MaxPool2(x(2), x(9), 1, 3, 3) }},
		{"MaxPool2Back, dsrc", func() { MaxPool2Back(x(8), x(1), x(9), 1, 3, 3) }},
		{"MaxPool2Back, ddst", func() { MaxPool2Back(x(9), x(2), x(9), 1, 3, 3) }},
		{"Axpy", func() { Axpy(x(2), 1, x(3)) }},
		{"Lerp", func() { Lerp(x(3), 1, x(2)) }},
		{"Accumulate", func() { Accumulate(sums, 1, x(6)) }},
		{"Descend", func() { Descend(x(4), sums, 1, 1) }},
		{"Shades", func() { Shades(x(2), make([]uint8, 3)) }},
		{"Gather, dst", func() { Gather(x(2), x(3), NewPlaces([]uint16{1})) }},
		{"Gather, src", func() { Gather(x(1), x(3), NewPlaces([]uint16{3})) }},
		{"Gather, src with room behind", func() { Gather(x(1), x(4)[:3], NewPlaces([]uint16{3})) }},
		{"Trunc", func() { Trunc(x(1), 11) }},
		{"Round", func() { Round(x(1), -1) }},
		{"Sgd", func() { Sgd(x(2), x(3), 1) }},
		{"Momentum", func() { Momentum(x(2), x(2), x(3), 1, 1) }},
		{"Adam", func() { Adam(x(2), x(2), x(1), x(2), 1, 1, 1, 1, 1, 1) }},
		{"Dot", func() { Dot(x(2), x(3)) }},
		{"Gram, dst", func() { Gram(sums, [][]float32{x(2), x(2)}) }},
		{"Gram, rows", func() { Gram(sums[:4], [][]float32{x(2), x(3)}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s returned, want a panic", tt.name)
				}
			}()
			tt.call()
		})
	}
}

func TestNothing(t *testing.T) {
	c := []float32{1, 2, 3, 4}
	MatMul(c, nil, nil, 2, 0, 2)
	for i, v := range c {
		if v != 0 {
			t.Errorf("MatMul over no steps: element %d = %v, want 0", i, v)
		}
	}
	c[0] = 1
	AddMatMulTN(c, nil, nil, 2, 0, 2)
	if c[0] != 1 {
		t.Errorf("AddMatMulTN over no steps: element 0 = %v, want 1 as before", c[0])
	}
	MatMulNT(nil, nil, []float32{1, 2}, 0, 1, 2)
	SumRows(c, nil, 0, 4)
	SoftmaxCross(nil, nil, nil, nil, 0, 10)
	Im2Col(nil, nil, 0, 5, 5, 5)
	MaxPool2(nil, c, 4, 1, 1)
	Relu(nil)
	Gram(nil, nil)
	if got := Dot(nil, nil); got != 0 {
		t.Errorf("Dot of nothing = %v, want 0", got)
	}
	gram := []float64{1}
	if Gram(gram, [][]float32{nil}); gram[0] != 0 {
		t.Errorf("Gram of an empty row = %v, want 0", gram[0])
	}
}

func TestAllocs(t *testing.T) {
	const m, k, n = 13, 270, 29
	f := newFence(1, 1)
	a, b, c, d := f.plain(m*k), f.plain(k*n), f.plain(m*n), f.plain(m*n)
	labels, loss := make([]float32, m), make([]float32, m)
	rows := [][]float32{a[:900], a[900:1800], b[:900], b[900:1800]}
	sum, gram := make([]float64, m*n), make([]float64, 16)
	image, patches := f.plain(2*9*9), f.plain(2*9*49)
	pooled, back := f.plain(2*16), f.plain(2*9*9)
	if n := testing.AllocsPerRun(10, func() {
		MatMul(c, a, b, m, k, n)
		AddMatMulTN(c, a, b, m, k, n)
		AddMatMulNT(c, a, b, m, k, n)
		AddBias(c, b[:n], m, n)
		AddBiasPlanes(c, b[:m], m, n)
		SumRows(b[:n], c, m, n)
		SumPlanes(loss, c, m, n)
		Relu(c)
		ReluBack(d, c)
		Sigmoid(c)
		SigmoidBack(d, c)
		SoftmaxCross(loss, d, c, labels, m, n)
		Squared(loss, d, c, c, m, n)
		Im2Col(patches, image, 2, 9, 9, 3)
		Col2Im(image, patches, 2, 9, 9, 3)
		CopyRows(image, patches, 2, 9, Apart(9), Apart(9))
		MaxPool2(pooled, image, 2, 9, 9)
		MaxPool2Back(back, pooled, image, 2, 9, 9)
		Axpy(c, 1, d)
		Scale(c, 1)
		Lerp(c, 0.5, d)
		Accumulate(sum, 1, c)
		Descend(c, sum, 0.1, 1)
		Trunc(c, 2)
		Sgd(c, d, 0.1)
		Momentum(c, d, d, 0.1, 0.5)
		Adam(c, d, d, d, 0.1, 0.9, 0.9, 0.1, 0.5, 0.5)
		Dot(c, d)
		Gram(gram, rows)
	}); n != 0 {
		t.Errorf("all loops once allocate %v times, want 0", n)
	}
}

// TestGoroutines: many may multiply at the same time.
func TestGoroutines(t *testing.T) {
	const m, k, n = 20, 300, 50
	f := newFence(1, 2)
	a, b, want := f.plain(m*k), f.plain(k*n), make([]float32, m*n)
	MatMulNT(want, a, b, m, k, n)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got := make([]float32, m*n)
			for range 20 {
				MatMulNT(got, a, b, m, k, n)
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("MatMulNT beside others: element %d = %v, want %v", i, got[i], want[i])
						return
					}
				}
			}
		})
	}
	all.Wait()
}
