package page

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// With a phase selected, the figures of its lane show the state after this phase: its changes are
// animated, and later changes are not shown.

// For each part of a frame, the phases that may change it. The first of them in a round changes it;
// without any, the part has its new state from the start.
var (
	placePhases = []registry.Phase{registry.Embed, registry.Probe}
	groupPhases = []registry.Phase{registry.Cluster, registry.Match}
	labelPhases = []registry.Phase{registry.Match, registry.Cluster}
	modelPhases = []registry.Phase{registry.Update}
)

// BeginMove starts the animation of the current phase.
func (p *Phases) BeginMove() {
	p.movePending = true
	if p.All() != nil {
		p.startMove()
	}
}

// startMove starts a pending animation once the phases are known.
func (p *Phases) startMove() {
	if p.movePending && !p.page.Player.ReducedMotion && p.page.Run.Header.Clients <= MaxSliding {
		p.move.Begin(p.page.now)
	}
	p.movePending = false
	p.page.effects.Redraw(host.Figures)
}

// tick sets the time of the animation, and reports whether it continues.
func (p *Phases) tick(now float64) bool {
	if !p.move.Active() {
		return false
	}
	p.move.Tick(now, p.At == 0)
	p.page.effects.Redraw(host.Slides)
	return p.move.Active()
}

// firstIndex returns the number, from 1, of the first of these phases in the round, 0 for none.
func (p *Phases) firstIndex(phases []registry.Phase) int {
	all := p.All()
	for _, phase := range phases {
		if i := slices.IndexFunc(all, func(x Phase) bool { return x.Phase == phase }); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// progress returns how much of the change by these phases is shown, from 0 to 1.
func (p *Phases) progress(phases []registry.Phase) float32 {
	switch at := p.firstIndex(phases); {
	case at > p.At:
		return 0
	case at == p.At:
		return p.move.Fraction()
	}
	return 1
}

// RoundDetail returns what the figures of a lane of the run on screen show of the current phase, nil
// for the end of the round.
func (p *Phases) RoundDetail(lane int) *chart.RoundDetail {
	run, round := p.page.Run, p.page.Shown()
	if p.At == 0 || lane < 0 || lane != p.page.LaneOfRun(p.page.Lane) || round == 0 ||
		round >= len(run.Tracks[lane].Frames) {
		return nil
	}
	before, now := &run.Tracks[lane].Frames[round-1], &run.Tracks[lane].Frames[round]
	places, groups, models := p.progress(placePhases), p.progress(groupPhases), p.progress(modelPhases)
	labelled := p.firstIndex(labelPhases) <= p.At // colours change at once
	if p.All() == nil {
		if p.pendingRequest.run != run || p.At > 1 {
			return nil
		}
		places, groups, models, labelled = 0, 0, 0, false // the phases arrive soon
	}
	in := &p.roundDetail
	*in = chart.RoundDetail{Frame: *now, Before: before.Label, After: now.Label,
		Progress: groups, PlaceProgress: places}
	if !labelled && len(before.Label) == len(now.Label) {
		in.Frame.Label = before.Label
	}
	in.Frame.XY, p.places = Interpolate(p.places, before.XY, now.XY, places)
	in.Frame.Models, p.models = Interpolate(p.models, before.Models, now.Models, models)
	return in
}

// MaxSliding is the maximum number of clients with animated marks: with more, no mark can be
// followed, and sixty frames per second cost much time.
const MaxSliding = 300

// MoveTime is the duration of the animation of a phase, in ms.
const MoveTime = 300.0

// Move is the animation of a phase. The zero value has ended.
type Move struct {
	since float64 // when it started, in ms; 0 if it has ended
	now   float64
}

// Begin starts the animation.
func (m *Move) Begin(now float64) { m.since, m.now = now, now }

// Active reports whether the animation is running.
func (m *Move) Active() bool { return m.since != 0 }

// Tick sets the time; with stop, the animation ends.
func (m *Move) Tick(now float64, stop bool) {
	m.now = now
	if stop || now-m.since >= MoveTime {
		m.since = 0
	}
}

// Fraction returns the completed part of the animation, which slows down towards its end.
func (m *Move) Fraction() float32 {
	if m.since == 0 {
		return 1
	}
	left := 1 - max(0, m.now-m.since)/MoveTime
	return float32(1 - left*left*left)
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
