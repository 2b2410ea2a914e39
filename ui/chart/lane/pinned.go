package lane

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
)

// What figures of one lane draw of a pinned run: the same lane at the same round, grey and thin.

// ShowsPinned reports whether the pinned run has singular values.
func (g *Spectrum) ShowsPinned(v *chart.View) bool { return len(g.pinnedSpectrum(v)) > 0 }

// pinnedSpectrum returns the newest spectrum of the pinned run.
func (g *Spectrum) pinnedSpectrum(v *chart.View) []float32 {
	then, ok := v.PinnedView()
	if !ok {
		return nil
	}
	for f := then.Frame(); f != nil; f = then.FrameAt(then.Lane, f.Round-1) {
		if len(f.Spectrum) > 0 || f.Round == 0 {
			return f.Spectrum
		}
	}
	return nil
}

// ShowsPinned reports whether models of both runs are points of the same plane: principal
// components differ between runs.
func (g *Models) ShowsPinned(v *chart.View) bool {
	then, ok := v.PinnedView()
	return ok && hasParameters(v) && v.LaneHeader().FrameParams <= 2 &&
		then.LaneHeader().FrameParams == v.LaneHeader().FrameParams
}

// drawPinned draws the models of the pinned run.
func (g *Models) drawPinned(l *scene.List, v *chart.View, p *modelPlot) {
	if !g.ShowsPinned(v) {
		return
	}
	then, _ := v.PinnedView()
	for k := range then.LaneHeader().Models {
		if x, y, ok := g.plane.position(then.Frame(), k); ok {
			x, y, _ = p.clamp(p.at(x, y))
			l.Mark(scene.Plus, x, y, 5, scene.Unassigned, scene.Pen{})
		}
	}
}

// ShowsPinned reports whether both runs have the same numbers of clients and rows, and a client
// had another model in the pinned one.
func (g *Losses) ShowsPinned(v *chart.View) bool {
	then, ok := v.PinnedView()
	if !ok || v.LaneHeader().Columns < 2 || then.LaneHeader().Columns != v.LaneHeader().Columns ||
		then.Run.Header.Clients != v.Run.Header.Clients {
		return false
	}
	f, past := v.Frame(), then.Frame()
	for i := range f.Label {
		if v.AliasOf(chart.ModelOf(f, i)) != then.AliasOf(chart.ModelOf(past, i)) {
			return true
		}
	}
	return false
}

// drawPinned draws a ring at the model that a client had in the pinned run, if it has another one
// now.
func (g *Losses) drawPinned(l *scene.List, v *chart.View, grid *lossGrid, r float32) {
	if !g.ShowsPinned(v) {
		return
	}
	then, _ := v.PinnedView()
	f, past := v.Frame(), then.Frame()
	for j, i := range g.clients {
		had := then.AliasOf(chart.ModelOf(past, i))
		row := slices.IndexFunc(g.order, func(k int) bool { return v.AliasOf(k) == had })
		if row < 0 || had == v.AliasOf(chart.ModelOf(f, i)) {
			continue
		}
		x, y := grid.X0+float32(j)*grid.w+(grid.w-1.5)/2, grid.Y0+float32(row)*grid.h+(grid.h-1.5)/2
		l.Mark(scene.Circle, x, y, r, scene.Nothing, scene.Pen{Colour: scene.Edge, Width: 3})
		l.Mark(scene.Circle, x, y, r, scene.Nothing, scene.Pen{Colour: scene.Unassigned, Width: 1.5})
	}
}

// ShowsPinned reports whether the pinned run's models were evaluated, on as many clients.
func (g *Answers) ShowsPinned(v *chart.View) bool {
	then, ok := v.PinnedView()
	if !ok || then.Run.Header.Clients != v.Run.Header.Clients {
		return false
	}
	f := then.LastEvaluation()
	return f != nil && len(f.Accuracies) >= v.Run.Header.Clients
}
