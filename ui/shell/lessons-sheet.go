package shell

import (
	"flockscope/sim/lesson"
	"flockscope/ui/page"
)

// LessonsSheet lists the lessons with the user's progress.
type LessonsSheet struct {
	App *App
}

func (c *LessonsSheet) lessons() []*lesson.Lesson { return lesson.All() }

// state describes the progress in a lesson.
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

// begun reports whether any lesson was started.
func (c *LessonsSheet) begun() bool { return len(c.App.Lessons.Progress.Marks) > 0 }
