package ui

import (
	"net/url"
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/background"
	"flockscope/ui/chart"
	"flockscope/ui/export"
	"flockscope/ui/files"
	"flockscope/ui/host"
	"flockscope/ui/lessons"
	"flockscope/ui/messages"
	"flockscope/ui/phases"
	"flockscope/ui/pinned"
	"flockscope/ui/player"
	"flockscope/ui/runs"
	"flockscope/ui/scene"
	"flockscope/ui/settings"
)

// filesPage is the page as the user's files see it.
type filesPage struct{ *App }

var _ files.Page = filesPage{}

func (p filesPage) Host() host.Host            { return p.App.Host }
func (p filesPage) Config() experiment.Config  { return p.App.Config }
func (p filesPage) Engines() int               { return p.App.Engines }
func (p filesPage) OpenRun(f wire.Named)       { p.openRun(f) }
func (p filesPage) FilesChanged()              { p.Background.Forget() }
func (p filesPage) Become(c experiment.Config) { p.become(c) }
func (p filesPage) Undo()                      { p.Settings.Undo() }
func (p filesPage) Remember()                  { p.Settings.Remember() }
func (p filesPage) Previous() (*files.Loaded, experiment.Config, bool) {
	return p.Settings.Previous()
}

func (p filesPage) ForgetSteps(keep func(step *files.Loaded) bool) { p.Settings.ForgetSteps(keep) }

// settingsPage is the page as the settings see it.
type settingsPage struct{ *App }

var _ settings.Page = settingsPage{}

func (p settingsPage) Host() host.Host            { return p.App.Host }
func (p settingsPage) Schema() *experiment.Schema { return p.App.Schema }
func (p settingsPage) Config() experiment.Config  { return p.App.Config }
func (p settingsPage) Files() *files.Files        { return p.App.Files }
func (p settingsPage) Become(c experiment.Config) { p.become(c) }
func (p settingsPage) Settle(c experiment.Config) { p.settle(c) }
func (p settingsPage) LaneAdded()                 { p.Adding = false }

// phasesPage is the page as the phases of a round see it.
type phasesPage struct{ *App }

var _ phases.Page = phasesPage{}

func (p phasesPage) Host() host.Host        { return p.App.Host }
func (p phasesPage) Run() *trace.Run        { return p.App.Run }
func (p phasesPage) Request() uint32        { return p.Runs.ID() }
func (p phasesPage) RunTime() float64       { return p.Runs.RunTime() }
func (p phasesPage) Lane() int              { return p.App.Lane }
func (p phasesPage) Still() bool            { return p.App.Player.Still }
func (p phasesPage) Steps() []registry.Step { return p.Schema.Steps }
func (p phasesPage) StopPlaying()           { p.Player.Playing = false }
func (p phasesPage) LookAt(round int)       { p.Round = round }

// exportPage is the page as the exporter sees it.
type exportPage struct{ *App }

var _ export.Page = exportPage{}

func (p exportPage) Host() host.Host            { return p.App.Host }
func (p exportPage) Schema() *experiment.Schema { return p.App.Schema }
func (p exportPage) Config() experiment.Config  { return p.App.Config }
func (p exportPage) Run() *trace.Run            { return p.App.Run }
func (p exportPage) Lane() int                  { return p.App.Lane }
func (p exportPage) HasVerdict(lane int) bool   { return p.hasVerdict(lane) }
func (p exportPage) Theme() string              { return p.App.Theme }
func (p exportPage) Complete() bool             { return p.Runs.Complete() }
func (p exportPage) Link(theme string) string   { return p.link(theme) }

func (p exportPage) Controls(section param.Section) (out []*param.Field) {
	for _, n := range p.Settings.Controls(section, false) {
		out = append(out, n.Field)
	}
	return out
}

func (p exportPage) Sketch(at chart.Spot, box chart.Box, list *scene.List) string {
	return NewPainter(p.App).Sketch(at, box, list)
}

// runsPage is the page as the runs see it.
type runsPage struct{ *App }

var _ runs.Page = runsPage{}

func (p runsPage) Host() host.Host                    { return p.App.Host }
func (p runsPage) Config() experiment.Config          { return p.App.Config }
func (p runsPage) Settings() *settings.Settings       { return p.App.Settings }
func (p runsPage) Files() *files.Files                { return p.App.Files }
func (p runsPage) Phases() *phases.Phases             { return p.App.Phases }
func (p runsPage) Background() *background.Background { return p.App.Background }
func (p runsPage) Run() *trace.Run                    { return p.App.Run }
func (p runsPage) LookedAt() int                      { return p.Round }
func (p runsPage) Keeps(run *trace.Run) bool          { return run == p.Pinned.Run() }
func (p runsPage) Refused(why string)                 { p.Messages.Refused(why) }
func (p runsPage) StopPlaying()                       { p.Player.Playing = false }

func (p runsPage) Enter(run *trace.Run) {
	p.App.Run, p.names.aliases = run, p.names.aliases[:0]
	p.Keep(slices.DeleteFunc(slices.Clone(p.App.Chosen()), func(i int) bool { return i >= run.Header.Clients }))
	p.Hover = min(p.Hover, run.Header.Clients-1)
	p.App.Phases.Ask()
}

func (p runsPage) Arrived() {
	p.nameModels()
	p.App.Background.Dispatch()
	p.Lessons.Check()
}

