package shell

import (
	"flockscope/sim/lesson"
	"flockscope/ui/page"
)

// LessonsSheet lists the lessons, with what was done in each.
type LessonsSheet struct {
	App *App
}

func (c *LessonsSheet) lessons() []*lesson.Lesson { return lesson.All() }

// state says how far the person is.
func (c *LessonsSheet) state(l *lesson.Lesson) string {
	m := c.App.Lessons.Progress.Marks[l.Number]
	switch {
	case m == nil || m.Answer == page.Unanswered:
		return ""
	case m.Done[0] && m.Done[1]:
		return "done"
	case m.Done[0] || m.Done[1]:
		return "one step to go"
	}
	return "started"
}

func (c *LessonsSheet) class(l *lesson.Lesson) string {
	if c.App.Lessons.Progress.Lesson == l {
		return "pick-lesson on"
	}
	return "pick-lesson"
}

// begun reports whether there is anything to forget.
func (c *LessonsSheet) begun() bool { return len(c.App.Lessons.Progress.Marks) > 0 }
