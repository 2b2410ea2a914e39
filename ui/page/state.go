package page

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/progress"
	"flockscope/ui/guide"
	"flockscope/ui/host"
	"flockscope/ui/jobs"
)

// State is the state of the page. Its methods are called from one thread only.
type State struct {
	Schema *experiment.Schema
	Config experiment.Config
	Run    *trace.Run // shown in the figures; nil before its first frames arrive

	Look
	Selection
	Panels
	Hardware

	Lecture       Lecture
	ForcedColours bool // the system forces its few colours, so hue carries no information
	hidden        bool // the page is hidden, and its engines pause with it
	enginesPaused bool // engines are paused

	Frame FrameOptions // set by the author of the frame
	Guide guide.Guide  // the explanations, loaded when their sheet opens

	Notices         []Notice   // problems of links and files; the user dismisses each
	ConsoleWarnings []string   // problems of a link that only the console shows
	dismissed       *trace.Run // the run whose notices the user has dismissed

	Player   *Player
	Runs     *Runs
	Settings *Settings
	Files    *Files
	Phases   *Phases
	Export   *Exporter
	Jobs     *jobs.Jobs
	Lessons  *Lessons
	Parent   *Parent
	Pinned   *Pinned

	judge     *verdict.Judge
	liarsBack *experiment.Config // to go back to once the honest run is pinned, nil for none

	followed int  // client to follow unless one is selected
	opening  bool // the first run arrives, and what its link leaves open is not chosen yet

	names chart.Names
	lanes laneInfo

	Animating bool // a figure moves: the next animation frame sends a Tick

	pool    enginePool
	record  record
	now     float64 // time of the current update, in ms
	effects host.Effects
}

// Look is the round and the view of the run, as a link stores them.
type Look struct {
	// Round is the selected round. It may exceed the rounds computed so far: figures follow as
	// frames arrive.
	Round int
	Lane  int // the lane that single-lane figures show
	Tab   string

	Metric       progress.Metric
	MetricChosen bool            // the user or the link chose the metric
	Theme        string          // "light", "dark", "projector", or "" for the system's theme
	Lang         string          // "en", "zh", or "" for the browser's language
	Speed        float64         // 1 is the default speed
	Zoom         bool            // maps fit their scale to each round
	Map3D        bool            // maps have three dimensions, seen from Orbit
	Orbit        clientmap.Orbit // the viewpoint of maps in three dimensions

	ByClass  bool // the pictures of all clients stand by class
	OwnScale bool // each lane's losses have their own colour scale

	NoAutoStop bool // playing continues when nothing changes any more
	NoPreview  bool // no previews along sliders
	Embed      bool // the page is in a frame and leaves out parts

	SweepLinked bool // the link describes a sweep, whose sheet the page opens
}

// Panels is what is open on the page, and the texts and values shown in it.
type Panels struct {
	Drawer       bool // the settings drawer of narrow screens is open
	Advanced     bool
	Legend       bool             // legends stand below the figures
	SettingsLane int              // lane whose own settings are open, −1 for none
	Adding       bool             // the list of methods to add is open
	SearchText   string           // search text of that list
	Sheet        string           // name of the open dialog page, "" for none
	Topic        string           // topic of the sheet of explanations
	TableFigure  chart.FigureID   // figure whose numbers are shown
	Readout      progress.Readout // values shown beside the pointer on the curves
}

// laneInfo has the functions by which figures look up lanes; see [chart.View].
type laneInfo struct {
	unclustered   func(algorithm string) bool
	findsClusters func(id string) bool
}

// New returns the state of a page opened with the query of a link.
func New(schema *experiment.Schema, query string) *State {
	a := &State{
		Schema: schema, Selection: Selection{Selected: -1, Hover: -1},
		Look: Look{Speed: 1, Orbit: clientmap.DefaultOrbit, Tab: "map"}, Panels: Panels{SettingsLane: -1},
		Hardware: Hardware{Engines: 1},
	}
	a.Parent, a.Pinned, a.Lessons = &Parent{page: a}, &Pinned{page: a}, &Lessons{page: a}
	a.Player, a.Files, a.Phases, a.Export = &Player{page: a}, &Files{page: a}, &Phases{page: a}, &Exporter{page: a}
	a.Runs = &Runs{page: a, machine: &a.Hardware}
	a.Settings = &Settings{page: a, drafts: map[string]refusedText{}, controls: map[panelSection][]Node{}}
	a.Jobs, a.judge = jobs.New(), a.newJudge()
	a.lanes.unclustered = func(algorithm string) bool { return a.methodOf(algorithm).Unclustered }
	a.lanes.findsClusters = func(id string) bool {
		lane := slices.IndexFunc(a.Config.Lanes(), func(l experiment.Lane) bool { return l.ID() == id })
		return lane >= 0 && a.Config.FindsK(lane)
	}
	a.record.link = query
	link := schema.OpenLink(query)
	keys := link.Page()
	a.Config = a.readLink(link)
	a.readPage(keys)
	a.Player.resting = link.Resting()
	a.readFrame(keys)
	return a
}