// playerPage is the page as the player sees it.
type playerPage struct{ *App }

var _ player.Page = playerPage{}

func (p playerPage) Host() host.Host        { return p.App.Host }
func (p playerPage) Run() *trace.Run        { return p.App.Run }
func (p playerPage) RunTime() float64       { return p.Runs.RunTime() }
func (p playerPage) Stopped() bool          { return p.Runs.Stopped() }
func (p playerPage) Phases() *phases.Phases { return p.App.Phases }
func (p playerPage) LookedAt() int          { return p.Round }
func (p playerPage) LookAt(round int)       { p.Round = round }
func (p playerPage) Length() int            { return p.length() }
func (p playerPage) Lane() int              { return p.App.Lane }
func (p playerPage) Speed() float64         { return p.App.Speed }
func (p playerPage) SetSpeed(speed float64) { p.App.Speed = speed }
func (p playerPage) Loops() bool            { return p.Frame.Loop }
func (p playerPage) StopsEarly() bool       { return !p.NoAutoStop }
func (p playerPage) Paused()                { p.Lessons.Paused() }

// lessonsPage is the page as lessons and tour see it.
type lessonsPage struct{ *App }

var _ lessons.Page = lessonsPage{}

func (p lessonsPage) Host() host.Host              { return p.App.Host }
func (p lessonsPage) Schema() *experiment.Schema   { return p.App.Schema }
func (p lessonsPage) Config() experiment.Config    { return p.App.Config }
func (p lessonsPage) Run() *trace.Run              { return p.App.Run }
func (p lessonsPage) Current() bool                { return p.Runs.Current() }
func (p lessonsPage) Dragged() string              { return p.App.Settings.Dragged() }
func (p lessonsPage) Playing() bool                { return p.Player.Playing }
func (p lessonsPage) Still() bool                  { return p.Player.Still }
func (p lessonsPage) Translate(text string) string { return p.Locale.Text(text) }
func (p lessonsPage) LookedAt() int                { return p.Round }
func (p lessonsPage) LookAt(round int)             { p.Round = round }
func (p lessonsPage) Seek(round int)               { p.Player.Seek(round) }
func (p lessonsPage) Adopt(c experiment.Config)    { p.App.Settings.Adopt(c, "", true) }
func (p lessonsPage) Settings() string             { return p.App.Config.String() }
func (p lessonsPage) Tune(lane int)                { p.Tuning = lane }
func (p lessonsPage) Clear()                       { p.Sheet, p.Player.Playing, p.Drawer = "", false, false }

func (p lessonsPage) StopPlaying() { p.Player.Playing = false }

func (p lessonsPage) PlayFromStart() {
	p.Round = 0
	p.Player.Start(p.App.Host.Now(), 0)
}

func (p lessonsPage) Open(l *lesson.Lesson) {
	p.Keep(nil)
	p.App.Lane, p.Round, p.Tab, p.Metric, p.Picked = 0, 0, Tabs[0], chart.ARI, false
	link := p.App.Schema.ReadLink(l.Query)
	config, _ := p.App.Schema.ParseLink(link)
	p.Adopt(config)
	p.look(link.Page())
}

func (p lessonsPage) Snapshot() (restore func()) {
	config, round, lane, tab, metric, picked := p.App.Config, p.Round, p.App.Lane, p.Tab, p.Metric, p.Picked
	return func() {
		p.Keep(nil)
		p.Round, p.Tab, p.Metric, p.Picked = round, tab, metric, picked
		p.Adopt(config)
		p.App.Lane = min(lane, len(p.App.Config.Lanes())-1)
	}
}

// messagesPage is the page as the page around a frame sees it.
type messagesPage struct{ *App }

var _ messages.Page = messagesPage{}

func (p messagesPage) Host() host.Host                 { return p.App.Host }
func (p messagesPage) Config() experiment.Config       { return p.App.Config }
func (p messagesPage) Run() *trace.Run                 { return p.App.Run }
func (p messagesPage) Player() *player.Player          { return p.App.Player }
func (p messagesPage) Runs() *runs.Runs                { return p.App.Runs }
func (p messagesPage) Settings() *settings.Settings    { return p.App.Settings }
func (p messagesPage) Problem() string                 { return p.App.Problem }
func (p messagesPage) Autoplay() string                { return p.Frame.Autoplay }
func (p messagesPage) HasVerdict(lane int) bool        { return p.hasVerdict(lane) }
func (p messagesPage) ViewOf(lane int) chart.View      { return p.view(lane) }
func (p messagesPage) Doubts(view url.Values) []string { return linkDoubts(view) }
func (p messagesPage) Look(view url.Values)            { p.look(view) }

// pinnedPage is the page as the pinned run sees it.
type pinnedPage struct{ *App }

var _ pinned.Page = pinnedPage{}

func (p pinnedPage) Host() host.Host            { return p.App.Host }
func (p pinnedPage) Schema() *experiment.Schema { return p.App.Schema }
func (p pinnedPage) Config() experiment.Config  { return p.App.Config }
func (p pinnedPage) Run() *trace.Run            { return p.App.Run }
func (p pinnedPage) Busy() bool                 { return p.Runs.Busy() }
func (p pinnedPage) IsSeed(name string) bool    { return p.Settings.IsSeed(name) }
