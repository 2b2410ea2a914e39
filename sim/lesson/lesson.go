// Package lesson has short lessons as data: the setup, a question to answer before the run plays,
// two tasks, and one sentence to remember. One lesson is one file.
//
// No text of a lesson has measured numbers: it has slots such as {one40}. Beside its texts a lesson
// has its facts ([Facts]): what each slot is, and for each sentence what makes it true. Command
// lessons measures the slots (numbers_gen.go), and its tests hold every sentence to the run that
// the lesson shows.
//
//	lesson.go       what a lesson is
//	facts.go        what ties its sentences to runs
//	now.go          what can be asked of a run
//	numbers_gen.go  the measured numbers
//	average.go …    the lessons
package lesson

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/registry"
)

// Lesson is one lesson. Setup, Explanation, Takeaway, Notes, steps and cells of the table may have
// slots; [Lesson.Fill] fills them.
type Lesson struct {
	Number int
	Title  string
	Query  string // the run, followed by keys of the page
	Scene  int    // the round that the explanation is about: in it the first method clusters
	Setup  string // the setup of the run
	Long   bool   // the run takes more than a few seconds: it is played with fewer seeds, and not by short tests

	Question    string // to answer before the run plays
	Options     []string
	Right       int
	Explanation string // the explanation after the run

	Steps    []Step
	Takeaway string
	Paper    registry.Citation
	Notes    string // for teachers
	Table    Table
}

// Step is a task whose completion the page can check.
type Step struct {
	Task     string
	Solution string // settings that complete the step, for teachers and tests
	Result   string // the result when it is done
	Done     func(n *State) bool
}

// Table is filled in by hand, from the lesson's run. On the first page of the work sheet, cells with
// slots are empty; the second page has the numbers.
type Table struct {
	Head []string
	Rows [][]string
}

var lessons []*Lesson

// register adds a lesson. Each file calls it in init, as methods and workloads do.
func register(l Lesson) {
	lessons = append(lessons, &l)
	slices.SortStableFunc(lessons, func(a, b *Lesson) int { return a.Number - b.Number })
}

// All returns the lessons by number.
func All() []*Lesson { return lessons }

// ByNumber returns the lesson of a number, nil if there is none.
func ByNumber(number int) *Lesson {
	for _, l := range lessons {
		if l.Number == number {
			return l
		}
	}
	return nil
}

// Link returns the query of a lesson, by its number as text; "" if there is none.
func Link(number string) string {
	n, _ := strconv.Atoi(number)
	if l := ByNumber(n); l != nil {
		return l.Query
	}
	return ""
}

// Seeds returns how many runs a mean or a count is of: those of the seeds 1 to 30, or to 5 if a run takes long.
func (l *Lesson) Seeds() int {
	if l.Long {
		return 5
	}
	return 30
}

// SceneLink returns the query of the lesson's run at the round of its scene.
func (l *Lesson) SceneLink() string { return l.Query + "&t=" + strconv.Itoa(l.Scene) }

// Next returns the next lesson, nil after the last.
func (l *Lesson) Next() *Lesson { return ByNumber(l.Number + 1) }

// Fill returns text with measured numbers in its slots.
func (l *Lesson) Fill(text string) string {
	for _, name := range Slots(text) {
		text = strings.ReplaceAll(text, "{"+name+"}", Number(l.Number, name))
	}
	return text
}

// Blank returns text, or "" if it has a slot.
func Blank(text string) string {
	if len(Slots(text)) > 0 {
		return ""
	}
	return text
}

// Slots returns the names of the slots of a text.
func Slots(text string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return names
		}
		names, text = append(names, name), after
	}
}

// Number returns a measured number as printed, "?" if there is none.
func Number(lesson int, name string) string {
	if i := slices.IndexFunc(measured, func(m number) bool { return m.lesson == lesson && m.name == name }); i >= 0 {
		return measured[i].text
	}
	return "?"
}

// number is one measured number.
type number struct {
	lesson     int
	name, text string
}
