package kernel

import (
	"fmt"
	"testing"
	"time"
)

// plain returns n numbers from −1 to 1 of ordinary size: subnormal products
// would take a processor many times as long.
func (f *fence) plain(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(f.Float64()*2 - 1)
	}
	return x
}

// picture returns samples of so many pixels of which two thirds are 0: the same four
// in a row of four samples, which is what drawn digits come to.
func (f *fence) picture(samples, pixels int) []float32 {
	x := make([]float32, samples*pixels)
	for sample := 0; sample < samples; sample += 4 {
		for pixel := 0; pixel < pixels; pixel += 4 {
			if f.IntN(3) > 0 {
				continue
			}
			for i := range 4 {
				copy(x[(sample+i)*pixels+pixel:], f.plain(4))
			}
		}
	}
	return x
}

// shapes are the products of one step of the networks that the papers train:
// an MLP of 784, 200 and 10 units on a batch of 64, and a CNN with 5×5 kernels
// on images of 28×28, one image at a time.
var shapes = []struct {
	name    string
	product func(c, a, b []float32, m, k, n int)
	m, k, n int
}{
	{"mlp/forward1/NN", MatMul, 64, 784, 200},
	{"mlp/weights1/TN", MatMulTN, 784, 64, 200},
	{"mlp/inputs1/NT", MatMulNT, 64, 200, 784},
	{"mlp/forward2/NN", MatMul, 64, 200, 10},
	{"mlp/weights2/TN", MatMulTN, 200, 64, 10},
	{"mlp/inputs2/NT", MatMulNT, 64, 10, 200},
	{"cnn/forward1/NN", MatMul, 6, 25, 576},
	{"cnn/weights1/NT", MatMulNT, 6, 576, 25},
	{"cnn/forward2/NN", MatMul, 16, 150, 64},
	{"cnn/weights2/NT", MatMulNT, 16, 64, 150},
	{"cnn/inputs2/TN", MatMulTN, 150, 16, 64},
}

