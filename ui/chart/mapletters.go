package chart

import "flockscope/ui/scene"

// Marks for those who see no hue, or see it from far away.

// letterRadius is half the size of a mark that a letter fits into.
const letterRadius = 10

// radius is half the size of the marks of this many clients. On a projector
// they are at least 12 pixels wide, half as wide again as on a screen; where
// they carry letters, they are as large as a letter needs, unless there are
// too many.
func (v *View) radius(clients int) float32 {
	r := markRadius(clients)
	if v.Projector {
		r = max(1.5*r, 6)
	}
	if v.Letters && clients <= 60 {
		r = max(r, letterRadius)
	}
	return r
}

// lettered draws one client without hue: its group is the outline, its model
// the letter inside. An outline twice as bold means the wrong place.
func lettered(l *scene.List, v *View, client, model int, wrong bool, x, y, r float32) {
	pen := scene.Pen{Colour: scene.Ink, Width: min(1.2, r/4)}
	if wrong {
		pen.Width *= 2.5
	}
	l.Mark(v.Shape(client), x, y, r-pen.Width/2, scene.Paper, pen)
	if model >= 0 && r >= letterRadius {
		l.Text(x, y, scene.Font{Size: small, Bold: true, Anchor: scene.Middle, Baseline: scene.Centre,
			Colour: scene.Ink}, v.Letter(model))
	}
}
