package engine

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

// projector turns a server's embedding into map coordinates. Loss maps of two and three models are
// fixed linear maps. Planes are fitted in each round and then rotated and reflected to be closest
// to the round before: the sign of a singular vector is arbitrary, and without this the map would
// show movement where there is none. Only the map is aligned; Embedding stays as the server has it.
type projector struct {
	kind     trace.Map
	plane    clusterer.Plane
	at, last clusterer.Matrix
	seen     bool
}

func newProjector(kind trace.Map, clients int) projector {
	p := projector{kind: kind}
	p.at.Reshape(clients, 2)
	p.last.Reshape(clients, 2)
	return p
}

// project writes f.Embedding, f.XY and f.Kept.
func (p *projector) project(f *trace.Frame, points *clusterer.Matrix) {
	if f.Embedding == nil {
		f.Embedding = make([]float32, len(points.Data))
		f.XY = make([]float32, 2*points.Rows)
	}
	for i, v := range points.Data {
		f.Embedding[i] = float32(v)
	}
	f.Kept = 1
	switch p.kind {
	case trace.LossPair:
		copy(p.at.Data, points.Data)
	case trace.LossTriangle:
		for i := range points.Rows {
			l, at := points.Row(i), p.at.Row(i)
			at[0] = (l[0] - l[1]) / math.Sqrt2
			at[1] = (l[0] + l[1] - float64(2*l[2])) / math.Sqrt(6)
		}
	default:
		f.Kept = float32(p.plane.Fit(&p.at, points))
		if p.seen {
			clusterer.Align(&p.at, &p.last)
		}
		copy(p.last.Data, p.at.Data)
	}
	p.seen = true
	for i, v := range p.at.Data {
		f.XY[i] = float32(v)
	}
}

// mapOf returns the kind of map for the data that a server clusters.
func mapOf(e fl.Evidence, models int) trace.Map {
	switch {
	case e == fl.GradientFeatures:
		return trace.GradientPlane
	case e == fl.NoEvidence:
		return trace.NoMap
	case models == 2:
		return trace.LossPair
	case models == 3 && e == fl.LeastLoss:
		return trace.LossTriangle
	default:
		return trace.LossPlane
	}
}
