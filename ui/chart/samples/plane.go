package samples

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Kinds are the figures of this package, in the order of their tabs.
var Kinds = []chart.Kind{planeKind, galleryKind}

var planeKind = chart.Kind{Name: "data", Title: "Data", Of: chart.OfData,
	Shows: func(v *chart.View) bool { return !v.Pictures() },
	New:   func() chart.Figure { return new(Plane) }}

// Plane shows a regression in the plane: samples by group, the true lines dashed, and the models
// of the lane as lines in their colours. If the true lines form a fan, a handle at the end of the
// first drags the angle.
type Plane struct {
	Angle string // the text beside the handle, such as "Δφ 20°"

	ends     []float32 // y of the end of each labelled model's line
	names    []int     // the model of each end
	order    []int
	fan      []float32
	drawn    [][4]float32  // the lines of models in this drawing
	labels   layout.Labels // texts over the plot
	count    []int         // clients of each model
	existing []int         // models that exist

	first chart.FirstRounds
}

const (
	handleRadius = 9
	margin       = 22 // right of the plot, for the letters
)

// planeScale maps the data's box to the figure, with a scale for each axis.
type planeScale struct {
	layout.Area
	sc *trace.DataPreview
}

func (d *Plane) scale(v *chart.View, box chart.Box) planeScale {
	return planeScale{layout.Rect(10, 10, box.W-margin, box.H-10), &v.Run.Header.DataPreview}
}

func (s planeScale) at(x, y float32) (px, py float32) {
	return s.X0 + (s.X1-s.X0)*(x-s.sc.XMin)/(s.sc.XMax-s.sc.XMin),
		s.Y1 - (s.Y1-s.Y0)*(y-s.sc.YMin)/(s.sc.YMax-s.sc.YMin)
}

func (s planeScale) invert(px, py float32) (x, y float32) {
	return s.sc.XMin + (px-s.X0)/(s.X1-s.X0)*(s.sc.XMax-s.sc.XMin),
		s.sc.YMin + (s.Y1-py)/(s.Y1-s.Y0)*(s.sc.YMax-s.sc.YMin)
}

// AxisTitles returns the titles of the axes.
func (d *Plane) AxisTitles(*chart.View) (x, y string) { return "Input", "Output" }

// Draw draws the plane into box.
func (d *Plane) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	if v.Run == nil || len(v.Run.Header.DataPreview.Points) == 0 {
		return
	}
	d.drawn = d.drawn[:0]
	d.labels.Reset()
	s := d.scale(v, box)
	l.Clip(s.X0, s.Y0, s.X1-s.X0, s.Y1-s.Y0)
	d.drawTruth(l, s)
	l.Unclip()
	d.drawPoints(l, hits, v, s)
	d.drawPinned(l, v, s)
	if lane, f := v.LaneHeader(), v.Frame(); lane != nil && f != nil {
		d.drawModels(l, v, lane, f, s, box)
	}
	if s.sc.Fan && len(s.sc.Truth) > 1 && v.ShowsHints() {
		d.drawHandle(l, hits, s)
	}
}

// drawTruth draws the true lines, and shades the fan between them, in which lines have length 1.
func (d *Plane) drawTruth(l *scene.List, s planeScale) {
	d.fan = d.fan[:0]
	pen := scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Dashed}
	for _, t := range s.sc.Truth {
		x := s.sc.XMax
		if s.sc.Fan {
			x = min(tipX(t), x)
			if len(d.fan) == 0 {
				px, py := s.at(0, 0)
				d.fan = append(d.fan, px, py)
			}
			px, py := s.at(x, t.Slope*x)
			d.fan = append(d.fan, px, py)
		}
	}
	l.Fade(0.35)
	l.Polygon(scene.Line, scene.Pen{}, d.fan...)
	l.Fade(1)
	for _, t := range s.sc.Truth {
		from, to := s.sc.XMin, s.sc.XMax
		if s.sc.Fan {
			from, to = 0, min(tipX(t), to)
		}
		x0, y0 := s.at(from, t.Slope*from+t.Offset)
		x1, y1 := s.at(to, t.Slope*to+t.Offset)
		if x0, y0, x1, y1, ok := s.clip(x0, y0, x1, y1); ok {
			l.Line(pen, x0, y0, x1, y1)
		}
	}
}

// tipX returns the x at which a line of a fan has length 1: cos φ.
func tipX(t trace.Line) float32 { return float32(1 / math.Hypot(1, float64(t.Slope))) }

// clip cuts a line at the edges of the plot.
func (a planeScale) clip(x0, y0, x1, y1 float32) (cx0, cy0, cx1, cy1 float32, ok bool) {
	from, to := float32(0), float32(1)
	for _, side := range [...][2]float32{{x0 - a.X0, x1 - x0}, {a.X1 - x0, x0 - x1}, {y0 - a.Y0, y1 - y0},
		{a.Y1 - y0, y0 - y1}} {
		// side[0] + t·side[1] must not be negative.
		switch at := -side[0] / side[1]; {
		case side[1] > 0:
			from = max(from, at)
		case side[1] < 0:
			to = min(to, at)
		case side[0] < 0:
			return 0, 0, 0, 0, false
		}
	}
	return x0 + from*(x1-x0), y0 + from*(y1-y0), x0 + to*(x1-x0), y0 + to*(y1-y0), from < to
}

