package stage

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/layout"
)

// What the server sees of the clients: places on a map where it compares them, and other pictures where it does not.

// drawView draws the server's view of the clients, and the caption below it.
func (s *Stage) drawView(l *scene.List, hits *chart.Hits) {
	if s.family == places {
		s.drawMap(l, hits)
	} else {
		s.drawMarks(l, hits)
	}
	if share := s.faded(); share > 0 {
		l.Fade(share)
		l.Rect(s.area.X0-4, s.area.Y0-3, s.area.X1-s.area.X0+8, s.area.Y1-s.area.Y0+5, scene.Panel, scene.Pen{})
		l.Fade(1)
	}
	if s.caption > 0 && s.phase != broadcast && s.phase != update { // wires cross it
		s.drawCaption(l)
	}
}

// faded is the share by which the view is faded, in phases that do not concern it.
func (s *Stage) faded() float32 {
	switch s.phase {
	case broadcast:
		return 0.86 * s.progress(broadcast, 0, 0.3)
	case probe:
		return 0.86
	case embed:
		if s.skipped {
			return 0.95
		}
	case update:
		return 0.6 * s.progress(update, 0, 0.4)
	}
	return 0
}

// drawMap draws the map of the clients.
func (s *Stage) drawMap(l *scene.List, hits *chart.Hits) {
	air := 0.7 * s.dot // for hulls
	area := layout.Rect(s.area.X0+air, s.area.Y0+air, s.area.X1-air, s.area.Y1-air)
	in := clientmap.Inset{Area: area, Radius: s.dot, Text: s.size, Label: s.f.Label, Hulls: 1,
		Trail: s.phase == rest && len(s.home) <= 24}
	s.view = *s.v
	if s.phase != rest {
		// The view is that of the round's end or start: what moves in between is drawn here.
		s.detail = *s.v.Detail
		s.detail.PlaceProgress = 1
		s.view.Detail, s.view.Back = &s.detail, 0
		if s.detail.Frame.XY = s.now.XY; s.phase < embed || s.phase == embed && s.skipped {
			s.detail.Frame.XY = nil
			if s.before != nil {
				s.detail.Frame.XY, s.detail.Frame.Round = s.before.XY, s.before.Round
			}
			in.Hulls = 0
		}
		in.Extra = s.now.Alone
		switch s.phase {
		case embed:
			in.Wide, in.Hulls = 1, 0
		case cluster:
			in.Wide = 1 - s.progress(cluster, 0, 0.45)
			if in.Hulls, in.Plain, in.Label = s.progress(cluster, 0.45, 0.95), true, s.labels(true); s.skipped {
				in.Hulls, in.Plain, in.Label = 1, false, s.f.Label
			}
		case match, update:
			in.Label = s.labels(true)
		}
	}
	v := &s.view
	if s.skipped || s.phase < embed {
		v.Followed = -1
	}
	if !s.Map.DrawBelow(l, v, &in) {
		if s.phase == rest || s.phase > embed {
			s.say(l, (s.area.X0+s.area.X1)/2, (s.area.Y0+s.area.Y1)/2,
				layout.Fit(say.Text("Nothing compared yet."), s.size, s.area.X1-s.area.X0), scene.Middle, false, scene.Quiet)
		}
		return
	}
	if s.flying() {
		return // drawFlights draws the marks
	}
	if s.phase == match && !s.skipped {
		s.drawEdges(l)
	}
	s.Map.DrawMarks(l, hits, v, s.area, s.dot)
	if f := s.followed(); f >= 0 && f != s.v.Selected && (s.phase == rest || s.phase >= cluster) {
		x, y := s.Map.Position(f)
		s.ring(l, x, y)
	}
}

// flying reports whether marks move to their places on the map.
func (s *Stage) flying() bool {
	return !s.skipped && (s.family == places && s.phase == embed || s.family == columns && s.phase == cluster)
}

// ring marks the followed client.
func (s *Stage) ring(l *scene.List, x, y float32) {
	l.Mark(scene.Circle, x, y, s.dot*1.75, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5 * s.scale})
}

