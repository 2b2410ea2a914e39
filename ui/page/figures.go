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
	"flockscope/ui/chart/stage"
	"flockscope/ui/chart/sweeps"
)

const MaxLanes = experiment.MaxLanes

// Painter has the figures of a page, one of each kind and lane, since a figure keeps its buffers.
type Painter struct {
	page         *State
	figures      map[chart.FigureID]chart.Figure
	list         scene.List
	SelectionBox SelectionBox
	dragRun      *trace.Run // the header of the run at the start of a drag of the angle
}

// SelectionBox is the rectangle that the user draws around clients of a figure, from corner to
// corner.
type SelectionBox struct {
	chart.FigureID
	X0, Y0, X1, Y1 float32
}

// NewPainter returns the painter of a page.
func NewPainter(a *State) *Painter { return &Painter{page: a} }

// List returns the last display list.
func (f *Painter) List() *scene.List { return &f.list }

// StaticLen returns how much of the last display list is unchanged; see [scene.List].
func (f *Painter) StaticLen() int { return f.list.StaticLen() }

// Figure returns the figure of a kind and lane, nil for an unknown kind.
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

// configureFigure sets the options of a figure.
func (s *State) configureFigure(figure chart.Figure, n int) {
	switch figure := figure.(type) {
	case *samples.Plane:
		figure.Angle = "Δφ " + s.angleText() + "°"
	case *samples.Gallery:
		figure.ByClass = s.ByClass
	case *progress.Curves:
		figure.Metric, figure.Readout = s.ShownMetric(), s.Readout
	case *lane.Losses:
		figure.OwnScale = s.OwnScale
	case *clientmap.Map:
		figure.Fit, figure.In3D, figure.From = s.Zoom, s.Map3D, s.Orbit
		if n < len(s.Config.Lanes()) {
			figure.Similar = s.similarClients(n)
		}
	case *stage.Stage:
		figure.Lecture = s.Lecture.On
		s.configureFigure(&figure.Map, n)
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

// Pictures reports whether the data of the run on screen are images or other samples instead of
// points in a plane.
func (s *State) Pictures() bool { v := s.view(0); return v.Pictures() }

// compactBelow is the width in CSS pixels below which figures omit captions.
const compactBelow = 250

// thumbRadius is half the width of the scrubber's thumb, in CSS pixels.
const thumbRadius = 9

// StartMap is the kind of a map that always shows the state before the first round.
const StartMap = "start-map"

// initialView returns a view of the state before the first round, without selection.
func (s *State) initialView(v chart.View) chart.View {
	v.Round, v.Back, v.Hover, v.Selected, v.MultiSelection, v.Detail, v.Pinned = 0, 0, -1, -1, nil, nil, nil
	return v
}

// Draw draws a figure, fills hits and returns the display list, which is valid until the next call.
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
	if kind == "data" && f.page.asks() {
		v.Lane = -1 // its models would answer
	}
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

// ExportedFigure describes an exported figure.
type ExportedFigure struct {
	XTitle, YTitle string // titles of the axes; see [chart.AxisTitles]
	Description    string // of its content
}

// DrawForExport draws a figure without the effects of the pointer. The figure is lower than its box
// by line for each axis title that it has.
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

// LaneOf returns the lane that a figure shows: timeline and data show the focused one.
func (f *Painter) LaneOf(kind string, lane int) int {
	if kind == "timeline" || kind == "data" {
		return f.page.Lane
	}
	return lane
}

// angleText returns the angle between groups as text, of the settings or, while the run on screen is of
// other data, of that run.
func (s *State) angleText() string {
	c := s.Config
	if c.Workload() != "linreg" && s.Run != nil {
		c, _ = s.Schema.Parse(s.Run.Header.Query)
	}
	return c.Value("dphi")
}

// Describe returns what a figure shows in words. While the run plays it omits the round, since a
// screen reader would read every change.
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

// DraggedGap returns the gap Δφ, as text, that turns the first true line to the pointer at (x, y)
// of the data figure. It uses the scale at the start of the drag: runs that arrive during the drag
// may have other scales.
func (f *Painter) DraggedGap(box chart.Box, x, y float32, done bool) (gap string, ok bool) {
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
	// The handle is on the outermost line; Δφ is the gap to the next.
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

// similarClients returns what nearby clients on a lane's map have in common.
func (s *State) similarClients(lane int) string {
	for part := range strings.SplitSeq(s.Algorithm(lane).Near, ";") {
		if what, choice, _ := strings.Cut(part, "?"); s.Config.Chose(lane, choice) {
			return what
		}
	}
	return ""
}
