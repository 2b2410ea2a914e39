package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Lessons has the lessons and the tour of the page.
type Lessons struct {
	Progress LessonProgress
	Tour     Tour

	page   *State
	before *snapshot // the state before the first lesson; nil if a link opened the lesson
}

// Lesson returns the open lesson, nil for none.
func (l *Lessons) Lesson() *lesson.Lesson { return l.Progress.Lesson }

// MarksLoaded: the browser returns the stored answers and steps of lessons.
type MarksLoaded struct{ Marks string }

func (m MarksLoaded) update(s *State) {
	s.Lessons.Progress.Decode(m.Marks)
	if s.Round == 0 {
		s.Lessons.showScene()
	}
}

// ForgetMarks: the user deletes all answers and steps.
type ForgetMarks struct{}

func (ForgetMarks) update(s *State) {
	s.Lessons.Progress.Marks = nil
	s.Lessons.SaveMarks()
	s.effects.Redraw(host.Shell)
}

// CardFocused: the title of a lesson or tour card has got the focus that it requested.
type CardFocused struct{}

func (CardFocused) update(s *State) {
	s.Lessons.Progress.WantsFocus, s.Lessons.Tour.WantsFocus = false, false
}

// BeginLesson: the user starts a lesson. Leaving the lessons restores the present state.
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
	l.showScene()
	l.report()
	s.effects.Do(host.EnterHistory{})
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// showScene goes to the round that the explanation of the lesson is about, if the page shows it.
func (l *Lessons) showScene() {
	if to := l.Progress.Lesson; to != nil && l.Progress.Mark(to.Number).Seen {
		l.page.Round = to.Scene
	}
}

// OpenLinked opens the lesson of a link, or nil for none. Leaving it restores no earlier state.
func (l *Lessons) OpenLinked(to *lesson.Lesson) { l.Progress.Lesson = to }

// ForgetSnapshot drops the state before the first lesson.
func (l *Lessons) ForgetSnapshot() { l.before, l.Progress.Announcement = nil, "" }

// HandlePause reveals the right answer once the run has played, at the round that explains it.
func (l *Lessons) HandlePause() {
	if !l.page.Player.Playing && l.Progress.Reveal() {
		l.showScene()
		l.SaveMarks()
		l.Check()
		l.page.effects.Redraw(host.Shell)
	}
}

// Check marks the steps that the present run fulfils. It does nothing during a drag, which passes
// through values that the user has not chosen.
func (l *Lessons) Check() {
	if run := l.page.Run; l.page.Settings.Dragged() != "" || run == nil || !run.Done() || !l.page.Runs.UpToDate() {
		return
	}
	if l.Progress.Check(&lesson.State{Config: l.page.Config, Run: l.page.Run}) {
		l.SaveMarks()
		l.page.effects.Redraw(host.Shell)
	}
}

// SaveMarks stores answers and steps in the browser, unless the surrounding page does, which it tells.
func (l *Lessons) SaveMarks() {
	if !l.page.Frame.KeepsMarks {
		l.page.effects.Do(host.KeepMarks{Marks: l.Progress.Encode()})
	}
	l.report()
}

// report tells the surrounding page how far the user is in the open lesson.
func (l *Lessons) report() {
	to := l.Lesson()
	if to == nil {
		return
	}
	m, steps, shown := l.Progress.Mark(to.Number), 0, 0
	for i, done := range m.Done {
		if done {
			steps++
			if m.Shown[i] {
				shown++
			}
		}
	}
	l.page.post(Post{"type": "lesson", "lesson": to.Number, "step": steps, "shown": shown,
		"answered": m.Answer != Unanswered, "right": m.Answer == to.Right, "passed": m.Seen && steps == len(m.Done),
		"link": l.page.Link(), "fingerprint": l.page.Fingerprint(), "marks": l.Progress.Encode()})
}

// snapshot is the state of the page before the first lesson.
type snapshot struct {
	config       experiment.Config
	round, lane  int
	tab          string
	metric       progress.Metric
	metricChosen bool
}

// LeaveLesson: the user closes the lesson. The page restores the state before the first lesson,
// which can be undone.
type LeaveLesson struct{}

func (LeaveLesson) update(s *State) {
	before := s.Lessons.before
	s.Lessons.Progress.Lesson, s.Lessons.before = nil, nil
	s.Player.Playing = false
	if before != nil {
		s.SetSelection(nil)
		s.Round, s.Tab, s.Metric, s.MetricChosen = before.round, before.tab, before.metric, before.metricChosen
		s.Settings.Adopt(before.config, "", true)
		s.Lane = min(before.lane, len(s.Config.Lanes())-1)
	}
	s.effects.Do(host.EnterHistory{})
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// FoldLesson: the user collapses or expands the lesson card.
type FoldLesson struct{}

func (FoldLesson) update(s *State) {
	s.Lessons.Progress.Folded = !s.Lessons.Progress.Folded
	s.effects.Redraw(host.Shell | host.Figures)
}

// AnswerQuestion: the user answers the lesson's question. The page then plays the run.
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

// ShowStep: the user lets the page solve a step.
type ShowStep struct{ Step int }

func (m ShowStep) update(s *State) {
	next := s.Lessons.Progress.StepConfig(m.Step, s.Schema)
	s.Lessons.Progress.Mark(s.Lessons.Lesson().Number).Shown[m.Step] = true
	s.Round = next.Values(-1).Int("T")
	s.Settings.Adopt(next, "", true)
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// StartTour: the user starts the tour of the page.
type StartTour struct{}

func (StartTour) update(s *State) {
	s.Sheet, s.Player.Playing, s.Drawer = "", false, false
	s.Lessons.Tour.Start(s)
	s.effects.Redraw(host.Shell)
}

// GoToTourStop: the user goes to a stop of the tour; after the last one the tour ends.
type GoToTourStop struct{ Stop int }

func (m GoToTourStop) update(s *State) {
	s.Lessons.Tour.GoTo(m.Stop, s)
	s.effects.Redraw(host.Shell)
}

// EndTour: the user ends the tour.
type EndTour struct{}

func (EndTour) update(s *State) {
	GoToTourStop{-1}.update(s)
}

// TryDone reports whether the user has done the task of the tour stop.
func (l *Lessons) TryDone() bool { return l.Tour.TryDone(l.page) }

// TourKey: the user presses a key in the tour's card.
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
