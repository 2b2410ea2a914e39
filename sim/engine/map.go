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

	fitted     clusterer.Matrix // the plane of the last fit, before it was aligned
	directions clusterer.Matrix // see projectChange
}

func newProjector(kind trace.Map, clients int) projector {
	p := projector{kind: kind}
	p.at.Reshape(clients, 2)
	p.last.Reshape(clients, 2)
	p.fitted.Reshape(clients, 2)
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
		copy(p.fitted.Data, p.at.Data)
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

// projectChange writes where points would lie on the plane of the last call of project, which was of these points, if each
// changed by a row of change.
//
// The map is linear. With X the centred points and Z = X·V their plane, which alignment turned into Z·Q, its directions are
//
//	V·Q = Xᵀ·Z·D⁻² · D⁻²·Zᵀ·(Z·Q),   D² = Zᵀ·Z
//
// where Xᵀ·Z is the same for points that are not centred, since the columns of Z add up to 0.
func (p *projector) projectChange(dst []float32, change, points *clusterer.Matrix) {
	var squares [2]float64
	var turn [2][2]float64 // D²·Q
	z, y := p.fitted.Data, p.at.Data
	for i := 0; i < len(z); i += 2 {
		squares[0] += float64(z[i] * z[i])
		squares[1] += float64(z[i+1] * z[i+1])
		turn[0][0] += float64(z[i] * y[i])
		turn[0][1] += float64(z[i] * y[i+1])
		turn[1][0] += float64(z[i+1] * y[i])
		turn[1][1] += float64(z[i+1] * y[i+1])
	}
	for a, square := range squares {
		if square > 0 {
			turn[a][0] /= square * square
			turn[a][1] /= square * square
		}
	}
	cols := points.Cols
	p.directions.Reshape(cols, 2)
	for j := range cols {
		v0, v1 := 0.0, 0.0
		for i := range points.Rows {
			x := points.Data[i*cols+j]
			v0 += float64(x * z[2*i])
			v1 += float64(x * z[2*i+1])
		}
		p.directions.Data[2*j] = float64(v0*turn[0][0]) + float64(v1*turn[1][0])
		p.directions.Data[2*j+1] = float64(v0*turn[0][1]) + float64(v1*turn[1][1])
	}
	for i := range points.Rows {
		x0, x1 := y[2*i], y[2*i+1]
		for j, d := range change.Data[i*cols : (i+1)*cols] {
			x0 += float64(d * p.directions.Data[2*j])
			x1 += float64(d * p.directions.Data[2*j+1])
		}
		dst[2*i], dst[2*i+1] = float32(x0), float32(x1)
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
