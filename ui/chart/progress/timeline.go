package progress

import (
	"math"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var timelineKind = chart.Kind{Name: "timeline", Title: "Timeline", Of: chart.NoTab,
	New: func() chart.Figure { return new(Timeline) }}

// Timeline is the strip below the slider of rounds: small ticks where the lane's server clustered
// again, taller ones where a client moved, forks where clusters split or merged, a check mark
// where the clustering is correct for the first time, a flag from where it stays so, a square
// from where nothing changes, a bolt where the lane diverged.
type Timeline struct {
	// Inset is the distance of the first and the last round from the edges, in CSS pixels: the
	// radius of the slider's thumb.
	Inset float32
	// Hovered is the round whose events are described in a tooltip, if it has any.
	Hovered int

	history History
	ticks   []EventKind // the tallest of each slot of tickSpacing, plus one
	signs   []float32   // by kind: the position of the last sign
}

// lastingShare is the part of the run, one in so many rounds, for which a clustering must stay
// correct to get a flag: the last round alone may be luck.
const lastingShare = 20

// StaysCorrect reports whether the clustering of a run of so many rounds stayed correct for long
// enough before its end.
func StaysCorrect(s *trace.Summary, rounds int) bool {
	return s.Settled >= 0 && s.Settled <= rounds-rounds/lastingShare
}

// tickSpacing is the smallest distance of two ticks in CSS pixels.
const tickSpacing = 3

func (t *Timeline) x(v *chart.View, box chart.Box, round int) float32 {
	return t.Inset + (box.W-2*t.Inset)*float32(round)/float32(max(v.Run.Header.Rounds, 1))
}

// RoundAt returns the round at x, within the run.
func (t *Timeline) RoundAt(v *chart.View, box chart.Box, x float32) int {
	if v.Run == nil {
		return 0
	}
	rounds := float64(v.Run.Header.Rounds)
	at := math.Round(float64((x-t.Inset)/(box.W-2*t.Inset)) * rounds)
	return int(min(max(at, 0), rounds))
}

// Draw draws the strip into box, which should be about 28 px high.
func (t *Timeline) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	if v.LaneHeader() == nil {
		return
	}
	frames := v.Run.Tracks[v.Lane].Frames
	y := box.H - 2 // the lower end of the ticks
	base := y - 9
	from, to := t.x(v, box, 0), t.x(v, box, v.Run.Header.Rounds)
	l.Line(scene.Pen{Colour: scene.Line, Width: 2}, from, base, to, base)
	if len(frames) > 1 {
		l.Line(scene.Pen{Colour: scene.Unassigned, Width: 2}, from, base, t.x(v, box, len(frames)-1), base)
	}
	all := t.history.Of(v)
	t.drawTicks(l, v, box, all, base)
	now := t.x(v, box, min(max(v.Round, 0), v.Run.Header.Rounds))
	l.Line(scene.Pen{Colour: scene.Ink, Width: 2}, now, base-1, now, y)
	told := t.drawTooltip(l, v, box, all)
	t.drawSigns(l, v, box, all, base, told)
}

// EventAt returns the nearest round with an event within a few pixels of x; false if there is
// none.
func (t *Timeline) EventAt(v *chart.View, box chart.Box, x float32) (round int, ok bool) {
	const reach = 6
	least := float32(reach)
	for _, h := range t.history.Of(v) {
		if d := float32(math.Abs(float64(t.x(v, box, h.Round) - x))); d < least {
			round, least, ok = h.Round, d, true
		}
	}
	return round, ok
}

// drawTicks draws one tick per slot if there are more rounds than slots.
func (t *Timeline) drawTicks(l *scene.List, v *chart.View, box chart.Box, all []Event, base float32) {
	slots := int((box.W-2*t.Inset)/tickSpacing) + 1
	t.ticks = trace.Resize(t.ticks, slots)
	clear(t.ticks)
	crowded := v.Run.Header.Rounds >= slots
	for i := range all {
		h := &all[i]
		if h.Kind > Moved {
			continue
		}
		x := t.x(v, box, h.Round)
		if crowded {
			at := &t.ticks[min(int((x-t.Inset)/tickSpacing), slots-1)]
			*at = max(*at, h.Kind+1)
		} else {
			t.drawTick(l, x, base, h.Kind)
		}
	}
	for i, what := range t.ticks {
		if what > 0 {
			t.drawTick(l, min(t.Inset+(float32(i)+0.5)*tickSpacing, box.W-t.Inset), base, what-1)
		}
	}
}

func (t *Timeline) drawTick(l *scene.List, x, base float32, what EventKind) {
	if what == Moved {
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, x, base+1, x, base+9)
	} else {
		l.Line(scene.Pen{Colour: scene.Unassigned, Width: 1}, x, base+1, x, base+5)
	}
}

// drawSigns draws the rarer events above the line. Signs of one kind keep a distance; told means
// that there is a tooltip.
func (t *Timeline) drawSigns(l *scene.List, v *chart.View, box chart.Box, all []Event, base float32, told bool) {
	const apart = 10
	t.signs = trace.Resize(t.signs, int(Diverged)+1)
	for i := range t.signs {
		t.signs[i] = -apart
	}
	pen := scene.Pen{Colour: scene.Quiet, Width: 1.5}
	for i := range all {
		h := &all[i]
		x := t.x(v, box, h.Round)
		if h.Kind <= Moved || x < t.signs[h.Kind]+apart {
			continue
		}
		t.signs[h.Kind] = x
		switch h.Kind {
		case Stopped:
			l.Line(scene.Pen{Colour: scene.Quiet, Width: 2.5}, x, base-5, x, base+5)
		case Split:
			l.Line(pen, x-4, base-10, x, base-5, x, base)
			l.Line(pen, x+4, base-10, x, base-5)
		case Merged:
			l.Line(pen, x-4, base, x, base-5, x, base-10)
			l.Line(pen, x+4, base, x, base-5)
		case FirstCorrect:
			l.Line(pen, x-4, base-6, x-1, base-3, x+4, base-9)
		case Correct:
			t.drawFlag(l, v, box, h.Round, base, told)
		case Converged:
			l.Rect(min(x-3, box.W-8), base+2, 6, 6, scene.Quiet, scene.Pen{})
		case Diverged:
			t.drawBolt(l, v, box, h.Round, base, told)
		}
	}
}

