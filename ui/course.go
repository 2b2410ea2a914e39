package ui

import (
	"errors"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/ui/chart"
	"flockscope/ui/host"
	"flockscope/ui/lessons"
	"flockscope/ui/words"
)

// stand is what a lesson takes away and gives back.
type stand struct {
	config experiment.Config
	round  int
	lane   int
	tab    string
	metric chart.Metric
	picked bool
}

// Lesson is the lesson under way, nil for none.
func (a *App) Lesson() *lesson.Lesson { return a.Course.At }

// BeginLesson puts a lesson's preset on stage. What was there before comes back
// when the lessons are left.
func (a *App) BeginLesson(l *lesson.Lesson) {
	if a.beforeLessons == nil && a.Course.At == nil {
		a.beforeLessons = &stand{a.Config, a.Round, a.Lane, a.Tab, a.Metric, a.Picked}
	}
	a.Keep(nil)
	a.Sheet, a.Drawer, a.Player.Playing = "", false, false
	a.enterLesson(l)
	a.Lane, a.Round, a.Tab, a.Metric, a.Picked = 0, 0, Tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(l.Query)
	config, _ := a.Schema.ParseLink(link)
	a.Settings.Adopt(config, "", true)
	a.look(link.Page())
	a.Host.EnterHistory()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// enterLesson opens the lesson's card, with nothing else changed.
func (a *App) enterLesson(l *lesson.Lesson) {
	a.Course.Enter(l)
	a.checkSteps()
}

// Reveal tells what the run shows, once it was played.
func (a *App) Reveal() {
	if !a.Player.Playing && a.Course.Reveal() {
		a.KeepMarks()
		a.checkSteps()
		a.Host.Change(host.Shell)
	}
}

// checkSteps marks the steps that the present run has done. In a drag it waits:
// passing through a value is not finding it.
func (a *App) checkSteps() {
	if a.Settings.Dragged() != "" || !a.Runs.Current() || !a.Run.Done() {
		return
	}
	if a.Course.Check(&lesson.Now{Config: a.Config, Run: a.Run}, a.Locale.Text) {
		a.KeepMarks()
		a.Host.Change(host.Shell)
	}
}

// KeepMarks has the browser keep what was answered and done.
func (a *App) KeepMarks() { a.Host.KeepMarks(a.Course.Kept()) }

// LeaveLesson closes the card and gives back what was on stage before the first
// lesson. That too can be undone.
func (a *App) LeaveLesson() {
	a.Player.Playing = false
	before := a.beforeLessons
	a.Course.At, a.beforeLessons = nil, nil
	if before != nil {
		a.Keep(nil)
		a.Round, a.Tab, a.Metric, a.Picked = before.round, before.tab, before.metric, before.picked
		a.Settings.Adopt(before.config, "", true)
		a.Lane = min(before.lane, len(a.Config.Lanes())-1)
	}
	a.Host.EnterHistory()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// FoldLesson makes room, or shows the lesson again.
func (a *App) FoldLesson() {
	a.Course.Folded = !a.Course.Folded
	a.Host.Change(host.Shell | host.Figures)
}

// AnswerLesson takes the answer to the lesson's question and plays, so that the
// run gives its own.
func (a *App) AnswerLesson(option int) {
	a.Course.Mark(a.Course.At.Number).Answer = option
	a.KeepMarks()
	if a.Player.Still || option == lessons.Skipped {
		a.Player.Seek(a.Config.Values(-1).Int("T"))
		return
	}
	a.Round = 0
	a.Player.Start(a.Host.Now(), 0)
}

// ShowStep makes the settings that do a step.
func (a *App) ShowStep(i int) {
	next := a.Course.StepBy(i, a.Schema)
	a.Round = next.Values(-1).Int("T")
	a.Settings.Adopt(next, "", true)
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// open reads the experiment and the lesson that a link asks for.
func (a *App) open(link experiment.Link) experiment.Config {
	keys := link.Page()
	number, _ := strconv.Atoi(keys.Get("lesson"))
	a.Course.At = lesson.ByNumber(number)
	config, problems := a.Schema.ParseLink(link)
	say := func(text string) { a.Notify(text) }
	if keys.Get("embed") == "1" { // its author is told, not its readers
		say = func(text string) { a.Asides = append(a.Asides, text) }
	}
	for _, p := range problems {
		switch {
		case p.Unknown != "": // all of them are in one notice
		case p.Repair, p.Adapted != "":
			say(words.Capital(p.Error()) + ".")
		case p.Warning:
			say(p.Error() + ".")
		case aboutLesson(p): // said with the page's other keys
		default:
			a.Notify(p.Error() + ". " + instead(p))
		}
	}
	if unknown := experiment.Unknown(problems); len(unknown) > 0 {
		a.Notify("This link has settings that nobody reads here: " + strings.Join(unknown, ", ") + ". The run is computed without them.")
	}
	return config
}

// aboutLesson reports whether a problem is that there is no such lesson.
func aboutLesson(p experiment.Problem) bool {
	var e *param.Error
	return errors.As(p.Err, &e) && e.Field == "lesson"
}

// instead says what stands in the place of what a link was refused: the default,
// but what came first of a key that is there twice, and nothing for what is no
// setting. Of settings that clash another one may have had to go.
func instead(p experiment.Problem) string {
	var e *param.Error
	key, _, _ := strings.Cut(p.Gone, "=")
	switch {
	case !errors.As(p.Err, &e):
	case e.Field == "query":
		return "It is passed over."
	case e.Want == experiment.Once:
		return "The first value is used."
	case p.Gone != "" && key != e.Field:
		return p.Gone + " is passed over."
	}
	return "The default is used instead."
}

// Return shows what an entry of the browser's history holds.
func (a *App) Return(query string) {
	a.Player.Playing, a.Sheet, a.beforeLessons, a.Course.Says = false, "", nil, ""
	a.Keep(nil)
	a.Round, a.Phases.At, a.Lane, a.Tab, a.Metric, a.Picked = 0, 0, 0, Tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(query)
	a.Settings.Adopt(a.open(link), "", true)
	a.look(link.Page())
	a.Phases.Ask()
	a.Host.Change(host.Shell | host.Figures)
}
