package ingest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// target collects the labels of a file: names of classes or numbers to predict. Which of these they are is known at the
// end.
type target struct {
	index     map[string]int32
	names     []string  // distinct texts, in order of first appearance
	value     []float64 // number of each name; NaN if it is not a number
	first     []place   // first place of each name
	nameOfRow []int32   // index of each row's name

	declared []string // all declared names, in order; nil if names are not declared
}

// place is the position of a text, for errors that are found after all rows are read.
type place struct {
	file   *file
	line   int
	column say.Message // column or role of the text
}

func (p place) errorf(format string, args ...any) error {
	if p.file.form == recordsForm {
		return p.file.errorf("record %d: %s: %s", p.line, p.column, say.Errorf(format, args...))
	}
	return p.file.errorf("line %d: %s: %s", p.line, p.column, say.Errorf(format, args...))
}

// errTooMany is the error for the first row above the limit.
var errTooMany = say.Errorf("it begins a sample too many; expected %d at most", maxSamples)

// add adds the label of a row. Numbers are normalized: "+1" and "1.0" are "1". Declared names are not numbers.
func (t *target) add(text string, at place) {
	if t.declared == nil {
		text = strings.TrimSpace(text)
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case t.declared != nil, err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		v = math.NaN()
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		text = strconv.FormatInt(int64(v), 10)
	}
	i, known := t.index[text]
	if !known {
		if t.index == nil {
			t.index = map[string]int32{}
		}
		i = int32(len(t.names))
		text = strings.Clone(text) // a copy, so that the row is not kept
		t.index[text] = i
		t.names, t.value, t.first = append(t.names, text), append(t.value, v), append(t.first, at)
	}
	t.nameOfRow = append(t.nameOfRow, i)
}

// numbers reports whether every text is a number, and whether all are whole.
func (t *target) numbers() (all, whole bool) {
	whole = true
	for _, v := range t.value {
		if math.IsNaN(v) {
			return false, false
		}
		whole = whole && v == math.Trunc(v)
	}
	return true, whole
}

// stray returns an error if most texts are numbers, and these are fractions or too many for classes: then the texts are
// mistakes, not classes.
func (t *target) stray() error {
	words, word, number := 0, -1, -1 // number of words, index of the first word, index of the first number
	values := len(t.names) > maxClasses
	for k, v := range slices.Backward(t.value) {
		if math.IsNaN(v) {
			words++
			word = k
			continue
		}
		number = k
		values = values || v != math.Trunc(v)
	}
	if !values || 2*words >= len(t.value) {
		return nil
	}
	return t.first[word].errorf("expected a number such as %s, or a column called class for names, found %s",
		t.names[number], param.Quote(t.names[word]))
}

// setValues sets the targets. refuse makes the error about number k, which is too large.
func (t *target) setValues(s *dataset.Set, refuse func(k int, most float64) error) error {
	s.Offset = offset(slices.Min(t.value), slices.Max(t.value), false)
	for k, v := range t.value {
		if math.Abs(v-s.Offset) > largest {
			return refuse(k, math.Abs(v))
		}
	}
	s.Value = make([]float32, len(t.nameOfRow))
	for i, name := range t.nameOfRow {
		s.Value[i] = float32(t.value[name] - s.Offset)
	}
	return nil
}

// finish sets the classes of s, in the order of their declaration, or of their numbers or names. If
// values is set, fractions or too many different numbers are targets instead.
func (t *target) finish(s *dataset.Set, values bool) error {
	numbers, whole := t.numbers()
	if values && !numbers {
		if err := t.stray(); err != nil {
			return err
		}
	}
	if values && numbers && (!whole || len(t.names) > maxClasses) {
		return t.setValues(s, func(k int, _ float64) error {
			return t.first[k].errorf("expected a number of at most a million in absolute value, found %s",
				param.Quote(t.names[k]))
		})
	}
	if len(t.names) > maxClasses {
		return t.first[maxClasses].errorf("%s is class %d of %d; expected %d classes at most",
			param.Quote(t.names[maxClasses]), maxClasses+1, len(t.names), maxClasses)
	}
	for k, name := range t.declared { // including names without rows
		if _, known := t.index[name]; !known && len(t.declared) <= maxClasses {
			t.index[name] = int32(len(t.names))
			t.names, t.value = append(t.names, name), append(t.value, float64(k))
		}
	}
	order := make([]int, len(t.names))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		if t.declared != nil {
			return slices.Index(t.declared, t.names[a]) - slices.Index(t.declared, t.names[b])
		}
		if numbers && t.value[a] != t.value[b] {
			if t.value[a] < t.value[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(t.names[a], t.names[b])
	})
	class := make([]uint8, len(order))
	s.Classes = len(order)
	for k, name := range order {
		class[name] = uint8(k)
		s.ClassNames = append(s.ClassNames, t.names[name])
	}
	s.Label = make([]uint8, len(t.nameOfRow))
	for i, name := range t.nameOfRow {
		s.Label[i] = class[name]
	}
	return nil
}
