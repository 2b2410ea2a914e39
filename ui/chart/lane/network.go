package lane

import (
	"math"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var networkKind = chart.Kind{Name: "network", Title: "Network", Hint: "height and depth: picture · width: channels · grey: shared by all models", Of: chart.OfLane,
	Shows: func(v *chart.View) bool { return v.LaneHeader() != nil && len(v.Run.Header.Blocks) > 0 },
	New:   func() chart.Figure { return new(Network) }}

// Network shows the network that clients train: a box for the output of each block, as high and deep as the picture and
// the wider the more channels, with its layers, its size and its number of parameters. Blocks that all models share are
// grey. The boxes stand beside each other, or in a list if there is no room for their texts.
type Network struct {
	blocks []trace.Block
	trunk  int     // the samples and the blocks that all models share; 0 for none
	most   float32 // the longest side of a picture
	wide   float64 // the logarithm of the most channels
}

// networkLine is the distance of two lines of text.
const networkLine = 14

func (g *Network) load(v *chart.View) {
	g.blocks, g.trunk, g.most, g.wide = v.Run.Header.Blocks, v.LaneHeader().Trunk, 1, 1
	if g.trunk > 0 {
		g.trunk++
	}
	for i := range g.blocks {
		tall, deep := sides(&g.blocks[i])
		g.most = max(g.most, tall, deep)
		g.wide = max(g.wide, math.Log2(float64(1+g.blocks[i].Channels)))
	}
}

// sides are the height and the depth of a block. Sequences stand upright.
func sides(b *trace.Block) (tall, deep float32) {
	if b.Height == 1 {
		return float32(b.Width), 1
	}
	return float32(b.Height), float32(b.Width)
}

// Draw draws the network into box.
func (g *Network) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	if !networkKind.Shows(v) {
		drawMessage(l, box, "This model is no network.")
		return
	}
	g.load(v)
	if !v.Compact && box.H >= 60 {
		box.H -= networkLine + 2
		l.Text(8, box.H+networkLine-2, scene.Font{Size: layout.Small, Colour: scene.Quiet},
			layout.Fit(g.sum(box.W-12), layout.Small, box.W-12))
	}
	lines, words, shapes := 0, float32(0), float32(0)
	for i := range g.blocks {
		layers := strings.Split(blockName(&g.blocks[i]), "-")
		lines = max(lines, len(layers)+1)
		for _, layer := range layers {
			words = max(words, textWidth(layer))
		}
		shapes = max(shapes, textWidth(shapeText(&g.blocks[i])))
	}
	step, above := (box.W-8)/float32(len(g.blocks)), 1
	if shapes+4 > step {
		above = 2 // lines, in turn
	}
	high := box.H - float32(lines+above)*networkLine - 6
	if words+2 <= step && shapes+4 <= 2*step && high >= 24 {
		g.drawRow(l, step, float32(above)*networkLine, min(high, 120))
		return
	}
	g.drawList(l, box)
}

func textWidth(text string) float32 { return scene.TextWidth(text, layout.Small, false) }

// drawRow draws the blocks beside each other, the highest of them high pixels high, below their sizes.
func (g *Network) drawRow(l *scene.List, step, above, high float32) {
	font := scene.Font{Size: layout.Small, Anchor: scene.Middle, Baseline: scene.Top, Colour: scene.Ink}
	quiet := font
	quiet.Colour = scene.Quiet
	middle := above + 3 + high/2
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, 4+step/2, middle, 4+(float32(len(g.blocks))-0.5)*step, middle)
	for i := range g.blocks {
		b := &g.blocks[i]
		x, y := 4+(float32(i)+0.5)*step, above+5+high
		g.drawBlock(l, i, x, middle, high, step*0.6)
		line := float32(0)
		if i%2 == 0 {
			line = above - networkLine
		}
		half := textWidth(shapeText(b)) / 2
		l.Text(min(max(x, half), float32(len(g.blocks))*step+8-half), line, quiet, shapeText(b))
		for _, word := range strings.Split(blockName(b), "-") {
			l.Text(x, y, font, word)
			y += networkLine
		}
		if b.Parameters > 0 {
			l.Text(x, y, quiet, chart.Number(float64(b.Parameters)))
		}
	}
}

