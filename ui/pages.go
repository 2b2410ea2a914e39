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
	"flockscope/ui/notices"
	"flockscope/ui/phases"
	"flockscope/ui/pinned"
	"flockscope/ui/player"
	"flockscope/ui/runs"
	"flockscope/ui/scene"
	"flockscope/ui/settings"
)

// filesPage is the page as the user's files see it.
type filesPage struct{ a *App }

var _ files.Page = filesPage{}

func (p filesPage) Withdraw(text string)                    { p.a.Withdraw(text) }
func (p filesPage) OpenSheet(name string)                   { p.a.OpenSheet(name) }
func (p filesPage) Notify(text string, ways ...notices.Way) { p.a.Notify(text, ways...) }
func (p filesPage) Host() host.Host                         { return p.a.Host }
func (p filesPage) Config() experiment.Config               { return p.a.Config }
func (p filesPage) Engines() int                            { return p.a.Engines }
func (p filesPage) OpenRun(f wire.Named)                    { p.a.openRun(f) }
func (p filesPage) OpenResults(f wire.Named) string {
	return p.a.Background.OpenResults(f.Name, f.Data)
}
func (p filesPage) FilesChanged()              { p.a.Background.Forget() }
func (p filesPage) Become(c experiment.Config) { p.a.become(c) }
func (p filesPage) Undo()                      { p.a.Settings.Undo() }
func (p filesPage) Remember()                  { p.a.Settings.Remember() }
func (p filesPage) Previous() (*files.Loaded, experiment.Config, bool) {
	return p.a.Settings.Previous()
}

func (p filesPage) ForgetSteps(keep func(step *files.Loaded) bool) { p.a.Settings.ForgetSteps(keep) }

// settingsPage is the page as the settings see it.
type settingsPage struct{ a *App }

var _ settings.Page = settingsPage{}

func (p settingsPage) Notify(text string, ways ...notices.Way) { p.a.Notify(text, ways...) }
func (p settingsPage) Host() host.Host                         { return p.a.Host }
func (p settingsPage) Schema() *experiment.Schema              { return p.a.Schema }
func (p settingsPage) Config() experiment.Config               { return p.a.Config }
func (p settingsPage) Files() *files.Files                     { return p.a.Files }
func (p settingsPage) Become(c experiment.Config)              { p.a.become(c) }
func (p settingsPage) Settle(c experiment.Config)              { p.a.settle(c) }
func (p settingsPage) LaneAdded()                              { p.a.Adding = false }

// phasesPage is the page as the phases of a round see it.
type phasesPage struct{ a *App }

var _ phases.Page = phasesPage{}

func (p phasesPage) View(lane int) chart.View         { return p.a.View(lane) }
func (p phasesPage) Speaker() int                     { return p.a.Speaker() }
func (p phasesPage) Shown() int                       { return p.a.Shown() }
func (p phasesPage) Rounds() int                      { return p.a.Rounds() }
func (p phasesPage) LaneOfRun(lane int) int           { return p.a.LaneOfRun(lane) }
func (p phasesPage) Algorithm(lane int) registry.Meta { return p.a.Algorithm(lane) }
func (p phasesPage) Host() host.Host                  { return p.a.Host }
func (p phasesPage) Run() *trace.Run                  { return p.a.Run }
func (p phasesPage) Request() uint32                  { return p.a.Runs.ID() }
func (p phasesPage) RunTime() float64                 { return p.a.Runs.RunTime() }
func (p phasesPage) Lane() int                        { return p.a.Lane }
func (p phasesPage) Still() bool                      { return p.a.Player.Still }
func (p phasesPage) Steps() []registry.Step           { return p.a.Schema.Steps }
func (p phasesPage) StopPlaying()                     { p.a.Player.Playing = false }
func (p phasesPage) LookAt(round int)                 { p.a.Round = round }

// exportPage is the page as the exporter sees it.
type exportPage struct{ a *App }

var _ export.Page = exportPage{}

