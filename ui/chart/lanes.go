package chart

import (
	"fmt"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart/layout"
)

// Hue means models, so lanes differ by line style: on curves, beside titles, along sliders and in
// sweeps.

// LanePen is the line style of a lane.
func LanePen(lane int) scene.Pen {
	if lane == 0 {
		return scene.Pen{Colour: scene.Ink, Width: 2}
	}
	return scene.Pen{Colour: scene.Quiet, Width: 1.5, Dash: scene.Dash(lane % 4)}
}

// lineSampleWidth is the length of a sample of a lane's line, in CSS pixels: two periods of
// the longest pattern.
const lineSampleWidth = 28

// LaneTitle returns a lane's title in the page's language: the name of its method and its label.
func LaneTitle(title string) string {
	if name, _, labelled := strings.Cut(title, " · "); labelled {
		return say.Text(name) + title[len(name):]
	}
	return say.Text(title)
}

// Title returns the title of a lane of the run in the page's language.
func (v *View) Title(lane int) string { return LaneTitle(v.Run.Header.Lanes[lane].Title) }

// LaneNameWidth returns the width of a lane's name after the sample of its line; a small box has
// no sample.
func LaneNameWidth(width float32, box Box) float32 {
	return min(width+lineSampleSpace(box), 0.32*box.W)
}

func lineSampleSpace(box Box) float32 {
	if box.W < 300 {
		return 0
	}
	return lineSampleWidth + 6
}

// DrawLaneName writes a lane's name, from [LaneTitle], after the sample of its line, in the width
// from LaneNameWidth.
func DrawLaneName(l *scene.List, lane int, title string, x, y, room float32, box Box) {
	at := lineSampleSpace(box)
	if at > 0 {
		l.Line(LanePen(lane), x, y, x+lineSampleWidth, y)
	}
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Ink}
	const rounding = 0.1 // the width is a sum of floats, so it may be slightly less than the widest name
	l.Text(x+at, y, font, layout.Fit(title, layout.Small, room-at+rounding))
}

// LaneDashes are the strokes and gaps of a lane's line as in SVG's stroke-dasharray,
// "none" for a solid line.
func LaneDashes(lane int) string {
	gaps := scene.Dashes[LanePen(lane).Dash]
	if len(gaps) == 0 {
		return "none"
	}
	return strings.Trim(fmt.Sprint(gaps), "[]")
}
