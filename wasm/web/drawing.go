package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/experiment"
	"flockscope/sim/say"
)

// The size of a preview in CSS pixels, which is usual for Open Graph.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// The layout: words on the left, a figure of the data on the right.
const (
	margin   = 64
	column   = 520 // width of the words
	figureX  = 636
	figureY  = 72
	figureW  = 500
	figureH  = 486
	lastLine = 552 // the lowest baseline of the settings
)

// draw draws a state: the planted groups, the methods and the settings. Clients have no
// colour, since colour stands for the model of a client, which is not computed here.
func draw(l *scene.List, schema *experiment.Schema, s State) {
	for i := range 3 {
		l.Mark(scene.Shape(i), margin+10+float32(i)*28, 78, 9, scene.Unassigned, scene.Pen{})
	}
	l.Text(margin+88, 87, scene.Font{Size: 26, Bold: true, Colour: scene.Quiet}, siteName)
	y := drawLesson(l, s)
	y = drawLanes(l, schema, s.Config, y)
	drawFacts(l, s, y)
	l.Text(margin, pictureHeight-34, scene.Font{Size: 20, Colour: scene.Quiet},
		"Clustered federated learning, live in your browser")

	l.Rect(figureX, figureY, figureW, figureH, scene.Panel, scene.Pen{Colour: scene.Line, Width: 1.5})
	l.Origin(figureX, figureY)
	switch c := s.Config; {
	case c.FromFile():
		drawFile(l)
	case c.Reads("dphi") && c.Reads("D"):
		drawFan(l, c)
	case c.Reads("star"):
		drawSlopes(l, c)
	default:
		drawClients(l, c)
	}
	l.Origin(0, 0)
}

// drawLesson writes the title and question of the state's lesson, and returns the y of the next line; or 0 if there is
// no lesson.
func drawLesson(l *scene.List, s State) float32 {
	shown := s.Lesson()
	if shown == nil {
		return 0
	}
	y := float32(144)
	for _, part := range []struct {
		text string
		font scene.Font
	}{
		{"Lesson " + itoa(shown.Number), scene.Font{Size: 24, Colour: scene.Quiet}},
		{shown.Title, scene.Font{Size: 36, Bold: true, Colour: scene.Ink}},
		{shown.Question, scene.Font{Size: 24, Colour: scene.Ink}},
	} {
		for _, line := range wrap(part.text, part.font.Size, part.font.Bold, column) {
			l.Text(margin, y, part.font, line)
			y += part.font.Size * 1.4
		}
		y += 10
	}
	return y + 14
}

// wrap breaks a text into lines of at most a width.
func wrap(text string, size float32, bold bool, width float32) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if next := strings.TrimSpace(line + " " + word); line == "" || scene.TextWidth(next, size, bold) <= width {
			line = next
			continue
		}
		lines = append(lines, line)
		line = word
	}
	return append(lines, line)
}

// drawLanes writes the lanes with the dash patterns of their curves, from y if it is not 0,
// and returns the y of the next line.
func drawLanes(l *scene.List, schema *experiment.Schema, c experiment.Config, y float32) float32 {
	titles := laneTitles(schema, c)
	size, step := float32(26), float32(38)
	switch {
	case y > 0:
	case len(titles) > 2:
		size, step, y = 34, 54, 152
	default:
		size, step, y = 54, 78, 180
	}
	for i, title := range titles {
		l.Line(scene.Pen{Colour: scene.Ink, Width: 4, Dash: scene.Dash(i)}, margin, y-size*0.36, margin+44, y-size*0.36)
		l.Text(margin+62, y, scene.Font{Size: size, Bold: true, Colour: scene.Ink}, fit(title, size, true, column-62))
		if notes := laneNotes(c, i); len(notes) > 0 {
			l.Text(margin+62, y+28, scene.Font{Size: 20, Colour: scene.Quiet},
				fit(strings.Join(notes, " · "), 20, false, column-62))
			y += 24
		}
		y += step
	}
	return y
}

// drawFacts writes the number of clients, the round and the changed settings.
func drawFacts(l *scene.List, s State, y float32) {
	const size, step = 26, 38
	facts := append([]string{clientsText(s.Config) + " · " + roundText(s)}, changedSettings(s)...)
	for i, fact := range facts {
		if left := len(facts) - i; left > 1 && y+step > lastLine {
			fact = "and " + say.Count(left, "more setting")
			i = len(facts)
		}
		colour := scene.Ink
		if i > 0 {
			colour = scene.Quiet
		}
		l.Text(margin, y, scene.Font{Size: size, Colour: colour}, fit(fact, size, false, column))
		if y += step; i == len(facts) {
			return
		}
	}
}

// drawFan draws the true lines of linreg, each as long as its data: D of them,
// Δφ apart, centred on the axis (sim/workload/linreg.go).
func drawFan(l *scene.List, c experiment.Config) {
	v := c.Values(-1)
	d, gap := v.Int("D"), v.Float("dphi")
	const x0, y0, room = 40, figureH / 2, figureH/2 - 36
	widest, _ := math.Sincos(gap * float64(d-1) / 2 * math.Pi / 180)
	length := float32(min(250, room/max(widest, 1e-9)))
	ends := make([][2]float32, d)
	wedge := []float32{x0, y0}
	for g := range d {
		sin, cos := math.Sincos(gap * (float64(d-1)/2 - float64(g)) * math.Pi / 180)
		ends[g] = [2]float32{x0 + length*float32(cos), y0 - length*float32(sin)}
		wedge = append(wedge, ends[g][0], ends[g][1])
	}
	l.Fade(0.5)
	l.Polygon(scene.Line, scene.Pen{}, wedge...)
	l.Fade(1)
	for _, e := range ends {
		l.Line(truthPen, x0, y0, e[0], e[1])
	}
	if d > 1 {
		l.Text(x0, y0+64, scene.Font{Size: 24, Bold: true, Colour: scene.Ink}, "Δφ "+c.Value("dphi")+"°")
	}
	drawGroups(l, c, ends, figureH-30)
}

