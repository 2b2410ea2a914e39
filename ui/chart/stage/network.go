package stage

import (
	"math"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The network between the server and the clients: what crosses it, and messages on their way.

// mostWires is the most clients with wires of their own; of more clients some have one.
const mostWires = 60

// drawNetwork draws the line, what has crossed it, and messages on their way.
func (s *Stage) drawNetwork(l *scene.List) {
	if s.rows < 0 {
		return
	}
	pen := scene.Pen{Colour: scene.Unassigned, Width: 1.5 * s.scale, Dash: scene.Dotted}
	inset := max(1, pen.Width/2)
	l.Line(pen, inset, s.net, s.right-inset, s.net)
	if s.phase == broadcast && !s.skipped {
		s.drawWires(l, false)
	}
	if s.phase == update && !s.skipped {
		s.drawWires(l, true)
	}
	if s.compact {
		return
	}
	text := s.texts.traffic
	if text == "" {
		return
	}
	bold := s.phase != rest
	half, high := min(s.width(text, bold)/2+11*s.scale, s.right/2-1), 0.85*s.size
	round(l, layout.Rect(s.right/2-half, s.net-high, s.right/2+half, s.net+high), high, scene.Paper,
		scene.Pen{Colour: scene.Line, Width: 1})
	colour := scene.Quiet
	if bold {
		colour = scene.Ink
	}
	s.say(l, s.right/2, s.net, text, scene.Middle, bold, colour)
}

// traffic says what crosses the network in a phase, or has crossed it by the end of a round.
func (s *Stage) traffic(room float32) string {
	if s.phase != rest {
		text := s.v.Detail.Sends
		if s.skipped || text == "" {
			return say.Text("nothing is sent")
		}
		return layout.Fit(text, s.size, room/1.1)
	}
	down, up := s.now.Down, s.now.Up
	if !(down >= 0 && up >= 0 && down < 1e15 && up < 1e15) {
		return ""
	}
	if down == 0 && up == 0 {
		if s.now.Round > 0 {
			return say.Text("nothing is sent")
		}
		return say.Text("nothing is sent yet")
	}
	text := say.Textf("sent so far, per client: %s numbers down, %s up", count(down), count(up))
	if products := s.now.Computed; products > 0 && products < 1e15 {
		longer := say.Textf("so far, per client: %s numbers down, %s up, %s multiply-adds", count(down), count(up), count(products))
		if s.width(longer, false) <= room {
			return longer
		}
	}
	if s.width(text, false) > room {
		text = say.Textf("per client: %s down, %s up", count(down), count(up))
	}
	return layout.Fit(text, s.size, room)
}

// count writes a number of numbers: 69, 12 300, 4.4 million.
func count(v float64) string {
	v = math.Round(v)
	switch {
	case v >= 999_500:
		return say.Textf("%s million", strconv.FormatFloat(v/1e6, 'f', 1, 64))
	case v >= 10_000:
		return strconv.Itoa(int(v)/1000) + " " + strconv.Itoa(int(v)%1000 + 1000)[1:]
	}
	return strconv.Itoa(int(v))
}

// drawWires draws the way of each message, and the messages as dots: models to the clients, or replies to the server.
func (s *Stage) drawWires(l *scene.List, up bool) {
	d := s.v.Detail
	own := s.labels(up && d.AllModels) // without all models, a client trains the one that it was sent
	stride := (len(s.order)-1)/mostWires + 1
	most := len(s.models)
	if s.wide || chart.OwnModels(s.lane) {
		most = 1
	}
	for pass := range 2 {
		l.Fade(1)
		if pass == 0 {
			l.Fade(0.55)
			if !up {
				l.Fade(0.55 * s.progress(broadcast, 0, 0.2))
			}
		}
		for n, k := range s.models {
			if n >= most {
				break
			}
			for j := 0; j < len(s.order); j += stride {
				i := s.order[j]
				if !s.carries(i, k, own, up) {
					continue
				}
				s.drawWire(l, i, k, float32(j)/float32(len(s.order)), up, pass == 1, d.Common == k && i < len(own) &&
					int(own[i]) != k)
			}
		}
	}
	l.Fade(1)
}

// carries reports whether a message about model k goes to or comes from a client.
func (s *Stage) carries(client, k int, own []uint16, up bool) bool {
	switch {
	case !s.asked(client) || up && !s.replied(client):
		return false
	case s.wide || chart.OwnModels(s.lane):
		return true // one wire for the client's own model
	case s.family == mixtures:
		return true
	case client < len(own) && int(own[client]) == k:
		return true
	}
	return !up && (s.v.Detail.AllModels || s.v.Detail.Common == k)
}

// drawWire draws the way of a message between a model and a client, or the message as a dot. late is by how much of
// the motion it starts later than the first.
func (s *Stage) drawWire(l *scene.List, client, k int, late float32, up, dot, common bool) {
	a, home := s.chip(k), s.home[client]
	colour := s.v.Colour(k)
	if s.wide {
		colour = s.colour(client)
	}
	shift := float32(0)
	if n := len(s.models); n > 1 && s.v.Detail.AllModels && !s.wide && !up {
		shift = (float32(s.chipOf[k]) - float32(n-1)/2) * min(7*s.scale, s.cell*0.6/float32(n))
	}
	x0, y0, x1, y1 := (a.X0+a.X1)/2, a.Y1, home.x+shift, home.y-s.mark-6*s.scale
	if s.compact || s.rows != 1 {
		y1 = home.y - s.mark - 2*s.scale
	}
	if !dot {
		pen := s.pen(colour, 1.3)
		if common {
			pen.Dash = scene.Dashed
		}
		s.curve(l, pen, x0, y0, x1, y1)
		return
	}
	var t float32
	if up {
		if t = 1 - ease((s.part-0.2*late)/0.5); t <= 0 {
			return // it has arrived
		}
	} else {
		t = ease((s.part - 0.25*late) / 0.7)
	}
	x, y := along(t, x0, y0, x1, y1)
	l.Mark(scene.Circle, x, y, s.pen(colour, 3.6).Width, colour, scene.Pen{})
}

// along returns a point of the curve from (x0, y0) to (x1, y1), which is vertical at both ends.
func along(t, x0, y0, x1, y1 float32) (x, y float32) {
	middle, u := (y0+y1)/2, 1-t
	a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return (a+b)*x0 + (c+d)*x1, a*y0 + (b+c)*middle + d*y1
}

// curve draws the curve of along.
func (s *Stage) curve(l *scene.List, pen scene.Pen, x0, y0, x1, y1 float32) {
	const steps = 14
	var path [2 * (steps + 1)]float32
	for i := range steps + 1 {
		path[2*i], path[2*i+1] = along(float32(i)/steps, x0, y0, x1, y1)
	}
	l.Line(pen, path[:]...)
}

// drawFlights draws marks on their way from the clients into the server's view.
func (s *Stage) drawFlights(l *scene.List, hits *chart.Hits) {
	if !s.flying() || s.rows < 0 {
		return
	}
	switch s.family {
	case places:
		s.drawEmbedding(l, hits)
	case columns:
		was := false
		for _, look := range s.looks {
			i := look & 0xFFFF
			if at := s.at[i]; at.ok {
				e := s.progress(cluster, 0.3*s.late(i), 0.3*s.late(i)+0.65)
				x, y := mix(s.home[i].x, at.x, e), mix(s.home[i].y, at.y, e)
				was = s.v.FadeDimmed(l, i, was)
				hollow := s.misplaced(i) && e > 0.8
				chart.DrawClient(l, s.v, i, s.match.Given(s.f, i), hollow, x, y, mix(s.mark, s.dot, e))
				hits.Add(x, y, s.dot, i)
			}
		}
		if was {
			l.Fade(1)
		}
		if s.part >= 1 {
			s.drawRings(l)
		}
	}
}

// late returns by how much a client starts later than the first, from 0 to 1.
func (s *Stage) late(client int) float32 {
	return min(max((s.home[client].x-s.pad)/max(s.right-2*s.pad, 1), 0), 1)
}

// drawEmbedding draws how replies become places on the map: each flies up to where it would be alone, if that is
// known, and is then moved to its place by the mean of all replies before.
func (s *Stage) drawEmbedding(l *scene.List, hits *chart.Hits) {
	if len(s.now.XY) < 2*len(s.home) {
		return
	}
	alone := len(s.now.Alone) >= 2*len(s.home)
	until := float32(0.85)
	if alone {
		until = 0.33
	}
	settle := s.progress(embed, 0.5, 0.95)
	if alone && settle > 0 { // where they were alone, below all marks
		for pass := range 2 {
			if l.Fade(0.6); pass == 1 {
				l.Fade(0.45)
			}
			for _, look := range s.looks {
				i := look & 0xFFFF
				lx, ly, ok := s.Map.Project(s.now.Alone[2*i], s.now.Alone[2*i+1])
				if !ok || !s.replied(i) {
					continue
				}
				k := s.match.Given(s.f, i)
				if pass == 1 {
					chart.DrawClient(l, s.v, i, k, false, lx, ly, s.dot/2)
				} else {
					x, y := s.Map.Position(i)
					l.Line(s.pen(s.v.Colour(k), 1), lx, ly, mix(lx, x, settle), mix(ly, y, settle))
				}
			}
		}
		l.Fade(1)
	}
	was := false
	for _, look := range s.looks {
		i := look & 0xFFFF
		if !s.match.Participated(i) {
			continue
		}
		x, y := s.Map.Position(i)
		r := s.dot
		if s.replied(i) { // the others stay where they were
			lx, ly := x, y
			if alone {
				if px, py, ok := s.Map.Project(s.now.Alone[2*i], s.now.Alone[2*i+1]); ok {
					lx, ly = px, py
				}
			}
			rise := s.progress(embed, 0.12*s.late(i), 0.12*s.late(i)+until)
			x = mix(mix(s.home[i].x, lx, rise), x, settle)
			y = mix(mix(s.home[i].y, ly, rise), y, settle)
			r = mix(s.mark, r, rise)
		}
		was = s.v.FadeDimmed(l, i, was)
		s.drawMark(l, i, x, y, r)
		hits.Add(x, y, r, i)
	}
	if was {
		l.Fade(1)
	}
	if f := s.followed(); f >= 0 && s.part >= 1 {
		x, y := s.Map.Position(f)
		s.ring(l, x, y)
	}
}
