package sweeps

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Kinds are the figures of this package, in the order of their tabs.
var Kinds = []chart.Kind{heatKind, previewKind, curvesKind}

// View is what the figures of a sweep share.
type View struct {
	Sweep   *sweep.Table // nil while there is none
	Measure sweep.Measure
	Titles  []string  // of the lanes
	Names   [2]string // of the settings that are varied
	Units   [2]string
	Logs    [2]bool // a setting has a logarithmic scale
	Hovered int     // the cell under the pointer, −1 for none
}

// Unfinished returns "3 of 100 runs" while runs of the sweep are missing, else "".
func (s *View) Unfinished() string {
	if done, of := s.Sweep.Done(); done < of {
		return say.Textf("%d of %d runs", done, of)
	}
	return ""
}

// drawUnfinished marks an exported figure as one of an unfinished sweep.
func (s *View) drawUnfinished(l *scene.List, v *chart.View, box chart.Box) {
	text := s.Unfinished()
	if !v.Export.On || text == "" {
		return
	}
	w := scene.TextWidth(text, layout.Normal, true)
	l.Rect(box.W-w-14, 2, w+10, layout.LineHeight+4, scene.Paper, scene.Pen{Colour: scene.Ink, Width: 1})
	l.Text(box.W-9, 5, scene.Font{Size: layout.Normal, Bold: true, Anchor: scene.End, Baseline: scene.Top,
		Colour: scene.Ink}, text)
}

// noClusters reports whether a lane of a sweep lacks a measure because it makes no clusters.
func noClusters(t *sweep.Table, lane int, m sweep.Measure) bool {
	return m.Judges() && t.Plan.Base.Unclustered(lane)
}

// Words gives the means of all lanes in one cell, and the number of runs.
func Words(t *sweep.Table, cell int, m sweep.Measure, titles []string) string {
	var words []string
	for lane, title := range titles {
		words = append(words, chart.LaneTitle(title)+" "+statWords(t, cell, lane, m))
	}
	return say.Textf("%s (%s, n = %d)", say.List(words), say.Message(measureNames[m]), t.Runs(cell))
}

// statWords writes a mean with its standard deviation: "0.73 ± 0.19".
func statWords(t *sweep.Table, cell, lane int, m sweep.Measure) string {
	s := t.Stat(cell, lane, m)
	if noClusters(t, lane, m) {
		return say.Text("no clusters")
	}
	if s.N == 0 {
		if m == sweep.Settled {
			return say.Text("never")
		}
		return "–"
	}
	text := string(AppendMeasure(nil, m, s.Mean))
	if s.N > 1 {
		text += " ± " + string(AppendMeasure(nil, m, s.SD))
	}
	if m == sweep.Settled && s.N < t.Runs(cell) {
		text = say.Textf("%s in %d of %d runs", text, s.N, t.Runs(cell))
	}
	return text
}

// Describe gives the means of every lane in the first and the last cell with runs.
func (s *View) Describe(*chart.View) string {
	if s.Sweep == nil {
		return say.Text("No sweep yet.")
	}
	first, last := -1, -1
	for c := range s.Sweep.Plan.Cells() {
		if s.Sweep.Runs(c) > 0 {
			if last = c; first < 0 {
				first = c
			}
		}
	}
	if first < 0 {
		return say.Text("No runs yet.")
	}
	at := func(c int) string {
		var parts []string
		for i, pair := range s.Sweep.Plan.Settings(c) {
			parts = append(parts, say.Text(s.Names[i])+" "+pair[1]+say.Text(s.Units[i]))
		}
		return say.Join(append(parts, Words(s.Sweep, c, s.Measure, s.Titles)), ", ")
	}
	return say.Textf("Sweep. %s; %s.", at(first), at(last))
}

// Table lists the means and standard deviations of all lanes.
func (s *View) Table(*chart.View) (head []string, rows [][]string) {
	return table(s.Sweep, s.Measure, s.Titles)
}
