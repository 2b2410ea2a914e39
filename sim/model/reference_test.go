package model

import "math"

// reference computes a network's loss on one batch straight from the
// definitions, in float64, without any of the code under test but the layers'
// sizes. losses, if not nil, receives each sample's.
func reference(n *Network, params []float64, b Batch, losses []float64) float64 {
	total := 0.0
	for i := range b.N {
		x := make([]float64, n.Inputs())
		for j := range x {
			x[j] = float64(b.X[i*len(x)+j])
		}
		out := x
		for j, l := range n.layers {
			out = referenceLayer(l, params[n.layerSegments[j].Lo:n.layerSegments[j].Hi], out)
		}
		loss := 0.0
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
				loss += (z - x[j]) * (z - x[j]) / float64(len(x))
			}
		}
		if losses != nil {
			losses[i] = loss
		}
		total += loss / float64(b.N)
	}
	return total
}

func referenceLayer(l stage, params, in []float64) []float64 {
	out := make([]float64, l.outputs())
	switch l := l.layer.(type) {
	case dense:
		for j := range l.out {
			for i, x := range in {
				out[j] += x * params[i*l.out+j]
			}
			if l.bias {
				out[j] += params[l.in*l.out+j]
			}
		}
	case conv:
		high, wide := l.result().Height, l.result().Width
		for f := range l.filters {
			for y := range high {
				for x := range wide {
					sum := params[l.filters*l.fanIn()+f]
					for c := range l.shape.Channels {
						for dy := range l.k {
							for dx := range l.k {
								pixel := in[(c*l.shape.Height+y+dy)*l.shape.Width+x+dx]
								sum += pixel * params[((f*l.shape.Channels+c)*l.k+dy)*l.k+dx]
							}
						}
					}
					out[(f*high+y)*wide+x] = sum
				}
			}
		}
	case pool:
		high, wide := l.result().Height, l.result().Width
		for c := range l.shape.Channels {
			for y := range high {
				for x := range wide {
					at := func(dy, dx int) float64 { return in[(c*l.shape.Height+2*y+dy)*l.shape.Width+2*x+dx] }
					out[(c*high+y)*wide+x] = max(at(0, 0), at(0, 1), at(1, 0), at(1, 1))
				}
			}
		}
	}
	for i, z := range out {
		switch l.activation {
		case relu:
			out[i] = max(z, 0)
		case sigmoid:
			out[i] = 1 / (1 + math.Exp(-z))
		}
	}
	return out
}
