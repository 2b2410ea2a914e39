package shell

import (
	"flockscope/sim/lesson"
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// LessonCard is the present lesson: its question, then the explanation, two steps to do
// and the takeaway.
type LessonCard struct {
	App *App
}

func (c *LessonCard) lesson() *lesson.Lesson { return c.App.Lessons.Progress.Lesson }

func (c *LessonCard) mark() *page.Mark { return c.App.Lessons.Progress.Mark(c.lesson().Number) }

// fill inserts the measured numbers into a text of the lesson, in the page's language.
func (c *LessonCard) fill(text string) string { return c.lesson().Fill(say.Text(text)) }

func (c *LessonCard) class() string {
	if c.App.Lessons.Progress.Folded {
		return "card lesson folded"
	}
	return "card lesson"
}

func (c *LessonCard) heading() string {
	return say.Textf("Lesson %d: %s", c.lesson().Number, say.Message(c.lesson().Title))
}

// asks, plays and tells are the three states of a lesson.
func (c *LessonCard) asks() bool { return c.App.Lessons.Progress.AwaitsAnswer() }

func (c *LessonCard) plays() bool { return !c.asks() && !c.mark().Seen }

func (c *LessonCard) tells() bool { return c.mark().Seen }

func (c *LessonCard) toEnd() { c.App.Do(page.Seek{Round: c.App.Config.Values(-1).Int("T")}) }

func (c *LessonCard) step(i int) lesson.Step { return c.lesson().Steps[i] }

func (c *LessonCard) done(i int) bool { return c.mark().Done[i] }

func (c *LessonCard) stepClass(i int) string {
	if c.done(i) {
		return "task done"
	}
	return "task"
}

// A circle, and one with a tick.
const (
	unticked = "M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0"
	ticked   = unticked + "m3.5.3 2.4 2.4 4.6-5"
)

// stepPath is the icon of a step: with a tick if it is done.
func (c *LessonCard) stepPath(i int) string {
	if c.done(i) {
		return ticked
	}
	return unticked
}

// stepState is the same in words.
func (c *LessonCard) stepState(i int) string {
	if c.done(i) {
		return "Done: "
	}
	return "To do: "
}

// over reports whether all is done.
func (c *LessonCard) over() bool { return c.done(0) && c.done(1) }

func (c *LessonCard) nextWords() string {
	if c.lesson().Next() == nil {
		return "All lessons"
	}
	return "Next lesson"
}

func (c *LessonCard) next() {
	if l := c.lesson().Next(); l != nil {
		c.App.Do(page.BeginLesson{Number: l.Number})
		return
	}
	c.App.Do(page.OpenSheet{Name: "lessons"})
}

// nextClass highlights the button of the next lesson once this one is done.
func (c *LessonCard) nextClass() string {
	if c.over() {
		return "text main"
	}
	return "text"
}

func (c *LessonCard) foldWords() string {
	if c.App.Lessons.Progress.Folded {
		return "Expand the lesson"
	}
	return "Collapse the lesson"
}

func (c *LessonCard) foldPath() string {
	if c.App.Lessons.Progress.Folded {
		return "m5 12 5-5 5 5"
	}
	return "m5 8 5 5 5-5"
}

func (c *LessonCard) paper() string {
	p := c.lesson().Paper
	return p.Title + ", " + p.Venue + " " + itoa(p.Year) + ", " + p.Where
}
