package page

import (
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/wire"
	"flockscope/ui/chart/progress"
	"flockscope/ui/jobs"
)

// What is computed beside the run on screen: previews along sliders, and sweeps.

// jobs returns the jobs, told what they are to know of the page.
func (a *State) jobs() *jobs.Jobs {
	a.Jobs.Page = jobs.Page{
		Effects: &a.effects, Now: a.now, Schema: a.Schema, Config: a.Config, Title: a.titleIn,
		Run: a.Run, RunTime: a.Runs.RunTime(), Complete: a.Run != nil && a.Run.Done() && !a.Runs.Stopped(),
		Waiting: a.enginesHeld || a.Settings.Dragged() != "", Crowded: a.crowded(),
		HasWorkers: a.Problem == "" && a.How != mainThread, Processors: a.WorkerCount(),
		PreviewsUnasked: !a.NoPreview && !a.Lacks("scent") && a.Workers != 1,
		Dragged:         a.Settings.Dragged(), Measure: a.measure(), SweepOpen: a.Sheet == "sweep",
		Briefing: func() [][]byte { return a.briefing(false) },
	}
	p := &a.Jobs.Page
	_, p.Computing = a.Runs.UnderWay()
	if heroes := a.Heroes(); len(heroes) > 0 {
		p.Hero = heroes[0]
	}
	if own := a.Files.inUse; own != nil && a.Config.FromFile() {
		p.FileNames, p.FilesHash = own.identity()
	}
	return a.Jobs
}

// titleIn is what a lane of any experiment is called.
func (a *State) titleIn(c experiment.Config, lane int) string {
	l := c.Lanes()[lane]
	title := a.meta(l.Algorithm).Title
	if l.Label != "" {
		title += " · " + l.Label
	}
	return title
}

// identity are the names of files and the hash that flock has of them.
func (l *Loaded) identity() (names []string, hash string) {
	for _, f := range l.offer {
		names = append(names, f.Name)
	}
	if l.hash == "" {
		l.hash = hashOf(l.offer)
	}
	return names, l.hash
}

func hashOf(files []wire.Named) string {
	h := plan.NewHash()
	for _, f := range files {
		h.Write(f.Data)
		h.Write([]byte("\n" + strconv.Itoa(len(f.Data)) + " " + f.Name + "\n"))
	}
	return h.ID()
}

// OpenSweep shows the sheet of the sweep, with what was there the last time.
func (a *State) OpenSweep() {
	a.jobs().PrepareSweep()
	a.OpenSheet("sweep")
}

// crowded reports that pictures which follow each other need all processors: the
// page takes one, and the browser much of another.
func (a *State) crowded() bool { return a.Player.Playing && !a.Frame.Loop && a.WorkerCount() <= 2 }

// measure is what previews and sweeps show: what the curves show, where a run ends
// with such a number.
func (a *State) measure() sweep.Measure {
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
