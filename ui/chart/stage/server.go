package stage

import (
	"cmp"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The server: its zone, its title, and its models with their clients.

// drawServer draws the zone and its title.
func (s *Stage) drawServer(l *scene.List) {
	corner := 12 * s.scale
	if s.compact {
		corner = 8
	}
	l.Fade(0.7) // all colours of models stand out from it
	round(l, s.zone, corner, scene.Panel, scene.Pen{})
	l.Fade(1)
	round(l, s.zone, corner, scene.Nothing, scene.Pen{Colour: scene.Line, Width: 1})
	if s.title > 0 {
		x := s.pad + s.width(s.texts.server, true) + 8*s.scale
		s.say(l, s.pad, s.title, s.texts.server, scene.Start, true, scene.Ink)
		s.say(l, x, s.title, s.texts.job, scene.Start, false, scene.Quiet)
	}
}

// job says what the server does.
func (s *Stage) job() string {
	switch {
	case s.family == mixtures:
		return say.Text("weighs the models for each client")
	case s.lane.Border:
		return say.Text("accepts each client’s choice")
	case s.lane.Map == trace.GradientPlane:
		return say.Textf("compares the clients’ %s", s.similar())
	case s.lane.Map != trace.NoMap:
		return say.Text("compares the clients’ losses")
	case chart.OwnModels(s.lane):
		return say.Text("compares nothing")
	case s.lane.Models == 1:
		return say.Text("averages")
	}
	return say.Text("has several models")
}

// similar names what the server compares, on a map that is not of losses.
func (s *Stage) similar() say.Message { return say.Message(cmp.Or(s.Map.Similar, "updates")) }

// drawChips draws each model with its clients, or all models in one chip if they are too many.
func (s *Stage) drawChips(l *scene.List) {
	if s.wide {
		s.drawWideChip(l)
		return
	}
	for _, k := range s.models {
		a := s.chip(k)
		pen := scene.Pen{Colour: scene.Line, Width: 1}
		if d := s.v.Detail; d != nil && d.Common == k && s.phase <= embed && !s.skipped {
			pen = scene.Pen{Colour: s.v.Colour(k), Width: 2.5 * s.scale}
		}
		round(l, a, 7*s.scale, scene.Paper, pen)
		s.drawChip(l, k, a)
	}
}

// largeText is the least size in CSS pixels from which bold text needs no more contrast than marks (WCAG 2.2, 1.4.3).
const largeText = 18.67

// drawChip draws what is in a chip: the model's letter, the model, and below them, or beside them, its clients.
func (s *Stage) drawChip(l *scene.List, k int, a layout.Area) {
	u := s.scale
	letter, size, inset := scene.Ink, float32(layout.Small), float32(4)
	model := layout.Rect(a.X0+17, a.Y0+3, a.X1-4, (a.Y0+a.Y1)/2+1)
	y := (model.Y0 + model.Y1) / 2
	members := layout.Rect(a.X0+5, model.Y1, a.X1-4, a.Y1-1)
	switch {
	case s.flat:
		size, inset = 17*u, 8*u
		y = (a.Y0 + a.Y1) / 2
		x := a.X0 + 28*u + 0.34*(a.X1-a.X0-28*u)
		model = layout.Rect(a.X0+28*u, a.Y0+4*u, x, a.Y1-4*u)
		members = layout.Rect(x+6*u, a.Y0, a.X1-5*u, a.Y1)
	case !s.compact:
		size, inset = 19*u, 9*u
		y = a.Y0 + 16*u
		model = layout.Rect(a.X0+30*u, a.Y0+4*u, a.X1-8*u, a.Y0+30*u)
		members = layout.Rect(a.X0+9*u, a.Y0+31*u, a.X1-8*u, a.Y1-2*u)
	}
	if size >= largeText {
		letter = s.v.Colour(k)
	} else if !s.hasParameters() {
		l.Rect(a.X0+1, a.Y0+5, 2.5*u, a.Y1-a.Y0-10, s.v.Colour(k), scene.Pen{})
	}
	name := s.v.Letter(k)
	if w := scene.TextWidth(name, size, true); w > a.X1-a.X0-2*inset {
		inset = (a.X1 - a.X0 - w) / 2
	} else if x := a.X0 + inset + w + 4*u; x > model.X0 {
		model.X0 = x
	}
	l.Text(a.X0+inset, y, scene.Font{Size: size, Bold: true, Baseline: scene.Centre, Colour: letter}, name)
	if model.X1-model.X0 >= 12*u {
		s.drawModel(l, k, model)
	}
	if members.X1-members.X0 >= 8*u {
		s.drawMembers(l, k, members)
	}
}

// drawModel draws a model as what it is: a line among the true ones, bars of its parameters, or how good it is.
func (s *Stage) drawModel(l *scene.List, k int, a layout.Area) {
	switch {
	case s.lines && s.hasParameters():
		s.drawTruth(l, a)
		s.drawLine(l, k, a, s.modelRange(), s.pen(s.v.Colour(k), 2.6))
	case s.hasParameters():
		s.drawParameters(l, k, a)
	default:
		s.drawQuality(l, k, a)
	}
}

// span is a range of y on a plane of data.
type span struct{ lo, hi float32 }

// modelRange is the range in which models are drawn: that of the true lines, with room.
func (s *Stage) modelRange() span {
	p := &s.v.Run.Header.DataPreview
	out := span{p.YMin, p.YMax}
	if len(p.Truth) > 0 {
		x := max(p.XMax, -p.XMin)
		reach := float32(0)
		for _, t := range p.Truth {
			reach = max(reach, abs(t.Slope*x+t.Offset), abs(t.Slope*p.XMin+t.Offset))
		}
		reach = max(1.15*reach, 0.08*(p.YMax-p.YMin))
		out = span{max(-reach, p.YMin), min(reach, p.YMax)}
	}
	if !(out.hi > out.lo) {
		out = span{out.lo - 1, out.lo + 1}
	}
	return out
}

func abs(v float32) float32 { return max(v, -v) }

// drawTruth draws the true lines.
func (s *Stage) drawTruth(l *scene.List, a layout.Area) {
	for _, t := range s.v.Run.Header.DataPreview.Truth {
		s.drawStraight(l, t.Slope, t.Offset, a, s.modelRange(), scene.Pen{Colour: scene.Unassigned, Width: s.scale,
			Dash: scene.Fine})
	}
}

// ShowsPinned reports whether a pinned run is drawn behind the shown one: on a map with the same axes.
func (s *Stage) ShowsPinned(v *chart.View) bool {
	return s.find(v) && s.family == places && s.Map.ShowsPinned(v)
}

// drawLine draws a model that is a line.
func (s *Stage) drawLine(l *scene.List, k int, a layout.Area, y span, pen scene.Pen) {
	s.drawStraight(l, s.parameter(k, 0), s.parameter(k, 1), a, y, pen)
}

// drawStraight draws a line of the plane of the data as far as it is inside an area.
func (s *Stage) drawStraight(l *scene.List, slope, offset float32, a layout.Area, y span, pen scene.Pen) {
	p := &s.v.Run.Header.DataPreview
	x0, x1 := p.XMin, p.XMax
	at := func(x float32) float32 { return a.Y1 - (a.Y1-a.Y0)*(slope*x+offset-y.lo)/(y.hi-y.lo) }
	ya, yb := at(x0), at(x1)
	if !chart.Finite(ya) || !chart.Finite(yb) {
		return
	}
	// Only as far as it is seen.
	ta, tb := float32(0), float32(1)
	if ya != yb {
		t0, t1 := (a.Y0-ya)/(yb-ya), (a.Y1-ya)/(yb-ya)
		ta, tb = max(ta, min(t0, t1)), min(tb, max(t0, t1))
	} else if ya < a.Y0 || ya > a.Y1 {
		return
	}
	if ta >= tb {
		return
	}
	w := a.X1 - a.X0
	l.Line(pen, a.X0+ta*w, mix(ya, yb, ta), a.X0+tb*w, mix(ya, yb, tb))
}

// drawParameters draws the parameters of a model as bars up and down.
func (s *Stage) drawParameters(l *scene.List, k int, a layout.Area) {
	n := s.lane.FrameParams
	most := float32(1e-9)
	for at := range s.lane.Models * n {
		if v := abs(s.parameter(at/n, at%n)); chart.Finite(v) {
			most = max(most, v)
		}
	}
	step := (a.X1 - a.X0) / float32(n)
	middle, half := (a.Y0+a.Y1)/2, (a.Y1-a.Y0)/2
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, a.X0, middle, a.X1, middle)
	for j := range n {
		s.bar(l, a.X0+(float32(j)+0.5)*step, middle, min(step*0.7, 8*s.scale), s.parameter(k, j)/most*half,
			s.v.Colour(k))
	}
}