// BenchmarkPicture is BenchmarkProduct for those in which samples take part that are
// pictures. What is left out is counted, too.
func BenchmarkPicture(b *testing.B) {
	for _, s := range shapes[:2] {
		b.Run(fmt.Sprintf("%s/%dx%dx%d", s.name, s.m, s.k, s.n), func(b *testing.B) {
			f := newFence(1, 1)
			x, y, c := f.picture(64, 784), f.plain(s.k*s.n), f.plain(s.m*s.n)
			undisturbed(b, 2*s.m*s.k*s.n, func() { s.product(c, x, y, s.m, s.k, s.n) })
		})
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, s := range shapes {
		b.Run(fmt.Sprintf("%s/%dx%dx%d", s.name, s.m, s.k, s.n), func(b *testing.B) {
			f := newFence(1, 1)
			x, y, c := f.plain(s.m*s.k), f.plain(s.k*s.n), f.plain(s.m*s.n)
			undisturbed(b, 2*s.m*s.k*s.n, func() { s.product(c, x, y, s.m, s.k, s.n) })
		})
	}
}

// undisturbed runs an operation of so many float32 operations and reports its rate in
// the least disturbed of many short slices of time: where others use the machine
// too, the mean says more about them.
func undisturbed(b *testing.B, flops int, op func()) {
	const slice = 4 * time.Millisecond
	look := 1 + 1_000_000/flops // looking at the clock takes time as well
	best, done, start := 0.0, 0, time.Now()
	for b.Loop() {
		op()
		if done++; done%look > 0 {
			continue
		}
		if took := time.Since(start); took >= slice {
			best = max(best, float64(done*flops)/float64(took.Nanoseconds()))
			done, start = 0, time.Now()
		}
	}
	if best > 0 {
		b.ReportMetric(best, "GFLOP/s")
	}
}

func BenchmarkGram(b *testing.B) {
	for _, size := range []struct{ c, d int }{{40, 10_000}, {128, 1590}} {
		b.Run(fmt.Sprintf("%dx%d", size.c, size.d), func(b *testing.B) {
			f := newFence(1, 1)
			rows := make([][]float32, size.c)
			for i := range rows {
				rows[i] = f.plain(size.d)
			}
			dst := make([]float64, size.c*size.c)
			for b.Loop() {
				Gram(dst, rows)
			}
			b.ReportMetric(float64(size.c*(size.c+1)*size.d)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
}

// BenchmarkLoop runs every other loop over the parameters, or one layer, of the
// MLP.
func BenchmarkLoop(b *testing.B) {
	const n = 784*200 + 200 + 200*10 + 10
	const rows, cols = 64, 200
	f := newFence(1, 1)
	start := f.plain(n)
	x, y, z, w := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	sum, labels := make([]float64, n), make([]float32, rows)
	bytes, at := make([]uint8, 784), make([]uint16, 784)
	for i := range at {
		bytes[i], at[i] = uint8(i), uint16(783-i)
	}
	places := NewPlaces(at)
	image, patches, plane := f.plain(28*28), f.plain(25*24*24), f.plain(6*24*24)
	g, pooled := f.plain(6*24*24), f.plain(6*12*12)
	for _, loop := range []struct {
		name  string
		bytes int // read and written
		run   func()
	}{
		{"Axpy", 12 * n, func() { Axpy(x, 1e-3, y) }},
		{"Scale", 8 * n, func() { Scale(x, 1) }},
		{"Lerp", 12 * n, func() { Lerp(x, 1e-3, y) }},
		{"Accumulate", 20 * n, func() { Accumulate(sum, 1e-3, y) }},
		{"Descend", 16 * n, func() { Descend(x, sum, 1e-3, 3) }},
		{"Shades", 5 * 784, func() { Shades(x[:784], bytes) }},
		{"Gather", 10 * 784, func() { Gather(x[:784], y, places) }},
		{"Trunc", 8 * n, func() { Trunc(z, 3) }},
		{"Sgd", 12 * n, func() { Sgd(x, y, 1e-3) }},
		{"Momentum", 20 * n, func() { Momentum(x, z, y, 1e-3, 0.5) }},
		{"Adam", 28 * n, func() { Adam(x, z, w, y, 1e-3, 0.9, 0.999, 1e-8, 0.5, 0.5) }},
		{"Dot", 8 * n, func() { Dot(x, y) }},
		{"AddBias", 8 * rows * cols, func() { AddBias(x[:rows*cols], y[:cols], rows, cols) }},
		{"SumRows", 4 * rows * cols, func() { SumRows(y[:cols], x[:rows*cols], rows, cols) }},
		{"Relu", 8 * rows * cols, func() { Relu(z[:rows*cols]) }},
		{"ReluBack", 12 * rows * cols, func() { ReluBack(z[:rows*cols], x[:rows*cols]) }},
		{"Sigmoid", 8 * rows * cols, func() { Sigmoid(z[:rows*cols]) }},
		{"SigmoidBack", 12 * rows * cols, func() { SigmoidBack(z[:rows*cols], x[:rows*cols]) }},
		{"SoftmaxCross", 8 * rows * 10, func() { SoftmaxCross(w[:rows], z[:rows*10], x[:rows*10], labels, rows, 10) }},
		{"Squared", 12 * rows * 784, func() { Squared(w[:rows], z[:rows*784], x[:rows*784], y[:rows*784], rows, 784) }},
		{"AddBiasPlanes", 8 * len(plane), func() { AddBiasPlanes(plane, y[:6], 6, 576) }},
		{"SumPlanes", 4 * len(plane), func() { SumPlanes(w[:6], plane, 6, 576) }},
		{"Im2Col", 8 * len(patches), func() { Im2Col(patches, image, 1, 28, 28, 5) }},
		{"Col2Im", 12 * len(patches), func() { Col2Im(image, patches, 1, 28, 28, 5) }},
		{"MaxPool2", 4 * len(plane), func() { MaxPool2(pooled, plane, 6, 24, 24) }},
		{"MaxPool2Back", 8 * len(plane), func() { MaxPool2Back(g, pooled, plane, 6, 24, 24) }},
		{"Call", 0, func() { Scale(x[:0], 1) }},
	} {
		b.Run(loop.name, func(b *testing.B) {
			b.SetBytes(int64(loop.bytes))
			for i, v := range start { // anew, as some loops shrink what they are given
				x[i], y[i], z[i], w[i] = v, -v, 1-v, v*v
			}
			for b.Loop() {
				loop.run()
			}
		})
	}
}
