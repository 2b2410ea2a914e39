package page

import (
	"strconv"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/lane"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/samples"
	"flockscope/ui/chart/sweeps"
)

const MaxLanes = experiment.MaxLanes

// Painter owns the drawings of a page: one of each kind and lane, since a
// figure keeps its buffers.
type Painter struct {
	page         *State
	figures      map[chart.FigureID]chart.Figure
	list         scene.List
	SelectionBox SelectionBox
	dragRun      *trace.Run // the header of the run on which a drag of the angle began
}

// SelectionBox is a rectangle that is being drawn around clients of a figure, from corner
// to corner.
type SelectionBox struct {
	chart.FigureID
	X0, Y0, X1, Y1 float32
}

// NewPainter returns a painter of a page.
func NewPainter(a *State) *Painter { return &Painter{page: a} }

// List is the last display list.
func (f *Painter) List() *scene.List { return &f.list }

// StaticLen is how much of the last display list stays as it is; see [scene.List].
func (f *Painter) StaticLen() int { return f.list.StaticLen() }

// Figure returns the figure of a kind and lane, nil for a kind there is none of.
func (f *Painter) Figure(kind string, lane int) chart.Figure {
	if kind == StartMap {
		kind = "map"
	}
	if kind == "data" && f.page.Pictures() {
		kind = "gallery"
	}
	k, known := figures.KindOf(kind)
	if !known || lane < 0 || lane >= MaxLanes {
		return nil
	}
	if k.Of != chart.OfMap && k.Of != chart.OfLane && !k.Many {
		lane = 0
	}
	at := chart.FigureID{Kind: kind, Lane: lane}
	figure, there := f.figures[at]
	if !there {
		if f.figures == nil {
			f.figures = map[chart.FigureID]chart.Figure{}
		}
		figure = k.New()
		f.figures[at] = figure
	}
	f.page.configureFigure(figure, lane)
	return figure
}

// configureFigure tells a figure what the page has chosen for it.
func (s *State) configureFigure(figure chart.Figure, n int) {
	switch figure := figure.(type) {
	case *samples.Plane:
		figure.Angle = "Δφ " + s.angle() + "°"
	case *progress.Curves:
		figure.Metric, figure.Readout = s.ShownMetric(), s.Readout
	case *lane.Losses:
		figure.OwnScale = s.OwnScale
	case *clientmap.Map:
		figure.Fit, figure.In3D, figure.From = s.Zoom, s.Map3D, s.Orbit
		if n < len(s.Config.Lanes()) {
			figure.Similar = s.similarClients(n)
		}
	case *progress.Timeline:
		figure.Inset, figure.Hovered = thumbRadius, s.Player.DescribedRound()
	case *sweeps.Curves:
		figure.View = s.Jobs.SweepView()
	case *sweeps.Heat:
		figure.View = s.Jobs.SweepView()
		figure.Lane = n
	case *sweeps.Preview:
		s.Jobs.ConfigurePreview(figure, n)
	}
}

// Pictures reports whether the data of the run on screen are no points on a
// plane, but what clients see.
func (s *State) Pictures() bool { v := s.view(0); return v.Pictures() }

// compactBelow is the width in CSS pixels under which captions give way.
const compactBelow = 250

// thumbRadius is half the width of the scrubber's thumb, in CSS pixels.
const thumbRadius = 9

// StartMap is the kind of a map as it was before the first round, whatever round is shown.
const StartMap = "start-map"

// initialView is a view before the first round, with nobody selected.
func (s *State) initialView(v chart.View) chart.View {
	v.Round, v.Back, v.Hover, v.Selected, v.MultiSelection, v.Detail, v.Pinned = 0, 0, -1, -1, nil, nil, nil
	return v
}

// Draw draws one figure and returns its display list, valid until the next
// call, and fills hits.
func (f *Painter) Draw(kind string, lane int, box chart.Box, hits *chart.Hits) []byte {
	f.list.Reset()
	if f.page.Theme == Projector {
		f.list.Embolden(1.5)
	}
	figure := f.Figure(kind, lane)
	if figure == nil || box.W < 1 || box.H < 1 {
		return f.list.Bytes()
	}
	v := f.page.View(f.LaneOf(kind, lane))
	v.Detail = f.page.Phases.RoundDetail(v.Lane)
	if v.Detail != nil {
		v.Back = 0
	}
	if kind == StartMap {
		v = f.page.initialView(v)
	}
	v.Compact = box.W < compactBelow || box.H < 190 && kind == "map"
	figure.Draw(&f.list, hits, &v, box)
	if o := &f.SelectionBox; o.FigureID == (chart.FigureID{Kind: kind, Lane: lane}) {
		f.list.Rect(min(o.X0, o.X1), min(o.Y0, o.Y1), max(o.X1-o.X0, o.X0-o.X1), max(o.Y1-o.Y0, o.Y0-o.Y1),
			scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1, Dash: scene.Fine})
	}
	return f.list.Bytes()
}

