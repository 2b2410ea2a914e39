// Package lessons is the lesson under way, what was done in all of them, and the tour of
// the page.
//
//	lessons.go  what a person can do in a lesson and in the tour
//	course.go   the lesson under way, and answers and steps in all of them
//	tour.go     the stops of the tour
package lessons

import (
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// Page is what lessons and tour see of the page, and ask of it.
type Page interface {
	TourPage
	Host() host.Host
	Schema() *experiment.Schema
	Config() experiment.Config
	Run() *trace.Run            // on screen, nil for none
	Current() bool              // that is of the present settings
	Dragged() string            // key of the setting on the move, "" for none
	Playing() bool              // rounds follow each other
	Still() bool                // nothing on the page may move
	Clear()                     // closes what lies over the page, and stops playing
	Open(l *lesson.Lesson)      // puts the preset of a lesson on the page
	Snapshot() (restore func()) // of the experiment and the view
	LookAt(round int)           // shows a round when it is there
	Seek(round int)             // goes to a round
	Adopt(c experiment.Config)  // makes c the configuration and asks for its run
	PlayFromStart()
	StopPlaying()
}

// Lessons are the lessons and the tour of a page.
type Lessons struct {
	Course Course
	Tour   Tour

	page    Page
	restore func() // brings back what was on the page before the first lesson; nil with a link to one
}

// New returns the lessons of a page, none of which is under way.
func New(page Page) *Lessons { return &Lessons{page: page} }

// Lesson is the lesson under way, nil for none.
func (l *Lessons) Lesson() *lesson.Lesson { return l.Course.At }

// Begin puts a lesson's preset on the page. What was there before comes back when the
// lessons are left.
func (l *Lessons) Begin(next *lesson.Lesson) {
	if l.restore == nil && l.Course.At == nil {
		l.restore = l.page.Snapshot()
	}
	l.page.Clear()
	l.Course.Enter(next)
	l.Check()
	l.page.Open(next)
	l.page.Host().EnterHistory()
	l.page.Host().Change(host.Shell | host.Figures | host.Link)
}

// Link notes that a link names a lesson, or nil for none: there is nothing to come back to.
func (l *Lessons) Link(to *lesson.Lesson) { l.Course.At = to }

// Forget forgets what was on the page before the first lesson.
func (l *Lessons) Forget() { l.restore, l.Course.Says = nil, "" }

// Paused tells what the run shows, once it was played.
func (l *Lessons) Paused() {
	if !l.page.Playing() && l.Course.Reveal() {
		l.Keep()
		l.Check()
		l.page.Host().Change(host.Shell)
	}
}

// Check marks the steps that the present run has done. In a drag it waits: passing through
// a value is not finding it.
func (l *Lessons) Check() {
	if l.page.Dragged() != "" || !l.page.Current() || !l.page.Run().Done() {
		return
	}
	if l.Course.Check(&lesson.Now{Config: l.page.Config(), Run: l.page.Run()}) {
		l.Keep()
		l.page.Host().Change(host.Shell)
	}
}

// Keep has the browser keep what was answered and done.
func (l *Lessons) Keep() { l.page.Host().KeepMarks(l.Course.Kept()) }

// Leave closes the card and gives back what was on the page before the first lesson. That
// too can be undone.
func (l *Lessons) Leave() {
	restore := l.restore
	l.Course.At, l.restore = nil, nil
	l.page.StopPlaying()
	if restore != nil {
		restore()
	}
	l.page.Host().EnterHistory()
	l.page.Host().Change(host.Shell | host.Figures | host.Link)
}

// Fold makes room, or shows the lesson again.
func (l *Lessons) Fold() {
	l.Course.Folded = !l.Course.Folded
	l.page.Host().Change(host.Shell | host.Figures)
}

// Answer takes the answer to the lesson's question and plays, so that the run gives its own.
func (l *Lessons) Answer(option int) {
	l.Course.Mark(l.Course.At.Number).Answer = option
	l.Keep()
	if l.page.Still() || option == Skipped {
		l.page.Seek(l.page.Config().Values(-1).Int("T"))
		return
	}
	l.page.PlayFromStart()
}

// ShowStep makes the settings that do a step.
func (l *Lessons) ShowStep(i int) {
	next := l.Course.StepBy(i, l.page.Schema())
	l.page.LookAt(next.Values(-1).Int("T"))
	l.page.Adopt(next)
	l.page.Host().Change(host.Shell | host.Figures | host.Link)
}

// StartTour begins the tour of the page.
func (l *Lessons) StartTour() {
	l.page.Clear()
	l.Tour.Start(l.page)
	l.page.Host().Change(host.Shell)
}

// TourTo goes to a stop; past the last one the tour ends.
func (l *Lessons) TourTo(n int) {
	l.Tour.To(n, l.page)
	l.page.Host().Change(host.Shell)
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
