package page

import (
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/wire"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
	"flockscope/ui/jobs"
)

// What is computed beside the run on screen: previews along sliders, and sweeps.

// jobs returns the jobs, told what they are to know of the page.
func (s *State) jobs() *jobs.Jobs {
	s.Jobs.Page = jobs.Page{
		Effects: &s.effects, Now: s.now, Schema: s.Schema, Config: s.Config, Title: s.titleIn,
		Run: s.Run, RunTime: s.Runs.RunTime(), Complete: s.Run != nil && s.Run.Done() && !s.Runs.Stopped(),
		Paused: s.enginesPaused || s.Settings.Dragged() != "", NeedsAllProcessors: s.needsAllProcessors(),
		HasWorkers: s.Problem == "" && s.EngineMode != mainThread, Processors: s.WorkerCount(),
		AutoPreviews: !s.NoPreview && !s.Hides("scent") && s.Workers != 1,
		Dragged:      s.Settings.Dragged(), Measure: s.sweepMeasure(), SweepOpen: s.Sheet == "sweep",
		StartMessages: func() [][]byte { return s.startMessages(false) },
	}
	p := &s.Jobs.Page
	_, p.Computing = s.Runs.ComputingFor()
	if settings := s.MainSettings(); len(settings) > 0 {
		p.MainSetting = settings[0]
	}
	if own := s.Files.inUse; own != nil && s.Config.FromFile() {
		p.FileNames, p.FilesHash = own.identity()
	}
	return s.Jobs
}

// titleIn is what a lane of any experiment is called.
func (s *State) titleIn(c experiment.Config, lane int) string {
	l := c.Lanes()[lane]
	title := s.methodOf(l.Algorithm).Title
	if l.Label != "" {
		title += " · " + l.Label
	}
	return title
}

// identity are the names of files and the hash that flock has of them.
func (l *FileData) identity() (names []string, hash string) {
	for _, f := range l.fileSet {
		names = append(names, f.Name)
	}
	if l.hash == "" {
		l.hash = hashOf(l.fileSet)
	}
	return names, l.hash
}

func hashOf(files []wire.NamedFile) string {
	h := plan.NewHash()
	for _, f := range files {
		h.Write(f.Data)
		h.Write([]byte("\n" + strconv.Itoa(len(f.Data)) + " " + f.Name + "\n"))
	}
	return h.ID()
}

// OpenSweep shows the sheet of the sweep, with what was there the last time.
type OpenSweep struct{}

func (OpenSweep) update(s *State) {
	s.jobs().PrepareSweep()
	OpenSheet{"sweep"}.update(s)
}

// needsAllProcessors reports that pictures which follow each other need all processors: the
// page takes one, and the browser much of another.
func (s *State) needsAllProcessors() bool {
	return s.Player.Playing && !s.Frame.Loop && s.WorkerCount() <= 2
}

// sweepMeasure is what previews and sweeps show: what the curves show, where a run ends
// with such a number.
func (s *State) sweepMeasure() sweep.Measure {
	switch s.ShownMetric() {
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
	case s.hasClusteringLane():
		return sweep.ARI
	case s.Classifies():
		return sweep.Accuracy
	}
	return sweep.Loss
}

// DispatchJobs says that it may be time for jobs.
type DispatchJobs struct{}

func (DispatchJobs) update(s *State) { s.jobs().Dispatch() }

// WorkerStarted says that a worker for jobs has started.
type WorkerStarted struct {
	Worker       int
	OnMainThread bool
}

func (m WorkerStarted) update(s *State) { s.jobs().WorkerStarted(m.Worker, m.OnMainThread) }

// WorkerAnswered brings a message of a worker.
type WorkerAnswered struct {
	Worker  int
	Message []byte
}

func (m WorkerAnswered) update(s *State) { s.jobs().Receive(m.Worker, m.Message) }

// WorkerLost says that a worker is no more, for want of memory or for another reason.
type WorkerLost struct {
	Worker      int
	OutOfMemory bool
}