// Shown returns the round that is drawn: the selected one, or the last one computed so far.
func (s *State) Shown() int {
	if s.Run == nil {
		return 0
	}
	return max(0, min(s.Round, s.Run.Finished()))
}

// Rounds returns the length of the run.
func (s *State) Rounds() int {
	if s.Run != nil {
		return s.Run.Header.Rounds
	}
	return s.Config.Values(-1).Int("T")
}

// requestedRounds returns the length of the requested run, which may not have arrived yet.
func (s *State) requestedRounds() int {
	if s.Runs.Busy() {
		return s.Config.Values(-1).Int("T")
	}
	return s.Rounds()
}

// View returns what the figures of a lane show.
func (s *State) View(lane int) chart.View { return s.view(s.LaneOfRun(lane)) }

// view does the same for a lane of the run on screen, −1 for none.
func (s *State) view(lane int) chart.View {
	return chart.View{Run: s.Run, Lane: lane, Round: s.Shown(), Selected: s.Selected, MultiSelection: s.Multiple,
		Hover: s.Hover, Followed: s.Followed(),
		Back: s.Player.SlideOffset(), ReducedMotion: s.Player.ReducedMotion, Pinned: s.Pinned.DrawnRun(),
		Projector: s.Theme == Projector, Letters: s.ForcedColours, Names: &s.names,
		Unclustered: s.lanes.unclustered, FindsClusters: s.lanes.findsClusters}
}

// FocusLane: the user selects the lane of the figures that show one lane.
type FocusLane struct{ Lane int }

func (m FocusLane) update(s *State) {
	s.Lane = max(0, min(m.Lane, len(s.Config.Lanes())-1))
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// HoverClient: the pointer is over a client, −1 for none.
type HoverClient struct{ Client int }

func (m HoverClient) update(s *State) {
	if m.Client != s.Hover {
		s.Hover = m.Client
		s.effects.Redraw(host.Figures | host.Shell)
	}
}

// ReadCurves: the pointer is over the curves, which show the values there.
type ReadCurves struct{ Readout progress.Readout }

func (m ReadCurves) update(s *State) {
	if m.Readout != s.Readout {
		s.Readout = m.Readout
		s.effects.Redraw(host.Stream)
	}
}

// ReadNextMethod: a key highlights the next lane on the curves, or with By < 0 the previous one.
// After the last lane, none is highlighted.
type ReadNextMethod struct{ By int }

func (m ReadNextMethod) update(s *State) {
	n := len(s.Config.Lanes()) + 1
	ReadCurves{progress.Readout{On: true, Round: -1, Lane: (s.Readout.Lane+1+m.By+n)%n - 1}}.update(s)
	s.effects.Redraw(host.Shell) // the curves are described by their values
}

// ShowByClass: the user arranges the pictures of all clients by class, or by client again.
type ShowByClass struct{ On bool }

func (m ShowByClass) update(s *State) {
	s.ByClass = m.On
	s.effects.Redraw(host.Shell | host.Figures)
}

// SetOwnScale: the user gives each lane's losses their own colour scale, or all lanes the same.
type SetOwnScale struct{ On bool }

func (m SetOwnScale) update(s *State) {
	s.OwnScale = m.On
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// SelectClient: the user selects a client. Selecting it again clears the selection.
type SelectClient struct{ Client int }

func (m SelectClient) update(s *State) {
	if m.Client == s.Selected {
		m.Client = -1
	}
	s.Selected, s.Multiple = m.Client, nil
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// FocusedClient returns the client under the pointer, else the selected one, −1 for none.
func (s *State) FocusedClient() int {
	n := s.Hover
	if n < 0 {
		n = s.Selected
	}
	if s.Run == nil || n >= s.Run.Header.Clients {
		return -1
	}
	return n
}