// drawList draws the blocks from top to bottom, in as many columns as it takes.
func (g *Network) drawList(l *scene.List, box chart.Box) {
	n, columns := len(g.blocks), 1
	for rows := max(1, int((box.H-4)/networkLine)); columns*rows < n; {
		columns++
	}
	rows := (n + columns - 1) / columns
	width, high := (box.W-8)/float32(columns), min((box.H-4)/float32(rows), 28)
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Ink}
	quiet := font
	quiet.Colour, quiet.Anchor = scene.Quiet, scene.End
	picture := min(44, width/5)
	cells, room := []func(*trace.Block) string{}, width-picture-6-42
	for _, cell := range []func(*trace.Block) string{shapeText, parametersText} {
		if wide := g.widest(cell); wide+10 <= room {
			cells = append(cells, cell)
			room -= wide + 10
		}
	}
	for i := range g.blocks {
		b := &g.blocks[i]
		x, y := 4+width*float32(i/rows), 2+high*(float32(i%rows)+0.5)
		g.drawBlock(l, i, x+picture/2, y, high-3, picture*0.7)
		left, right := x+picture+2, x+width-2
		for _, cell := range cells {
			l.Text(right, y, quiet, cell(b))
			right -= g.widest(cell) + 10
		}
		l.Text(left, y, font, layout.Fit(blockName(b), layout.Small, right-left))
	}
}

// widest is the width of the widest text of a column.
func (g *Network) widest(cell func(*trace.Block) string) (width float32) {
	for i := range g.blocks {
		width = max(width, textWidth(cell(&g.blocks[i])))
	}
	return width
}

// drawBlock draws a box around a point. The largest pictures and the most channels fill high × wide.
func (g *Network) drawBlock(l *scene.List, i int, x, y, high, wide float32) {
	b := &g.blocks[i]
	tall, deep := sides(b)
	back := 0.25 * min(high, wide) * deep / g.most // how far the back is to the right of the front, and above
	most := 0.25 * min(high, wide)
	h := max((high-most)*tall/g.most, 2)
	w := max((wide-most)*float32(math.Log2(float64(1+b.Channels))/g.wide), 2)
	x0, y0 := x-(w+back)/2, y-(h-back)/2
	x1, y1 := x0+w, y0+h
	fill, pen := scene.Paper, scene.Pen{Colour: scene.Ink, Width: 1}
	if i > 0 && i < g.trunk {
		fill = scene.Line
	}
	if b.Text == "" {
		pen.Colour = scene.Quiet
	}
	l.Polygon(fill, pen, x0, y0, x0+back, y0-back, x1+back, y0-back, x1+back, y1-back, x1, y1, x0, y1)
	l.Line(pen, x0, y0, x1, y0, x1, y1)
	l.Line(pen, x1, y0, x1+back, y0-back)
}

// blockName is the text of a block: its layers.
func blockName(b *trace.Block) string {
	if b.Text == "" {
		return say.Text("samples")
	}
	return b.Text
}

// shapeText is the size of a block's output: 32×32×16, or fewer numbers where sides are 1.
func shapeText(b *trace.Block) string {
	text := say.Whole(b.Channels)
	if b.Height > 1 || b.Width > 1 {
		text = say.Whole(b.Width) + "×" + text
	}
	if b.Height > 1 {
		text = say.Whole(b.Height) + "×" + text
	}
	return text
}

// parametersText is the number of a block's parameters, empty for none.
func parametersText(b *trace.Block) string {
	if b.Parameters == 0 {
		return ""
	}
	return say.Whole(b.Parameters)
}