// followed returns the followed client, −1 for none.
func (s *Stage) followed() int {
	if f := s.v.Followed; f >= 0 && f < len(s.home) {
		return f
	}
	return -1
}

// drawEdges joins each model with the topmost client of its cluster.
func (s *Stage) drawEdges(l *scene.List) {
	if s.wide || s.bare {
		return
	}
	label := s.labels(true)
	for _, k := range s.models {
		found, x, top := false, float32(0), s.area.Y1
		for i := range label {
			if int(label[i]) == k {
				if px, py := s.Map.Position(i); !found || py < top {
					found, x, top = true, px, py
				}
			}
		}
		if !found {
			continue
		}
		a := s.chip(k)
		top = max(top-1.75*s.dot, a.Y1+2)
		e := s.progress(match, 0, 0.6)
		s.curve(l, s.pen(s.v.Colour(k), 4), x, top, mix(x, (a.X0+a.X1)/2, e), mix(top, a.Y1, e))
	}
}

// sortLooks sorts clients so that equal marks follow each other.
func (s *Stage) sortLooks() {
	s.looks = trace.Resize(s.looks, s.v.Run.Header.Clients)
	for i := range s.looks {
		key := (s.v.AliasOf(s.match.Given(s.f, i))+1)&63<<4 | int(s.v.Shape(i))
		if s.misplaced(i) {
			key |= 1 << 10
		}
		s.looks[i] = key<<16 | i
	}
	slices.Sort(s.looks)
}

// drawMarks draws the marks of a view that is not a map.
func (s *Stage) drawMarks(l *scene.List, hits *chart.Hits) {
	start := s.phase != rest && s.phase < s.settles() || s.skipped && s.phase <= s.settles()
	f := s.now
	if start {
		f = s.before
	}
	n := s.v.Run.Header.Clients
	s.at, s.from = trace.Resize(s.at, n), trace.Resize(s.from, n)
	s.placeMarks(s.at, f)
	if back := s.v.Back; back > 0 && s.phase == rest && s.before != nil {
		s.placeMarks(s.from, s.before)
		for i, from := range s.from {
			if from.ok && s.at[i].ok {
				s.at[i].x, s.at[i].y = mix(s.at[i].x, from.x, back), mix(s.at[i].y, from.y, back)
			}
		}
	}
	s.drawGround(l, f)
	if s.flying() {
		return
	}
	was := false
	for _, look := range s.looks {
		i := look & 0xFFFF
		if at := s.at[i]; at.ok {
			was = s.v.FadeDimmed(l, i, was)
			s.drawMark(l, i, at.x, at.y, s.dot)
		}
	}
	if was {
		l.Fade(1)
	}
	for i, at := range s.at {
		if at.ok {
			hits.Add(at.x, at.y, s.dot, i)
		}
	}
	s.drawRings(l)
}

// drawRings marks the followed and the selected client, and the one under the pointer.
func (s *Stage) drawRings(l *scene.List) {
	for _, i := range [...]int{s.followed(), s.v.Selected, s.v.Hover} {
		if i >= 0 && i < len(s.at) && s.at[i].ok && !(s.phase != rest && s.phase <= probe) {
			s.ring(l, s.at[i].x, s.at[i].y)
		}
	}
}

// settles is the phase in which the marks of a view that is not a map take their places of the round.
func (s *Stage) settles() int {
	switch s.family {
	case columns:
		return cluster
	case mixtures:
		return match
	}
	return embed
}

// placeMarks computes where marks are after a frame.
func (s *Stage) placeMarks(dst []place, f *trace.Frame) {
	clear(dst)
	if f == nil || f.Round == 0 && s.family != mixtures {
		return
	}
	switch s.family {
	case columns:
		s.placeColumns(dst, f)
	case heights:
		s.placeHeights(dst, f)
	case mixtures:
		s.placeMixtures(dst, f)
	}
}

// drawGround draws what is below the marks.
func (s *Stage) drawGround(l *scene.List, f *trace.Frame) {
	switch s.family {
	case columns:
		s.drawColumns(l)
	case heights:
		s.drawHeights(l)
	case mixtures:
		s.drawMixtures(l, f)
	}
}

