package ingest

import (
	"slices"
	"strings"
)

// The words of names of files and arrays, and of values in a column, that say what samples are
// for. What is for validation is for testing where nothing else is, and for training otherwise.
const (
	trainWords = " train training trn tra "
	testWords  = " test testing tst tes t10k holdout privatetest "
	validWords = " val valid validation dev eval publictest "
	partWords  = trainWords + testWords + validWords
	// Columns of 0 and 1, or truth, that say it; testFlags are 1 for testing. What is called train or
	// test alone may be a training that people had, or a result.
	trainFlags = " is_train istrain in_train "
	testFlags  = " is_test istest in_test is_holdout holdout is_val is_valid is_validation "
)

// findParts finds the column that says which rows are for testing, and these rows.
func (t *Table) findParts() {
	for j := range t.Columns {
		if test := t.Columns[j].parts(); test != nil && t.Columns[j].rank(targetNames[:strong]) < 0 {
			t.parts, t.tests = j, make([]bool, t.Rows)
			t.noteParts(test)
			return
		}
	}
}

// parts returns a function that says whether a value of a column means testing, nil if the
// column does not say that.
func (c *Column) parts() (test func(text string) bool) {
	flag := among(testFlags, c.slug)
	if c.Distinct == 2 && (flag || among(trainFlags, c.slug)) && (c.Type == Bool || c.Type == Whole && c.Min == 0 &&
		c.Max == 1 || c.nominal() && bit(c.seen.order[0])+bit(c.seen.order[1]) == 1) {
		return func(text string) bool { v := bit(text); return v >= 0 && (v == 1) == flag }
	}
	if c.Type != Category || c.numbers > 0 {
		return nil
	}
	var has [3]bool // training, testing, validation
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

// bit reads 0, 1 or a word for truth; any other text is −1.
func bit(text string) int {
	v, ok := truth(text)
	if !ok {
		v, ok = decimal(text, true)
	}
	if !ok || v != 0 && v != 1 {
		return -1
	}
	return int(v)
}

// noteParts notes which rows are for testing.
func (t *Table) noteParts(test func(text string) bool) {
	for _, s := range t.sheets {
		if t.parts < s.at || t.parts >= s.at+s.width {
			continue
		}
		s.samples(func(row, _ int, cells []string) error {
			t.tests[row] = test(cells[t.parts-s.at])
			return nil
		})
	}
}
