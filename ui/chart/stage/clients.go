package stage

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The clients below the network: their marks, what they reply, and their own samples.

// evidence is what is drawn of a client's reply.
type evidence uint8

const (
	noEvidence evidence = iota
	losses              // a bar for each model
	weights             // a bar for each model
	direction           // where its reply alone lies on the map, from the centre
	arrow               // how its update moves the end of its line
	bars                // the first numbers of its update, up and down
	size                // the length of its update
)

// mostBars is the most numbers of a reply that are drawn as bars.
const mostBars = 4

// evidenceKind returns what is drawn of replies in the shown round.
func (s *Stage) evidenceKind() evidence {
	n := s.v.Run.Header.Clients
	pulls := s.lane.Pulls()
	hasPull := n > 0 && len(s.now.Pull) >= n*pulls
	byLoss := s.lane.Border || s.lane.Map != trace.NoMap && s.lane.Map != trace.GradientPlane
	switch {
	case s.now.Round == 0:
		return noEvidence
	case s.family == mixtures && s.corners() && len(s.now.Mixture) >= n*s.lane.Models:
		return weights
	case byLoss && s.lane.Columns > 1 && s.lane.Columns <= mostChips && len(s.now.Losses) >= n*s.lane.Columns:
		return losses
	case s.family == places && s.lane.Map == trace.GradientPlane && s.phase != update && len(s.now.XY) >= 2*n &&
		s.now.Events.Has(trace.Reclustered):
		return direction
	case hasPull && s.lines && pulls == s.lane.FrameParams:
		return arrow
	case hasPull && pulls > 1:
		return bars
	case hasPull:
		return size
	}
	return noEvidence
}

// hasSamples reports whether there are samples of clients to show.
func (s *Stage) hasSamples() bool {
	p := &s.v.Run.Header.DataPreview
	return p.Gallery.HasImages() || len(p.Points) > 0
}

// drawStatic draws what mostly is as in the round before, and in all frames of a motion: the clients' samples, or marks
// where clients are too many for samples.
func (s *Stage) drawStatic(l *scene.List) {
	switch {
	case s.rows < 0:
	case s.thumb > 0:
		s.drawSamples(l)
	case s.marksStatic():
		s.drawHomes(l)
	}
}

// marksStatic reports whether the marks of clients at home are drawn before all else. Wires are below them.
func (s *Stage) marksStatic() bool { return s.thumb <= 0 && s.phase != broadcast && s.phase != update }

// drawClients draws the clients at home, over what drawStatic has drawn.
func (s *Stage) drawClients(l *scene.List, hits *chart.Hits) {
	if s.rows < 0 {
		return
	}
	if s.thumb > 0 {
		s.drawFits(l)
	}
	if s.evidence > 0 {
		s.drawEvidence(l)
	}
	if !s.marksStatic() {
		s.drawHomes(l)
	}
	for i, h := range s.home {
		hits.Add(h.x, h.y, s.mark, i)
		if s.thumb > 0 {
			hits.Add(h.x, s.thumbTop(i)+s.thumb/2, s.thumb/2, i)
		}
	}
	if f := s.followed(); f >= 0 {
		s.drawFrame(l, f, 1.6)
	}
	for _, i := range [...]int{s.v.Selected, s.v.Hover} {
		if i >= 0 && i < len(s.home) && i != s.followed() {
			s.drawFrame(l, i, 1)
		}
	}
}

// drawHomes draws the marks of the clients at home.
func (s *Stage) drawHomes(l *scene.List) {
	was, faint := false, false
	for _, absent := range [...]bool{true, false} {
		for _, look := range s.looks {
			i := look & 0xFFFF
			if s.asked(i) == absent {
				continue
			}
			if absent && !faint {
				l.Fade(0.3)
				faint = true
			} else if !absent {
				if faint {
					l.Fade(1)
					faint = false
				}
				was = s.v.FadeDimmed(l, i, was)
			}
			s.drawMark(l, i, s.home[i].x, s.home[i].y, s.mark)
		}
	}
	if was || faint {
		l.Fade(1)
	}
}

// drawFrame draws a frame around a client with all that it has.
func (s *Stage) drawFrame(l *scene.List, client int, width float32) {
	h := s.home[client]
	w, air := s.cell/2-1, 3.5*s.scale
	if s.compact {
		air = 2
	}
	foot := h.y + s.mark + air
	if s.rows > 0 {
		foot = h.y - s.mark + s.rowHeight - air/2
	} else {
		w = s.mark + air
	}
	round(l, layout.Rect(h.x-w, h.y-s.mark-air, h.x+w, min(foot, s.bottom-1)), 5*s.scale, scene.Nothing,
		s.pen(scene.Ink, width))
}

// evidenceTop is the upper edge of a client's reply, thumbTop that of its samples.
func (s *Stage) evidenceTop(client int) float32 {
	if s.compact {
		return s.home[client].y + s.mark + 3
	}
	return s.home[client].y + s.mark + 5*s.scale
}

