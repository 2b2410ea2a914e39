package page

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Inside a round the figures of its lane show how far the round has come: what a
// phase changes moves to its new place when the phase is stepped to, and stands
// where it was in those before.

// The parts of a frame, and the phases with which they are new: the first of these
// that a round passes. What none of them brings is new from the start.
var (
	placePhases = []registry.Phase{registry.Embed, registry.Probe}
	groupPhases = []registry.Phase{registry.Cluster, registry.Match}
	labelPhases = []registry.Phase{registry.Match, registry.Cluster}
	modelPhases = []registry.Phase{registry.Update}
)

// BeginMove begins the move of the phase that is on screen now.
func (p *Phases) BeginMove() {
	p.movePending = true
	if p.All() != nil {
		p.startMove()
	}
}

// startMove begins a move that waited for the phases to be known.
func (p *Phases) startMove() {
	if p.movePending && !p.page.Player.ReducedMotion && p.page.Run.Header.Clients <= MaxSliding {
		p.move.Begin(p.page.now)
	}
	p.movePending = false
	p.page.effects.Redraw(host.Figures)
}

// tick moves on to the time now, and reports whether there is more to come.
func (p *Phases) tick(now float64) bool {
	if !p.move.Active() {
		return false
	}
	p.move.Tick(now, p.At == 0)
	p.page.effects.Redraw(host.Slides)
	return p.move.Active()
}

// firstIndex is the phase of the round, from 1, that brings what these phases bring, 0
// for none.
func (p *Phases) firstIndex(phases []registry.Phase) int {
	all := p.All()
	for _, phase := range phases {
		if i := slices.IndexFunc(all, func(x Phase) bool { return x.Phase == phase }); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// progress is how much of what these phases bring is there, 0 to 1.
func (p *Phases) progress(phases []registry.Phase) float32 {
	switch at := p.firstIndex(phases); {
	case at > p.At:
		return 0
	case at == p.At:
		return p.move.Fraction()
	}
	return 1
}

// RoundDetail is what the figures of a lane of the run on screen show inside a round, nil
// for the round's end.
func (p *Phases) RoundDetail(lane int) *chart.RoundDetail {
	run, round := p.page.Run, p.page.Shown()
	if p.At == 0 || lane < 0 || lane != p.page.LaneOfRun(p.page.Lane) || round == 0 ||
		round >= len(run.Tracks[lane].Frames) {
		return nil
	}
	before, now := &run.Tracks[lane].Frames[round-1], &run.Tracks[lane].Frames[round]
	places, groups, models := p.progress(placePhases), p.progress(groupPhases), p.progress(modelPhases)
	labelled := p.firstIndex(labelPhases) <= p.At // a colour has no way to go
	if p.All() == nil {
		if p.pendingRequest.run != run || p.At > 1 {
			return nil
		}
		places, groups, models, labelled = 0, 0, 0, false // they will be known in a moment
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

// MaxSliding is the most clients whose marks slide: with more of them nobody follows a
// single one, and sixty pictures a second cost a lot.
const MaxSliding = 300

// MoveTime is how long what a phase of a round changes moves, in ms.
const MoveTime = 300.0

// Move is the way of what a phase changes to its new place. The zero value has arrived.
type Move struct {
	since float64 // when it began, in ms; 0 for one that has ended
	now   float64
}

// Begin begins the move.
func (m *Move) Begin(now float64) { m.since, m.now = now, now }

// Active reports whether it is on its way.
func (m *Move) Active() bool { return m.since != 0 }

// Tick moves on to the time now; with stop on, it arrives at once.
func (m *Move) Tick(now float64, stop bool) {
	m.now = now
	if stop || now-m.since >= MoveTime {
		m.since = 0
	}
}

// Fraction is the share of its way that the move has come, slower towards the end.
func (m *Move) Fraction() float32 {
	if m.since == 0 {
		return 1
	}
	left := 1 - max(0, m.now-m.since)/MoveTime
	return float32(1 - left*left*left)
}

// Interpolate returns the numbers a share of the way from one place to another, in the
// memory of dst where they are on their way.
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