// truthPen is the pen of the planted lines.
var truthPen = scene.Pen{Colour: scene.Quiet, Width: 3, Dash: scene.Dashed}

// drawSlopes draws the true lines of mix1d through the middle. The steepest
// one is the diagonal.
func drawSlopes(l *scene.List, c experiment.Config) {
	slopes := c.Values(-1).Numbers("star")
	const x0, y0, half = 175, figureH / 2, 135
	steepest := 1e-9
	for _, m := range slopes {
		steepest = max(steepest, math.Abs(m))
	}
	ends := make([][2]float32, len(slopes))
	for g, m := range slopes {
		rise := half * float32(m/steepest)
		ends[g] = [2]float32{x0 + half, y0 - rise}
		l.Line(truthPen, x0-half, y0+rise, x0+half, y0-rise)
	}
	l.Text(40, figureH-32, scene.Font{Size: 22, Bold: true, Colour: scene.Ink},
		fit(settingText(c.Active()[0], c.Value("star")), 22, true, figureW-60))
	drawGroups(l, c, ends, figureH-66)
}

// drawGroups draws a mark in the shape of each group beside the end of its line, with its
// number of clients, and none below bottom.
func drawGroups(l *scene.List, c experiment.Config, ends [][2]float32, bottom float32) {
	clients, d := c.Values(-1).Int("C"), len(ends)
	const x, top = 360, 30
	step := min(46, (bottom-top)/float32(max(d-1, 1)))
	r := step * 0.33
	order := byHeight(ends)
	places := spread(ends, order, step, top, bottom)
	for g, e := range ends {
		l.Line(scene.Pen{Colour: scene.Unassigned, Width: 1.5}, e[0]+6, e[1], x-r-8, places[g])
	}
	for g := range ends {
		l.Mark(scene.Shape(g%scene.Shapes), x, places[g], r, scene.Unassigned, scene.Pen{})
		// The first clients are in group 0, the next in group 1, as evenly
		// as possible (sim/workload/line.go).
		n := 0
		for i := range clients {
			if i*d/clients == g {
				n++
			}
		}
		l.Text(x+28, places[g], scene.Font{Size: 20, Baseline: scene.Centre, Colour: scene.Ink},
			say.Count(n, "client"))
	}
}

// byHeight returns the indices of the ends from the top down.
func byHeight(ends [][2]float32) []int {
	order := make([]int, len(ends))
	for g := range order {
		order[g] = g
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[a][1], ends[b][1]) })
	return order
}

// spread returns heights that are at least step apart, near those of the ends, and within
// the figure.
func spread(ends [][2]float32, order []int, step, top, bottom float32) []float32 {
	places := make([]float32, len(ends))
	middle := float32(0)
	for _, g := range order {
		middle += ends[g][1] / float32(len(order))
	}
	next := top
	for _, g := range order {
		places[g] = max(ends[g][1], next)
		next = places[g] + step
	}
	// All move up by how far they were pushed down on average.
	pushed := -middle
	for _, g := range order {
		pushed += places[g] / float32(len(order))
	}
	limit := bottom
	for i := len(order) - 1; i >= 0; i-- {
		g := order[i]
		places[g] = min(places[g]-pushed, limit)
		limit = places[g] - step
	}
	floor := top
	for _, g := range order {
		places[g] = max(places[g], floor)
		floor = places[g] + step
	}
	return places
}

// drawFile writes that the data cannot be drawn.
func drawFile(l *scene.List) {
	font := scene.Font{Size: 24, Anchor: scene.Middle, Colour: scene.Quiet}
	l.Text(figureW/2, figureH/2-20, font, "The data come from a local file.")
	l.Text(figureW/2, figureH/2+20, font, "The link does not contain them.")
}

// drawClients draws one mark per client, where the settings plant no groups.
func drawClients(l *scene.List, c experiment.Config) {
	n, _ := strconv.Atoi(c.Value("C"))
	const room = figureW - 60
	columns := max(int(math.Ceil(math.Sqrt(float64(n)))), 4)
	rows := (n + columns - 1) / columns
	step := float32(room) / float32(columns)
	top := (figureH - step*float32(rows-1)) / 2
	for i := range n {
		x, y := 30+step*(float32(i%columns)+0.5), top+step*float32(i/columns)
		l.Mark(scene.Circle, x, y, min(step*0.32, 18), scene.Unassigned, scene.Pen{})
	}
}

// fit returns a text, shortened with an ellipsis if it is too wide.
func fit(text string, size float32, bold bool, width float32) string {
	if scene.TextWidth(text, size, bold) <= width {
		return text
	}
	letters := []rune(text)
	for n := len(letters) - 1; n > 0; n-- {
		if short := string(letters[:n]) + "…"; scene.TextWidth(short, size, bold) <= width {
			return short
		}
	}
	return ""
}