// bar draws a bar of a width from y up by a height, which may be negative.
func (s *Stage) bar(l *scene.List, x, y, w, h float32, colour scene.Colour) {
	if !chart.Finite(h) || h == 0 {
		return
	}
	l.Rect(x-w/2, min(y, y-h), w, abs(h), colour, scene.Pen{})
}

// drawQuality writes how good a large model is: the share of right answers to its clients' samples, or their loss.
func (s *Stage) drawQuality(l *scene.List, k int, a layout.Area) {
	e := s.v.LastEvaluation()
	if e == nil {
		e = s.now
	}
	values, each, word, right := e.Losses, s.lane.Columns, "loss", s.v.Classifies() && len(e.Accuracies) > 0
	if right {
		values, each, word = e.Accuracies, 1, "right"
	}
	sum, n := float32(0), 0
	for i := range e.Label {
		at := i * each
		if each > 1 {
			at += k
		}
		if chart.ModelOf(e, i) == k && at < len(values) && chart.Finite(values[at]) {
			sum, n = sum+values[at], n+1
		}
	}
	if n == 0 {
		return
	}
	mean := float64(sum) / float64(n)
	x, y := a.X0, (a.Y0+a.Y1)/2
	word = say.Text(word)
	if right {
		s.text = append(strconv.AppendInt(s.text[:0], int64(100*mean+0.5), 10), '%')
	} else {
		s.text = chart.AppendNumber(s.text[:0], mean)
	}
	w, gap := scene.TextWidth(s.text, s.size, false), 4*s.scale
	if w > a.X1-a.X0 {
		return
	}
	if whole := w + gap + s.width(word, false); whole <= a.X1-a.X0 {
		if right {
			s.say(l, x+w+gap, y, word, scene.Start, false, scene.Quiet)
		} else {
			s.say(l, x, y, word, scene.Start, false, scene.Quiet)
			x += whole - w
		}
	}
	l.TextBytes(x, y, s.font(scene.Start, false, scene.Quiet), s.text)
}