// drawCaption says below the view how to read it.
func (s *Stage) drawCaption(l *scene.List) {
	x := s.captionStart()
	if s.family == columns && s.leads() {
		a := layout.Rect(x-1.9*s.size, s.caption-s.size/2, x-0.4*s.size, s.caption+s.size/2)
		s.hatch(l, a)
		round(l, a, 3, scene.Nothing, scene.Pen{Colour: scene.Line, Width: 1})
	}
	s.say(l, x, s.caption, s.texts.left, scene.Start, false, scene.Quiet)
	s.say(l, s.area.X1-4*s.scale, s.caption, s.texts.right, scene.End, false, scene.Quiet)
}

// captionStart is where the caption begins.
func (s *Stage) captionStart() float32 {
	x := s.area.X0 + 4*s.scale
	if s.family == columns && s.leads() {
		x += 1.9 * s.size // a sample of the hatching
	}
	return x
}

// captions says how to read the view.
func (s *Stage) captions() (left, right string) {
	switch {
	case s.family == places:
		return s.mapCaption()
	case s.family == heights:
		return s.heightCaption()
	case s.family == columns && s.leads():
		return say.Text("toss-up: lead smaller than its noise"), say.Text("higher = surer")
	case s.family == columns:
		return say.Text("column: the model of a client"), ""
	case s.corners():
		return say.Text("nearer to a letter: larger weight of the model"), ""
	}
	return say.Text("a client’s weights of the models"), ""
}

// texts are what a drawing says, kept until something else is said, since it is said in every frame of a motion.
type texts struct {
	of                   textKey
	server, job          string
	left, right, traffic string
}

// textKey is what texts depend on.
type textKey struct {
	now                     *trace.Frame
	phase                   int
	skipped, late           bool
	sends                   string
	similar                 string
	language                string // a translated text stands for it
	right, bottom           float32
	lecture, compact, hints bool
}

// findTexts makes the texts anew if they have changed.
func (s *Stage) findTexts() {
	key := textKey{s.now, s.phase, s.skipped, s.part > 0.5, "", s.Map.Similar, say.Text("Server"), s.right, s.bottom,
		s.Lecture, s.compact, s.caption > 0}
	if s.v.Detail != nil {
		key.sends = s.v.Detail.Sends
	}
	if key == s.texts.of {
		return
	}
	s.texts = texts{of: key, server: key.language}
	t := &s.texts
	t.job = layout.Fit(s.job(), s.size, s.right-2*s.pad-s.width(t.server, true)-8*s.scale)
	t.traffic = s.traffic(s.right - 24*s.scale)
	t.left, t.right = s.captions()
	room := s.area.X1 - 4*s.scale - s.captionStart()
	if s.width(t.left, false)+s.width(t.right, false)+12*s.scale > room {
		t.right = ""
	}
	t.left = layout.Fit(t.left, s.size, room)
}

// mapCaption says how to read a map.
func (s *Stage) mapCaption() (left, right string) {
	if len(s.now.XY) == 0 {
		return "", ""
	}
	if s.phase == embed && !s.skipped && len(s.now.Alone) > 0 && s.part > 0.5 {
		return say.Text("small: this reply alone · large: with all before"), ""
	}
	left = say.Text("near = similar losses")
	if s.lane.Map == trace.GradientPlane {
		left = say.Textf("near = similar %s", s.similar())
	}
	switch {
	case s.lane.Map == trace.GradientPlane && slices.ContainsFunc(s.models, func(k int) bool {
		_, _, _, _, pulls := clientmap.Pull(s.v, s.f, k)
		return pulls
	}):
		right = say.Text("arrow: what liars do to the mean")
	case s.lane.Map == trace.LossPair:
	case s.lane.Map == trace.LossTriangle && s.lane.Border:
		right = say.Text("towards a letter: smaller loss")
	case s.now.Kept < 0.995 && s.now.Kept > 0:
		right = say.Textf("keeps %d%% of the spread", int(100*s.now.Kept+0.5))
	default:
		right = say.Text("axes have no unit")
	}
	return left, right
}
