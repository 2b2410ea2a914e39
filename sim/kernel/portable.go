package kernel

// portable is the set in plain Go. Every other set has the same results, bit by bit.
var portable = set{
	name:          "portable",
	matMul:        matMul,
	matMulTN:      matMulTN,
	matMulNT:      matMulNT,
	addBias:       addBias,
	addBiasPlanes: addBiasPlanes,
	sumRows:       sumRows,
	sumPlanes:     sumPlanes,
	relu:          relu,
	sigmoid:       sigmoid,
	reluBack:      reluBack,
	sigmoidBack:   sigmoidBack,
	softmaxCross:  softmaxCross,
	squared:       squared,
	im2Col:        im2Col,
	col2Im:        col2Im,
	copyRows:      copyRows,
	maxPool2:      maxPool2,
	maxPool2Back:  maxPool2Back,
	axpy:          axpy,
	lerp:          lerp,
	scale:         scale,
	accumulate:    accumulate,
	trunc:         trunc,
	shades:        shades,
	gather:        gather,
	descend:       descend,
	momentum:      momentum,
	adam:          adam,
	dot:           dot,
	gram:          gram,
}

// The products keep their running sums in c, which is the same as one accumulator per element.

func matMul(c, a, b []float32, m, k, n int, add bool) {
	if !add {
		clear(c)
	}
	for i := range m {
		row := c[i*n : (i+1)*n]
		for p, s := range a[i*k : (i+1)*k] {
			axpy(row, s, b[p*n:(p+1)*n])
		}
	}
}

func matMulTN(c, a, b []float32, m, k, n int, add bool) {
	if !add {
		clear(c)
	}
	for p := range k {
		row := b[p*n : (p+1)*n]
		for i, s := range a[p*m : (p+1)*m] {
			axpy(c[i*n:(i+1)*n], s, row)
		}
	}
}

func matMulNT(c, a, b []float32, m, k, n int, add bool) {
	if !add {
		clear(c)
	}
	for i := range m {
		x := a[i*k : (i+1)*k]
		for j := range n {
			y := b[j*k : (j+1)*k]
			y = y[:len(x)]
			sum := c[i*n+j]
			for p, v := range x {
				sum += float32(v * y[p])
			}
			c[i*n+j] = sum
		}
	}
}

func addBias(x, bias []float32, rows, cols int) {
	for i := range rows {
		axpy(x[i*cols:(i+1)*cols], 1, bias)
	}
}

func addBiasPlanes(x, bias []float32, rows, cols int) {
	for i := range rows {
		row := x[i*cols : (i+1)*cols]
		for j := range row {
			row[j] += bias[i]
		}
	}
}

func sumRows(dst, x []float32, rows, cols int) {
	for i := range rows {
		axpy(dst, 1, x[i*cols:(i+1)*cols])
	}
}

func sumPlanes(dst, x []float32, rows, cols int) {
	for i := range rows {
		var lane [lanes]float32
		for j, v := range x[i*cols : (i+1)*cols] {
			lane[j%lanes] += v
		}
		dst[i] += tree(&lane)
	}
}

// tree sums the lanes in the order that all sets use.
func tree(lane *[lanes]float32) float32 {
	a, b := lane[0]+lane[4], lane[1]+lane[5]
	c, d := lane[2]+lane[6], lane[3]+lane[7]
	return (a + c) + (b + d)
}

func axpy(y []float32, a float32, x []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float32(a * x[i])
	}
}

func scale(y []float32, a float32) {
	for i := range y {
		y[i] *= a
	}
}

func lerp(y []float32, a float32, x []float32) {
	x = x[:len(y)]
	rest := 1 - a
	for i := range y {
		y[i] = float32(rest*y[i]) + float32(a*x[i])
	}
}

func accumulate(sum []float64, w float64, x []float32) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += float64(w * float64(x[i]))
	}
}

func shades(dst []float32, src []uint8) {
	for i, v := range src {
		dst[i] = float32(v) / 255
	}
}

func gather(dst, src []float32, at []uint16) {
	for i, from := range at {
		dst[i] = src[from]
	}
}

func trunc(x []float32, power float32) {
	for i, v := range x {
		v *= power
		// From 2²³ on every float32 is an integer; below it the conversion is in range.
		if v > -0x1p23 && v < 0x1p23 {
			v = copysign(float32(int32(v)), v)
		}
		x[i] = v / power
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for len(a) > 0 {
		n := min(block, len(a))
		sum += float64(dotBlock(a[:n], b[:n]))
		a, b = a[n:], b[n:]
	}
	return sum
}

func dotBlock(a, b []float32) float32 {
	var lane [lanes]float32
	for i, v := range a {
		lane[i%lanes] += float32(v * b[i])
	}
	return tree(&lane)
}

func gram(dst []float64, rows [][]float32) {
	n := len(rows)
	for i, a := range rows {
		for j, b := range rows[:i+1] {
			dst[i*n+j] = dot(a, b)
			dst[j*n+i] = dst[i*n+j]
		}
	}
}
