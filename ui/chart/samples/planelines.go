package samples

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The lines of models in the plane.

// drawModels draws the lane's models as lines. An unused model does not learn; it is thin, faded
// and marked.
func (d *Plane) drawModels(l *scene.List, v *chart.View, lane *trace.Lane, f *trace.Frame, s planeScale,
	box chart.Box) {
	d.ends, d.names = d.ends[:0], d.names[:0]
	d.existing = d.first.Existing(d.existing, v, lane.Models, v.Round)
	few := len(d.existing) <= scene.Clusters && float32(len(d.existing))*(layout.Normal+2) <= box.H-20
	d.count = trace.Resize(d.count, lane.Models)
	clear(d.count)
	for _, k := range f.Label {
		if int(k) < lane.Models {
			d.count[k]++
		}
	}
	for pass := range 2 { // used models on top
		for _, k := range d.existing {
			if used := d.count[k] > 0; used != (pass == 1) {
				continue
			}
			slope, offset, ok := lineOf(v, f, k)
			if !ok {
				continue
			}
			pen := scene.Pen{Colour: v.Colour(k), Width: 3}
			switch {
			case pass == 0:
				pen.Width = 1
				l.Fade(0.5)
			case !few:
				pen.Width = 1.5
				l.Fade(0.7)
			}
			x0, y0 := s.at(s.sc.XMin, slope*s.sc.XMin+offset)
			x1, y1 := s.at(s.sc.XMax, slope*s.sc.XMax+offset)
			cx0, cy0, cx1, cy1, seen := s.clip(x0, y0, x1, y1)
			if seen {
				l.Line(pen, cx0, cy0, cx1, cy1)
				d.drawn = append(d.drawn, [4]float32{cx0, cy0, cx1, cy1})
				y1 = cy1
			}
			l.Fade(1)
			if few && chart.Finite(y1) {
				d.ends, d.names = append(d.ends, min(max(y1, s.Y0), s.Y1)), append(d.names, k)
			}
		}
	}
	d.order = trace.Resize(d.order, len(d.ends))
	layout.Spread(d.ends, d.order, layout.Normal+2, 10, box.H-10)
	font := scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Centre, Colour: scene.Ink}
	for j, k := range d.names {
		if d.count[k] > 0 {
			l.Text(s.X1+6, d.ends[j], font, v.Letter(k))
		} else {
			d.drawUnused(l, v.Letter(k), d.ends[j], box)
		}
	}
}

// drawUnused labels a model without clients; the text reaches into the plot, on a background of
// its own.
func (d *Plane) drawUnused(l *scene.List, letter string, y float32, box chart.Box) {
	text := say.Textf("%s, unused", letter)
	right, w := box.W-4, scene.TextWidth(text, layout.Small, false)
	l.Fade(0.8)
	l.Rect(right-w, y-7, w+2, 14, scene.Paper, scene.Pen{})
	l.Fade(1)
	l.Text(right, y, scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre,
		Colour: scene.Quiet}, text)
	d.labels.Reserve(layout.Rect(right-w, y-8, right, y+8))
}

// lineOf returns model k of a frame as a line; ok is false if it is none in the plane of the
// data.
func lineOf(v *chart.View, f *trace.Frame, k int) (slope, offset float32, ok bool) {
	size := v.LaneHeader().FrameParams
	if v.Run.Header.DataPreview.Axes != "" || size < 1 || size > 2 || len(f.Models) < (k+1)*size {
		return 0, 0, false
	}
	if slope = f.Models[k*size]; size == 2 {
		offset = f.Models[k*size+1]
	}
	return slope, offset, chart.Finite(slope) && chart.Finite(offset)
}
