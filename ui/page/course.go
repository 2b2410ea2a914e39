package page

import (
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/say"
)

// LessonProgress is the open lesson, and the answers and completed steps of all lessons.
type LessonProgress struct {
	Lesson       *lesson.Lesson // nil if none is open
	Folded       bool           // the card shows only the title
	Marks        map[int]*Mark  // by number of the lesson
	Announcement string         // text for screen readers
	WantsFocus   bool           // the lesson's title should get the focus
}

// Mark has the user's answer and completed steps in one lesson.
type Mark struct {
	Answer int // the chosen option, Unanswered or Skipped
	Seen   bool
	Done   [2]bool
	Shown  [2]bool // the page has shown the solution of the step
}

// Values of Mark.Answer that are no option.
const (
	Unanswered = -1
	Skipped    = -2
)

// Mark returns the modifiable mark of a lesson.
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

// Open opens the card of a lesson.
func (c *LessonProgress) Open(l *lesson.Lesson) {
	c.Lesson, c.Folded, c.Announcement, c.WantsFocus = l, false, "", true
}

// AwaitsAnswer reports whether the user has yet to answer the lesson's question.
func (c *LessonProgress) AwaitsAnswer() bool {
	return c.Lesson != nil && c.Mark(c.Lesson.Number).Answer == Unanswered
}

// Reveal shows the right answer after an answered lesson's run has played, and reports whether it
// was hidden before.
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

// Verdict says whether the user's answer is right.
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

// Check marks the steps that a complete run fulfils, and reports whether any is new.
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

// StepConfig returns the lesson's settings together with those that solve a step.
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

// Encode returns answers and completed steps as text, for storage in the browser.
func (c *LessonProgress) Encode() string {
	var b strings.Builder
	for _, l := range lesson.All() {
		if m := c.Marks[l.Number]; m != nil && m.Answer != Unanswered {
			b.WriteString(strconv.Itoa(l.Number) + "," + strconv.Itoa(m.Answer) + ",")
			b.WriteString(formatBits(m.Seen, false))
			for i, done := range m.Done {
				b.WriteString(formatBits(done, m.Shown[i]))
			}
			b.WriteString(";")
		}
	}
	return b.String()
}

// formatBits returns a digit: 1 for done, and 2 more for shown.
func formatBits(done, shown bool) string {
	digit := 0
	if done {
		digit = 1
	}
	if shown {
		digit += 2
	}
	return itoa(digit)
}

// Decode reads a text of Encode and ignores invalid parts.
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
		bit := func(i int, value byte) bool { return parts[2][i]&value > 0 }
		*c.Mark(number) = Mark{answer, bit(0, 1), [2]bool{bit(1, 1), bit(2, 1)}, [2]bool{bit(1, 2), bit(2, 2)}}
	}
}