func (s *Stage) thumbTop(client int) float32 {
	y := s.evidenceTop(client)
	if s.evidence > 0 {
		y += s.evidence + 5*s.scale
	}
	return y
}

// drawEvidence draws the replies. They grow in Probe, and are faint when they have been used.
func (s *Stage) drawEvidence(l *scene.List) {
	strong := float32(1)
	if s.phase == match || s.phase == update || s.phase == cluster && s.family != columns {
		strong = 0.4
	}
	if s.phase == broadcast {
		return
	}
	switch kind := s.evidenceKind(); kind {
	case noEvidence:
	case direction, arrow:
		s.drawArrows(l, kind, strong)
	default:
		s.drawBars(l, kind, strong)
	}
	l.Fade(1)
}

// grown is how much of a client's reply is there.
func (s *Stage) grown(client int) float32 {
	return s.progress(probe, 0.3*s.late(client), 0.3*s.late(client)+0.6)
}

// value returns the number that a client's bar j stands for, 0 if it is none.
func (s *Stage) value(kind evidence, i, j int) (v float32) {
	switch kind {
	case losses:
		v = max(s.now.Losses[i*s.lane.Columns+s.models[j]], 0)
	case weights:
		v = s.weight(s.now, i, s.models[j])
	case bars:
		v = s.now.Pull[i*s.lane.Pulls()+j]
	case size:
		v = s.measured(s.now, length, i)
	}
	if !chart.Finite(v) || !s.replied(i) {
		return 0
	}
	return v
}

// drawBars draws some bars for each client: its losses or weights by model, with a triangle below the least loss, the
// first numbers of its update, up and down, or its length.
func (s *Stage) drawBars(l *scene.List, kind evidence, strong float32) {
	n, foot, high := len(s.models), float32(1), s.evidence-1
	switch {
	case kind == size:
		n = 1
	case kind == bars:
		n, foot, high = min(s.lane.Pulls(), mostBars), s.evidence/2, s.evidence/2-2
	case kind == losses && !s.compact:
		foot = 6 * s.scale
		high -= foot
	}
	most := float32(1e-12)
	for i := range s.home {
		for j := range n {
			most = max(most, abs(s.value(kind, i, j)))
		}
	}
	step := min((s.cell-7)/float32(n), 9.2*s.scale)
	if s.compact {
		step = min(step, 4)
	}
	for pass := range 2 { // the least losses are strong where clients choose by them
		if l.Fade(strong * 0.42); pass == 1 || s.family != columns {
			l.Fade(strong)
		}
		for j := range n {
			for i, h := range s.home {
				if (kind != losses || s.least(i) == s.models[j]) != (pass == 1) {
					continue
				}
				colour := s.colour(i)
				if kind == bars {
					colour = scene.Quiet
				} else if kind != size {
					colour = s.v.Colour(s.models[j])
				}
				x, y := h.x+(float32(j)-float32(n-1)/2)*step, s.evidenceTop(i)+s.evidence-foot
				s.bar(l, x, y, 0.86*step, s.value(kind, i, j)/most*high*s.grown(i), colour)
				if kind == losses && pass == 1 && !s.compact && s.replied(i) && s.grown(i) > 0.9 {
					l.Mark(scene.TriangleUp, x, y+foot/2+s.scale, 2.6*s.scale, scene.Ink, scene.Pen{})
				}
			}
		}
	}
}

// least returns the existing model with a client's least loss, −1 if it has none.
func (s *Stage) least(client int) int {
	best, least := -1, float32(0)
	for _, k := range s.models {
		if v := s.now.Losses[client*s.lane.Columns+k]; chart.Finite(v) && (best < 0 || v < least) {
			best, least = k, v
		}
	}
	return best
}

// vector returns what a client's arrow stands for: how far its update moves the end of its line, or how far its newest
// reply alone lies on the map from the point (x, y).
func (s *Stage) vector(kind evidence, client int, x, y float32) (dx, dy float32) {
	if kind == arrow {
		return 0, -s.measured(s.now, pull, client)
	}
	at := s.now.XY
	if len(s.now.Alone) >= len(at) {
		at = s.now.Alone
	}
	return s.Map.Direction(at[2*client]-x, at[2*client+1]-y)
}

