package ui

import (
	"net/url"
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/background"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/sweeps"
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
	"flockscope/ui/settings"
)

// page is the page as its parts see it: each through an interface of its own.
type page struct{ a *App }

var (
	_ files.Page    = page{}
	_ settings.Page = page{}
	_ phases.Page   = page{}
	_ runs.Page     = page{}
	_ player.Page   = page{}
	_ messages.Page = page{}
	_ pinned.Page   = page{}
	_ export.Page   = page{}
	_ lessons.Page  = page{}
)

func (p page) Title(lane int) string      { return p.a.Title(lane) }
func (p page) Heroes() []*param.Field     { return p.a.Heroes() }
func (p page) Theme() string              { return p.a.Theme }
func (p page) Complete() bool             { return p.a.Runs.Complete() }
func (p page) LinkIn(theme string) string { return p.a.link(theme) }
func (p page) Current() bool              { return p.a.Runs.Current() }
func (p page) Dragged() string            { return p.a.Settings.Dragged() }
func (p page) Playing() bool              { return p.a.Player.Playing }
func (p page) Seek(round int)             { p.a.Player.Seek(round) }
func (p page) Adopt(c experiment.Config)  { p.a.Settings.Adopt(c, "", true) }
func (p page) Query() string              { return p.a.Config.String() }
func (p page) Tune(lane int)              { p.a.Tuning = lane }
func (p page) Clear() {
	p.a.Sheet, p.a.Player.Playing, p.a.Drawer = "", false,
		false
}
func (p page) Withdraw(text say.Message)                    { p.a.Withdraw(text) }
func (p page) OpenSheet(name string)                        { p.a.OpenSheet(name) }
func (p page) Notify(text say.Message, ways ...notices.Way) { p.a.Notify(text, ways...) }
func (p page) Host() host.Host                              { return p.a.Host }
func (p page) Config() experiment.Config                    { return p.a.Config }
func (p page) Engines() int                                 { return p.a.Engines }
func (p page) OpenRun(f wire.Named)                         { p.a.openRun(f) }
func (p page) OpenResults(f wire.Named) say.Message {
	return p.a.Background.OpenResults(f.Name, f.Data)
}
func (p page) FilesChanged()                                  { p.a.Background.Forget() }
func (p page) Become(c experiment.Config)                     { p.a.become(c) }
func (p page) Undo()                                          { p.a.Settings.Undo() }
func (p page) Remember()                                      { p.a.Settings.Remember() }
func (p page) ForgetSteps(keep func(step *files.Loaded) bool) { p.a.Settings.ForgetSteps(keep) }
func (p page) Schema() *experiment.Schema                     { return p.a.Schema }
func (p page) Files() *files.Files                            { return p.a.Files }
func (p page) Settle(c experiment.Config)                     { p.a.settle(c) }
func (p page) LaneAdded()                                     { p.a.Adding = false }
func (p page) View(lane int) chart.View                       { return p.a.View(lane) }
func (p page) Speaker() int                                   { return p.a.Speaker() }
func (p page) Shown() int                                     { return p.a.Shown() }
func (p page) Rounds() int                                    { return p.a.Rounds() }
func (p page) LaneOfRun(lane int) int                         { return p.a.LaneOfRun(lane) }
func (p page) Algorithm(lane int) registry.Meta               { return p.a.Algorithm(lane) }
func (p page) Run() *trace.Run                                { return p.a.Run }
func (p page) Request() uint32                                { return p.a.Runs.ID() }
func (p page) RunTime() float64                               { return p.a.Runs.RunTime() }
func (p page) Lane() int                                      { return p.a.Lane }
func (p page) Still() bool                                    { return p.a.Player.Still }
func (p page) Steps() []registry.Step                         { return p.a.Schema.Steps }
func (p page) StopPlaying()                                   { p.a.Player.Playing = false }
func (p page) LookAt(round int)                               { p.a.Round = round }
func (p page) Settings() *settings.Settings                   { return p.a.Settings }
func (p page) Phases() *phases.Phases                         { return p.a.Phases }
func (p page) Background() *background.Background             { return p.a.Background }
func (p page) LookedAt() int                                  { return p.a.Round }
func (p page) Keeps(run *trace.Run) bool                      { return run == p.a.Pinned.Run() }
func (p page) Refused(why string)                             { p.a.Messages.Refused(why) }
func (p page) Stopped() bool                                  { return p.a.Runs.Stopped() }
func (p page) Length() int                                    { return p.a.length() }
func (p page) Speed() float64                                 { return p.a.Speed }
func (p page) SetSpeed(speed float64)                         { p.a.Speed = speed }
func (p page) Loops() bool                                    { return p.a.Frame.Loop }
func (p page) StopsEarly() bool                               { return !p.a.NoAutoStop }
func (p page) Paused()                                        { p.a.Lessons.Paused() }
func (p page) ShownFrame(lane int) *trace.Frame               { return p.a.ShownFrame(lane) }
func (p page) Link() string                                   { return p.a.Link() }
func (p page) Fingerprint() string                            { return p.a.Fingerprint() }
func (p page) Player() *player.Player                         { return p.a.Player }
func (p page) Runs() *runs.Runs                               { return p.a.Runs }
func (p page) Problem() string                                { return p.a.Problem.String() }
func (p page) Autoplay() string                               { return p.a.Frame.Autoplay }
func (p page) HasVerdict(lane int) bool                       { return p.a.hasVerdict(lane) }
func (p page) ViewOf(lane int) chart.View                     { return p.a.view(lane) }
func (p page) Doubts(view url.Values) []say.Message           { return linkDoubts(view) }
func (p page) Look(view url.Values)                           { p.a.look(view) }
func (p page) Busy() bool                                     { return p.a.Runs.Busy() }
func (p page) IsSeed(name string) bool                        { return p.a.Settings.IsSeed(name) }

