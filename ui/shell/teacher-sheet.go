package shell

import (
	"flockscope/sim/lesson"
)

// TeacherSheet is the present lesson on paper: a page with the question and a table to
// fill in, and one with the answers.
type TeacherSheet struct {
	App *App
}

func (c *TeacherSheet) lesson() *lesson.Lesson { return c.App.Lessons.Progress.Lesson }

func (c *TeacherSheet) card() *LessonCard { return &LessonCard{App: c.App} }

func (c *TeacherSheet) fill(text string) string { return c.card().fill(text) }

func (c *TeacherSheet) blank(text string) string { return lesson.Blank(text) }

// pictures are the maps before the first round, one per lane.
func (c *TeacherSheet) pictures() []int {
	var out []int
	for i := range c.App.Config.Lanes() {
		out = append(out, i)
	}
	return out
}

// caption says what the picture shows.
func (c *TeacherSheet) caption() string {
	return "The start. Shape: the group of a client; colour: its model; hollow: misplaced."
}

// address is the lesson's address, for readers on paper.
func (c *TeacherSheet) address() string {
	return c.App.Export.Home + "?lesson=" + itoa(c.lesson().Number)
}
