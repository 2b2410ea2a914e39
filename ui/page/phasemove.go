package page

import (
	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// With a phase selected, the figures show the state after this phase: its changes are animated, and later changes are
// not shown.

// BeginMove starts the animation of the current phase, or goes to its end where nothing moves.
func (p *Phases) BeginMove() {
	p.move, p.watchEnd = Move{}, 0
	if phase, ok := p.Phase(); ok && !p.page.Player.ReducedMotion && p.page.Run.Header.Clients <= MaxSliding {
		p.move.Begin(p.page.now, moveTimes[phase]/p.page.Speed)
	}
	p.page.effects.Redraw(host.Figures)
}

// tick sets the time of the animation and shows the next phase of a watched round when it is due. It reports whether the
// animation continues.
func (p *Phases) tick(now float64) bool {
	if p.move.Active() {
		p.move.Tick(now, p.At == 0)
		p.page.effects.Redraw(host.Slides)
		if p.move.Active() {
			return true
		}
	}
	if !p.Watching {
		return false
	}
	switch {
	case p.watchEnd == 0:
		p.watchEnd = now + p.readTime()/p.page.Speed
	case now < p.watchEnd:
	case p.At < int(registry.Phases):
		p.At++
		p.show()
	default:
		EndPhases{}.update(p.page)
		return false
	}
	return true
}

// NextDue returns when the next phase of a watched round is due, in ms; 0 if nothing waits for it. Until then nothing
// moves, and no animation frame is needed.
func (p *Phases) NextDue() float64 {
	if !p.Watching || p.page.Run == nil {
		return 0
	}
	return p.watchEnd
}

// readTime is how long the end of a phase stays, in ms: without motion, it has to be read first.
func (p *Phases) readTime() float64 {
	if p.page.Player.ReducedMotion {
		return 2500
	}
	return 900
}

// RoundDetail returns what the figures of a lane of the run on screen show of the current phase, nil for the end of the
// round.
func (p *Phases) RoundDetail(lane int) *chart.RoundDetail {
	phase, ok := p.Phase()
	m, there := p.roundOf(lane)
	if !ok || !there || m.round >= len(m.run.Tracks[lane].Frames) {
		return nil
	}
	before, now := &m.run.Tracks[lane].Frames[m.round-1], &m.run.Tracks[lane].Frames[m.round]
	progress := func(of registry.Phase) float32 {
		switch {
		case phase < of:
			return 0
		case phase == of:
			return ease(p.move.Part())
		}
		return 1
	}
	l := &p.lanes[lane]
	in := &l.round
	*in = chart.RoundDetail{Frame: *now, Before: before.Label, After: now.Label,
		Progress: progress(registry.Cluster), PlaceProgress: progress(registry.Embed),
		Phase: phase, Part: p.move.Part()}
	p.describe(m, in)
	given := registry.Match // the phase in which clients are given models
	if l.choose {
		given = registry.Cluster
	}
	if phase < given && len(before.Label) == len(now.Label) {
		in.Frame.Label = before.Label
	}
	in.Frame.XY, l.places = Interpolate(l.places, before.XY, now.XY, in.PlaceProgress)
	in.Frame.Models, l.models = Interpolate(l.models, before.Models, now.Models, progress(registry.Update))
	return in
}

// describe sets what a phase sends, and whether it is skipped. The words change with the detail alone, not with the
// motion.
func (p *Phases) describe(m roundOfClient, in *chart.RoundDetail) {
	l := &p.lanes[m.lane]
	if told := (toldPhase{m, in.Phase, p.page.Lang, p.lanes[m.lane].of == m && l.detail != nil}); l.told != told {
		l.told = told
		words := p.page.roundWords(p.laneOfConfig(m.lane))
		w := words.Phase(in.Phase)
		l.sends, l.skipped, l.common, l.all = w.Sends, w.Skipped, words.Common(), words.AllModels()
		l.choose = words.Phase(registry.Match).Skipped
	}
	in.Sends, in.Skipped, in.Common, in.AllModels = l.sends, l.skipped, l.common, l.all
}

// laneOfConfig returns the lane of the configuration that a lane of the run belongs to.
func (p *Phases) laneOfConfig(lane int) int {
	for n := range p.page.Config.Lanes() {
		if p.page.LaneOfRun(n) == lane {
			return n
		}
	}
	return 0
}

// MaxSliding is the maximum number of clients with animated marks: with more, no mark can be
// followed, and sixty frames per second cost much time.
const MaxSliding = 300

// moveTimes are the durations of the animations of the phases, in ms.
var moveTimes = [registry.Phases]float64{1100, 1000, 1900, 1100, 1100, 1300}

// Move is the animation of a phase. The zero value has ended.
type Move struct {
	since  float64 // when it started, in ms; 0 if it has ended
	now    float64
	length float64
}

// Begin starts an animation of some ms.
func (m *Move) Begin(now, length float64) { *m = Move{now, now, length} }

// Active reports whether the animation is running.
func (m *Move) Active() bool { return m.since != 0 }

// Tick sets the time; with stop, the animation ends.
func (m *Move) Tick(now float64, stop bool) {
	m.now = now
	if stop || now-m.since >= m.length {
		m.since = 0
	}
}

// Part returns the completed part of the animation.
func (m *Move) Part() float32 {
	if m.since == 0 {
		return 1
	}
	return float32(max(0, m.now-m.since) / m.length)
}

// ease starts and ends a motion slowly; x and the result are from 0 to 1.
func ease(x float32) float32 {
	if x < 0.5 {
		return 4 * x * x * x
	}
	x = 2 - 2*x
	return 1 - x*x*x/2
}

// Interpolate returns the numbers at a fraction between from and to. It uses the memory of dst if it
// has to compute them.
func Interpolate(dst, from, to []float32, share float32) (at, memory []float32) {
	if share >= 1 || len(from) != len(to) {
		return to, dst
	}
	if share <= 0 {
		return from, dst
	}
	dst = append(dst[:0], to...)
	for i := range dst {
		dst[i] = from[i] + float32((to[i]-from[i])*share)
	}
	return dst, dst
}
