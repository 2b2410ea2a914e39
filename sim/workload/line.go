package workload

import (
	"math"
	"slices"

	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// moments are the second moments of one client's data: all that the mean
// squared error of a line depends on.
type moments struct{ xx, x, xy, y, yy float64 }

// risk returns E (y − w·x − c)².
func (m *moments) risk(w, c float64) float64 {
	r := m.yy - 2*float64(w*m.xy) - 2*float64(c*m.y) +
		float64(float64(w*w)*m.xx) + 2*float64(float64(w*c)*m.x) + float64(c*c)
	if r < 0 {
		return 0 // rounding must not make a square negative
	}
	return r
}

// curvature returns the largest eigenvalue of the Hessian of the risk,
// 2·[xx x; x 1], or 2·xx for a line without offset.
func (m *moments) curvature(offset bool) float64 {
	if !offset {
		return 2 * m.xx
	}
	half, diff := float64((m.xx+1)/2), (m.xx-1)/2
	return 2 * (half + math.Sqrt(float64(diff*diff)+float64(m.x*m.x)))
}

// lines is common to the regression workloads: groups of clients, each with one line.
type lines struct {
	group   []int // group of each client; nil if unknown
	groups  int
	moments []moments // moments of each client
	model   model.Linear
	start   []float64 // given start slopes; others are drawn
	spread  float64   // range of the drawn slopes: ±spread
}

// contiguous assigns clients to groups as the code of CFL-GP does: the first clients to group 0,
// the next to group 1, as evenly as possible.
func contiguous(clients, groups int) []int {
	of := make([]int, clients)
	for i := range of {
		of[i] = i * groups / clients
	}
	return of
}

func (l *lines) Clients() int         { return len(l.moments) }
func (l *lines) Groups() ([]int, int) { return l.group, l.groups }
func (l *lines) Model() model.Model   { return l.model }
func (l *lines) Samples(int) int      { return 1 }

func (l *lines) Start(params []float32, k int, s *rng.Stream) {
	clear(params) // every offset starts at 0
	if k < len(l.start) {
		params[0] = float32(l.start[k])
		return
	}
	params[0] = float32(s.Uniform(-l.spread, l.spread))
}

func (l *lines) Risk(client int, params []float32) float64 {
	c := 0.0
	if l.model.Intercept {
		c = float64(params[1])
	}
	return l.moments[client].risk(float64(params[0]), c)
}

// Line sets dst to slope and offset.
func (l *lines) Line(dst []float64, params []float32) {
	dst[0], dst[1] = float64(params[0]), 0
	if l.model.Intercept {
		dst[1] = float64(params[1])
	}
}

func (l *lines) LineRisk(client int, line []float64) float64 {
	return l.moments[client].risk(line[0], line[1])
}

func (l *lines) Curvature() float64 {
	most := 0.0
	for i := range l.moments {
		most = max(most, l.moments[i].curvature(l.model.Intercept))
	}
	return most
}

// evenNodes are the nodes of a client with one input.
const evenNodes = 64

// evenly fills b with points at equal steps of the distribution function whose inverse is quantile,
// and with the outputs of a line through the origin there.
func evenly(b *model.Batch, slope float64, quantile func(p float64) float64) {
	b.Resize(evenNodes, 1)
	for j := range evenNodes {
		x := quantile((float64(j) + 0.5) / evenNodes)
		b.X[j], b.Y[j] = float32(x), float32(slope*x)
	}
}

// drawer has the methods of a workload that are needed to draw a preview.
type drawer interface {
	Clients() int
	Draw(b *model.Batch, client, n int, s *rng.Stream)
}

// drawPreview draws a few samples of clients spread over all of them, from the
// streams of their first round, and a box around these samples.
func drawPreview(d drawer, s *rng.Stream, seed uint64) trace.DataPreview {
	const clients, each = 24, 8
	c := d.Clients()
	shown := min(c, clients)
	sc := trace.DataPreview{Floor: -1}
	var b model.Batch
	for j := range shown {
		i := j * c / shown
		s.Reset(seed, rng.Samples, 1, i)
		d.Draw(&b, i, each, s)
		for n := range b.N {
			sc.Points = append(sc.Points, trace.Point{X: b.X[n], Y: b.Y[n], Client: int16(i)})
		}
	}
	sc.XMin, sc.XMax = float32(math.Inf(1)), float32(math.Inf(-1))
	sc.YMin, sc.YMax = sc.XMin, sc.XMax
	for _, p := range sc.Points {
		sc.XMin, sc.XMax = min(sc.XMin, p.X), max(sc.XMax, p.X)
		sc.YMin, sc.YMax = min(sc.YMin, p.Y), max(sc.YMax, p.Y)
	}
	if sc.XMin == sc.XMax {
		sc.XMin, sc.XMax = sc.XMin-1, sc.XMax+1
	}
	if sc.YMin == sc.YMax {
		sc.YMin, sc.YMax = sc.YMin-1, sc.YMax+1
	}
	return sc
}

// allEqual reports whether numbers, one for each group, are the same for all groups.
func allEqual(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// projected is a workload whose inputs are projected on one direction.
type projected struct {
	drawer
	direction []float64 // direction, of length 1
	all       model.Batch
}

func (p *projected) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	p.drawer.Draw(&p.all, client, n, s)
	b.Resize(p.all.N, 1)
	for i := range p.all.N {
		x := 0.0
		for j, a := range p.direction {
			x += float64(a * float64(p.all.X[i*len(p.direction)+j]))
		}
		b.X[i], b.Y[i] = float32(x), p.all.Y[i]
	}
}

// previewAlong returns a plane for samples with many inputs x ~ N(0, I) and outputs star·x + noise, where stars has the
// weights of each group. The horizontal axis is the part of x along the first group's weights, the vertical axis the
// output; the lines are the groups' mean outputs.
func previewAlong(d drawer, stars [][]float64, floor float64, s *rng.Stream, seed uint64) trace.DataPreview {
	along := slices.Clone(stars[0])
	normalise(along)
	sc := drawPreview(&projected{drawer: d, direction: along}, s, seed)
	for _, star := range stars {
		slope := 0.0
		for j, x := range star {
			slope += float64(x * along[j])
		}
		sc.Truth = append(sc.Truth, trace.Line{Slope: float32(slope)})
	}
	sc.Floor = floor
	sc.Axes = "outputs by inputs along group 1"
	return sc
}
