// Package lessons is the lesson under way, what was done in all of them, and the tour of
// the page.
//
//	lessons.go  what a person can do in a lesson and in the tour
//	course.go   the lesson under way, and answers and steps in all of them
//	tour.go     the stops of the tour
package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Lessons are the lessons and the tour of a page.
type Lessons struct {
	Course Course
	Tour   Tour

	page   *State
	before *snapshot // brings back what was on the page before the first lesson; nil with a link to one
}

// Lesson is the lesson under way, nil for none.
func (l *Lessons) Lesson() *lesson.Lesson { return l.Course.At }

// Begin puts a lesson's preset on the page. What was there before comes back when the
// lessons are left.
func (l *Lessons) Begin(next *lesson.Lesson) {
	if l.before == nil && l.Course.At == nil {
		s := l.page
		l.before = &snapshot{s.Config, s.Round, s.Lane, s.Tab, s.Metric, s.Picked}
	}
	l.page.Sheet, l.page.Player.Playing, l.page.Drawer = "", false, false
	l.Course.Enter(next)
	l.Check()
	s := l.page
	s.Keep(nil)
	s.Lane, s.Round, s.Tab, s.Metric, s.Picked = 0, 0, Tabs[0], progress.ARI, false
	link := s.Schema.ReadLink(next.Query)
	config, _ := s.Schema.ParseLink(link)
	s.Settings.Adopt(config, "", true)
	s.look(link.Page())
	l.page.effects.Do(host.EnterHistory{})
	l.page.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Link notes that a link names a lesson, or nil for none: there is nothing to come back to.
func (l *Lessons) Link(to *lesson.Lesson) { l.Course.At = to }

// Forget forgets what was on the page before the first lesson.
func (l *Lessons) Forget() { l.before, l.Course.Says = nil, "" }

// Paused tells what the run shows, once it was played.
func (l *Lessons) Paused() {
	if !l.page.Player.Playing && l.Course.Reveal() {
		l.Keep()
		l.Check()
		l.page.effects.Redraw(host.Shell)
	}
}

// Check marks the steps that the present run has done. In a drag it waits: passing through
// a value is not finding it.
func (l *Lessons) Check() {
	if l.page.Settings.Dragged() != "" || !l.page.Runs.Current() || !l.page.Run.Done() {
		return
	}
	if l.Course.Check(&lesson.Now{Config: l.page.Config, Run: l.page.Run}) {
		l.Keep()
		l.page.effects.Redraw(host.Shell)
	}
}

// Keep has the browser keep what was answered and done.
func (l *Lessons) Keep() { l.page.effects.Do(host.KeepMarks{Marks: l.Course.Kept()}) }

// snapshot is what was on the page before the first lesson.
type snapshot struct {
	config      experiment.Config
	round, lane int
	tab         string
	metric      progress.Metric
	picked      bool
}

// Leave closes the card and gives back what was on the page before the first lesson. That
// too can be undone.
func (l *Lessons) Leave() {
	s, before := l.page, l.before
	l.Course.At, l.before = nil, nil
	l.page.Player.Playing = false
	if before != nil {
		s.Keep(nil)
		s.Round, s.Tab, s.Metric, s.Picked = before.round, before.tab, before.metric, before.picked
		s.Settings.Adopt(before.config, "", true)
		s.Lane = min(before.lane, len(s.Config.Lanes())-1)
	}
	l.page.effects.Do(host.EnterHistory{})
	l.page.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Fold makes room, or shows the lesson again.
func (l *Lessons) Fold() {
	l.Course.Folded = !l.Course.Folded
	l.page.effects.Redraw(host.Shell | host.Figures)
}

// Answer takes the answer to the lesson's question and plays, so that the run gives its own.
func (l *Lessons) Answer(option int) {
	l.Course.Mark(l.Course.At.Number).Answer = option
	l.Keep()
	if l.page.Player.Still || option == Skipped {
		l.page.Player.Seek(l.page.Config.Values(-1).Int("T"))
		return
	}
	l.page.Round = 0
	l.page.Player.Start(l.page.now, 0)
}

// ShowStep makes the settings that do a step.
func (l *Lessons) ShowStep(i int) {
	next := l.Course.StepBy(i, l.page.Schema)
	l.page.Round = next.Values(-1).Int("T")
	l.page.Settings.Adopt(next, "", true)
	l.page.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// StartTour begins the tour of the page.
func (l *Lessons) StartTour() {
	l.page.Sheet, l.page.Player.Playing, l.page.Drawer = "", false, false
	l.Tour.Start(l.page)
	l.page.effects.Redraw(host.Shell)
}

// TourTo goes to a stop; past the last one the tour ends.
func (l *Lessons) TourTo(n int) {
	l.Tour.To(n, l.page)
	l.page.effects.Redraw(host.Shell)
}

// EndTour ends it.
func (l *Lessons) EndTour() { l.TourTo(-1) }

// Tried reports whether what a stop has to try was tried.
func (l *Lessons) Tried() bool { return l.Tour.Tried(l.page) }

// TourKey acts on a key in the tour's card, and reports whether it meant anything.
func (l *Lessons) TourKey(key string) bool {
	switch key {
	case "Escape":
		l.EndTour()
	case "ArrowRight":
		l.TourTo(l.Tour.At + 1)
	case "ArrowLeft":
		l.TourTo(max(l.Tour.At-1, 0))
	default:
		return false
	}
	return true
}
