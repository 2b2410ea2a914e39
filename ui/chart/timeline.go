package chart

import (
	"fmt"
	"math"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var _ = register(Kind{Name: "timeline", Title: "Timeline", Of: Apart, New: func() Figure { return new(Timeline) }})

// Timeline is the strip under the scrubber: small ticks where the lane's
// server clustered anew, taller ones where some client moved, a flag where the
// clustering stays right, a bolt where the lane diverged.
type Timeline struct {
	// Inset is how far the first and the last round stand from the edges, in
	// CSS pixels: half the thumb of the scrubber above.
	Inset float32

	events []trace.Events // by slot of a few pixels
}

// lasting is the share of the run, one in so many rounds, that a clustering must
// have stayed right for a flag: being right by luck in the last round is no
// achievement.
const lasting = 20

// Lasting reports whether the clustering of a run of so many rounds was right
// long enough before its end to be called right from there on.
func Lasting(s *trace.Summary, rounds int) bool {
	return s.Settled >= 0 && s.Settled <= rounds-rounds/lasting
}

// slot is the least distance of two ticks in CSS pixels.
const slot = 3

func (t *Timeline) x(v *View, box Box, round int) float32 {
	return t.Inset + (box.W-2*t.Inset)*float32(round)/float32(max(v.Run.Header.Rounds, 1))
}

// RoundAt returns the round at x, within the run.
func (t *Timeline) RoundAt(v *View, box Box, x float32) int {
	if v.Run == nil {
		return 0
	}
	rounds := float64(v.Run.Header.Rounds)
	at := math.Round(float64((x-t.Inset)/(box.W-2*t.Inset)) * rounds)
	return int(min(max(at, 0), rounds))
}

// Draw draws the strip into box; it wants to be about 28 px high.
func (t *Timeline) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	if v.lane() == nil {
		return
	}
	frames := v.Run.Tracks[v.Lane].Frames
	y := box.H - 2 // the ticks grow down to here
	base := y - 9
	from, to := t.x(v, box, 0), t.x(v, box, v.Run.Header.Rounds)
	l.Line(scene.Pen{Colour: scene.Line, Width: 2}, from, base, to, base)
	if len(frames) > 1 {
		l.Line(scene.Pen{Colour: scene.Unassigned, Width: 2}, from, base, t.x(v, box, len(frames)-1), base)
	}
	t.ticks(l, v, box, frames, base)
	now := t.x(v, box, min(max(v.Round, 0), v.Run.Header.Rounds))
	l.Line(scene.Pen{Colour: scene.Ink, Width: 2}, now, base-3, now, y)
	if s := v.summary(); s != nil {
		if Lasting(s, v.Run.Header.Rounds) {
			t.flag(l, v, box, s.Settled, base)
		}
		if s.Diverged >= 0 {
			t.bolt(l, v, box, s.Diverged, base)
		}
	}
}

// ticks gathers events in slots, so that thousands of rounds stay ticks.
func (t *Timeline) ticks(l *scene.List, v *View, box Box, frames []trace.Frame, base float32) {
	slots := int((box.W-2*t.Inset)/slot) + 1
	t.events = grow(t.events, slots)
	clear(t.events)
	crowded := v.Run.Header.Rounds >= slots
	for i := range frames {
		if e := frames[i].Events; e != 0 && crowded {
			t.events[min(int((t.x(v, box, i)-t.Inset)/slot), slots-1)] |= e
		} else if e != 0 {
			t.tick(l, t.x(v, box, i), base, e)
		}
	}
	for i, e := range t.events {
		if e != 0 {
			t.tick(l, min(t.Inset+(float32(i)+0.5)*slot, box.W-t.Inset), base, e)
		}
	}
}

func (t *Timeline) tick(l *scene.List, x, base float32, e trace.Events) {
	switch {
	case e.Has(trace.Moved):
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, x, base+1, x, base+9)
	case e.Has(trace.Reclustered):
		l.Line(scene.Pen{Colour: scene.Unassigned, Width: 1}, x, base+1, x, base+5)
	}
}

// flag marks the round from which the clustering stays right: not the first
// right one, since right can be lost again.
func (t *Timeline) flag(l *scene.List, v *View, box Box, round int, base float32) {
	x := min(t.x(v, box, round), box.W-10)
	top := max(base-14, 1)
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1.5}, x, base, x, top)
	l.Polygon(scene.Ink, scene.Pen{}, x, top, x+9, top+4, x, top+8)
	t.note(l, v, box, x, top+5, "right from here on")
}

func (t *Timeline) bolt(l *scene.List, v *View, box Box, round int, base float32) {
	x, top := min(max(t.x(v, box, round), 6), box.W-6), max(base-14, 1)
	l.Polygon(scene.Ink, scene.Pen{}, x+2, top, x-4, top+8, x-0.5, top+8, x-2, top+14, x+4, top+6, x+0.5, top+6)
	t.note(l, v, box, x, top+5, "diverged")
}

// note sets words beside a sign, on the side where they fit.
func (t *Timeline) note(l *scene.List, v *View, box Box, x, y float32, text string) {
	w := scene.TextWidth(text, small, false)
	font := scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}
	switch {
	case v.Compact || box.H < 26:
	case x+14+w < box.W-2:
		l.Text(x+13, y, font, text)
	case x-8-w > 2:
		font.Anchor = scene.End
		l.Text(x-8, y, font, text)
	}
}

// Describe counts the events so far and says when the clustering settled.
func (t *Timeline) Describe(v *View) string {
	lane := v.lane()
	if lane == nil || v.frame() == nil {
		return "Timeline: nothing computed yet."
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
	text := fmt.Sprintf("Timeline of %s, %d of %d rounds: clustered anew in %s, clients moved in %s",
		lane.Title, len(frames)-1, v.Run.Header.Rounds, Count(clustered, "round"), Count(moved, "round"))
	s := v.summary()
	switch {
	case s == nil:
		text += "; still running"
	case s.Diverged >= 0:
		text += fmt.Sprintf("; diverged in round %d", s.Diverged)
	case s.Settled >= 0:
		text += fmt.Sprintf("; right from round %d on", s.Settled)
	case v.Run.Header.HasTruth():
		text += "; never right for good"
	}
	return text + "."
}

// Table lists the rounds in which something happened, the newest hundred.
func (t *Timeline) Table(v *View) (head []string, rows [][]string) {
	head = []string{"round", "event"}
	if v.lane() == nil {
		return head, nil
	}
	for i := range v.Run.Tracks[v.Lane].Frames {
		var words []string
		for _, e := range [...]struct {
			event trace.Events
			name  string
		}{{trace.Reclustered, "clustered anew"}, {trace.Moved, "clients moved"}, {trace.Frozen, "stopped clustering"}, {trace.Diverged, "diverged"}} {
			if v.Run.Tracks[v.Lane].Frames[i].Events.Has(e.event) {
				words = append(words, e.name)
			}
		}
		if len(words) > 0 {
			rows = append(rows, []string{strconv.Itoa(i), list(words)})
		}
	}
	return head, rows[max(len(rows)-100, 0):]
}
