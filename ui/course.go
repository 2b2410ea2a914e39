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

// Course is the lesson under way, and what was answered and done in all of them.
type Course struct {
	At     *lesson.Lesson // nil between lessons
	Folded bool           // only its title is shown
	Marks  map[int]*Mark  // by number of the lesson
	before *stand         // what was on the page before the first lesson; nil with a link to one
	Says   string         // what a screen reader is to be told
	Asked  bool           // the lesson wants the focus
}

// Mark is what a person has answered and done in one lesson.
type Mark struct {
	Answer int // the option chosen, unanswered or skipped
	Seen   bool
	Done   [2]bool
}

// Instead of an option.
const (
	Unanswered = -1
	Skipped    = -2
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

// Mark returns the marks of a lesson, to be changed.
func (c *Course) Mark(number int) *Mark {
	m := c.Marks[number]
	if m == nil {
		if c.Marks == nil {
			c.Marks = map[int]*Mark{}
		}
		m = &Mark{Answer: Unanswered}
		c.Marks[number] = m
	}
	return m
}

// BeginLesson puts a lesson's preset on stage. What was there before comes back
// when the lessons are left.
func (a *App) BeginLesson(l *lesson.Lesson) {
	if a.Course.before == nil && a.Course.At == nil {
		a.Course.before = &stand{a.Config, a.Round, a.Lane, a.Tab, a.Metric, a.Picked}
	}
	a.keep(nil)
	a.Sheet, a.Drawer, a.Playing = "", false, false
	a.enterLesson(l)
	a.Lane, a.Round, a.Tab, a.Metric, a.Picked = 0, 0, Tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(l.Query)
	config, _ := a.Schema.ParseLink(link)
	a.Adopt(config, "", true)
	a.look(link.Page())
	a.Host.EnterHistory()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// enterLesson opens the lesson's card, with nothing else changed.
func (a *App) enterLesson(l *lesson.Lesson) {
	a.Course.At, a.Course.Folded, a.Course.Says, a.Course.Asked = l, false, "", true
	a.checkSteps()
}

// LeaveLesson closes the card and gives back what was on stage before the first
// lesson. That too can be undone.
func (a *App) LeaveLesson() {
	a.Playing = false
	before := a.Course.before
	a.Course.At, a.Course.before = nil, nil
	if before != nil {
		a.keep(nil)
		a.Round, a.Tab, a.Metric, a.Picked = before.round, before.tab, before.metric, before.picked
		a.Adopt(before.config, "", true)
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
	if a.Still || option == Skipped {
		a.Seek(a.Config.Values(-1).Int("T"))
		return
	}
	a.Round = 0
	a.Start(a.Host.Now(), 0)
}

// Reveal tells what the run shows, once it was played.
func (a *App) Reveal() {
	l := a.Course.At
	if l == nil || a.Playing {
		return
	}
	if m := a.Course.Mark(l.Number); m.Answer != Unanswered && !m.Seen {
		m.Seen = true
		a.Course.Says = a.LessonVerdict()
		a.KeepMarks()
		a.checkSteps()
		a.Host.Change(host.Shell)
	}
}

// Asks reports whether a lesson waits for an answer to its question.
func (a *App) Asks() bool {
	l := a.Course.At
	return l != nil && a.Course.Mark(l.Number).Answer == Unanswered
}

// LessonVerdict says how the person's answer compares.
func (a *App) LessonVerdict() string {
	l := a.Course.At
	answer := "the answer is “" + l.Options[l.Right] + "”."
	switch a.Course.Mark(l.Number).Answer {
	case l.Right:
		return "Right: " + answer
	case Skipped:
		return Capital(answer)
	}
	return "Not quite: " + answer
}

// checkSteps marks the steps that the present run has done. In a drag it waits:
// passing through a value is not finding it.
func (a *App) checkSteps() {
	l := a.Course.At
	if l == nil || a.history.Dragged() != "" || a.Run == nil || !a.Run.Done() || a.Run.Header.Query != a.Config.String() {
		return
	}
	m := a.Course.Mark(l.Number)
	if !m.Seen {
		return
	}
	for i := range l.Steps {
		if !m.Done[i] && l.Steps[i].Done(&lesson.Now{Config: a.Config, Run: a.Run}) {
			m.Done[i] = true
			a.Course.Says = "Step " + itoa(i+1) + " done. " + l.Fill(a.Locale.Text(l.Steps[i].Then))
			a.KeepMarks()
			a.Host.Change(host.Shell)
		}
	}
}

// ShowStep makes the settings that do a step.
func (a *App) ShowStep(i int) {
	next, _ := a.Schema.Parse(a.Course.At.Query)
	for pair := range strings.SplitSeq(a.Course.At.Steps[i].By, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if c, err := next.With(key, value); err == nil {
			next = c
		}
	}
	a.Round = next.Values(-1).Int("T")
	a.Adopt(next, "", true)
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// KeepMarks has the browser keep what was answered and done.
func (a *App) KeepMarks() {
	var b strings.Builder
	for _, l := range lesson.All() {
		if m := a.Course.Marks[l.Number]; m != nil && m.Answer != Unanswered {
			b.WriteString(itoa(l.Number) + "," + itoa(m.Answer) + "," + bit(m.Seen) + bit(m.Done[0]) + bit(m.Done[1]) + ";")
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
		if l == nil || err != nil || answer >= len(l.Options) || answer < Skipped {
			continue
		}
		*a.Course.Mark(number) = Mark{answer, parts[2][0] == '1', [2]bool{parts[2][1] == '1', parts[2][2] == '1'}}
	}
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
	var unknown []string
	for _, p := range problems {
		switch {
		case p.Unknown != "":
			unknown = append(unknown, strings.TrimPrefix(p.Error(), "unknown setting "))
		case p.Repair, p.Adapted != "":
			say(Capital(p.Error()) + ".")
		case p.Warning:
			say(p.Error() + ".")
		default:
			a.Notify(p.Error() + ". " + instead(p))
		}
	}
	if len(unknown) > 0 {
		a.Notify("This link has settings that nobody reads here: " + strings.Join(unknown, ", ") + ". The run is computed without them.")
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
	a.Playing, a.Sheet, a.Course.before, a.Course.Says = false, "", nil, ""
	a.keep(nil)
	a.Round, a.Phase, a.Lane, a.Tab, a.Metric, a.Picked = 0, 0, 0, Tabs[0], chart.ARI, false
	link := a.Schema.ReadLink(query)
	a.Adopt(a.open(link), "", true)
	a.look(link.Page())
	a.inquire()
	a.Host.Change(host.Shell | host.Figures)
}