func (p exportPage) View(lane int) chart.View   { return p.a.View(lane) }
func (p exportPage) Title(lane int) string      { return p.a.Title(lane) }
func (p exportPage) Shown() int                 { return p.a.Shown() }
func (p exportPage) Heroes() []*param.Field     { return p.a.Heroes() }
func (p exportPage) Fingerprint() string        { return p.a.Fingerprint() }
func (p exportPage) Host() host.Host            { return p.a.Host }
func (p exportPage) Schema() *experiment.Schema { return p.a.Schema }
func (p exportPage) Config() experiment.Config  { return p.a.Config }
func (p exportPage) Run() *trace.Run            { return p.a.Run }
func (p exportPage) Lane() int                  { return p.a.Lane }
func (p exportPage) HasVerdict(lane int) bool   { return p.a.hasVerdict(lane) }
func (p exportPage) Theme() string              { return p.a.Theme }
func (p exportPage) Complete() bool             { return p.a.Runs.Complete() }
func (p exportPage) Link(theme string) string   { return p.a.link(theme) }

func (p exportPage) Controls(section param.Section) (out []*param.Field) {
	for _, n := range p.a.Settings.Controls(section, false) {
		out = append(out, n.Field)
	}
	return out
}

func (p exportPage) Sketch(at chart.Spot, box chart.Box, list *scene.List) string {
	return NewPainter(p.a).Sketch(at, box, list)
}

// runsPage is the page as the runs see it.
type runsPage struct{ a *App }

var _ runs.Page = runsPage{}

func (p runsPage) Withdraw(text string)                    { p.a.Withdraw(text) }
func (p runsPage) Shown() int                              { return p.a.Shown() }
func (p runsPage) Rounds() int                             { return p.a.Rounds() }
func (p runsPage) Notify(text string, ways ...notices.Way) { p.a.Notify(text, ways...) }
func (p runsPage) Host() host.Host                         { return p.a.Host }
func (p runsPage) Config() experiment.Config               { return p.a.Config }
func (p runsPage) Settings() *settings.Settings            { return p.a.Settings }
func (p runsPage) Files() *files.Files                     { return p.a.Files }
func (p runsPage) Phases() *phases.Phases                  { return p.a.Phases }
func (p runsPage) Background() *background.Background      { return p.a.Background }
func (p runsPage) Run() *trace.Run                         { return p.a.Run }
func (p runsPage) LookedAt() int                           { return p.a.Round }
func (p runsPage) Keeps(run *trace.Run) bool               { return run == p.a.Pinned.Run() }
func (p runsPage) Refused(why string)                      { p.a.Messages.Refused(why) }
func (p runsPage) StopPlaying()                            { p.a.Player.Playing = false }

func (p runsPage) Enter(run *trace.Run) {
	p.a.Run, p.a.names.aliases = run, p.a.names.aliases[:0]
	p.a.Keep(slices.DeleteFunc(slices.Clone(p.a.Chosen()), func(i int) bool { return i >= run.Header.Clients }))
	p.a.Hover = min(p.a.Hover, run.Header.Clients-1)
	p.a.Phases.Ask()
}

func (p runsPage) Arrived() {
	p.a.nameModels()
	p.a.Background.Dispatch()
	p.a.Lessons.Check()
}

// playerPage is the page as the player sees it.
type playerPage struct{ a *App }

var _ player.Page = playerPage{}

func (p playerPage) View(lane int) chart.View { return p.a.View(lane) }
func (p playerPage) Shown() int               { return p.a.Shown() }
func (p playerPage) Rounds() int              { return p.a.Rounds() }
func (p playerPage) Host() host.Host          { return p.a.Host }
func (p playerPage) Run() *trace.Run          { return p.a.Run }
func (p playerPage) RunTime() float64         { return p.a.Runs.RunTime() }
func (p playerPage) Stopped() bool            { return p.a.Runs.Stopped() }
func (p playerPage) Phases() *phases.Phases   { return p.a.Phases }
func (p playerPage) LookedAt() int            { return p.a.Round }
func (p playerPage) LookAt(round int)         { p.a.Round = round }
func (p playerPage) Length() int              { return p.a.length() }
func (p playerPage) Lane() int                { return p.a.Lane }
func (p playerPage) Speed() float64           { return p.a.Speed }
func (p playerPage) SetSpeed(speed float64)   { p.a.Speed = speed }
func (p playerPage) Loops() bool              { return p.a.Frame.Loop }
func (p playerPage) StopsEarly() bool         { return !p.a.NoAutoStop }
func (p playerPage) Paused()                  { p.a.Lessons.Paused() }

// lessonsPage is the page as lessons and tour see it.
type lessonsPage struct{ a *App }

var _ lessons.Page = lessonsPage{}

