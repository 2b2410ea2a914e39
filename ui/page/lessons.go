package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Lessons are the lessons and the tour of a page.
type Lessons struct {
	Progress LessonProgress
	Tour     Tour

	page   *State
	before *snapshot // brings back what was on the page before the first lesson; nil with a link to one
}

// Lesson is the lesson under way, nil for none.
func (l *Lessons) Lesson() *lesson.Lesson { return l.Progress.Lesson }

// MarksLoaded brings what a browser has kept of lessons.
type MarksLoaded struct{ Marks string }

func (m MarksLoaded) update(s *State) { s.Lessons.Progress.Decode(m.Marks) }

// ForgetMarks forgets all answers and steps.
type ForgetMarks struct{}

func (ForgetMarks) update(s *State) {
	s.Lessons.Progress.Marks = nil
	s.Lessons.SaveMarks()
	s.effects.Redraw(host.Shell)
}

// CardFocused says that the title of a lesson or of the tour's card has the focus that it asked for.
type CardFocused struct{}

func (CardFocused) update(s *State) {
	s.Lessons.Progress.WantsFocus, s.Lessons.Tour.WantsFocus = false, false
}

// BeginLesson puts a lesson's preset on the page. What was there before comes back when the
// lessons are left.
type BeginLesson struct{ Number int }

func (m BeginLesson) update(s *State) {
	next := lesson.ByNumber(m.Number)
	if next == nil {
		return
	}
	l := s.Lessons
	if l.before == nil && l.Progress.Lesson == nil {
		l.before = &snapshot{s.Config, s.Round, s.Lane, s.Tab, s.Metric, s.MetricChosen}
	}
	s.Sheet, s.Player.Playing, s.Drawer = "", false, false
	l.Progress.Open(next)
	l.Check()
	s.SetSelection(nil)
	s.Lane, s.Round, s.Tab, s.Metric, s.MetricChosen = 0, 0, Tabs[0], progress.ARI, false
	link := s.Schema.ReadLink(next.Query)
	config, _ := s.Schema.ParseLink(link)
	s.Settings.Adopt(config, "", true)
	s.applyViewKeys(link.Page())
	s.effects.Do(host.EnterHistory{})
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// OpenLinked notes that a link names a lesson, or nil for none: there is nothing to come back to.
func (l *Lessons) OpenLinked(to *lesson.Lesson) { l.Progress.Lesson = to }

// ForgetSnapshot forgets what was on the page before the first lesson.
func (l *Lessons) ForgetSnapshot() { l.before, l.Progress.Announcement = nil, "" }

// HandlePause tells what the run shows, once it was played.
func (l *Lessons) HandlePause() {
	if !l.page.Player.Playing && l.Progress.Reveal() {
		l.SaveMarks()
		l.Check()
		l.page.effects.Redraw(host.Shell)
	}
}

// Check marks the steps that the present run has done. In a drag it waits: passing through
// a value is not finding it.
func (l *Lessons) Check() {
	if l.page.Settings.Dragged() != "" || !l.page.Runs.UpToDate() || !l.page.Run.Done() {
		return
	}
	if l.Progress.Check(&lesson.State{Config: l.page.Config, Run: l.page.Run}) {
		l.SaveMarks()
		l.page.effects.Redraw(host.Shell)
	}
}

// SaveMarks has the browser keep what was answered and done.
func (l *Lessons) SaveMarks() { l.page.effects.Do(host.KeepMarks{Marks: l.Progress.Encode()}) }

// snapshot is what was on the page before the first lesson.
type snapshot struct {
	config       experiment.Config
	round, lane  int
	tab          string
	metric       progress.Metric
	metricChosen bool
}

// LeaveLesson closes the card and gives back what was on the page before the first lesson. That
// too can be undone.
type LeaveLesson struct{}

func (LeaveLesson) update(state *State) {
	l := state.Lessons
	s, before := state, l.before
	l.Progress.Lesson, l.before = nil, nil
	state.Player.Playing = false
	if before != nil {
		s.SetSelection(nil)
		s.Round, s.Tab, s.Metric, s.MetricChosen = before.round, before.tab, before.metric, before.metricChosen
		s.Settings.Adopt(before.config, "", true)
		s.Lane = min(before.lane, len(s.Config.Lanes())-1)
	}
	state.effects.Do(host.EnterHistory{})
	state.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// FoldLesson makes room, or shows the lesson again.
type FoldLesson struct{}

func (FoldLesson) update(s *State) {
	s.Lessons.Progress.Folded = !s.Lessons.Progress.Folded
	s.effects.Redraw(host.Shell | host.Figures)
}

// AnswerQuestion takes the answer to the lesson's question and plays, so that the run gives its own.
type AnswerQuestion struct{ Option int }

func (m AnswerQuestion) update(s *State) {
	l := s.Lessons
	l.Progress.Mark(l.Progress.Lesson.Number).Answer = m.Option
	l.SaveMarks()
	if s.Player.ReducedMotion || m.Option == Skipped {
		Seek{s.Config.Values(-1).Int("T")}.update(s)
		return
	}
	s.Round = 0
	StartPlaying{}.update(s)
}

// ShowStep makes the settings that do a step.
type ShowStep struct{ Step int }

func (m ShowStep) update(s *State) {
	next := s.Lessons.Progress.StepConfig(m.Step, s.Schema)
	s.Round = next.Values(-1).Int("T")
	s.Settings.Adopt(next, "", true)
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// StartTour begins the tour of the page.
type StartTour struct{}

func (StartTour) update(s *State) {
	s.Sheet, s.Player.Playing, s.Drawer = "", false, false
	s.Lessons.Tour.Start(s)
	s.effects.Redraw(host.Shell)
}

// GoToTourStop goes to a stop; past the last one the tour ends.
type GoToTourStop struct{ Stop int }

func (m GoToTourStop) update(s *State) {
	s.Lessons.Tour.GoTo(m.Stop, s)
	s.effects.Redraw(host.Shell)
}

// EndTour ends it.
type EndTour struct{}

func (EndTour) update(s *State) {
	GoToTourStop{-1}.update(s)
}

// TryDone reports whether what a stop has to try was tried.
func (l *Lessons) TryDone() bool { return l.Tour.TryDone(l.page) }

// TourKey is a key in the tour's card.
type TourKey struct{ Key string }

func (m TourKey) update(s *State) {
	tour := &s.Lessons.Tour
	switch m.Key {
	case "Escape":
		EndTour{}.update(s)
	case "ArrowRight":
		GoToTourStop{tour.Stop + 1}.update(s)
	case "ArrowLeft":
		GoToTourStop{max(tour.Stop-1, 0)}.update(s)
	default:
		return
	}
	s.effects.Handled = true
}
