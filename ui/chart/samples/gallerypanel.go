package samples

import (
	"slices"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The panel of the client in focus: its images, enlarged, with their labels.

const (
	panelPad     = 6
	panelHeading = 18 // height of the first line
	panelFoot    = 16 // of the labels
	panelTile    = 72 // the largest images
	panelBars    = 26 // of the bars of classes, with their names
)

// layoutPanel computes the rows, and returns the area of the panel of the client in focus, if
// there is one and the box has room for it. For a selected client the rows move above the panel
// if they stay large enough. For a client under the pointer the panel covers the half of the box
// without its row.
func (g *Gallery) layoutPanel(v *chart.View, p *trace.Gallery, box chart.Box) (panel layout.Area, ok bool) {
	plot := layout.Rect(4, 3, box.W-4, box.H-3)
	g.grid = g.plan(p, plot)
	height := g.panelHeight(v, p, box)
	panel = layout.Rect(2, box.H-2-height, box.W-2, box.H-2)
	if height > 0 && v.Selected >= 0 {
		above := layout.Rect(plot.X0, plot.Y0, plot.X1, panel.Y0-4)
		if s := g.plan(p, above); s.each > 0 {
			g.grid = s
			g.placeRows(above)
			return panel, true
		}
	}
	g.placeRows(plot)
	if height == 0 {
		return layout.Area{}, false // covers no row
	}
	row := g.rows[slices.Index(g.clients, v.Focus())]
	if (row.Y0+row.Y1)/2 > box.H/2 {
		panel.Y0, panel.Y1 = 2, 2+height
	}
	return panel, true
}

// panelHeight returns the height of the panel, 0 for none.
func (g *Gallery) panelHeight(v *chart.View, p *trace.Gallery, box chart.Box) float32 {
	i := v.Focus()
	if i < 0 || !p.HasImages() {
		return 0
	}
	width := box.W - 4
	size := func(rest float32) float32 {
		return layout.Floor(min((width-2*panelPad)/float32(p.Each)-3, panelTile, 0.4*box.H-rest))
	}
	rest := float32(panelHeading + panelFoot)
	if len(summaryOf(p, i).PerClass) > 0 && size(rest+panelBars) >= 16 {
		rest += panelBars
	}
	tile := size(rest)
	if tile < max(g.grid.tile*0.8, 16) {
		return 0
	}
	g.bars = rest > panelHeading+panelFoot
	return tile + rest + panelPad
}

// drawPanel draws the panel of the client in focus.
func (g *Gallery) drawPanel(l *scene.List, v *chart.View, p *trace.Gallery, at layout.Area) {
	i := v.Focus()
	l.Rect(at.X0, at.Y0, at.X1-at.X0, at.Y1-at.Y0, scene.Paper, scene.Pen{Colour: scene.Unassigned, Width: 1})
	foot := at.Y1
	if g.bars {
		foot -= panelBars
		g.drawClassBars(l, p, i, layout.Rect(at.X0+panelPad, foot, at.X1-panelPad, at.Y1-3))
	}
	tile := foot - at.Y0 - panelHeading - panelFoot - panelPad
	step := (at.X1 - at.X0 - 2*panelPad) / float32(p.Each)
	left := at.X0 + panelPad
	room := at.X1 - left - panelPad
	text, calls := say.Textf("Client %d", i+1), ""
	if v.Classifies() { // otherwise no label plays a part
		calls = " · " + say.Text("labels:")
	}
	add := func(part string) {
		if longer := text + " · " + part; scene.TextWidth(longer, layout.Small, true)+
			scene.TextWidth(calls, layout.Small, false) <= room {
			text = longer
		}
	}
	sees, n := summaryOf(p, i).Transform, v.Group(i)
	group := say.Message("")
	if n >= 0 && n < len(p.Groups) {
		group = p.Groups[n]
	}
	if !v.Compact && n >= 0 && !startsWith(sees, group) {
		add(v.GroupName(n))
	}
	if sees != "" && !namesView(group, sees) {
		add(say.Text(sees))
	}
	if owner := summaryOf(p, i).Owner; owner != "" {
		add(owner)
	}
	y := at.Y0 + panelHeading/2 + 1
	l.Text(left, y, scene.Font{Size: layout.Small, Bold: true, Baseline: scene.Centre, Colour: scene.Ink}, text)
	w := scene.TextWidth(text, layout.Small, true)
	quiet := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}
	if n := summaryOf(p, i).Samples; n > 0 {
		text = " · " + say.Count(n, "sample")
		if wide := scene.TextWidth(text, layout.Small, false); w+wide+
			scene.TextWidth(calls, layout.Small, false) < room {
			l.Text(left+w, y, quiet, text)
			w += wide
		}
	}
	if calls != "" && w+scene.TextWidth(calls, layout.Small, false) < room {
		l.Text(left+w, y, quiet, calls)
	}
	top := layout.Floor(at.Y0 + panelHeading)
	for n := range p.Each {
		x := layout.Floor(left + (float32(n)+0.5)*step - tile/2)
		one := trace.Gallery{Height: p.Height, Width: p.Width, Channels: p.Channels, Each: 1, Pixels: p.Image(i, n)}
		chart.DrawSamples(l, &one, 0, 1, x, top, tile)
	}
	font := scene.Font{Size: layout.Small, Bold: true, Anchor: scene.Middle, Baseline: scene.Centre, Colour: scene.Ink}
	for n := range p.Each {
		x, y, wide := left+(float32(n)+0.5)*step, foot-panelFoot/2-1, (step-2)/1.1
		if meant := trueLabel(p, i, n); meant != "" &&
			scene.TextWidth(meant, layout.Small, true)+scene.TextWidth(arrow, layout.Small, true) < wide/2 {
			l.Text(x, y, font, meant+arrow+labelOf(p, i, n))
			continue
		}
		l.Text(x, y, font, layout.Fit(labelOf(p, i, n), layout.Small, wide))
	}
}

