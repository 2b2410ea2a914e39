package chart

import (
	"slices"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// The client in the light: its pictures, enlarged, with its names for them.

const (
	panelPad  = 6
	panelHead = 18 // height of its first line
	panelFoot = 16 // of the names
	panelTile = 72 // the largest pictures
)

// panel returns where the client in the light is enlarged: on the side of the
// box where its row is not, so that the row stays in sight. There is none if the
// box has no room for it.
func (g *Gallery) panel(v *View, p *trace.Gallery, box Box) (at area, ok bool) {
	i := v.Subject()
	if i < 0 || !p.Holds() {
		return area{}, false
	}
	width := box.W - 4
	tile := whole(min((width-2*panelPad)/float32(p.Each)-3, panelTile, 0.4*box.H-panelHead-panelFoot))
	if tile < max(g.shelf.tile*0.8, 16) {
		return area{}, false
	}
	height := tile + panelHead + panelFoot + panelPad
	at = area{2, box.H - 2 - height, 2 + width, box.H - 2}
	row := g.places[slices.Index(g.clients, i)]
	if (row.y0+row.y1)/2 > box.H/2 {
		at = area{2, 2, 2 + width, 2 + height}
	}
	return at, true
}

// enlarge draws the panel.
func (g *Gallery) enlarge(l *scene.List, v *View, p *trace.Gallery, at area) {
	i := v.Subject()
	l.Rect(at.x0, at.y0, at.x1-at.x0, at.y1-at.y0, scene.Paper, scene.Pen{Colour: scene.Unassigned, Width: 1})
	tile := at.y1 - at.y0 - panelHead - panelFoot - panelPad
	step := (at.x1 - at.x0 - 2*panelPad) / float32(p.Each)
	left := at.x0 + panelPad
	g.words = strconv.AppendInt(append(g.words[:0], "Client "...), int64(i+1), 10)
	if n := v.group(i); n >= 0 && !v.Compact {
		before := len(g.words)
		g.words = append(append(g.words, " · "...), v.GroupName(n)...)
		if scene.TextWidth(g.words, small, true)+scene.TextWidth(calls, small, false) > at.x1-left-panelPad {
			g.words = g.words[:before]
		}
	}
	y := at.y0 + panelHead/2 + 1
	l.TextBytes(left, y, scene.Font{Size: small, Bold: true, Baseline: scene.Centre, Colour: scene.Ink}, g.words)
	if w := scene.TextWidth(g.words, small, true); left+w+scene.TextWidth(calls, small, false) < at.x1-panelPad {
		l.Text(left+w, y, scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}, calls)
	}
	top := whole(at.y0 + panelHead)
	for n := range p.Each {
		x := whole(left + (float32(n)+0.5)*step - tile/2)
		one := trace.Gallery{Height: p.Height, Width: p.Width, Channels: p.Channels, Each: 1, Pixels: p.Image(i, n)}
		raster(l, &one, 0, 1, x, top, tile)
	}
	font := scene.Font{Size: small, Bold: true, Anchor: scene.Middle, Baseline: scene.Centre, Colour: scene.Ink}
	for n := range p.Each {
		l.Text(left+(float32(n)+0.5)*step, at.y1-panelFoot/2-1, font, fitting(called(p, i, n), small, (step-2)/1.1))
	}
}

const calls = " calls these"

// called returns the class that a client's sample has for the client.
func called(p *trace.Gallery, client, n int) string {
	if at := client*p.Each + n; at < len(p.Label) && int(p.Label[at]) < len(p.Classes) {
		return p.Classes[p.Label[at]]
	}
	return "?"
}
