package ui

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/host"
	"flockscope/ui/player"
)

// Inside a round the figures of its lane show how far the round has come: what a
// phase changes moves to its new place when the phase is stepped to, and stands
// where it was in those before.

// A phaseMove is such a move.
type phaseMove struct {
	player.Move
	wanted bool // by a person, or the player; a link arrives at once
	inside chart.Inside
	places []float32 // memory of what is on its way
	models []float32
}

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
	if s.wanted && !a.Still && a.Run.Header.Clients <= player.MostSliding {
		s.Begin(a.Host.Now())
	}
	s.wanted = false
	a.Host.Change(host.Figures)
}

// tickPhaseMove moves on to the time now, and reports whether there is more to come.
func (a *App) tickPhaseMove(now float64) bool {
	s := &a.phaseMove
	if !s.Moves() {
		return false
	}
	s.Tick(now, a.Phase == 0)
	a.Host.Change(host.Slides)
	return s.Moves()
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
		return a.phaseMove.Share()
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
	in.Frame.XY, s.places = player.Between(s.places, before.XY, now.XY, places)
	in.Frame.Models, s.models = player.Between(s.models, before.Models, now.Models, models)
	return in
}