// drawMembers draws the marks of a model's clients in a line, or their number by group if they are too many.
func (s *Stage) drawMembers(l *scene.List, k int, a layout.Area) {
	n := s.members[k]
	y, r := (a.Y0+a.Y1)/2, 4.8*s.scale
	if s.compact {
		r = min(3.7, (a.Y1-a.Y0)/2.8)
	}
	if n == 0 {
		text := say.Text("no client")
		if s.width(text, false) <= a.X1-a.X0 && !s.compact {
			s.say(l, a.X0, y, text, scene.Start, false, scene.Quiet)
		}
		return
	}
	right := a.X1
	if s.phase == match && s.part > 0.6 && !s.skipped && !s.compact && len(s.models) <= 6 {
		right = s.drawKept(l, k, a, float32(n)*2.2*r)
	}
	step := min(2.6*r, (right-a.X0-2*r)/max(float32(n-1), 1))
	if step < 1.5*r {
		s.drawCounts(l, k, layout.Rect(a.X0, a.Y0, right, a.Y1), r)
		return
	}
	x := a.X0 + r
	for _, i := range s.order {
		if s.match.Given(s.f, i) == k {
			s.drawMark(l, i, x, y, r)
			x += step
		}
	}
}

// drawKept writes how many of a model's clients had it before, and returns what is left to the left of the text.
func (s *Stage) drawKept(l *scene.List, k int, a layout.Area, marks float32) float32 {
	had, n := 0, 0
	before, after := s.labels(false), s.labels(true)
	for i, now := range after {
		if int(now) == k && i < len(before) {
			n++
			if int(before[i]) == k {
				had++
			}
		}
	}
	text := say.Textf("%d of %d had it", had, n)
	if w := s.width(text, true); marks+w <= a.X1-a.X0 {
		s.say(l, a.X1, (a.Y0+a.Y1)/2, text, scene.End, true, scene.Ink)
		return a.X1 - w - 6*s.scale
	}
	return a.X1
}

