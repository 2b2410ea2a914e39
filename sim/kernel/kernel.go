// Package kernel holds the float32 loops that take most of the time: products of matrices, the
// layers of a network, its losses and descent steps, and the inner products of gradients.
//
// There are three sets of them with identical results, bit by bit. The portable one is plain Go. In
// the browser the loops are in a WebAssembly module, kernel.wasm, with 128-bit vectors, on Go's
// memory; on amd64 they are Go assembly with 256-bit vectors if the processor has AVX2, and
// products with 512-bit vectors if it has AVX-512. The fastest set of the machine is chosen at
// start. With AVX-512 there are convolutions that need no patches, too; see [Convolution].
//
// The bits agree by one rule: an element of a result is one sum in ascending order in one float32
// accumulator that starts at 0, and every product is rounded to float32 before it is added, never
// fused. Vectors run along the elements of the result, so their width changes nothing. Reductions
// (Dot, Gram, SumPlanes, Squared) sum over eight fixed lanes instead, as documented there. Only the
// payload of a NaN is unspecified.
//
// Terms that are 0 change no sum, so products may skip them: most pixels of pictures are 0. They
// check first that b is finite, as 0·∞ is not 0.
//
// Matrices are flat and stored row by row. Sizes may be 0. A slice of a wrong length causes a
// panic, before any memory is written. Results must not overlap arguments unless documented.
// Nothing is allocated, and concurrent calls are safe. Calls go through a table of functions, so
// slices escape to the heap.
//
// The module has two more kinds of loops, in float64, since Go's code is slow only in browsers:
// random numbers (draws.c), as in package rng, and k-means (kmeans.c), as in package clusterer.
package kernel

// A set is one implementation of every loop. Callers have checked the arguments.
type set struct {
	name string

	// With add the sums start from the values in c, otherwise from 0.
	matMul, matMulTN, matMulNT func(c, a, b []float32, m, k, n int, add bool)

	addBias, addBiasPlanes, sumRows, sumPlanes func(x, y []float32, rows, cols int)

	relu, sigmoid         func(x []float32)
	reluBack, sigmoidBack func(d, y []float32)

	softmaxCross, squared func(loss, grad, a, b []float32, rows, cols int)

	im2Col, col2Im func(dst, src []float32, g grid)
	copyRows       func(dst, src []float32, rows, cols int, to, from Rows)
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

// Name returns the name of the set in use: "simd" in a browser, "avx512" or "avx2" on amd64, or
// "portable".
func Name() string { return active.name }

// Available reports whether the loops in use are faster than portable Go.
func Available() bool { return active.name != portable.name }

// size returns the product of the dimensions. It panics if one is negative, or if the product
// exceeds 2³¹ − 1, since an overflow could give a small number that fits.
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

// must panics unless a slice has the required length.
func must(length, want int) {
	if length != want {
		panic("kernel: a slice has another length than the sizes say")
	}
}
