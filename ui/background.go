package ui

import (
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/trace"
	"flockscope/ui/background"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// backgroundPage is the page as the background sees it.
type backgroundPage struct{ a *App }

var _ background.Page = backgroundPage{}

func (p backgroundPage) Title(lane int) string     { return p.a.Title(lane) }
func (p backgroundPage) CloseSheet()               { p.a.CloseSheet() }
func (p backgroundPage) Host() host.Host           { return p.a.Host }
func (p backgroundPage) Config() experiment.Config { return p.a.Config }
func (p backgroundPage) Run() *trace.Run           { return p.a.Run }
func (p backgroundPage) RunTime() float64          { return p.a.Runs.RunTime() }
func (p backgroundPage) Complete() bool {
	return p.a.Run != nil && p.a.Run.Done() && !p.a.Runs.Stopped()
}
func (p backgroundPage) Computing() bool          { _, ok := p.a.Runs.UnderWay(); return ok }
func (p backgroundPage) Waiting() bool            { return p.a.enginesHeld || p.a.Settings.Dragged() != "" }
func (p backgroundPage) Crowded() bool            { return p.a.crowded() }
func (p backgroundPage) HasWorkers() bool         { return p.a.Problem == "" && p.a.How != "main thread" }
func (p backgroundPage) Processors() int          { return p.a.WorkerCount() }
func (p backgroundPage) Dragged() string          { return p.a.Settings.Dragged() }
func (p backgroundPage) Measure() sweep.Measure   { return p.a.measure() }
func (p backgroundPage) SweepOpen() bool          { return p.a.Sheet == "sweep" }
func (p backgroundPage) Show(c experiment.Config) { p.a.Settings.Adopt(c, "", true) }
func (p backgroundPage) Parse(query string) (experiment.Config, []experiment.Problem) {
	return p.a.Schema.Parse(query)
}

// TitleIn is the title of a lane of another experiment.
func (p backgroundPage) TitleIn(c experiment.Config, lane int) string {
	l := c.Lanes()[lane]
	title := p.a.meta(l.Algorithm).Title
	if l.Label != "" {
		title += " · " + l.Label
	}
	return title
}

// Files are the files that the experiment is about, with the hash that flock has of them.
func (p backgroundPage) Files() (names []string, hash string) {
	files := p.a.Files.Originals()
	if files == nil || !p.a.Config.FromFile() {
		return nil, ""
	}
	h := plan.NewHash()
	for _, f := range files {
		names = append(names, f.Name)
		h.Write(f.Data)
		h.Write([]byte("\n" + strconv.Itoa(len(f.Data)) + " " + f.Name + "\n"))
	}
	return names, h.ID()
}

func (p backgroundPage) PreviewsUnasked() bool {
	return !p.a.NoPreview && !p.a.Lacks("scent") && p.a.Workers != 1
}

func (p backgroundPage) Hero() *param.Field {
	if at := p.a.Heroes(); len(at) > 0 {
		return at[0]
	}
	return nil
}

// OpenSweep shows the sheet of the sweep, with what was there the last time.
func (a *App) OpenSweep() {
	a.Background.PrepareSweep()
	a.OpenSheet("sweep")
}

// crowded reports that pictures which follow each other need all processors: the
// page takes one, and the browser much of another.
func (a *App) crowded() bool { return a.Player.Playing && !a.Frame.Loop && a.WorkerCount() <= 2 }

// measure is what previews and sweeps show: what the curves show, where a run ends
// with such a number.
func (a *App) measure() sweep.Measure {
	switch a.Shows() {
	case progress.Accuracy:
		return sweep.Accuracy
	case progress.Val:
		return sweep.Val
	case progress.Test:
		return sweep.Test
	case progress.Misplaced:
		return sweep.Misplaced
	case progress.Loss:
		return sweep.Loss
	}
	switch {
	case a.judged():
		return sweep.ARI
	case a.Classifies():
		return sweep.Accuracy
	}
	return sweep.Loss
}
