package kernel

import "unsafe"

// The exports of kernel.c. Sizes are in elements.

//go:wasmimport kernel available
func available() int32

//go:wasmimport kernel product
//go:noescape
func wasmProduct(c, a, b unsafe.Pointer, m, k, n, aByRow, aByStep int32, turned, add bool, scratch unsafe.Pointer)

//go:wasmimport kernel addBias
//go:noescape
func wasmAddBias(x, bias unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel addBiasPlanes
//go:noescape
func wasmAddBiasPlanes(x, bias unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel sumRows
//go:noescape
func wasmSumRows(dst, x unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel sumPlanes
//go:noescape
func wasmSumPlanes(dst, x unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel relu
//go:noescape
func wasmRelu(x unsafe.Pointer, n int32)

//go:wasmimport kernel reluBack
//go:noescape
func wasmReluBack(d, y unsafe.Pointer, n int32)

//go:wasmimport kernel sigmoid
//go:noescape
func wasmSigmoid(x unsafe.Pointer, n int32)

//go:wasmimport kernel sigmoidBack
//go:noescape
func wasmSigmoidBack(d, y unsafe.Pointer, n int32)

//go:wasmimport kernel softmaxCross
//go:noescape
func wasmSoftmaxCross(loss, grad, logits, labels unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel squared
//go:noescape
func wasmSquared(loss, grad, out, want unsafe.Pointer, rows, cols int32)

//go:wasmimport kernel im2Col
//go:noescape
func wasmIm2Col(dst, src unsafe.Pointer, channels, height, width, kernel int32)

//go:wasmimport kernel col2Im
//go:noescape
func wasmCol2Im(dst, src unsafe.Pointer, channels, height, width, kernel int32)

//go:wasmimport kernel copyRows
//go:noescape
func wasmCopyRows(dst, src unsafe.Pointer, rows, cols, toRow, toStep, fromRow, fromStep int32)

//go:wasmimport kernel maxPool2
//go:noescape
func wasmMaxPool2(dst, src unsafe.Pointer, planes, height, width int32)

//go:wasmimport kernel maxPool2Back
//go:noescape
func wasmMaxPool2Back(dsrc, ddst, src unsafe.Pointer, planes, height, width int32)

//go:wasmimport kernel axpy
//go:noescape
func wasmAxpy(y unsafe.Pointer, a float32, x unsafe.Pointer, n int32)

//go:wasmimport kernel lerp
//go:noescape
func wasmLerp(y unsafe.Pointer, a float32, x unsafe.Pointer, n int32)

//go:wasmimport kernel scale
//go:noescape
func wasmScale(y unsafe.Pointer, a float32, n int32)

//go:wasmimport kernel accumulate
//go:noescape
func wasmAccumulate(sum unsafe.Pointer, w float64, x unsafe.Pointer, n int32)

//go:wasmimport kernel shades
//go:noescape
func wasmShades(dst, src unsafe.Pointer, n int32)

//go:wasmimport kernel gather
//go:noescape
func wasmGather(dst, src, at unsafe.Pointer, n int32)

//go:wasmimport kernel trunc
//go:noescape
func wasmTrunc(x unsafe.Pointer, power float32, n int32)

//go:wasmimport kernel descend
//go:noescape
func wasmDescend(params, sum unsafe.Pointer, rate, divisor float64, n int32)

//go:wasmimport kernel momentum
//go:noescape
func wasmMomentum(params, velocity, grad unsafe.Pointer, rate, mu float32, n int32)

//go:wasmimport kernel adam
//go:noescape
func wasmAdam(params, m, v, grad unsafe.Pointer, beta1, rest1, beta2, rest2, rate, root, eps float32, n int32)

//go:wasmimport kernel dot
//go:noescape
func wasmDot(a, b unsafe.Pointer, n int32) float64

//go:wasmimport kernel gramTile
//go:noescape
func wasmGramTile(sum, a0, a1, a2, a3, b0, b1 unsafe.Pointer, n int32)

//go:wasmimport kernel seed
//go:noescape
func wasmSeed(centroids, points, draws, nearest, trial, chosen unsafe.Pointer, n, cols, k, candidates, first int32)

//go:wasmimport kernel lloyd
//go:noescape
func wasmLloyd(centroids, points, labels, distance, shift, count unsafe.Pointer, n, cols, k, limit int32,
	stop float64) int32

//go:wasmimport kernel normals
//go:noescape
func wasmNormals(state, u, z unsafe.Pointer, n int32)