// drawPoints draws the samples in the shape of their group, and those of the client in focus, else of the followed one,
// in ink. While clients probe models, sticks lead from these to the line of the client's model.
func (d *Plane) drawPoints(l *scene.List, hits *chart.Hits, v *chart.View, s planeScale) {
	const r = 2.5
	pale := false
	for shape := range scene.Shape(scene.Shapes + 1) {
		for _, p := range s.sc.Points {
			if v.Shape(int(p.Client)) != shape {
				continue
			}
			x, y := s.at(p.X, p.Y)
			if x < s.X0 || x > s.X1 || y < s.Y0 || y > s.Y1 {
				continue
			}
			pale = v.FadeDimmed(l, int(p.Client), pale)
			l.Mark(shape, x, y, r, scene.Unassigned, scene.Pen{})
			hits.Add(x, y, r, int(p.Client))
		}
	}
	if pale {
		l.Fade(1)
	}
	client := v.Focus()
	if client < 0 && !v.Export.On {
		client = v.Followed
	}
	for _, p := range s.sc.Points {
		if int(p.Client) == client || int(p.Client) == v.Selected {
			d.drawStick(l, v, s, p)
			if x, y := s.at(p.X, p.Y); x >= s.X0 && x <= s.X1 && y >= s.Y0 && y <= s.Y1 {
				l.Mark(v.Shape(int(p.Client)), x, y, r+2, scene.Ink, scene.Pen{Colour: scene.Paper, Width: 1})
			}
		}
	}
}

// drawStick draws the error of a client's model on one of its samples, in the phase in which clients compute their
// losses.
func (d *Plane) drawStick(l *scene.List, v *chart.View, s planeScale, p trace.Point) {
	if v.Detail == nil || v.Detail.Phase != registry.Probe {
		return
	}
	k := chart.ModelOf(&v.Detail.Frame, int(p.Client))
	slope, offset, ok := lineOf(v, &v.Detail.Frame, k)
	if !ok {
		return
	}
	x0, y0 := s.at(p.X, p.Y)
	x1, y1 := s.at(p.X, slope*p.X+offset)
	if x0, y0, x1, y1, seen := s.clip(x0, y0, x1, y1); seen {
		l.Line(scene.Pen{Colour: v.Colour(k), Width: 1.5}, x0, y0, x1, y1)
	}
}

// drawHandle draws the ring that drags the angle, with the angle beside it.
func (d *Plane) drawHandle(l *scene.List, hits *chart.Hits, s planeScale) {
	x, y := d.handlePosition(s)
	l.Mark(scene.Circle, x, y, handleRadius, scene.Paper, scene.Pen{Colour: scene.Ink, Width: 2})
	hits.Add(x, y, handleRadius, chart.Handle)
	if d.Angle == "" {
		return
	}
	w := scene.TextWidth(d.Angle, layout.Normal, true)
	left := min(max(x-handleRadius-6-w, s.X0), s.X1-w)
	best, space := y, float32(-1)
	for _, step := range [...]float32{-20, 24, -36, 40, -52} {
		at := y + step
		if at < s.Y0+9 || at > s.Y1-9 {
			continue
		}
		// A clearance of ten pixels is enough: then the nearest place is used.
		if !d.labels.Free(layout.Rect(left, at-8, left+w, at+8)) {
			continue
		}
		if air := min(d.clearance(left, left+w, at), 10); air > space {
			best, space = at, air
		}
	}
	if space < 0 {
		return
	}
	l.Fade(0.8)
	l.Rect(left-2, best-8, w+4, 16, scene.Paper, scene.Pen{})
	l.Fade(1)
	l.Text(left, best, scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Centre, Colour: scene.Ink}, d.Angle)
}

// clearance returns the distance of height y from the lines of models between two x.
func (d *Plane) clearance(x0, x1, y float32) float32 {
	least := float32(math.Inf(1))
	for _, l := range d.drawn {
		slope := (l[3] - l[1]) / max(l[2]-l[0], 1e-3)
		a, b := l[1]+slope*(x0-l[0])-y, l[1]+slope*(x1-l[0])-y
		if a*b < 0 {
			return 0
		}
		least = min(least, float32(math.Abs(float64(a))), float32(math.Abs(float64(b))))
	}
	return least
}

// handlePosition returns the end of the first true line, within the plot.
func (d *Plane) handlePosition(s planeScale) (x, y float32) {
	t := s.sc.Truth[0]
	x, y = s.at(tipX(t), t.Slope*tipX(t))
	return min(max(x, s.X0+handleRadius), s.X1-handleRadius), min(max(y, s.Y0+handleRadius), s.Y1-handleRadius)
}

// AngleAt returns the angle above the axis, in degrees and not negative, that the first true line
// has after its handle is dragged to (x, y). The caller limits it to the setting's range.
func (d *Plane) AngleAt(v *chart.View, box chart.Box, x, y float32) float64 {
	if v.Run == nil {
		return 0
	}
	dx, dy := d.scale(v, box).invert(x, y)
	return max(math.Atan2(float64(dy), max(float64(dx), 1e-6))*180/math.Pi, 0)
}
