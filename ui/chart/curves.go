package chart

import (
	"math"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var _ = register(Kind{Name: "curves", Title: "Curves", Of: OfLanes, New: func() Figure { return new(Curves) }})

// Curves shows one metric over the rounds, for all lanes. Hue means models,
// so lanes differ by dash pattern and by the name at the end of their curve.
type Curves struct {
	Metric  Metric
	Peeking bool // the pointer is over the curves:
	Peek    int  // the values of this round are shown instead of the current one's

	sort   []float32
	points []float32
	ends   []float32
	lanes  []int
	order  []int
	words  []byte
}

// Draw draws the curves into box.
func (c *Curves) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	if v.Run == nil {
		return
	}
	s := c.scale(v, box)
	c.axes(l, v, &s, box)
	c.drawPinned(l, v, &s)
	for i := range v.Run.Tracks {
		if !c.Metric.has(v, i) {
			continue
		}
		c.curve(l, v.Run.Tracks[i].Frames, &s, pen(i), v.Evaluated())
	}
	c.names(l, v, &s, box)
	l.Stay() // hundreds of dashes take longer to paint than all other figures
	c.scrub(l, v, &s, box)
}

// pen is how lane i is drawn in every chart that tells lanes apart.
func pen(i int) scene.Pen {
	if i == 0 {
		return scene.Pen{Colour: scene.Ink, Width: 2}
	}
	return scene.Pen{Colour: scene.Quiet, Width: 1.5, Dash: scene.Dash(i % 4)}
}

// curve draws one lane. Where rounds are closer than half a pixel, each pixel
// shows the least and the greatest value of its rounds. Trials far apart are
// dotted: between them nobody looked.
func (c *Curves) curve(l *scene.List, frames []trace.Frame, s *curveScale, pen scene.Pen, tries bool) {
	c.points = c.points[:0]
	if float32(s.rounds) <= 2*(s.x1-s.x0) {
		whole := true
		for t := range frames {
			if f := &frames[t]; c.Metric.known(f, tries) {
				c.points = append(c.points, s.x(t), s.y(c.Metric.Of(f)))
			} else {
				whole = false
			}
		}
		l.Line(pen, c.points...)
		if n := len(c.points); !whole && n > 0 && (c.points[n-2]-c.points[0])/float32(n/2) > 5 {
			for i := 0; i < n; i += 2 {
				l.Mark(scene.Circle, c.points[i], c.points[i+1], 2, pen.Colour, scene.Pen{})
			}
		}
		return
	}
	for t := 0; t < len(frames); {
		x := float32(math.Floor(float64(s.x(t))))
		top, bottom := s.y1, s.y0
		first, last, some := float32(0), float32(0), false
		for ; t < len(frames) && s.x(t) < x+1; t++ {
			if !c.Metric.known(&frames[t], tries) {
				continue
			}
			last = s.y(c.Metric.Of(&frames[t]))
			if !some {
				first, some = last, true
			}
			top, bottom = min(top, last), max(bottom, last)
		}
		if !some {
			continue
		}
		c.points = append(c.points, x+0.5, first)
		if bottom > top {
			c.points = append(c.points, x+0.5, top, x+0.5, bottom, x+0.5, last)
		}
	}
	l.Line(pen, c.points...)
}

// names writes each lane's name at the end of its curve.
func (c *Curves) names(l *scene.List, v *View, s *curveScale, box Box) {
	c.ends, c.lanes = c.ends[:0], c.lanes[:0]
	for i := range v.Run.Tracks {
		if n := len(v.Run.Tracks[i].Frames); n > 0 && c.Metric.has(v, i) {
			c.ends, c.lanes = append(c.ends, s.y(c.Metric.at(v, i, n-1))), append(c.lanes, i)
		}
	}
	c.order = trace.Resize(c.order, len(c.ends))
	lowest := s.y1 - 4
	if lowest-8 < lineHeight*float32(len(c.ends)-1) {
		lowest = box.H - 8
	}
	spread(c.ends, c.order, lineHeight, 8, lowest)
	for j, i := range c.lanes {
		font := scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Ink, Bold: false}
		l.Text(s.x1+8, c.ends[j], font, fitting(v.Run.Header.Lanes[i].Title, small, s.name))
	}
}

// round returns the round whose values are shown.
func (c *Curves) round(v *View) int {
	round := v.Round
	if c.Peeking {
		round = c.Peek
	}
	return min(max(round, 0), v.Run.Header.Rounds)
}

// scrub draws a line at the current round, one at the round under the
// pointer, and the values of the latter.
func (c *Curves) scrub(l *scene.List, v *View, s *curveScale, box Box) {
	round := c.round(v)
	x := s.x(round)
	if now := s.x(min(max(v.Round, 0), s.rounds)); now != x {
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, now, s.y0-4, now, s.y1)
	}
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x, s.y0-4, x, s.y1)
	c.words = strconv.AppendInt(c.words[:0], int64(round), 10)
	w := scene.TextWidth(c.words, small, true)
	l.TextBytes(min(max(x, w/2+2), box.W-w/2-2), s.y1+2,
		scene.Font{Size: small, Bold: true, Anchor: scene.Middle, Baseline: scene.Top, Colour: scene.Ink}, c.words)

	c.ends, c.lanes = c.ends[:0], c.lanes[:0]
	for i := range v.Run.Tracks {
		if round < len(v.Run.Tracks[i].Frames) && c.Metric.has(v, i) {
			y := s.y(c.Metric.at(v, i, round))
			l.Mark(scene.Circle, x, y, 3, scene.Ink, scene.Pen{Colour: scene.Paper, Width: 1})
			c.ends, c.lanes = append(c.ends, y), append(c.lanes, i)
		}
	}
	c.order = trace.Resize(c.order, len(c.ends))
	spread(c.ends, c.order, lineHeight, s.y0, max(s.y1-6, s.y0))
	for j, i := range c.lanes {
		c.words = c.words[:0]
		if c.Peeking && len(c.lanes) > 1 { // who asks wants to know whose value it is
			c.words = append(append(c.words, v.Run.Header.Lanes[i].Title...), ' ')
		}
		c.words = c.Metric.append(c.words, c.Metric.at(v, i, round))
		w := scene.TextWidth(c.words, small, true)
		left := x + 6
		if left+w+3 > s.x1 {
			left = max(x-6-w, 2)
		}
		l.Fade(0.8)
		l.Rect(left-2, c.ends[j]-7, w+4, 14, scene.Paper, scene.Pen{})
		l.Fade(1)
		l.TextBytes(left, c.ends[j], scene.Font{Size: small, Bold: true, Baseline: scene.Centre, Colour: scene.Ink},
			c.words)
	}
}
