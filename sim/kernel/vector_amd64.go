package kernel

// The loops of vector_amd64.s.

//go:noescape
func axpyAVX2(y []float32, a float32, x []float32)

// shiftAVX2 adds a to y.
//
//go:noescape
func shiftAVX2(y []float32, a float32)

//go:noescape
func scaleAVX2(y []float32, a float32)

// blendAVX2 sets y to rest·y + a·x.
//
//go:noescape
func blendAVX2(y []float32, rest, a float32, x []float32)

func lerpAVX2(y []float32, a float32, x []float32) { blendAVX2(y, 1-a, a, x) }

//go:noescape
func accumulateAVX2(sum []float64, w float64, x []float32)

//go:noescape
func truncAVX2(x []float32, power float32)

//go:noescape
func descendAVX2(params []float32, sum []float64, rate, divisor float64)

//go:noescape
func momentumAVX2(params, velocity, grad []float32, rate, mu float32)

//go:noescape
func adamAVX2(params, m, v, grad []float32, c adamStep)

// shadesAVX2 is shades with AVX2. Elements after the last whole vector are computed one by one.
func shadesAVX2(dst []float32, src []uint8) {
	n := len(src) &^ 7
	if n > 0 {
		shades8(&dst[0], &src[0], n)
	}
	shades(dst[n:], src[n:])
}

// shades8 is shades for a number of bytes that is a positive multiple of eight.
//
//go:noescape
func shades8(dst *float32, src *uint8, n int)
