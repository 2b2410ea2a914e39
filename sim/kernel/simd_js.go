package kernel

import "unsafe"

// fastest returns the loops of kernel.wasm if the module is available.
func fastest() *set {
	if available() == 0 {
		return &portable
	}
	return &simd
}

// simd calls kernel.wasm, which works on Go's memory. Neither heap nor stack moves meanwhile, since
// no Go code runs. Each function is the one of the same name in kernel.c.
var simd = set{
	name: "simd",
	matMul: func(c, a, b []float32, m, k, n int, add bool) {
		product(c, a, b, m, k, n, k, 1, false, add)
	},
	matMulTN: func(c, a, b []float32, m, k, n int, add bool) {
		product(c, a, b, m, k, n, 1, m, false, add)
	},
	matMulNT: func(c, a, b []float32, m, k, n int, add bool) {
		product(c, a, b, m, k, n, k, 1, true, add)
	},
	addBias: func(x, bias []float32, rows, cols int) {
		wasmAddBias(at(x), at(bias), int32(rows), int32(cols))
	},
	addBiasPlanes: func(x, bias []float32, rows, cols int) {
		wasmAddBiasPlanes(at(x), at(bias), int32(rows), int32(cols))
	},
	sumRows: func(dst, x []float32, rows, cols int) {
		wasmSumRows(at(dst), at(x), int32(rows), int32(cols))
	},
	sumPlanes: func(dst, x []float32, rows, cols int) {
		wasmSumPlanes(at(dst), at(x), int32(rows), int32(cols))
	},
	relu:        func(x []float32) { wasmRelu(at(x), int32(len(x))) },
	reluBack:    func(d, y []float32) { wasmReluBack(at(d), at(y), int32(len(d))) },
	sigmoid:     func(x []float32) { wasmSigmoid(at(x), int32(len(x))) },
	sigmoidBack: func(d, y []float32) { wasmSigmoidBack(at(d), at(y), int32(len(d))) },
	softmaxCross: func(loss, grad, logits, labels []float32, rows, cols int) {
		wasmSoftmaxCross(at(loss), at(grad), at(logits), at(labels), int32(rows), int32(cols))
	},
	squared: func(loss, grad, out, want []float32, rows, cols int) {
		wasmSquared(at(loss), at(grad), at(out), at(want), int32(rows), int32(cols))
	},
	im2Col: func(dst, src []float32, g grid) {
		wasmIm2Col(at(dst), at(src), int32(g.channels), int32(g.height), int32(g.width), int32(g.kernel))
	},
	col2Im: func(dst, src []float32, g grid) {
		wasmCol2Im(at(dst), at(src), int32(g.channels), int32(g.height), int32(g.width), int32(g.kernel))
	},
	copyRows: func(dst, src []float32, rows, cols int, to, from Rows) {
		wasmCopyRows(at(dst), at(src), int32(rows), int32(cols), int32(to.Row), int32(to.Step), int32(from.Row),
			int32(from.Step))
	},
	maxPool2: func(dst, src []float32, planes, height, width int) {
		wasmMaxPool2(at(dst), at(src), int32(planes), int32(height), int32(width))
	},
	maxPool2Back: func(dsrc, ddst, src []float32, planes, height, width int) {
		wasmMaxPool2Back(at(dsrc), at(ddst), at(src), int32(planes), int32(height), int32(width))
	},
	axpy:  func(y []float32, a float32, x []float32) { wasmAxpy(at(y), a, at(x), int32(len(y))) },
	lerp:  func(y []float32, a float32, x []float32) { wasmLerp(at(y), a, at(x), int32(len(y))) },
	scale: func(y []float32, a float32) { wasmScale(at(y), a, int32(len(y))) },
	accumulate: func(sum []float64, w float64, x []float32) {
		wasmAccumulate(at(sum), w, at(x), int32(len(sum)))
	},
	shades: func(dst []float32, src []uint8) { wasmShades(at(dst), at(src), int32(len(src))) },
	gather: func(dst, src []float32, places []uint16) {
		wasmGather(at(dst), at(src), at(places), int32(len(places)))
	},
	trunc: func(x []float32, power float32) { wasmTrunc(at(x), power, int32(len(x))) },
	descend: func(params []float32, sum []float64, rate, divisor float64) {
		wasmDescend(at(params), at(sum), rate, divisor, int32(len(params)))
	},
	momentum: func(params, velocity, grad []float32, rate, mu float32) {
		wasmMomentum(at(params), at(velocity), at(grad), rate, mu, int32(len(params)))
	},
	adam: func(params, m, v, grad []float32, c adamStep) {
		wasmAdam(at(params), at(m), at(v), at(grad), c.beta1, c.rest1, c.beta2, c.rest2, c.rate, c.root, c.eps,
			int32(len(params)))
	},
	dot:  func(a, b []float32) float64 { return wasmDot(at(a), at(b), int32(len(a))) },
	gram: gramTiles,
}

// at returns the address of the first element, nil for an empty slice.
func at[T any](x []T) unsafe.Pointer {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Pointer(&x[0])
}

// scratch holds a panel of b, 256 steps of 8 columns, four rows of c, and rows of a, 64 of 256
// steps: 16 packs of four, or one of these and 32 pairs with their lists. A browser's engine has
// one thread, so calls do not overlap.
var scratch [(256+4)*8 + 256*4 + 32*(256*3+1)]float32

func product(c, a, b []float32, m, k, n, aByRow, aByStep int, turned, add bool) {
	if k == 0 && !add {
		clear(c)
	}
	wasmProduct(at(c), at(a), at(b), int32(m), int32(k), int32(n), int32(aByRow), int32(aByStep), turned, add,
		unsafe.Pointer(&scratch))
}

// The rows of a tile.
const gramDown, gramAcross = 4, 2

// gramTile adds to sum the inner products of four rows and two others, of n
// elements, block by block.
func gramTile(sum *[gramDown * gramAcross]float64, a *[gramDown]*float32, b *[gramAcross]*float32, n int) {
	p := func(x *float32) unsafe.Pointer { return unsafe.Pointer(x) }
	wasmGramTile(unsafe.Pointer(sum), p(a[0]), p(a[1]), p(a[2]), p(a[3]), p(b[0]), p(b[1]), int32(n))
}