func (p lessonsPage) Host() host.Host              { return p.a.Host }
func (p lessonsPage) Schema() *experiment.Schema   { return p.a.Schema }
func (p lessonsPage) Config() experiment.Config    { return p.a.Config }
func (p lessonsPage) Run() *trace.Run              { return p.a.Run }
func (p lessonsPage) Current() bool                { return p.a.Runs.Current() }
func (p lessonsPage) Dragged() string              { return p.a.Settings.Dragged() }
func (p lessonsPage) Playing() bool                { return p.a.Player.Playing }
func (p lessonsPage) Still() bool                  { return p.a.Player.Still }
func (p lessonsPage) Translate(text string) string { return p.a.Locale.Text(text) }
func (p lessonsPage) LookedAt() int                { return p.a.Round }
func (p lessonsPage) LookAt(round int)             { p.a.Round = round }
func (p lessonsPage) Seek(round int)               { p.a.Player.Seek(round) }
func (p lessonsPage) Adopt(c experiment.Config)    { p.a.Settings.Adopt(c, "", true) }
func (p lessonsPage) Settings() string             { return p.a.Config.String() }
func (p lessonsPage) Tune(lane int)                { p.a.Tuning = lane }
func (p lessonsPage) Clear()                       { p.a.Sheet, p.a.Player.Playing, p.a.Drawer = "", false, false }

func (p lessonsPage) StopPlaying() { p.a.Player.Playing = false }

func (p lessonsPage) PlayFromStart() {
	p.a.Round = 0
	p.a.Player.Start(p.a.Host.Now(), 0)
}

func (p lessonsPage) Open(l *lesson.Lesson) {
	p.a.Keep(nil)
	p.a.Lane, p.a.Round, p.a.Tab, p.a.Metric, p.a.Picked = 0, 0, Tabs[0], chart.ARI, false
	link := p.a.Schema.ReadLink(l.Query)
	config, _ := p.a.Schema.ParseLink(link)
	p.Adopt(config)
	p.a.look(link.Page())
}

func (p lessonsPage) Snapshot() (restore func()) {
	config, round, lane, tab, metric, picked := p.a.Config, p.a.Round, p.a.Lane, p.a.Tab, p.a.Metric, p.a.Picked
	return func() {
		p.a.Keep(nil)
		p.a.Round, p.a.Tab, p.a.Metric, p.a.Picked = round, tab, metric, picked
		p.Adopt(config)
		p.a.Lane = min(lane, len(p.a.Config.Lanes())-1)
	}
}

// messagesPage is the page as the page around a frame sees it.
type messagesPage struct{ a *App }

var _ messages.Page = messagesPage{}

func (p messagesPage) ShownFrame(lane int) *trace.Frame { return p.a.ShownFrame(lane) }
func (p messagesPage) Shown() int                       { return p.a.Shown() }
func (p messagesPage) Rounds() int                      { return p.a.Rounds() }
func (p messagesPage) Link() string                     { return p.a.Link() }
func (p messagesPage) Fingerprint() string              { return p.a.Fingerprint() }
func (p messagesPage) Host() host.Host                  { return p.a.Host }
func (p messagesPage) Config() experiment.Config        { return p.a.Config }
func (p messagesPage) Run() *trace.Run                  { return p.a.Run }
func (p messagesPage) Player() *player.Player           { return p.a.Player }
func (p messagesPage) Runs() *runs.Runs                 { return p.a.Runs }
func (p messagesPage) Settings() *settings.Settings     { return p.a.Settings }
func (p messagesPage) Problem() string                  { return p.a.Problem }
func (p messagesPage) Autoplay() string                 { return p.a.Frame.Autoplay }
func (p messagesPage) HasVerdict(lane int) bool         { return p.a.hasVerdict(lane) }
func (p messagesPage) ViewOf(lane int) chart.View       { return p.a.view(lane) }
func (p messagesPage) Doubts(view url.Values) []string  { return linkDoubts(view) }
func (p messagesPage) Look(view url.Values)             { p.a.look(view) }

// pinnedPage is the page as the pinned run sees it.
type pinnedPage struct{ a *App }

var _ pinned.Page = pinnedPage{}

func (p pinnedPage) Host() host.Host            { return p.a.Host }
func (p pinnedPage) Schema() *experiment.Schema { return p.a.Schema }
func (p pinnedPage) Config() experiment.Config  { return p.a.Config }
func (p pinnedPage) Run() *trace.Run            { return p.a.Run }
func (p pinnedPage) Busy() bool                 { return p.a.Runs.Busy() }
func (p pinnedPage) IsSeed(name string) bool    { return p.a.Settings.IsSeed(name) }