// drawCounts draws one mark of each group with the number of clients of a model, or the number of all if there is no
// room for each.
func (s *Stage) drawCounts(l *scene.List, k int, a layout.Area, r float32) {
	y := (a.Y0 + a.Y1) / 2
	font := scene.Font{Size: max(s.size-s.scale, layout.Small), Baseline: scene.Centre, Colour: scene.Quiet}
	for _, measure := range [...]bool{true, false} {
		x := a.X0 + r
		for at := 0; at < len(s.order); {
			g, count, client := s.v.Group(s.order[at]), 0, -1
			for ; at < len(s.order) && s.v.Group(s.order[at]) == g; at++ {
				if i := s.order[at]; s.match.Given(s.f, i) == k {
					if count++; client < 0 || s.misplaced(i) {
						client = i
					}
				}
			}
			if count == 0 {
				continue
			}
			s.text = strconv.AppendInt(s.text[:0], int64(count), 10)
			if !measure {
				s.drawMark(l, client, x, y, r)
				l.TextBytes(x+r+2, y, font, s.text)
			}
			x += 2*r + scene.TextWidth(s.text, font.Size, false) + 6*s.scale
		}
		if measure && x-r-6*s.scale+2 > a.X1 {
			s.text = strconv.AppendInt(s.text[:0], int64(s.members[k]), 10)
			if font.Anchor = scene.Middle; scene.TextWidth(s.text, font.Size, false) <= a.X1-a.X0 {
				l.TextBytes((a.X0+a.X1)/2, y, font, s.text)
			}
			return
		}
	}
}

// misplaced reports whether a client's mark is hollow.
func (s *Stage) misplaced(client int) bool {
	return s.match.Misplaced(s.v, client, chart.ModelOf(s.f, client))
}

// colour returns the colour of a client's model.
func (s *Stage) colour(client int) scene.Colour { return s.v.Colour(chart.ModelOf(s.f, client)) }

// drawMark draws a client.
func (s *Stage) drawMark(l *scene.List, client int, x, y, r float32) {
	chart.DrawClient(l, s.v, client, s.match.Given(s.f, client), s.misplaced(client), x, y, r)
}

// drawWideChip draws all models in one chip: lines, if they are, and their number.
func (s *Stage) drawWideChip(l *scene.List) {
	a := s.chip(-1)
	round(l, a, 7*s.scale, scene.Paper, scene.Pen{Colour: scene.Line, Width: 1})
	text := say.Textf("%d models", len(s.models))
	if chart.OwnModels(s.lane) {
		text = say.Textf("%d models, one for each client", len(s.models))
	}
	if s.width(text, false) > 0.8*(a.X1-a.X0) {
		text = say.Textf("%d models", len(s.models))
	}
	x := a.X0 + 8*s.scale
	text = layout.Fit(text, s.size, a.X1-x)
	s.say(l, x, (a.Y0+a.Y1)/2, text, scene.Start, false, scene.Quiet)
	x += s.width(text, false) + 10*s.scale
	p := layout.Rect(x, a.Y0+3*s.scale, a.X1-8*s.scale, a.Y1-3*s.scale)
	if s.lines && s.hasParameters() && p.X1-p.X0 > 24 {
		s.drawTruth(l, p)
		for _, k := range s.models {
			s.drawLine(l, k, p, s.modelRange(), scene.Pen{Colour: s.v.Colour(k), Width: 1.2 * s.scale})
		}
	}
}
