package lane

import (
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var spectrumKind = chart.Kind{Name: "spectrum", Title: "Spectrum", Hint: "dots: singular values · filled: directions in use · pale lines: rounds before", Of: chart.OfLane,
	Shows: hasSpectra, New: func() chart.Figure { return new(Spectrum) }}

// Spectrum shows the singular values that a server computed last, as dots on a line in falling
// order, with faded lines for the spectra before. Directions in which the clients differ have
// large values, noise has small ones; the largest gap is shaded. Filled dots are the directions
// that the server used.
//
// The first direction is what all clients have in common, since the data are not centred, so the
// gap after it does not count.
type Spectrum struct {
	spectra []*trace.Frame // newest first
	points  []float32
	words   []byte
}

// pastSpectra is the number of spectra that are drawn besides the newest.
const pastSpectra = 6

// hasSpectra reports whether the lane's server computes singular values.
func hasSpectra(v *chart.View) bool {
	if v.LaneHeader() == nil {
		return false
	}
	frames := v.Run.Tracks[v.Lane].Frames
	for i := range frames { // by index, since frames are large
		if len(frames[i].Spectrum) > 0 {
			return true
		}
	}
	return false
}

// collect gathers the newest spectra up to the shown round, and reports whether there are any.
func (g *Spectrum) collect(v *chart.View) bool {
	g.spectra = g.spectra[:0]
	for f := v.Frame(); f != nil && len(g.spectra) <= pastSpectra; f = v.FrameAt(v.Lane, f.Round-1) {
		if len(f.Spectrum) > 0 {
			g.spectra = append(g.spectra, f)
		}
		if f.Round == 0 {
			break
		}
	}
	return len(g.spectra) > 0
}

// spectrumPlot is the geometry of one drawing.
type spectrumPlot struct {
	layout.Area
	shown int
	step  float32 // distance between values
	top   float32 // the value at the upper edge
}

func (p *spectrumPlot) x(i int) float32 { return p.X0 + (float32(i)+0.5)*p.step }

func (p *spectrumPlot) y(value float32) float32 {
	share := value / p.top
	if !chart.Finite(share) {
		share = 1
	}
	return p.Y1 - (p.Y1-p.Y0)*min(max(share, 0), 1)
}

// AxisTitles returns the titles of the axes.
func (g *Spectrum) AxisTitles(*chart.View) (x, y string) { return "Direction", "Singular value" }

// Draw draws the values into box.
func (g *Spectrum) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	if !g.collect(v) {
		drawMessage(l, box, "No singular values so far.")
		return
	}
	now := g.spectra[0]
	p := g.plot(v, box)
	if p.shown < 1 || p.Y1-p.Y0 < 10 {
		return
	}
	g.drawGap(l, now, &p)
	g.drawAxes(l, now, &p)
	g.drawDirections(l, now, &p)
	for n := len(g.spectra) - 1; n > 0; n-- {
		l.Fade(0.45 * float32(pastSpectra+1-n) / pastSpectra)
		g.drawLine(l, g.spectra[n].Spectrum, &p, scene.Pen{Colour: scene.Quiet, Width: 1})
	}
	l.Fade(1)
	g.drawLine(l, g.pinnedSpectrum(v), &p, chart.PinnedPen)
	g.drawLine(l, now.Spectrum, &p, scene.Pen{Colour: scene.Ink, Width: 1.5})
	r := min(3.5, p.step*0.4)
	for i, value := range now.Spectrum[:p.shown] {
		fill := scene.Paper
		if i < now.Directions {
			fill = scene.Ink
		}
		l.Mark(scene.Circle, p.x(i), p.y(value), r, fill, scene.Pen{Colour: scene.Ink, Width: 1.5})
	}
	if !v.Compact {
		g.drawCaption(l, v, now, box)
	}
}

