package kernel

// Layers and losses row by row, with the loops of vector_amd64.s and network_amd64.s.

func addBiasAVX2(x, bias []float32, rows, cols int) {
	for i := range rows {
		axpyAVX2(x[i*cols:(i+1)*cols], 1, bias)
	}
}

func addBiasPlanesAVX2(x, bias []float32, rows, cols int) {
	for i := range rows {
		shiftAVX2(x[i*cols:(i+1)*cols], bias[i])
	}
}

func sumRowsAVX2(dst, x []float32, rows, cols int) {
	for i := range rows {
		axpyAVX2(dst, 1, x[i*cols:(i+1)*cols])
	}
}

//go:noescape
func reluAVX2(x []float32)

//go:noescape
func reluBackAVX2(d, y []float32)

//go:noescape
func sigmoidAVX2(x []float32)

//go:noescape
func sigmoidBackAVX2(d, y []float32)

func squaredAVX2(loss, grad, out, want []float32, rows, cols int) {
	slope := 2 / float32(cols)
	for i := range rows {
		x, y := out[i*cols:(i+1)*cols], want[i*cols:(i+1)*cols]
		loss[i] = squaredSum(x, y) / float32(cols)
		if len(grad) != 0 {
			squaredBack(grad[i*cols:(i+1)*cols], x, y, slope)
		}
	}
}

// squaredSum returns the sum of (out − want)² over eight lanes.
//
//go:noescape
func squaredSum(out, want []float32) float32

// squaredBack sets grad to (out − want)·slope.
//
//go:noescape
func squaredBack(grad, out, want []float32, slope float32)
