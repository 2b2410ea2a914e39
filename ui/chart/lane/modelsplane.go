package lane

import (
	"math"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// maxDrawn is the largest number of parameters of a model that frames contain.
const maxDrawn = 8

// modelPlane maps the parameters of a lane's models to a plane, and holds its extent.
type modelPlane struct {
	size   int // parameters of a model
	extent layout.Extent
	kept   float64 // share of the models' variance that the plane keeps

	run    *trace.Run
	lane   int
	frames int // that this was computed from
	mean   [maxDrawn]float64
	axes   [2][maxDrawn]float64
	sort   [2][]float32
}

// update computes the plane from about a hundred frames of the run, if there are new ones.
func (m *modelPlane) update(v *chart.View) {
	frames := v.Run.Tracks[v.Lane].Frames
	if m.run == v.Run && m.lane == v.Lane && m.frames == len(frames) {
		return
	}
	m.run, m.lane, m.frames = v.Run, v.Lane, len(frames)
	m.size, m.kept = v.LaneHeader().FrameParams, 1
	stride := len(frames)/96 + 1
	if m.size > 2 {
		m.fitDirections(frames, stride)
	}
	for axis := range m.sort {
		m.sort[axis] = m.sort[axis][:0]
	}
	for t := 0; t < len(frames); t += stride {
		for k := range len(frames[t].Models) / m.size {
			m.addPoint(m.position(&frames[t], k))
		}
	}
	between := func(lo, hi float64) layout.Extent {
		return layout.Extent{X0: m.quantile(0, lo), X1: m.quantile(0, hi), Y0: m.quantile(1, lo), Y1: m.quantile(1, hi)}
	}
	m.extent = between(0, 1)
	core := between(0.1, 0.9)
	for n := 0; ; n++ {
		best, ok := bestModel(v, m.size, n)
		if !ok {
			break
		}
		x, y := m.project(best, 0)
		at := layout.Extent{X0: x, X1: x, Y0: y, Y1: y}
		m.extent, core = m.extent.Join(at), core.Join(at)
	}
	// One model far out must not compress the rest.
	for _, side := range [...][4]*float32{{&m.extent.X0, &m.extent.X1, &core.X0, &core.X1},
		{&m.extent.Y0, &m.extent.Y1, &core.Y0, &core.Y1}} {
		most := 1.5 * (*side[3] - *side[2])
		*side[0], *side[1] = max(*side[0], *side[2]-most), min(*side[1], *side[3]+most)
		air := 0.06 * (*side[1] - *side[0])
		if !(air > 1e-6) || !chart.Finite(air) {
			air = 0.5
		}
		*side[0], *side[1] = *side[0]-air, *side[1]+air
	}
	if m.size == 1 {
		m.extent.X0, m.extent.X1 = 0, float32(max(v.Run.Header.Rounds, 1))
	}
}

func (m *modelPlane) addPoint(x, y float32, ok bool) {
	if ok && max(math.Abs(float64(x)), math.Abs(float64(y))) < 1e15 {
		m.sort[0], m.sort[1] = append(m.sort[0], x), append(m.sort[1], y)
	}
}

// quantile returns the quantile q of the models' values on an axis.
func (m *modelPlane) quantile(axis int, q float64) float32 {
	if len(m.sort[axis]) == 0 {
		return 0
	}
	return layout.Quantile(m.sort[axis], q)
}

// position returns the position of model k of a frame; ok is false if it has none.
func (m *modelPlane) position(f *trace.Frame, k int) (x, y float32, ok bool) {
	if k < 0 || len(f.Models) < (k+1)*m.size {
		return 0, 0, false
	}
	x, y = m.project(f.Models[k*m.size:(k+1)*m.size], f.Round)
	return x, y, chart.Finite(x) && chart.Finite(y)
}

// project returns the position of a model in a round.
func (m *modelPlane) project(params []float32, round int) (x, y float32) {
	switch m.size {
	case 1:
		return float32(round), params[0]
	case 2:
		return params[0], params[1]
	}
	sum := [2]float64{}
	for j, value := range params {
		for axis := range sum {
			sum[axis] += m.axes[axis][j] * (float64(value) - m.mean[j])
		}
	}
	return float32(sum[0]), float32(sum[1])
}

// axisNames returns the names of the horizontal and the vertical axis.
func (m *modelPlane) axisNames(v *chart.View) (x, y string) {
	switch {
	case m.size == 1:
		return "round", "slope"
	case m.size == 2:
		names := parameterNames(v)
		return names[0], names[1]
	}
	return "first direction", "second direction"
}

// parameterNames returns the names of the parameters of a model with one or two of them.
func parameterNames(v *chart.View) [2]string {
	if v.Run.Header.DataPreview.Axes != "" { // it is no line
		return [2]string{"weight 1", "weight 2"}
	}
	return [2]string{"slope", "offset"}
}

// bestModel returns the parameters of the best model of a group; ok is false if it is unknown.
func bestModel(v *chart.View, size, group int) (params []float32, ok bool) {
	s := &v.Run.Header.DataPreview
	switch {
	case group < 0:
	case len(s.Best) > 0:
		if end := (group + 1) * size; end <= len(s.Best) {
			return s.Best[end-size : end], true
		}
	case group < len(s.Truth) && size <= 2:
		return []float32{s.Truth[group].Slope, s.Truth[group].Offset}[:size], true
	}
	return nil, false
}

// fitDirections computes the first two principal components of the models of all rounds, by power
// iteration on the covariance of their parameters.
func (m *modelPlane) fitDirections(frames []trace.Frame, stride int) {
	m.mean = [maxDrawn]float64{}
	var spread [maxDrawn][maxDrawn]float64
	n := 0.0
	each := func(visit func(params []float32)) {
		for t := 0; t < len(frames); t += stride {
			for at := 0; at+m.size <= len(frames[t].Models); at += m.size {
				params := frames[t].Models[at : at+m.size]
				whole := true
				for _, value := range params {
					whole = whole && math.Abs(float64(value)) < 1e6
				}
				if whole {
					visit(params)
				}
			}
		}
	}
	each(func(params []float32) {
		n++
		for j, value := range params {
			m.mean[j] += float64(value)
		}
	})
	for j := range m.mean {
		m.mean[j] /= max(n, 1)
	}
	each(func(params []float32) {
		for a := range params {
			for b := range params {
				spread[a][b] += (float64(params[a]) - m.mean[a]) * (float64(params[b]) - m.mean[b])
			}
		}
	})
	all, kept := 0.0, 0.0
	for j := range spread {
		all += spread[j][j]
	}
	for axis := range m.axes {
		kept += largestDirection(&m.axes[axis], &spread, m.size)
	}
	if all > 0 {
		m.kept = min(kept/all, 1)
	}
}

// largestDirection computes the direction of largest variance, removes it from the matrix and
// returns that variance. The entry of the direction with the largest magnitude is positive.
func largestDirection(axis *[maxDrawn]float64, spread *[maxDrawn][maxDrawn]float64, size int) float64 {
	*axis = [maxDrawn]float64{}
	largest := 0
	for j := range size {
		if spread[j][j] > spread[largest][largest] {
			largest = j
		}
	}
	axis[largest] = 1
	value := 0.0
	for range 60 {
		var next [maxDrawn]float64
		length := 0.0
		for a := range size {
			for b := range size {
				next[a] += spread[a][b] * axis[b]
			}
			length += next[a] * next[a]
		}
		if value = math.Sqrt(length); value == 0 {
			return 0
		}
		for a := range size {
			axis[a] = next[a] / value
		}
	}
	most := 0
	for j := range size {
		if math.Abs(axis[j]) > math.Abs(axis[most]) {
			most = j
		}
	}
	for j := range size {
		if axis[most] < 0 && j != most {
			axis[j] = -axis[j]
		}
	}
	axis[most] = math.Abs(axis[most])
	for a := range size {
		for b := range size {
			spread[a][b] -= value * axis[a] * axis[b]
		}
	}
	return value
}

// tickStep returns a round distance between about n ticks on an axis.
func tickStep(length, n float32) float32 {
	return float32(layout.Nice(float64(length / max(n, 1))))
}

// firstTick returns the smallest whole number of steps not below lo.
func firstTick(lo, step float32) int { return int(math.Ceil(float64(lo/step) - 1e-3)) }