// drawArrows draws an arrow for each client. Those on the map begin at its centre, so that clients with similar replies
// have similar arrows, and have the colour of the common model while that is compared.
func (s *Stage) drawArrows(l *scene.List, kind evidence, strong float32) {
	var x, y, n float32
	if kind == direction {
		for i := range s.home {
			if px, py := s.now.XY[2*i], s.now.XY[2*i+1]; chart.Finite(px) && chart.Finite(py) {
				x, y, n = x+px, y+py, n+1
			}
		}
		x, y = x/max(n, 1), y/max(n, 1)
	}
	most := float32(1e-12)
	for i := range s.home {
		dx, dy := s.vector(kind, i, x, y)
		if d := sqrt(dx*dx + dy*dy); chart.Finite(d) && s.replied(i) {
			most = max(most, d)
		}
	}
	reach := min(s.evidence/2, s.cell/2) - 1
	l.Fade(strong)
	for _, look := range s.looks {
		i := look & 0xFFFF
		dx, dy := s.vector(kind, i, x, y)
		if d := sqrt(dx*dx + dy*dy); !chart.Finite(d) || d > most || !s.replied(i) {
			continue
		}
		grown := reach * s.grown(i) / most
		dx, dy = dx*grown, dy*grown
		px, py := s.home[i].x, s.evidenceTop(i)+s.evidence/2
		colour := s.colour(i)
		if kind == arrow {
			w := s.cell * 0.28
			l.Line(scene.Pen{Colour: scene.Line, Width: 1}, px-w, py, px+w, py)
		} else {
			if d := s.v.Detail; d != nil && d.Common >= 0 && s.phase <= cluster {
				colour = s.v.Colour(d.Common)
			}
			px, py, dx, dy = px-dx, py-dy, 2*dx, 2*dy
		}
		s.arrow(l, px, py, dx, dy, colour)
	}
}

// arrow draws an arrow from (x, y) by (dx, dy).
func (s *Stage) arrow(l *scene.List, x, y, dx, dy float32, colour scene.Colour) {
	long, head := sqrt(dx*dx+dy*dy), min(6*s.scale, s.evidence/5)
	if long < 0.5 {
		return
	}
	ux, uy := dx/long, dy/long
	if long > head { // else the line alone
		bx, by := x+ux*(long-head), y+uy*(long-head)
		l.Polygon(colour, scene.Pen{}, x+dx, y+dy, bx-uy*head*0.55, by+ux*head*0.55, bx+uy*head*0.55, by-ux*head*0.55)
		dx, dy = ux*(long-head/2), uy*(long-head/2)
	}
	l.Line(s.pen(colour, 2.2), x, y, x+dx, y+dy)
}

// drawSamples draws the clients' own samples: an image, or points.
func (s *Stage) drawSamples(l *scene.List) {
	p := &s.v.Run.Header.DataPreview
	t := s.thumb
	images := p.Gallery.HasImages()
	for i, h := range s.home {
		y := s.thumbTop(i)
		a := layout.Rect(h.x-t/2, y, h.x+t/2, y+t)
		round(l, a, 3*s.scale, scene.Paper, scene.Pen{Colour: scene.Line, Width: 1})
		if images && (i+1)*p.Gallery.Each*p.Gallery.Size() <= len(p.Gallery.Pixels) {
			g := &p.Gallery
			tile := t - 4
			if g.Width < g.Height {
				tile *= float32(g.Width) / float32(g.Height)
			}
			chart.DrawSamples(l, g, i, 1, layout.Floor(h.x-tile/2), layout.Floor(y+2), layout.Floor(tile))
		}
	}
	if !s.hasPlane() {
		return
	}
	for _, q := range p.Points {
		if i := int(q.Client); i >= 0 && i < len(s.home) {
			x := s.home[i].x - t/2 + 3 + (t-6)*(q.X-p.XMin)/(p.XMax-p.XMin)
			y := s.thumbTop(i) + t - 3 - (t-6)*min(max((q.Y-p.YMin)/(p.YMax-p.YMin), 0), 1)
			l.Mark(scene.Circle, x, y, 1.3*s.scale, scene.Quiet, scene.Pen{})
		}
	}
}

// hasPlane reports whether samples are points of a plane.
func (s *Stage) hasPlane() bool {
	p := &s.v.Run.Header.DataPreview
	return !p.Gallery.HasImages() && p.YMax > p.YMin && p.XMax > p.XMin
}

// drawFits draws over the samples of each client the line of its model, and while it probes, those of the models that it
// probes.
func (s *Stage) drawFits(l *scene.List) {
	if !s.hasPlane() || !s.lines || !s.hasParameters() {
		return
	}
	p, t := &s.v.Run.Header.DataPreview, s.thumb
	data := span{p.YMin, p.YMax}
	all := s.phase == probe && !s.skipped && !chart.OwnModels(s.lane)
	for _, k := range s.models {
		if all && s.v.Detail.Common >= 0 && s.v.Detail.Common != k {
			continue // only the common model is probed
		}
		for i, h := range s.home {
			if all && (s.evidenceKind() == losses || s.v.Detail.Common == k) || chart.ModelOf(s.f, i) == k {
				y := s.thumbTop(i)
				s.drawLine(l, k, layout.Rect(h.x-t/2+3, y+3, h.x+t/2-3, y+t-3), data, s.pen(s.v.Colour(k), 1.8))
			}
		}
	}
}