func (m WorkerLost) update(s *State) {
	end := jobs.Crashed
	if m.OutOfMemory {
		end = jobs.OutOfMemory
	}
	s.jobs().WorkerLost(m.Worker, end)
}

// TogglePreview starts the preview along a slider, ends it, or takes it away.
type TogglePreview struct{ Key string }

func (m TogglePreview) update(s *State) { s.jobs().TogglePreview(m.Key) }

// OpenPreviewRun shows a run of the preview along a slider. Undoing brings back what was there.
type OpenPreviewRun struct {
	Key string
	Job int
}

func (m OpenPreviewRun) update(s *State) {
	if p, _ := s.Jobs.Preview(m.Key); p != nil && p.Batch != nil {
		if c, ok := p.Batch.Config(m.Job); ok {
			s.Settings.Adopt(c, "", true)
		}
	}
}

// EditSweepField is what is typed or chosen of the sweep; see [jobs.Jobs.SetSweepField].
type EditSweepField struct{ Field, Text string }

func (m EditSweepField) update(s *State) { s.jobs().SetSweepField(m.Field, m.Text) }

// StartSweep starts the sweep that is typed, or stops the one under way.
type StartSweep struct{}

func (StartSweep) update(s *State) { s.jobs().StartSweep() }

// ContinueSweep goes on with the sweep on screen.
type ContinueSweep struct{}

func (ContinueSweep) update(s *State) { s.jobs().ContinueSweep() }

// RetrySweep computes again what failed.
type RetrySweep struct{}

func (RetrySweep) update(s *State) { s.jobs().RetrySweep() }

// ShowMeasure draws another measure of the sweep.
type ShowMeasure struct{ Measure sweep.Measure }

func (m ShowMeasure) update(s *State) { s.jobs().ShowMeasure(m.Measure) }

// HoverCell points at a cell of the sweep, −1 for none.
type HoverCell struct{ Cell int }

func (m HoverCell) update(s *State) { s.jobs().HoverCell(m.Cell) }

// MoveCell points at the cell that is so many values of the first and of the second setting
// further.
type MoveCell struct{ X, Y int }

func (m MoveCell) update(s *State) { s.jobs().MoveCell(m.X, m.Y) }

// OpenCell shows the first run of a cell of the sweep.
type OpenCell struct{ Cell int }

func (m OpenCell) update(s *State) {
	if c, ok := s.jobs().CellConfig(m.Cell); ok {
		CloseSheet{}.update(s)
		s.Settings.Adopt(c, "", true)
	}
}

// SaveSweep hands the results of the sweep over as a file: "csv" or "jsonl".
type SaveSweep struct{ Format string }

func (m SaveSweep) update(s *State) { s.jobs().SaveSweep(m.Format) }

// RecallSweep asks for the last sweep that the browser has kept.
type RecallSweep struct{}

func (RecallSweep) update(s *State) { s.effects.Do(host.RecallSweep{}) }

// SweepRecalled brings the plan of the last sweep, and whether this tab was computing it.
type SweepRecalled struct {
	Plan    string
	Engine  int // version of the engine
	Running bool
}

func (m SweepRecalled) update(s *State) { s.jobs().RestoreSweep(m.Plan, m.Engine, m.Running) }

// SweepClaimed says that no other tab computes a sweep.
type SweepClaimed struct{}

func (SweepClaimed) update(s *State) { s.jobs().SweepClaimed() }

// RecordsLoaded brings the records that the browser has kept of the sweep, a line each.
type RecordsLoaded struct{ Lines string }

func (m RecordsLoaded) update(s *State) { s.jobs().ReceiveRecords(m.Lines) }

// RecordsNotKept says that the browser keeps no records, and why.
type RecordsNotKept struct{ Why string }

func (m RecordsNotKept) update(s *State) { s.jobs().RecordsNotKept(m.Why) }
