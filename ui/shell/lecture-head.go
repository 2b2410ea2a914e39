package shell

import (
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// LectureHead is what stands above the stage in a lecture: the step, the key to the marks, and the headline.
type LectureHead struct {
	App *App
}

func (c *LectureHead) stops() []int {
	out := make([]int, page.LectureEnd+1)
	for i := range out {
		out[i] = i
	}
	return out
}

func (c *LectureHead) stopClass(n int) string {
	switch at := c.App.Lecture.Stop; {
	case n == at:
		return "stop on"
	case n < at:
		return "stop past"
	}
	return "stop"
}

func (c *LectureHead) stopName(n int) string {
	switch n {
	case 0:
		return say.Text("The question")
	case page.LectureEnd:
		return say.Text("The result")
	}
	return say.Text(registry.Phase(n - 1).Name())
}

// notes are for the presenter, on paper.
func (c *LectureHead) notes() []page.LectureNote {
	if c.App.Run == nil {
		return nil
	}
	return c.App.LectureNotes()
}

func (c *LectureHead) first() string {
	if c.App.Lecture.Stop == 0 {
		_, asks := cutQuestion(c.App.LectureHeadline())
		return asks
	}
	first, _ := cutSentence(c.App.LectureHeadline())
	return first
}

func (c *LectureHead) rest() string {
	if c.App.Lecture.Stop == 0 {
		question, _ := cutQuestion(c.App.LectureHeadline())
		return question
	}
	_, rest := cutSentence(c.App.LectureHeadline())
	return rest
}

// MarkKey is the key to the marks of clients.
type MarkKey struct {
	App *App
}
