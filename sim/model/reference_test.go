package model

import (
	"math"
	"slices"
)

// reference computes a network's loss on one batch straight from the
// definitions, in float64, without any of the code under test but the layers'
// sizes. losses, if not nil, receives each sample's.
func reference(n *Network, params []float64, b Batch, losses []float64) float64 {
	return referenceIn(n, params, b, losses, false)
}

// referenceIn is reference, for training with the statistics of the batch.
func referenceIn(n *Network, params []float64, b Batch, losses []float64, training bool) float64 {
	total := 0.0
	for i, out := range referenceOutputs(n, params, b, len(n.layers), training) {
		x, loss := wide(b.X[i*n.Inputs():(i+1)*n.Inputs()]), 0.0
		switch n.Task() {
		case Classification:
			sum := 0.0
			for _, z := range out {
				sum += math.Exp(z)
			}
			loss = math.Log(sum) - out[int(b.Y[i])]
		case Regression:
			loss = (out[0] - float64(b.Y[i])) * (out[0] - float64(b.Y[i]))
		case Reconstruction:
			for j, z := range out {
				loss += (z - x[j]) * (z - x[j]) / float64(len(out))
			}
		}
		if losses != nil {
			losses[i] = loss
		}
		total += loss / float64(b.N)
	}
	return total
}

// referenceOutputs computes the outputs of the first layers, a row for each sample.
func referenceOutputs(n *Network, params []float64, b Batch, layers int, training bool) [][]float64 {
	x := make([][]float64, b.N)
	for i := range x {
		x[i] = wide(b.X[i*n.Inputs() : (i+1)*n.Inputs()])
	}
	values := [][][]float64{x} // the inputs of each layer
	for j, l := range n.layers[:layers] {
		at, in := params[n.layerSegments[j].Lo:n.layerSegments[j].Hi], values[j]
		out := make([][]float64, b.N)
		switch l := l.layer.(type) {
		case *batchNorm:
			out = referenceBatchNorm(l, at, in, training)
		default:
			for i := range in {
				if s, ok := l.(*skip); ok {
					out[i] = referenceSkip(s, at, in[i], values[j-s.back][i])
				} else {
					out[i] = referenceLayer(l, at, in[i])
				}
			}
		}
		for i := range out {
			activate(l.activation, out[i])
		}
		values = append(values, out)
	}
	return values[layers]
}

func activate(a activation, out []float64) {
	for i, z := range out {
		switch a {
		case relu:
			out[i] = max(z, 0)
		case sigmoid:
			out[i] = 1 / (1 + math.Exp(-z))
		case tanh:
			out[i] = math.Tanh(z)
		}
	}
}

// pixel returns a number of an image, 0 outside.
func pixel(in []float64, s Shape, c, y, x int) float64 {
	if y < 0 || y >= s.Height || x < 0 || x >= s.Width {
		return 0
	}
	return in[(c*s.Height+y)*s.Width+x]
}

func referenceSkip(s *skip, params, in, skipped []float64) []float64 {
	out := slices.Clone(in)
	if s.projects() {
		skipped = referenceLayer(&s.project, params, skipped)
	}
	for i, v := range skipped {
		out[i] += v
	}
	return out
}

func referenceBatchNorm(l *batchNorm, params []float64, in [][]float64, training bool) [][]float64 {
	n, plane := l.shape.Channels, l.plane()
	out := make([][]float64, len(in))
	for i := range out {
		out[i] = make([]float64, len(in[i]))
	}
	for c := range n {
		mean, variance := params[2*n+c], params[3*n+c]
		if training {
			var all []float64
			for i := range in {
				all = append(all, in[i][c*plane:(c+1)*plane]...)
			}
			mean, variance = moments(all)
		}
		for i := range in {
			for j := c * plane; j < (c+1)*plane; j++ {
				out[i][j] = params[c]*(in[i][j]-mean)/math.Sqrt(variance+normEpsilon) + params[n+c]
			}
		}
	}
	return out
}

// moments returns the mean and the variance.
func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, variance
}

func referenceLayer(l layer, params, in []float64) []float64 {
	out := make([]float64, l.outputs())
	high, across := l.result().Height, l.result().Width
	// each calls f for every number of the output.
	each := func(f func(c, y, x int) float64) {
		for i := range out {
			out[i] = f(i/(high*across), i/across%high, i%across)
		}
	}
	switch l := l.(type) {
	case *dense:
		for j := range l.out {
			for i, x := range in {
				out[j] += x * params[i*l.out+j]
			}
			if l.bias {
				out[j] += params[l.in*l.out+j]
			}
		}
	case *conv:
		each(func(f, y, x int) float64 {
			sum := params[l.filters*l.fanIn()+f]
			for k, w := range params[f*l.fanIn() : (f+1)*l.fanIn()] {
				c, dy, dx := k/l.weights(), k/l.wide%l.high, k%l.wide
				sum += w * pixel(in, l.shape, c, y*l.stride+dy-l.padY, x*l.stride+dx-l.padX)
			}
			return sum
		})
	case *depthwise:
		each(func(c, y, x int) float64 {
			sum := params[l.shape.Channels*l.weights()+c]
			for k, w := range params[c*l.weights() : (c+1)*l.weights()] {
				sum += w * pixel(in, l.shape, c, y*l.stride+k/l.wide-l.padY, x*l.stride+k%l.wide-l.padX)
			}
			return sum
		})
	case *transposed:
		// Each number of the input adds a kernel to the output.
		down, places := l.places()
		each(func(f, _, _ int) float64 { return params[l.inputs*l.fanIn()+f] })
		for j, v := range in {
			c, y, x := j/(down*places), j/places%down, j%places
			for k, w := range params[c*l.fanIn() : (c+1)*l.fanIn()] {
				f, dy, dx := k/l.weights(), k/l.wide%l.high, k%l.wide
				toY, toX := y*l.stride+dy-l.padY, x*l.stride+dx-l.padX
				if toY >= 0 && toY < high && toX >= 0 && toX < across {
					out[(f*high+toY)*across+toX] += v * w
				}
			}
		}
	case *pool:
		each(func(c, y, x int) float64 {
			best := math.Inf(-1)
			for k := range l.fanIn() {
				best = max(best, pixel(in, l.shape, c, y*l.high()+k/l.k, x*l.k+k%l.k))
			}
			return best
		})
	case *average:
		each(func(c, y, x int) float64 {
			sum := 0.0
			for k := range l.fanIn() {
				sum += pixel(in, l.shape, c, y*l.high()+k/l.k, x*l.k+k%l.k)
			}
			return sum / float64(l.fanIn())
		})
	case *global:
		each(func(c, _, _ int) float64 {
			channel := in[c*l.plane() : (c+1)*l.plane()]
			if l.largest {
				return slices.Max(channel)
			}
			mean, _ := moments(channel)
			return mean
		})
	case *groupNorm:
		for g := range l.groups {
			mean, variance := moments(in[g*l.size() : (g+1)*l.size()])
			for i := g * l.size(); i < (g+1)*l.size(); i++ {
				c := i / l.plane()
				out[i] = params[c]*(in[i]-mean)/math.Sqrt(variance+normEpsilon) + params[l.shape.Channels+c]
			}
		}
	case *embedding:
		each(func(e, _, t int) float64 { return params[int(in[t])*l.width+e] })
	case *dropout:
		copy(out, in)
	default:
		panic("a layer has no reference")
	}
	return out
}
