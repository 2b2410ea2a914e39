package chart

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart/layout"
)

// letterRadius is the radius of a mark that a letter fits into.
const letterRadius = 10

// ReadableRadius returns the radius of marks for this many clients. On a projector they are 50 %
// larger than on a screen, and at least 12 pixels wide. With letters they are as large as a
// letter needs, unless there are too many.
func (v *View) ReadableRadius(clients int) float32 {
	r := MarkRadius(clients)
	if v.Projector {
		r = max(1.5*r, 6)
	}
	if v.Letters && clients <= 60 {
		r = max(r, letterRadius)
	}
	return r
}

// drawLetterMark draws one client without hue: its group is the outline, its model the letter
// inside. A bold outline means that the client is misplaced.
func drawLetterMark(l *scene.List, v *View, client, model int, wrong bool, x, y, r float32) {
	pen := scene.Pen{Colour: scene.Ink, Width: min(1.2, r/4)}
	if wrong {
		pen.Width *= 2.5
	}
	l.Mark(v.Shape(client), x, y, r-pen.Width/2, scene.Paper, pen)
	if model >= 0 && r >= letterRadius {
		l.Text(x, y, scene.Font{Size: layout.Small, Bold: true, Anchor: scene.Middle, Baseline: scene.Centre,
			Colour: scene.Ink}, v.Letter(model))
	}
}

// DrawClient draws one client: its shape is its group, its colour the model that it was given, −1
// for none. A misplaced client is hollow.
func DrawClient(l *scene.List, v *View, client, model int, wrong bool, x, y, r float32) {
	DrawClientHaloed(l, v, client, model, wrong, x, y, r, min(1, r/4))
}

// DrawClientHaloed is DrawClient with a halo in the colour of the background, unless it is
// hollow.
func DrawClientHaloed(l *scene.List, v *View, client, model int, wrong bool, x, y, r, halo float32) {
	if v.Letters {
		drawLetterMark(l, v, client, model, wrong, x, y, r)
		return
	}
	colour := scene.Unassigned
	if model >= 0 {
		colour = v.Colour(model)
	}
	if wrong {
		width := min(2.5, r*0.6)
		l.Mark(v.Shape(client), x, y, r-width/4, scene.Paper, scene.Pen{Colour: colour, Width: width})
		return
	}
	l.Mark(v.Shape(client), x, y, r, colour, scene.Pen{Colour: scene.Paper, Width: halo})
}

// MarkRadius returns the radius of a mark: the more clients, the smaller.
func MarkRadius(clients int) float32 {
	switch {
	case clients <= 24:
		return 6
	case clients <= 60:
		return 4.5
	case clients <= 150:
		return 3.5
	case clients <= 400:
		return 2.5
	}
	return 1.5
}

// DrawSamples draws the first samples of a client side by side. Samples of one channel are ink on
// the panel's colour in all themes. Colour pictures keep their proportions.
func DrawSamples(l *scene.List, p *trace.Gallery, client, each int, x, y, tile float32) {
	w, h, channels := p.Width, p.Height, p.Channels
	kind := 1
	if channels == 3 {
		kind = 3
	}
	wide, high := tile, tile
	switch {
	case kind == 1:
	case w < h && each > 1:
		for n := range each {
			one := trace.Gallery{Height: h, Width: w, Channels: channels, Each: 1, Pixels: p.Image(client, n)}
			DrawSamples(l, &one, 0, 1, x+float32(n)*tile, y, tile)
		}
		return
	default:
		wide, high = tile*min(1, float32(w)/float32(h)), tile*min(1, float32(h)/float32(w))
	}
	out := l.Image(x+(tile-wide)/2, y+(tile-high)/2, float32(each-1)*tile+wide, high, each*w, h, kind, scene.Panel,
		scene.Ink)
	for n := range each {
		image := p.Image(client, n)
		for row := range h {
			to := out[(row*each+n)*w*kind:]
			for column := range w {
				copy(to[column*kind:(column+1)*kind], image[(row*w+column)*channels:])
			}
		}
	}
}
