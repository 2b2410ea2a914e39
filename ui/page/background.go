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

// Background jobs: previews along sliders, and sweeps.

// jobs updates what the jobs know of the page, and returns the jobs.
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

// titleIn returns the title of a lane of any experiment.
func (s *State) titleIn(c experiment.Config, lane int) string {
	l := c.Lanes()[lane]
	title := s.methodOf(l.Algorithm).Title
	if l.Label != "" {
		title += " · " + l.Label
	}
	return title
}

// identity returns the names of files and their hash, the same as that of the flock command.
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

// OpenSweep: the user opens the sheet of the sweep, with its previous contents.
type OpenSweep struct{}

func (OpenSweep) update(s *State) {
	s.jobs().PrepareSweep()
	OpenSheet{"sweep"}.update(s)
}

// needsAllProcessors reports whether playing needs all processors: on a machine with two, the page
// uses one and the browser most of the other.
func (s *State) needsAllProcessors() bool {
	return s.Player.Playing && !s.Frame.Loop && s.WorkerCount() <= 2
}

// sweepMeasure returns the measure of previews and sweeps: that of the curves if a run has a final
// value of it.
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

// DispatchJobs: a timer ends, and jobs may be due.
type DispatchJobs struct{}

func (DispatchJobs) update(s *State) { s.jobs().Dispatch() }

// WorkerStarted: a worker for jobs has started.
type WorkerStarted struct {
	Worker       int
	OnMainThread bool
}

func (m WorkerStarted) update(s *State) { s.jobs().WorkerStarted(m.Worker, m.OnMainThread) }

// WorkerAnswered: a worker has sent a message.
type WorkerAnswered struct {
	Worker  int
	Message []byte
}

func (m WorkerAnswered) update(s *State) { s.jobs().Receive(m.Worker, m.Message) }

// WorkerLost: a worker has stopped, for lack of memory or another reason.
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

// TogglePreview: the user starts, stops or removes the preview along a slider.
type TogglePreview struct{ Key string }

func (m TogglePreview) update(s *State) { s.jobs().TogglePreview(m.Key) }

// OpenPreviewRun: the user opens a run of a preview. Undo restores the previous settings.
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

// EditSweepField: the user edits a field of the sweep; see [jobs.Jobs.SetSweepField].
type EditSweepField struct{ Field, Text string }

func (m EditSweepField) update(s *State) { s.jobs().SetSweepField(m.Field, m.Text) }

// StartSweep: the user starts the sweep, or stops the current one.
type StartSweep struct{}

func (StartSweep) update(s *State) { s.jobs().StartSweep() }

// ContinueSweep: the user continues the sweep on screen.
type ContinueSweep struct{}

func (ContinueSweep) update(s *State) { s.jobs().ContinueSweep() }

// RetrySweep: the user recomputes the failed runs of the sweep.
type RetrySweep struct{}

func (RetrySweep) update(s *State) { s.jobs().RetrySweep() }

// ShowMeasure: the user selects another measure of the sweep.
type ShowMeasure struct{ Measure sweep.Measure }

func (m ShowMeasure) update(s *State) { s.jobs().ShowMeasure(m.Measure) }

// HoverCell: the pointer is over a cell of the sweep, −1 for none.
type HoverCell struct{ Cell int }

func (m HoverCell) update(s *State) { s.jobs().HoverCell(m.Cell) }

// MoveCell: arrow keys move the highlighted cell by X values of the first setting and Y of the
// second.
type MoveCell struct{ X, Y int }

func (m MoveCell) update(s *State) { s.jobs().MoveCell(m.X, m.Y) }

// OpenCell: the user opens the first run of a cell of the sweep.
type OpenCell struct{ Cell int }

func (m OpenCell) update(s *State) {
	if c, ok := s.jobs().CellConfig(m.Cell); ok {
		CloseSheet{}.update(s)
		s.Settings.Adopt(c, "", true)
	}
}

// SaveSweep: the user saves the results of the sweep as a file, "csv" or "jsonl".
type SaveSweep struct{ Format string }

func (m SaveSweep) update(s *State) { s.jobs().SaveSweep(m.Format) }

// RecallSweep: the page asks for the last sweep stored in the browser.
type RecallSweep struct{}

func (RecallSweep) update(s *State) { s.effects.Do(host.RecallSweep{}) }

// SweepRecalled: the browser returns the plan of the last sweep, and whether this tab was computing
// it.
type SweepRecalled struct {
	Plan    string
	Engine  int // version of the engine
	Running bool
}

func (m SweepRecalled) update(s *State) { s.jobs().RestoreSweep(m.Plan, m.Engine, m.Running) }

// SweepClaimed: no other tab computes a sweep, so this one may.
type SweepClaimed struct{}

func (SweepClaimed) update(s *State) { s.jobs().SweepClaimed() }

// RecordsLoaded: the browser returns the stored records of the sweep, one per line.
type RecordsLoaded struct{ Lines string }

func (m RecordsLoaded) update(s *State) { s.jobs().ReceiveRecords(m.Lines) }

// RecordsNotKept: the browser cannot store records.
type RecordsNotKept struct{ Why string }

func (m RecordsNotKept) update(s *State) { s.jobs().RecordsNotKept(m.Why) }