// startsWith reports whether a group is named after how a client sees its samples, without the
// level: "noise 5" starts with "noise".
func startsWith(sees, group say.Message) bool {
	return group != "" && strings.HasPrefix(sees.String(), group.String()+" ")
}

// namesView reports whether a group's name contains how its clients see their samples.
func namesView(group, sees say.Message) bool {
	for part := range strings.SplitSeq(group.String(), ", ") {
		if part == sees.String() {
			return true
		}
	}
	return false
}

// drawClassBars draws a client's number of samples of each class, as bars above the names of the
// classes.
func (g *Gallery) drawClassBars(l *scene.List, p *trace.Gallery, client int, at layout.Area) {
	of := summaryOf(p, client).PerClass
	w := (at.X1 - at.X0) / float32(len(of))
	if w < 2 {
		return
	}
	named := true
	for class := range of {
		named = named && scene.TextWidth(say.Text(p.Name(client, class)), layout.Small, false) <= w-2
	}
	base := at.Y1
	if named {
		base -= layout.Small + 2
	}
	most := max(slices.Max(of), 1)
	font := scene.Font{Size: layout.Small, Anchor: scene.Middle, Colour: scene.Quiet}
	for class, n := range of {
		x, h := at.X0+w*float32(class), (base-at.Y0-2)*float32(n)/float32(most)
		l.Rect(x+0.1*w, base-h, 0.8*w, h, scene.Unassigned, scene.Pen{})
		if named {
			l.Text(x+w/2, at.Y1, font, p.Name(client, class))
		}
	}
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, at.X0, base, at.X1, base)
}

// labelOf returns the label of a client's sample.
func labelOf(p *trace.Gallery, client, n int) string {
	if at := client*p.Each + n; at < len(p.Label) {
		return say.Text(p.Name(client, int(p.Label[at])))
	}
	return "?"
}

// trueLabel returns the true class of a sample whose label is wrong, else "".
func trueLabel(p *trace.Gallery, client, n int) string {
	if at := client*p.Each + n; at < len(p.TrueLabel) && p.TrueLabel[at] != p.Label[at] {
		return say.Text(p.Name(client, int(p.TrueLabel[at])))
	}
	return ""
}

// arrow points from the true class to the label.
const arrow = "→"

// summaryOf returns the summary of a client's data, empty if there is none.
func summaryOf(p *trace.Gallery, client int) *trace.ClientSummary {
	if client >= len(p.Clients) {
		return new(trace.ClientSummary)
	}
	return &p.Clients[client]
}