func (g *Spectrum) plot(v *chart.View, box chart.Box) spectrumPlot {
	foot := float32(layout.LineHeight + 6)
	if !v.Compact {
		foot += layout.LineHeight + 2
	}
	now := g.spectra[0]
	p := spectrumPlot{Area: layout.Rect(44, layout.LineHeight+6, box.W-8, box.H-foot)}
	const least = 10
	p.shown = min(len(now.Spectrum), int((p.X1-p.X0)/least))
	if p.shown > 0 {
		p.step = min((p.X1-p.X0)/float32(p.shown), 48)
		p.X1 = p.X0 + p.step*float32(p.shown)
	}
	for _, f := range g.spectra {
		if first := f.Spectrum[0]; chart.Finite(first) {
			p.top = max(p.top, first)
		}
	}
	if past := g.pinnedSpectrum(v); len(past) > 0 && chart.Finite(past[0]) {
		p.top = max(p.top, past[0])
	}
	if p.top *= 1.04; p.top <= 0 {
		p.top = 1
	}
	return p
}

// largestGap returns the number of values before the largest gap, not counting the gap after the
// first value; 0 if there is none.
func largestGap(values []float32) int {
	at, most := 0, float32(0)
	for i := 2; i < len(values); i++ {
		if gap := values[i-1] - values[i]; gap > most && chart.Finite(gap) {
			at, most = i, gap
		}
	}
	return at
}

func (g *Spectrum) drawGap(l *scene.List, f *trace.Frame, p *spectrumPlot) {
	if at := largestGap(f.Spectrum); at > 0 && at < p.shown {
		y0, y1 := p.y(f.Spectrum[at-1]), p.y(f.Spectrum[at])
		l.Rect(p.x(at-1), y0, p.step, y1-y0, scene.Line, scene.Pen{})
	}
}

// drawAxes numbers the values and writes the largest one.
func (g *Spectrum) drawAxes(l *scene.List, f *trace.Frame, p *spectrumPlot) {
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, p.X0, p.Y1, p.X1, p.Y1)
	font := scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	l.Text(p.X0-4, p.Y1, font, "0")
	if y := p.y(f.Spectrum[0]); p.Y1-y >= layout.LineHeight {
		g.words = chart.AppendNumber(g.words[:0], float64(f.Spectrum[0]))
		l.TextBytes(p.X0-4, y, font, g.words)
	}
	font.Anchor, font.Baseline = scene.Middle, scene.Top
	each := 1
	for float32(each)*p.step < 20 {
		each++
	}
	for i := 0; i < p.shown; i += each {
		g.words = strconv.AppendInt(g.words[:0], int64(i+1), 10)
		l.TextBytes(p.x(i), p.Y1+5, font, g.words)
	}
}

// drawDirections draws a line after the K directions that the server used.
func (g *Spectrum) drawDirections(l *scene.List, f *trace.Frame, p *spectrumPlot) {
	if f.Directions < 1 {
		return
	}
	x := p.X0 + p.step*float32(min(f.Directions, p.shown))
	l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, x, p.Y0-3, x, p.Y1)
	g.words = strconv.AppendInt(append(g.words[:0], "K = "...), int64(f.Directions), 10)
	half := scene.TextWidth(g.words, layout.Small, false) / 2
	l.TextBytes(max(min(x, p.X1-half), p.X0+half), p.Y0-layout.LineHeight-4,
		scene.Font{Size: layout.Small, Anchor: scene.Middle, Baseline: scene.Top, Colour: scene.Ink}, g.words)
}

// drawLine joins the values of one spectrum.
func (g *Spectrum) drawLine(l *scene.List, values []float32, p *spectrumPlot, pen scene.Pen) {
	g.points = g.points[:0]
	for i := range min(p.shown, len(values)) {
		g.points = append(g.points, p.x(i), p.y(values[i]))
	}
	l.Line(pen, g.points...)
}

// drawCaption gives the position of the largest gap, and the round of the values if it is not the
// shown one.
func (g *Spectrum) drawCaption(l *scene.List, v *chart.View, f *trace.Frame, box chart.Box) {
	fits := func(text string) bool { return scene.TextWidth(text, layout.Small, false) <= box.W-12 }
	text := say.Text("singular values")
	if f.Round != v.Frame().Round {
		text = say.Textf("singular values of round %d", f.Round)
	}
	if at := largestGap(f.Spectrum); at > 0 {
		if longer := say.Textf("%s · largest gap after %d", text, at); fits(longer) {
			text = longer
		}
	}
	if fits(text) {
		l.Text(6, box.H-3-layout.LineHeight, scene.Font{Size: layout.Small, Baseline: scene.Top,
			Colour: scene.Quiet}, text)
	}
}