func (p page) Previous() (*files.Loaded, experiment.Config, bool) {
	return p.a.Settings.Previous()
}

func (p page) Enter(run *trace.Run) {
	p.a.Run, p.a.names.aliases = run, p.a.names.aliases[:0]
	p.a.Keep(slices.DeleteFunc(slices.Clone(p.a.Chosen()), func(i int) bool { return i >= run.Header.Clients }))
	p.a.Hover = min(p.a.Hover, run.Header.Clients-1)
	p.a.Phases.Ask()
}

func (p page) Arrived() {
	p.a.nameModels()
	p.a.Background.Dispatch()
	p.a.Lessons.Check()
}

func (p page) Controls(section param.Section) (out []*param.Field) {
	for _, n := range p.a.Settings.Controls(section, false) {
		out = append(out, n.Field)
	}
	return out
}

func (p page) Sweep() (s sweeps.View) {
	p.a.Background.TuneSweep(&s)
	return s
}

func (p page) Main(lane int) string {
	if p.a.Mapless(lane) {
		return p.a.Below(lane)
	}
	return "map"
}

func (p page) PlayFromStart() {
	p.a.Round = 0
	p.a.Player.Start(p.a.Host.Now(), 0)
}

func (p page) Open(l *lesson.Lesson) {
	p.a.Keep(nil)
	p.a.Lane, p.a.Round, p.a.Tab, p.a.Metric, p.a.Picked = 0, 0, Tabs[0], progress.ARI, false
	link := p.a.Schema.ReadLink(l.Query)
	config, _ := p.a.Schema.ParseLink(link)
	p.Adopt(config)
	p.a.look(link.Page())
}

func (p page) Snapshot() (restore func()) {
	config, round, lane, tab, metric, picked := p.a.Config, p.a.Round, p.a.Lane, p.a.Tab, p.a.Metric, p.a.Picked
	return func() {
		p.a.Keep(nil)
		p.a.Round, p.a.Tab, p.a.Metric, p.a.Picked = round, tab, metric, picked
		p.Adopt(config)
		p.a.Lane = min(lane, len(p.a.Config.Lanes())-1)
	}
}
