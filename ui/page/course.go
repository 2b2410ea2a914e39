package page

import (
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/say"
)

// LessonProgress is the lesson under way, and what was answered and done in all of them.
type LessonProgress struct {
	Lesson       *lesson.Lesson // nil between lessons
	Folded       bool           // only its title is shown
	Marks        map[int]*Mark  // by number of the lesson
	Announcement string         // what a screen reader is to be told
	WantsFocus   bool           // the lesson wants the focus
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

// Mark returns the marks of a lesson, to be changed.
func (c *LessonProgress) Mark(number int) *Mark {
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

// Open opens a lesson's card.
func (c *LessonProgress) Open(l *lesson.Lesson) {
	c.Lesson, c.Folded, c.Announcement, c.WantsFocus = l, false, "", true
}

// AwaitsAnswer reports whether the lesson waits for an answer to its question.
func (c *LessonProgress) AwaitsAnswer() bool {
	return c.Lesson != nil && c.Mark(c.Lesson.Number).Answer == Unanswered
}

// Reveal tells what the run shows, once it was played after an answer, and reports
// whether that is news.
func (c *LessonProgress) Reveal() bool {
	if c.Lesson == nil {
		return false
	}
	m := c.Mark(c.Lesson.Number)
	if m.Answer == Unanswered || m.Seen {
		return false
	}
	m.Seen, c.Announcement = true, c.Verdict()
	return true
}

// Verdict says how the person's answer compares.
func (c *LessonProgress) Verdict() string {
	l := c.Lesson
	right := say.Message(l.Options[l.Right])
	switch c.Mark(l.Number).Answer {
	case l.Right:
		return say.Textf("Right: the answer is “%s”.", right)
	case Skipped:
		return say.Textf("The answer is “%s”.", right)
	}
	return say.Textf("Not quite: the answer is “%s”.", right)
}

// Check marks the steps of the lesson that a complete run has done, and reports whether
// there are any.
func (c *LessonProgress) Check(now *lesson.State) (news bool) {
	l := c.Lesson
	if l == nil || !c.Mark(l.Number).Seen {
		return false
	}
	m := c.Mark(l.Number)
	for i := range l.Steps {
		if !m.Done[i] && l.Steps[i].Done(now) {
			m.Done[i], news = true, true
			c.Announcement = say.Textf("Step %d done. %s", i+1, l.Fill(say.Text(l.Steps[i].Result)))
		}
	}
	return news
}

// StepConfig is the lesson's own settings with those that do a step.
func (c *LessonProgress) StepConfig(i int, schema *experiment.Schema) experiment.Config {
	next, _ := schema.Parse(c.Lesson.Query)
	for pair := range strings.SplitSeq(c.Lesson.Steps[i].Solution, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if config, err := next.With(key, value); err == nil {
			next = config
		}
	}
	return next
}

// Encode is what was answered and done, as a text for the browser to keep.
func (c *LessonProgress) Encode() string {
	var b strings.Builder
	for _, l := range lesson.All() {
		if m := c.Marks[l.Number]; m != nil && m.Answer != Unanswered {
			b.WriteString(strconv.Itoa(l.Number) + "," + strconv.Itoa(m.Answer) + ",")
			b.WriteString(bit(m.Seen) + bit(m.Done[0]) + bit(m.Done[1]) + ";")
		}
	}
	return b.String()
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Decode reads what a browser kept. What makes no sense is ignored.
func (c *LessonProgress) Decode(text string) {
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
		*c.Mark(number) = Mark{answer, parts[2][0] == '1', [2]bool{parts[2][1] == '1', parts[2][2] == '1'}}
	}
}
