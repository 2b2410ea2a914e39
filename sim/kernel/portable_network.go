package kernel

import "math"

func relu(x []float32) {
	for i, v := range x {
		if v <= 0 { // also −0
			x[i] = 0
		}
	}
}

func reluBack(d, y []float32) {
	y = y[:len(d)]
	for i := range d {
		if y[i] <= 0 {
			d[i] = 0
		}
	}
}

func sigmoid(x []float32) {
	for i, v := range x {
		x[i] = 1 / (1 + Exp(-v))
	}
}

func sigmoidBack(d, y []float32) {
	y = y[:len(d)]
	for i := range d {
		d[i] *= float32(y[i] * (1 - y[i]))
	}
}

func softmaxCross(loss, grad, logits, labels []float32, rows, cols int) {
	for i := range rows {
		x := logits[i*cols : (i+1)*cols]
		top := x[0]
		for _, v := range x[1:] {
			if v > top {
				top = v
			}
		}
		class := int(labels[i])
		own := x[class] - top
		if len(grad) == 0 {
			sum := float32(0)
			for _, v := range x {
				sum += Exp(v - top)
			}
			loss[i] = Log(sum) - own
			continue
		}
		g := grad[i*cols : (i+1)*cols]
		sum := float32(0)
		for j, v := range x {
			g[j] = Exp(v - top)
			sum += g[j]
		}
		loss[i] = Log(sum) - own
		scale(g, 1/sum)
		g[class]--
	}
}

func squared(loss, grad, out, want []float32, rows, cols int) {
	slope := 2 / float32(cols)
	for i := range rows {
		x, y := out[i*cols:(i+1)*cols], want[i*cols:(i+1)*cols]
		var lane [lanes]float32
		for j, v := range x {
			d := v - y[j]
			lane[j%lanes] += float32(d * d)
			if len(grad) != 0 {
				grad[i*cols+j] = float32(d * slope)
			}
		}
		loss[i] = tree(&lane) / float32(cols)
	}
}

func im2Col(dst, src []float32, g grid) {
	at := 0
	for c := range g.channels {
		for ky := range g.kernel {
			for kx := range g.kernel {
				for y := range g.down {
					from := (c*g.height+ky+y)*g.width + kx
					at += copy(dst[at:], src[from:from+g.across])
				}
			}
		}
	}
}

func col2Im(dst, src []float32, g grid) {
	clear(dst)
	at := 0
	for c := range g.channels {
		for ky := range g.kernel {
			for kx := range g.kernel {
				for y := range g.down {
					to := (c*g.height+ky+y)*g.width + kx
					axpy(dst[to:to+g.across], 1, src[at:at+g.across])
					at += g.across
				}
			}
		}
	}
}

func copyRows(dst, src []float32, rows, cols int, to, from Rows) {
	for y := range rows {
		dst, src := dst[y*to.Row:], src[y*from.Row:]
		switch {
		case from.Step > 1:
			for i := range dst[:cols] {
				dst[i] = src[i*from.Step]
			}
		case to.Step > 1:
			for i, v := range src[:cols] {
				dst[i*to.Step] = v
			}
		default:
			copy(dst[:cols], src)
		}
	}
}

func maxPool2(dst, src []float32, planes, height, width int) {
	at := 0
	for c := range planes {
		for y := range height / 2 {
			upper, lower := rowPair(src, c*height+2*y, width)
			for x := range width / 2 {
				dst[at], _, _ = largest(upper, lower, 2*x)
				at++
			}
		}
	}
}

func maxPool2Back(dsrc, ddst, src []float32, planes, height, width int) {
	clear(dsrc)
	at := 0
	for c := range planes {
		for y := range height / 2 {
			row := c*height + 2*y
			upper, lower := rowPair(src, row, width)
			for x := range width / 2 {
				_, down, across := largest(upper, lower, 2*x)
				dsrc[(row+down)*width+2*x+across] = ddst[at]
				at++
			}
		}
	}
}

// rowPair returns a row and the next one.
func rowPair(src []float32, row, width int) (upper, lower []float32) {
	return src[row*width : (row+1)*width], src[(row+1)*width : (row+2)*width]
}

// largest returns the largest element of the square at column x of two rows, and its position: the
// first on ties.
func largest(upper, lower []float32, x int) (best float32, down, across int) {
	best = upper[x]
	if v := upper[x+1]; v > best {
		best, across = v, 1
	}
	if v := lower[x]; v > best {
		best, down, across = v, 1, 0
	}
	if v := lower[x+1]; v > best {
		best, down, across = v, 1, 1
	}
	return best, down, across
}

func descend(params []float32, sum []float64, rate, divisor float64) {
	sum = sum[:len(params)]
	for i, p := range params {
		params[i] = float32(float64(p) - float64(rate*(sum[i]/divisor)))
	}
}

func momentum(params, velocity, grad []float32, rate, mu float32) {
	velocity, grad = velocity[:len(params)], grad[:len(params)]
	for i := range params {
		v := float32(mu*velocity[i]) + grad[i]
		velocity[i] = v
		params[i] -= float32(rate * v)
	}
}

func adam(params, m, v, grad []float32, c adamStep) {
	m, v, grad = m[:len(params)], v[:len(params)], grad[:len(params)]
	for i, g := range grad {
		m[i] = float32(c.beta1*m[i]) + float32(c.rest1*g)
		v[i] = float32(c.beta2*v[i]) + float32(c.rest2*float32(g*g))
		params[i] -= float32(c.rate * (m[i] / (sqrt(v[i])/c.root + c.eps)))
	}
}

func copysign(x, sign float32) float32 {
	const top = 1 << 31
	return math.Float32frombits(math.Float32bits(x)&^top | math.Float32bits(sign)&top)
}
