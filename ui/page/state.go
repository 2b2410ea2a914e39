package page

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
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
	Run    *trace.Run // on screen; nil before the first frames are there

	Look
	Selection
	Panels
	Hardware

	ForcedColours bool // the system's few colours are in force: there is no hue
	enginesPaused bool // the engines wait, since nobody can see the page

	Frame FrameOptions // how the author of a frame wants it
	Guide guide.Guide  // the explanations, once the sheet of them was open

	Notices         []Notice   // what a link or a file got wrong; dismissed one by one
	ConsoleWarnings []string   // what a link got wrong, for those who look at the console
	dismissed       *trace.Run // whose own notices have been dismissed

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

	names modelNames
	lanes laneInfo

	Animating bool // something moves: the next animation frame is a Tick

	pool    enginePool
	record  record
	now     float64 // time of the update under way, in ms
	effects host.Effects
}

// Look is the moment and the view of the run, as a link has them.
type Look struct {
	// Round is the round looked at. It may lie ahead of what has been
	// computed: the picture follows as rounds arrive.
	Round int
	Lane  int // the lane that single-lane figures show
	Tab   string

	Metric       progress.Metric
	MetricChosen bool            // the metric was chosen, not left to the page
	Theme        string          // "light", "dark", "projector", or "" for what the system says
	Lang         string          // "en", "zh", or "" for what the browser prefers
	Speed        float64         // 1 is the usual pace
	Zoom         bool            // maps fit each round
	Map3D        bool            // maps have three dimensions, seen from From
	Orbit        clientmap.Orbit // likewise

	OwnScale bool // the colours of each lane's losses are its own

	NoAutoStop bool // playing goes on where nothing changes any more
	NoPreview  bool // sliders stay plain
	Embed      bool // in a frame, without what belongs to a page of its own
}

// Panels is what is open on the page, and what is pointed at in it.
type Panels struct {
	Drawer       bool // settings are open where they are not always there
	Advanced     bool
	SettingsLane int              // lane whose own settings are open, −1 for none
	Adding       bool             // the list of algorithms to add is open
	SearchText   string           // what is searched for in it
	Sheet        string           // page of the dialog that is open, "" for none
	Topic        string           // what the sheet of explanations is about
	TableFigure  chart.FigureID   // the figure whose numbers are shown
	Readout      progress.Readout // what is read off the curves
}

// modelNames are the names of the models of the lanes on screen, while they have no summary.
type modelNames struct {
	aliaser chart.Aliaser
	aliases [][]uint16
}

// laneInfo are what figures ask about lanes; see [chart.View].
type laneInfo struct {
	unclustered   func(algorithm string) bool
	findsClusters func(id string) bool
}

// New returns the page of a link's query.
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
	a.Jobs = jobs.New()
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
	a.readFrame(keys)
	return a
}

// Shown is the round that is drawn: the one looked at, as far as it has been
// computed.
func (s *State) Shown() int {
	if s.Run == nil {
		return 0
	}
	return max(0, min(s.Round, s.Run.Finished()))
}

// Rounds is the length of the run.
func (s *State) Rounds() int {
	if s.Run != nil {
		return s.Run.Header.Rounds
	}
	return s.Config.Values(-1).Int("T")
}

// requestedRounds is that of the run that is wished for, which may still be on its way.
func (s *State) requestedRounds() int {
	if s.Runs.Busy() {
		return s.Config.Values(-1).Int("T")
	}
	return s.Rounds()
}

// View is the moment that the figures of a lane show.
func (s *State) View(lane int) chart.View { return s.view(s.LaneOfRun(lane)) }

// view is the same for a lane of the run on screen, −1 for none.
func (s *State) view(lane int) chart.View {
	return chart.View{Run: s.Run, Lane: lane, Round: s.Shown(), Selected: s.Selected, MultiSelection: s.Multiple,
		Hover: s.Hover,
		Back:  s.Player.SlideOffset(), ReducedMotion: s.Player.ReducedMotion, Pinned: s.Pinned.DrawnRun(),
		Projector: s.Theme == Projector, Letters: s.ForcedColours, Aliases: s.names.aliases,
		Unclustered: s.lanes.unclustered, FindsClusters: s.lanes.findsClusters}
}

// FocusLane shows a lane in the figures that show one.
type FocusLane struct{ Lane int }

func (m FocusLane) update(s *State) {
	s.Lane = max(0, min(m.Lane, len(s.Config.Lanes())-1))
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// HoverClient puts the pointer's attention on a client, −1 for none.
type HoverClient struct{ Client int }

func (m HoverClient) update(s *State) {
	if m.Client != s.Hover {
		s.Hover = m.Client
		s.effects.Redraw(host.Figures | host.Shell)
	}
}

// ReadCurves reads values off the curves.
type ReadCurves struct{ Readout progress.Readout }

func (m ReadCurves) update(s *State) {
	if m.Readout != s.Readout {
		s.Readout = m.Readout
		s.effects.Redraw(host.Stream)
	}
}

// ReadNextMethod has the next lane stand out on the curves, or the one before, by the sign of
// by; after the last none does.
type ReadNextMethod struct{ By int }

func (m ReadNextMethod) update(s *State) {
	n := len(s.Config.Lanes()) + 1
	ReadCurves{progress.Readout{On: true, Round: -1, Lane: (s.Readout.Lane+1+m.By+n)%n - 1}}.update(s)
	s.effects.Redraw(host.Shell) // the curves are described by their values
}

// SetOwnScale has each lane's losses use colours of their own, or all lanes the same.
type SetOwnScale struct{ On bool }

func (m SetOwnScale) update(s *State) {
	s.OwnScale = m.On
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// SelectClient keeps a client in focus; selecting it again lets it go.
type SelectClient struct{ Client int }

func (m SelectClient) update(s *State) {
	if m.Client == s.Selected {
		m.Client = -1
	}
	s.Selected, s.Multiple = m.Client, nil
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// FocusedClient is the client in focus: the one pointed at, else the selected.
func (s *State) FocusedClient() int {
	n := -1
	switch {
	case s.Hover >= 0:
		n = s.Hover
	case s.Selected >= 0:
		n = s.Selected
	}
	if s.Run == nil || n >= s.Run.Header.Clients {
		return -1
	}
	return n
}
