package ui

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Inside a round the figures of its lane show how far the round has come: what a
// phase changes moves to its new place when the phase is stepped to, and stands
// where it was in those before.

// A phaseMove is such a move.
type phaseMove struct {
	wanted bool    // by a person, or the player; a link arrives at once
	since  float64 // when it began, in ms; 0 for one that has ended
	now    float64
	inside chart.Inside
	places []float32 // memory of what is on its way
	models []float32
}

// phaseMoveTime is how long a move takes, in ms.
const phaseMoveTime = 300.0

// The parts of a frame, and the phases with which they are new: the first of these
// that a round passes. What none of them brings is new from the start.
var (
	phasesOfPlaces = []registry.Phase{registry.Embed, registry.Probe}
	phasesOfGroups = []registry.Phase{registry.Cluster, registry.Match}
	phasesOfLabels = []registry.Phase{registry.Match, registry.Cluster}
	phasesOfModels = []registry.Phase{registry.Update}
)

// beginPhaseMove begins the move of the phase that is in the light now.
func (a *App) beginPhaseMove() {
	s := &a.phaseMove
	s.wanted = true
	if a.RoundPhases() != nil {
		a.startPhaseMove()
	}
}

// startPhaseMove begins a move that waited for the phases to be known.
func (a *App) startPhaseMove() {
	s := &a.phaseMove
	if s.wanted && !a.Still && a.Run.Header.Clients <= slideClients {
		s.since = a.Host.Now()
		s.now = s.since
	}
	s.wanted = false
	a.Host.Change(host.Figures)
}

// tickPhaseMove moves on to the time now, and reports whether there is more to come.
func (a *App) tickPhaseMove(now float64) bool {
	s := &a.phaseMove
	if s.since == 0 {
		return false
	}
	s.now = now
	if a.Phase == 0 || now-s.since >= phaseMoveTime {
		s.since = 0
	}
	a.Host.Change(host.Slides)
	return s.since > 0
}

// share is the share of its way that the move has come, slower towards the end.
func (s *phaseMove) share() float32 {
	if s.since == 0 {
		return 1
	}
	left := 1 - max(0, s.now-s.since)/phaseMoveTime
	return float32(1 - left*left*left)
}

// phaseBringing is the phase of the round, from 1, that brings what these phases bring, 0
// for none.
func (a *App) phaseBringing(phases []registry.Phase) int {
	all := a.RoundPhases()
	for _, p := range phases {
		if i := slices.IndexFunc(all, func(x RoundPhase) bool { return x.Phase == p }); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// phaseShare is how much of what these phases bring is there, 0 to 1.
func (a *App) phaseShare(phases []registry.Phase) float32 {
	switch at := a.phaseBringing(phases); {
	case at > a.Phase:
		return 0
	case at == a.Phase:
		return a.phaseMove.share()
	}
	return 1
}

// inside is what the figures of a lane of the run on screen show inside a round, nil
// for the round's end.
func (a *App) inside(lane int) *chart.Inside {
	round := a.Shown()
	if a.Phase == 0 || lane < 0 || lane != a.OnStage(a.Lane) || round == 0 || round >= len(a.Run.Tracks[lane].Frames) {
		return nil
	}
	s := &a.phaseMove
	before, now := &a.Run.Tracks[lane].Frames[round-1], &a.Run.Tracks[lane].Frames[round]
	places, groups, models := a.phaseShare(phasesOfPlaces), a.phaseShare(phasesOfGroups), a.phaseShare(phasesOfModels)
	labelled := a.phaseBringing(phasesOfLabels) <= a.Phase // a colour has no way to go
	if a.RoundPhases() == nil {
		if a.detail.asked.run != a.Run || a.Phase > 1 {
			return nil
		}
		places, groups, models, labelled = 0, 0, 0, false // they will be known in a moment
	}
	in := &s.inside
	*in = chart.Inside{Frame: *now, Before: before.Label, After: now.Label, Share: groups, Places: places}
	if !labelled && len(before.Label) == len(now.Label) {
		in.Frame.Label = before.Label
	}
	in.Frame.XY, s.places = between(s.places, before.XY, now.XY, places)
	in.Frame.Models, s.models = between(s.models, before.Models, now.Models, models)
	return in
}

// between returns the numbers a share of the way from one place to another, in the
// memory of dst where they are on their way.
func between(dst, from, to []float32, share float32) (at, memory []float32) {
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