// ExportedFigure is a figure that is taken away.
type ExportedFigure struct {
	XTitle, YTitle string // titles of its axes; see [chart.AxisTitles]
	Description    string // what it shows
}

// DrawForExport draws a figure as it stands to be taken away, without what follows the pointer.
// For each title that there is, its box is line lower than the one given.
func (f *Painter) DrawForExport(at chart.FigureID, box chart.Box, line float32, list *scene.List,
	paper chart.ExportStyle) ExportedFigure {
	figure := f.Figure(at.Kind, at.Lane)
	v := f.page.View(f.LaneOf(at.Kind, at.Lane))
	v.Back, v.Hover, v.Projector, v.Compact, v.Export = 0, -1, false, box.W < compactBelow, paper
	var s ExportedFigure
	s.XTitle, s.YTitle = chart.AxisTitles(figure, &v)
	for _, title := range []*string{&s.XTitle, &s.YTitle} {
		if *title = say.Text(*title); *title != "" {
			box.H -= line
		}
	}
	figure.Draw(list, nil, &v, box)
	s.Description = figure.Describe(&v)
	return s
}

// LaneOf is the lane that a figure shows: the timeline and the data follow the
// one in focus.
func (f *Painter) LaneOf(kind string, lane int) int {
	if kind == "timeline" || kind == "data" {
		return f.page.Lane
	}
	return lane
}

// angle is the angle between groups as text: the one that is set, or that of the run
// on screen while it is of other data than those that are set.
func (s *State) angle() string {
	c := s.Config
	if c.Workload() != "linreg" && s.Run != nil {
		c, _ = s.Schema.Parse(s.Run.Header.Query)
	}
	return c.Value("dphi")
}

// Describe says in words what a figure shows. While the run plays it keeps
// quiet about the round, so that a screen reader is not talked over.
func (s *State) Describe(kind string, lane int) string {
	f := Painter{page: s}
	figure := f.Figure(kind, lane)
	if figure == nil || s.Run == nil {
		return say.Textf("%s, nothing computed yet.", say.Message(Capitalize(kind)))
	}
	if s.Player.Playing {
		return say.Textf("%s, playing.", say.Message(Capitalize(kind)))
	}
	v := s.View(f.LaneOf(kind, lane))
	v.Detail = s.Phases.RoundDetail(v.Lane)
	if kind == StartMap {
		v = s.initialView(v)
	}
	text := figure.Describe(&v) + chart.PinnedNote(figure, &v)
	if words := s.SelectionWords(); words != "" {
		text = say.Join([]string{text, say.Textf("%s.", words)}, " ")
	}
	return text
}

// DraggedAngle is the gap Δφ, as text, that turns the first true line to the pointer at (x, y) of the data
// figure.
//
// While the drag lasts the pointer is read on the plane that it began on: the
// plane of the run that arrives meanwhile may have another scale.
func (f *Painter) DraggedAngle(box chart.Box, x, y float32, done bool) (gap string, ok bool) {
	a := f.page
	if a.Run == nil {
		return "", false
	}
	if f.dragRun == nil {
		f.dragRun = trace.NewRun(a.Run.Header)
	}
	v := chart.View{Run: f.dragRun}
	angle := f.Figure("data", 0).(*samples.Plane).AngleAt(&v, box, x, y)
	if done {
		f.dragRun = nil
	}
	// The handle stands on the outermost line; Δφ is the gap to the next.
	d := a.Config.Values(-1).Float("D")
	if d < 2 {
		return "", false
	}
	wide := angle * 2 / (d - 1)
	field, _ := a.Schema.Field("dphi")
	low, high := field.Range()
	wide = min(max(wide, low), min(high, 177/(d-1)))
	return strconv.FormatFloat(float64(int(wide*2+0.5))/2, 'f', -1, 64), true
}

// similarClients is what is alike of clients that stand near each other on a lane's map.
func (s *State) similarClients(lane int) string {
	for part := range strings.SplitSeq(s.Algorithm(lane).Near, ";") {
		if what, choice, _ := strings.Cut(part, "?"); s.Config.Chose(lane, choice) {
			return what
		}
	}
	return ""
}
