// Package kernel holds the float32 loops in which the time goes: products of
// matrices, the layers of a network, its losses and descent steps, and the
// inner products of gradients.
//
// There are three sets of them with identical bits. The portable one is plain
// Go. In the browser the loops run in a WebAssembly module of their own,
// kernel.wasm, with 128-bit vectors, on Go's memory; on amd64 they are Go
// assembly with 256-bit vectors, where the processor has AVX2, and products with
// 512-bit vectors, where it has AVX-512. The best set that the machine offers is
// taken at start.
//
// Bits agree by one rule: an element of a result is one sum in ascending order
// in one float32 accumulator that starts at 0, and every product is rounded to
// float32 before it is added, never fused. Vectors run along the elements of
// the result, so their width changes nothing. Where many numbers become one
// (Dot, Gram, SumPlanes, Squared) the sum is over eight fixed lanes instead, as
// written there. Only what a NaN carries beside being one is left open.
//
// Terms that are 0 change no sum, so products may leave them out: pictures are 0
// nearly everywhere. They look first whether b is finite, as 0·∞ is not 0.
//
// Matrices are flat and stored row by row. Sizes may be 0. A slice of another
// length than the sizes say is a panic, before any memory is touched. Results
// must not overlap arguments except where it says so. Nothing is allocated, and
// any number of goroutines may call at the same time. Calls go through a table
// of functions, so the compiler takes their slices to escape to the heap.
//
// The module has two more kinds of loops, in float64, that only a browser needs, as
// Go's own code is good enough elsewhere: random numbers (draws.c), whose Go twin is
// in package rng, and k-means (kmeans.c), whose twin is in package clusterer.
package kernel

// A set is one implementation of every loop. Arguments are checked already.
type set struct {
	name string

	// With add they start from what c holds, else from 0.
	matMul, matMulTN, matMulNT func(c, a, b []float32, m, k, n int, add bool)

	addBias, addBiasPlanes, sumRows, sumPlanes func(x, y []float32, rows, cols int)

	relu, sigmoid         func(x []float32)
	reluBack, sigmoidBack func(d, y []float32)

	softmaxCross, squared func(loss, grad, a, b []float32, rows, cols int)

	im2Col, col2Im func(dst, src []float32, g grid)
	maxPool2       func(dst, src []float32, planes, height, width int)
	maxPool2Back   func(dsrc, ddst, src []float32, planes, height, width int)

	axpy, lerp func(y []float32, a float32, x []float32)
	scale      func(y []float32, a float32)
	accumulate func(sum []float64, w float64, x []float32)
	trunc      func(x []float32, power float32)

	shades func(dst []float32, src []uint8)
	gather func(dst, src []float32, at []uint16)

	descend  func(params []float32, sum []float64, rate, divisor float64)
	momentum func(params, velocity, grad []float32, rate, mu float32)
	adam     func(params, m, v, grad []float32, c adamStep)

	dot  func(a, b []float32) float64
	gram func(dst []float64, rows [][]float32)
}

// active is the set in use.
var active = fastest()

// Name tells which set is in use: "simd" in a browser, "avx512" or "avx2" on
// amd64, or "portable".
func Name() string { return active.name }

// Available reports whether the loops run faster than portable Go.
func Available() bool { return active.name != portable.name }

// size returns the product of the dimensions. A negative one, or a product no
// memory could hold, is a panic: it must not wrap around to a small number
// that happens to fit.
func size(dims ...int) int {
	n := 1
	for _, d := range dims {
		if d < 0 || d > 1<<31-1 {
			panic("kernel: a size is out of range")
		}
		if n *= d; n > 1<<31-1 {
			panic("kernel: a matrix is too large")
		}
	}
	return n
}

// must panics unless a slice has the length that the sizes ask for.
func must(length, want int) {
	if length != want {
		panic("kernel: a slice has another length than the sizes say")
	}
}
