package ui

import (
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/plan"
	"flockscope/sim/sweep"
	"flockscope/sim/trace"
	"flockscope/ui/background"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// backgroundPage is the page as the background sees it.
type backgroundPage struct{ *App }

var _ background.Page = backgroundPage{}

func (p backgroundPage) Host() host.Host           { return p.App.Host }
func (p backgroundPage) Config() experiment.Config { return p.App.Config }
func (p backgroundPage) Run() *trace.Run           { return p.App.Run }
func (p backgroundPage) RunTime() float64          { return p.requests.took }
func (p backgroundPage) Complete() bool            { return p.App.Run != nil && p.App.Run.Done() && !p.Stopped() }
func (p backgroundPage) Computing() bool           { _, ok := p.UnderWay(); return ok }
func (p backgroundPage) Waiting() bool             { return p.enginesHeld || p.history.Dragged() != "" }
func (p backgroundPage) Crowded() bool             { return p.crowded() }
func (p backgroundPage) HasWorkers() bool          { return p.Problem == "" && p.How != "main thread" }
func (p backgroundPage) Processors() int           { return p.WorkerCount() }
func (p backgroundPage) Dragged() string           { return p.history.Dragged() }
func (p backgroundPage) Measure() sweep.Measure    { return p.measure() }
func (p backgroundPage) SweepOpen() bool           { return p.Sheet == "sweep" }
func (p backgroundPage) Show(c experiment.Config)  { p.Adopt(c, "", true) }
func (p backgroundPage) Parse(query string) (experiment.Config, []experiment.Problem) {
	return p.Schema.Parse(query)
}

// TitleIn is the title of a lane of another experiment.
func (p backgroundPage) TitleIn(c experiment.Config, lane int) string {
	l := c.Lanes()[lane]
	title := p.meta(l.Algorithm).Title
	if l.Label != "" {
		title += " · " + l.Label
	}
	return title
}

// Files are the files that the experiment is about, with the hash that flock has of them.
func (p backgroundPage) Files() (names []string, hash string) {
	if p.own == nil || !p.App.Config.FromFile() {
		return nil, ""
	}
	h := plan.NewHash()
	for _, f := range p.own.offer {
		names = append(names, f.Name)
		h.Write(f.Data)
		h.Write([]byte("\n" + strconv.Itoa(len(f.Data)) + " " + f.Name + "\n"))
	}
	return names, h.ID()
}

func (p backgroundPage) PreviewsUnasked() bool {
	return !p.NoPreview && !p.Lacks("scent") && p.Workers != 1
}

func (p backgroundPage) Hero() *param.Field {
	if at := p.Heroes(); len(at) > 0 {
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
func (a *App) crowded() bool { return a.Playing && !a.Frame.Loop && a.WorkerCount() <= 2 }

// Tight reports that the engines are at work on all processors, of which there are so
// few that it is felt when the page takes its part.
func (a *App) Tight() bool {
	const few = 2
	at := a.requests.at
	return a.computes() && at > 0 && a.Processors > 0 && a.Processors <= few && at*(1+a.shards()) >= a.Processors
}

// measure is what previews and sweeps show: what the curves show, where a run ends
// with such a number.
func (a *App) measure() sweep.Measure {
	switch a.Shows() {
	case chart.Accuracy:
		return sweep.Accuracy
	case chart.Val:
		return sweep.Val
	case chart.Test:
		return sweep.Test
	case chart.Misplaced:
		return sweep.Misplaced
	case chart.Loss:
		return sweep.Loss
	}
	switch {
	case a.judged():
		return sweep.ARI
	case a.Grades():
		return sweep.Accuracy
	}
	return sweep.Loss
}
