// Package lesson holds short lessons as data: what is on the stage, a question to
// answer before the run plays, two things to do, and one sentence to keep. One
// lesson is one file, registered once.
//
// No lesson prints a number of its own: texts have slots such as {one40}, filled
// from what command lessons measured over thirty seeds (numbers_gen.go). Its
// tests hold the lessons to what the engine does.
package lesson

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/registry"
)

// Lesson is one lesson. Scene, See, Keep, Notes, steps and cells of the table may
// have slots; [Lesson.Fill] fills them.
type Lesson struct {
	Number int
	Title  string
	Query  string // the run, and the page's own keys after it
	Scene  string // what is on the stage

	Question string // to answer before playing
	Options  []string
	Right    int
	See      string // what the run shows, and why

	Steps []Step
	Keep  string
	Paper registry.Citation
	Notes string // for the teacher
	Table Table
}

// Step is something to do, which the page can see done.
type Step struct {
	Do   string
	By   string // settings that do it: the teacher's answer, and the tests'
	Then string // what shows when it is done
	Done func(n *Now) bool
}

// Table is to be filled by hand. On the sheet's first page cells with slots are
// empty, on its second page they hold the numbers.
type Table struct {
	Head []string
	Rows [][]string
}

var lessons []*Lesson

// register adds a lesson. Each file calls it in init, as methods and workloads do.
func register(l Lesson) {
	lessons = append(lessons, &l)
	slices.SortFunc(lessons, func(a, b *Lesson) int { return a.Number - b.Number })
}

// All returns the lessons by number.
func All() []*Lesson { return lessons }

// ByNumber returns a lesson, nil if there is none of that number.
func ByNumber(number int) *Lesson {
	for _, l := range lessons {
		if l.Number == number {
			return l
		}
	}
	return nil
}

// Link returns the link that a lesson shows, by its number as text; "" if there is none.
func Link(number string) string {
	n, _ := strconv.Atoi(number)
	if l := ByNumber(n); l != nil {
		return l.Query
	}
	return ""
}

// After returns the next lesson, nil after the last.
func (l *Lesson) After() *Lesson { return ByNumber(l.Number + 1) }

// Fill returns text with measured numbers in its slots.
func (l *Lesson) Fill(text string) string {
	for _, name := range Slots(text) {
		text = strings.ReplaceAll(text, "{"+name+"}", Number(l.Number, name))
	}
	return text
}

// Blank returns text, or an empty one if it has a slot.
func Blank(text string) string {
	if len(Slots(text)) > 0 {
		return ""
	}
	return text
}

// Slots returns the names of the slots in a text.
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

// Number returns a measured number as printed, "?" if it was not measured.
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
