package ingest

import (
	"slices"
	"strings"
)

// Words in names of files and arrays, and in values of a column, that mean training, testing or validation. Validation
// samples are for testing if no others are, and for training otherwise.
const (
	trainWords = " train training trn tra "
	testWords  = " test testing tst tes t10k holdout privatetest "
	validWords = " val valid validation dev eval publictest "
	partWords  = trainWords + testWords + validWords
	// Names of columns of 0 and 1, or of Booleans, that mark training rows; testFlags mark test rows. A column with the
	// name train or test alone may be a course or a result.
	trainFlags = " is_train istrain in_train "
	testFlags  = " is_test istest in_test is_holdout holdout is_val is_valid is_validation "
)

// findParts finds the column that marks test rows, and these rows.
func (t *Table) findParts() {
	for j := range t.Columns {
		if test := t.Columns[j].testMarker(); test != nil && t.Columns[j].rank(targetNames[:strong]) < 0 {
			t.testColumn, t.testRows = j, make([]bool, t.Rows)
			t.noteParts(test)
			return
		}
	}
}

// testMarker returns a function that reports whether a value of the column marks a test row, nil if
// the column has no such values.
func (c *Column) testMarker() (test func(text string) bool) {
	flag := among(testFlags, c.slug)
	if c.Distinct == 2 && (flag || among(trainFlags, c.slug)) && (c.Type == Bool || c.Type == Whole && c.Min == 0 &&
		c.Max == 1 || c.nominal() && bit(c.seen.order[0])+bit(c.seen.order[1]) == 1) {
		return func(text string) bool { v := bit(text); return v >= 0 && (v == 1) == flag }
	}
	if c.Type != Category || c.numbers > 0 {
		return nil
	}
	var has [3]bool // for training, testing, validation
	for _, text := range c.seen.order {
		at := slices.IndexFunc([]string{trainWords, testWords, validWords}, func(words string) bool {
			return among(words, strings.ToLower(text))
		})
		if at < 0 {
			return nil
		}
		has[at] = true
	}
	if !has[0] || !has[1] && !has[2] {
		return nil
	}
	words := testWords
	if !has[1] {
		words = validWords
	}
	return func(text string) bool { return among(words, strings.ToLower(text)) }
}

// bit returns the value of 0, 1 or a Boolean; −1 for any other text.
func bit(text string) int {
	v, ok := parseBool(text)
	if !ok {
		v, ok = decimal(text, true)
	}
	if !ok || v != 0 && v != 1 {
		return -1
	}
	return int(v)
}

// noteParts marks the test rows.
func (t *Table) noteParts(test func(text string) bool) {
	for _, s := range t.sheets {
		if t.testColumn < s.firstColumn || t.testColumn >= s.firstColumn+s.width {
			continue
		}
		s.samples(func(row, _ int, cells []string) error {
			t.testRows[row] = test(cells[t.testColumn-s.firstColumn])
			return nil
		})
	}
}
