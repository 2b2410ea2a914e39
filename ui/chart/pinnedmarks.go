package chart

import (
	"slices"

	"flockscope/ui/scene"
)

// What figures of one lane draw of a pinned run: the same lane at the same round,
// in grey and thin.

// ShowsPinned reports whether the pinned run's server has looked at singular values.
func (g *Spectrum) ShowsPinned(v *View) bool { return len(g.pinned(v)) > 0 }

// pinned is the spectrum of the pinned run's newest look.
func (g *Spectrum) pinned(v *View) []float32 {
	then, ok := v.pinnedView()
	if !ok {
		return nil
	}
	for f := then.frame(); f != nil; f = then.frameAt(then.Lane, f.Round-1) {
		if len(f.Spectrum) > 0 || f.Round == 0 {
			return f.Spectrum
		}
	}
	return nil
}

// ShowsPinned reports whether models of both runs are points of one plane: one whose
// directions are those of a run means nothing in another.
func (g *Models) ShowsPinned(v *View) bool {
	then, ok := v.pinnedView()
	return ok && draws(v) && v.lane().Drawn <= 2 && then.lane().Drawn == v.lane().Drawn
}

// drawPinned draws where the models of the pinned run were.
func (g *Models) drawPinned(l *scene.List, v *View, p *modelPlot) {
	if !g.ShowsPinned(v) {
		return
	}
	then, _ := v.pinnedView()
	for k := range then.lane().Models {
		if x, y, ok := g.plane.of(then.frame(), k); ok {
			x, y, _ = p.inside(p.at(x, y))
			l.Mark(scene.Plus, x, y, 5, scene.Unassigned, scene.Pen{})
		}
	}
}

// ShowsPinned reports whether both runs have the same clients and rows, and some client
// had another model in the pinned one.
func (g *Losses) ShowsPinned(v *View) bool {
	then, ok := v.pinnedView()
	if !ok || v.lane().Columns < 2 || then.lane().Columns != v.lane().Columns ||
		then.Run.Header.Clients != v.Run.Header.Clients {
		return false
	}
	f, past := v.frame(), then.frame()
	for i := range f.Label {
		if v.Place(label(f, i)) != then.Place(label(past, i)) {
			return true
		}
	}
	return false
}

// drawPinned rings the model that a client had in the pinned run, where it has another
// one now.
func (g *Losses) drawPinned(l *scene.List, v *View, grid *lossGrid, r float32) {
	if !g.ShowsPinned(v) {
		return
	}
	then, _ := v.pinnedView()
	f, past := v.frame(), then.frame()
	for j, i := range g.clients {
		had := then.Place(label(past, i))
		row := slices.IndexFunc(g.order, func(k int) bool { return v.Place(k) == had })
		if row < 0 || had == v.Place(label(f, i)) {
			continue
		}
		x, y := grid.x0+float32(j)*grid.w+(grid.w-1.5)/2, grid.y0+float32(row)*grid.h+(grid.h-1.5)/2
		l.Mark(scene.Circle, x, y, r, scene.Nothing, scene.Pen{Colour: scene.Edge, Width: 3})
		l.Mark(scene.Circle, x, y, r, scene.Nothing, scene.Pen{Colour: scene.Unassigned, Width: 1.5})
	}
}

// ShowsPinned reports whether the pinned run's models were tried, on as many clients.
func (g *Answers) ShowsPinned(v *View) bool {
	then, ok := v.pinnedView()
	if !ok || then.Run.Header.Clients != v.Run.Header.Clients {
		return false
	}
	f := then.LastEvaluation()
	return f != nil && len(f.Accuracies) >= v.Run.Header.Clients
}
