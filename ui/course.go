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
)

// course is the lesson under way, and what was answered and done in all of them.
type course struct {
	at     *lesson.Lesson // nil between lessons
	Folded bool           // only its title is shown
	marks  map[int]*mark  // by number of the lesson
	before *stand         // what was on the page before the first lesson; nil with a link to one
	says   string         // what a screen reader is to be told
	asked  bool           // the lesson wants the focus
}

// mark is what a person has answered and done in one lesson.
type mark struct {
	answer int // the option chosen, unanswered or skipped
	seen   bool
	done   [2]bool
}

// Instead of an option.
const (
	unanswered = -1
	skipped    = -2
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
func (a *App) Lesson() *lesson.Lesson { return a.course.at }

// mark returns the marks of a lesson, to be changed.
func (c *course) mark(number int) *mark {
	m := c.marks[number]
	if m == nil {
		if c.marks == nil {
			c.marks = map[int]*mark{}
		}
		m = &mark{answer: unanswered}
		c.marks[number] = m
	}
	return m
}

// BeginLesson puts a lesson's preset on stage. What was there before comes back
// when the lessons are left.
func (a *App) BeginLesson(l *lesson.Lesson) {
	if a.course.before == nil && a.course.at == nil {
		a.course.before = &stand{a.Config, a.Round, a.Lane, a.Tab, a.Metric, a.Picked}
	}
	a.keep(nil)
	a.Sheet, a.Drawer, a.Playing = "", false, false
	a.enterLesson(l)
	a.Lane, a.Round, a.Tab, a.Metric, a.Picked = 0, 0, tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(l.Query)
	config, _ := a.Schema.ParseLink(link)
	a.adopt(config, "", true)
	a.look(link.Page())
	a.Host.EnterHistory()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// enterLesson opens the lesson's card, with nothing else changed.
func (a *App) enterLesson(l *lesson.Lesson) {
	a.course.at, a.course.Folded, a.course.says, a.course.asked = l, false, "", true
	a.checkSteps()
}

// LeaveLesson closes the card and gives back what was on stage before the first
// lesson. That too can be undone.
func (a *App) LeaveLesson() {
	a.Playing = false
	before := a.course.before
	a.course.at, a.course.before = nil, nil
	if before != nil {
		a.keep(nil)
		a.Round, a.Tab, a.Metric, a.Picked = before.round, before.tab, before.metric, before.picked
		a.adopt(before.config, "", true)
		a.Lane = min(before.lane, len(a.Config.Lanes())-1)
	}
	a.Host.EnterHistory()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// FoldLesson makes room, or shows the lesson again.
func (a *App) FoldLesson() {
	a.course.Folded = !a.course.Folded
	a.Host.Change(host.Shell | host.Figures)
}

// AnswerLesson takes the answer to the lesson's question and plays, so that the
// run gives its own.
func (a *App) AnswerLesson(option int) {
	a.course.mark(a.course.at.Number).answer = option
	a.keepMarks()
	if a.Still || option == skipped {
		a.Seek(a.Config.Values(-1).Int("T"))
		return
	}
	a.Round = 0
	a.start(a.Host.Now(), 0)
}

// reveal tells what the run shows, once it was played.
func (a *App) reveal() {
	l := a.course.at
	if l == nil || a.Playing {
		return
	}
	if m := a.course.mark(l.Number); m.answer != unanswered && !m.seen {
		m.seen = true
		a.course.says = a.LessonVerdict()
		a.keepMarks()
		a.checkSteps()
		a.Host.Change(host.Shell)
	}
}

// Asks reports whether a lesson waits for an answer to its question.
func (a *App) Asks() bool {
	l := a.course.at
	return l != nil && a.course.mark(l.Number).answer == unanswered
}

// LessonVerdict says how the person's answer compares.
func (a *App) LessonVerdict() string {
	l := a.course.at
	answer := "the answer is “" + l.Options[l.Right] + "”."
	switch a.course.mark(l.Number).answer {
	case l.Right:
		return "Right: " + answer
	case skipped:
		return capital(answer)
	}
	return "Not quite: " + answer
}

// checkSteps marks the steps that the present run has done. In a drag it waits:
// passing through a value is not finding it.
func (a *App) checkSteps() {
	l := a.course.at
	if l == nil || a.editing != "" || a.Run == nil || !a.Run.Done() || a.Run.Header.Query != a.Config.String() {
		return
	}
	m := a.course.mark(l.Number)
	if !m.seen {
		return
	}
	for i := range l.Steps {
		if !m.done[i] && l.Steps[i].Done(&lesson.Now{Config: a.Config, Run: a.Run}) {
			m.done[i] = true
			a.course.says = "Step " + itoa(i+1) + " done. " + l.Fill(a.Locale.Text(l.Steps[i].Then))
			a.keepMarks()
			a.Host.Change(host.Shell)
		}
	}
}

// ShowStep makes the settings that do a step.
func (a *App) ShowStep(i int) {
	next, _ := a.Schema.Parse(a.course.at.Query)
	for pair := range strings.SplitSeq(a.course.at.Steps[i].By, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if c, err := next.With(key, value); err == nil {
			next = c
		}
	}
	a.Round = next.Values(-1).Int("T")
	a.adopt(next, "", true)
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// keepMarks has the browser keep what was answered and done.
func (a *App) keepMarks() {
	var b strings.Builder
	for _, l := range lesson.All() {
		if m := a.course.marks[l.Number]; m != nil && m.answer != unanswered {
			b.WriteString(itoa(l.Number) + "," + itoa(m.answer) + "," + bit(m.seen) + bit(m.done[0]) + bit(m.done[1]) + ";")
		}
	}
	a.Host.KeepMarks(b.String())
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// RecallMarks reads what a browser kept. What makes no sense is passed over.
func (a *App) RecallMarks(text string) {
	for entry := range strings.SplitSeq(text, ";") {
		parts := strings.Split(entry, ",")
		if len(parts) != 3 || len(parts[2]) != 3 {
			continue
		}
		number, _ := strconv.Atoi(parts[0])
		answer, err := strconv.Atoi(parts[1])
		l := lesson.ByNumber(number)
		if l == nil || err != nil || answer >= len(l.Options) || answer < skipped {
			continue
		}
		*a.course.mark(number) = mark{answer, parts[2][0] == '1', [2]bool{parts[2][1] == '1', parts[2][2] == '1'}}
	}
}

// open reads the experiment and the lesson that a link asks for.
func (a *App) open(link experiment.Link) experiment.Config {
	keys := link.Page()
	number, _ := strconv.Atoi(keys.Get("lesson"))
	a.course.at = lesson.ByNumber(number)
	config, problems := a.Schema.ParseLink(link)
	say := func(text string) { a.notify(text) }
	if keys.Get("embed") == "1" { // its author is told, not its readers
		say = func(text string) { a.Asides = append(a.Asides, text) }
	}
	var unknown []string
	for _, p := range problems {
		switch {
		case p.Unknown != "":
			unknown = append(unknown, strings.TrimPrefix(p.Error(), "unknown setting "))
		case p.Repair, p.Adapted != "":
			say(capital(p.Error()) + ".")
		case p.Warning:
			say(p.Error() + ".")
		default:
			a.notify(p.Error() + ". " + instead(p))
		}
	}
	if len(unknown) > 0 {
		a.notify("This link has settings that nobody reads here: " + strings.Join(unknown, ", ") + ". The run is computed without them.")
	}
	return config
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
	a.Playing, a.Sheet, a.course.before, a.course.says = false, "", nil, ""
	a.keep(nil)
	a.Round, a.Phase, a.Lane, a.Tab, a.Metric, a.Picked = 0, 0, 0, tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(query)
	a.adopt(a.open(link), "", true)
	a.look(link.Page())
	a.inquire()
	a.Host.Change(host.Shell | host.Figures)
}