// drawTooltip writes the events of the round under the pointer, in the upper part.
func (t *Timeline) drawTooltip(l *scene.List, v *chart.View, box chart.Box, all []Event) bool {
	text := DescribeEvents(v, all, t.Hovered)
	if text == "" || box.H < 26 {
		return false
	}
	text = say.Textf("round %d: %s", t.Hovered, text)
	w := scene.TextWidth(text, layout.Small, false)
	x := min(max(t.x(v, box, t.Hovered)-w/2, 4), max(4, box.W-w-4))
	// Beside the slider's thumb, which covers the upper part.
	if now, rim := t.x(v, box, v.Round), t.Inset+6; x < now+rim && x+w > now-rim {
		if x = now + rim; x+w > box.W-4 {
			x = now - rim - w
		}
	}
	l.Rect(x-4, 0, w+8, 15, scene.Paper, scene.Pen{Colour: scene.Line, Width: 1})
	l.Text(x, 8, scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Ink}, text)
	return true
}

// DescribeEvents describes the events of a round, "" if there are none.
func DescribeEvents(v *chart.View, all []Event, round int) string {
	var words []string
	for i := range all {
		if all[i].Round == round {
			words = append(words, all[i].Words(v))
		}
	}
	return say.List(words)
}

// drawFlag marks the round from which the clustering stays correct, which may be later than the
// first correct one.
func (t *Timeline) drawFlag(l *scene.List, v *chart.View, box chart.Box, round int, base float32, told bool) {
	x := min(t.x(v, box, round), box.W-10)
	top := max(base-14, 1)
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1.5}, x, base, x, top)
	l.Polygon(scene.Ink, scene.Pen{}, x, top, x+9, top+4, x, top+8)
	if !told {
		t.drawNote(l, v, box, x, base, say.Textf("%s: all correct from round %d on", v.Title(v.Lane), round))
	}
}

func (t *Timeline) drawBolt(l *scene.List, v *chart.View, box chart.Box, round int, base float32, told bool) {
	x, top := min(max(t.x(v, box, round), 6), box.W-6), max(base-14, 1)
	l.Polygon(scene.Ink, scene.Pen{}, x+2, top, x-4, top+8, x-0.5, top+8, x-2, top+14, x+4, top+6, x+0.5, top+6)
	if !told {
		t.drawNote(l, v, box, x, base, say.Text("diverged"))
	}
}

// drawNote writes a text beside a sign, on a side where it fits beside the slider's thumb, which
// covers the upper half of the strip, and the cursor.
func (t *Timeline) drawNote(l *scene.List, v *chart.View, box chart.Box, x, base float32, text string) {
	if v.Compact || box.H < 26 {
		return
	}
	w := scene.TextWidth(text, layout.Small, false)
	now, rim := t.x(v, box, v.Round), t.Inset+4
	for _, from := range []float32{x + 13, x - 8 - w, now + rim} {
		beside := from >= now+rim || from+w <= now-rim
		if beside && from > 2 && from+w < box.W-2 {
			l.Text(from, base-7.25, scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}, text)
			return
		}
	}
}

// Describe counts the events so far and says from when the clustering is correct.
func (t *Timeline) Describe(v *chart.View) string {
	if v.LaneHeader() == nil || v.Frame() == nil {
		return say.Text("Timeline: nothing computed yet.")
	}
	frames := v.Run.Tracks[v.Lane].Frames
	clustered, moved := 0, 0
	for i := range frames {
		if frames[i].Events.Has(trace.Reclustered) {
			clustered++
		}
		if frames[i].Events.Has(trace.Moved) {
			moved++
		}
	}
	parts := []string{say.Textf("clustered in %s, clients moved in %s", say.Count(clustered, "round"),
		say.Count(moved, "round"))}
	s := v.Summary()
	switch {
	case s == nil:
		parts = append(parts, say.Text("still running"))
	case s.Diverged >= 0:
		parts = append(parts, say.Textf("diverged in round %d", s.Diverged))
	case s.Settled >= 0:
		parts = append(parts, say.Textf("correct from round %d on", s.Settled))
	case v.Run.Header.HasTruth():
		parts = append(parts, say.Text("not correct at the end"))
	}
	return say.Textf("Timeline of %s, %d of %d rounds: %s.", v.Title(v.Lane), len(frames)-1, v.Run.Header.Rounds,
		say.Join(parts, "; "))
}

// Table lists the rounds with events, the newest hundred.
func (t *Timeline) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"round", "event"}
	if v.LaneHeader() == nil {
		return head, nil
	}
	for all := t.history.Of(v); len(all) > 0; {
		n := 1
		for n < len(all) && all[n].Round == all[0].Round {
			n++
		}
		round := all[0].Round
		rows = append(rows, []string{strconv.Itoa(round), DescribeEvents(v, all[:n], round)})
		all = all[n:]
	}
	return head, rows[max(len(rows)-100, 0):]
}
