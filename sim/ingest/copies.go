package ingest

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"

	"flockscope/sim/say"
)

// copyCandidate is a column that may be a copy of another column, the key.
type copyCandidate struct {
	column        int
	values        []string // the column's value for each value of the key; "" if not seen yet
	linear        bool     // compare as numbers: the column is a linear function of the key
	rising, falls bool     // so far it may rise, or fall, with the key
}

// agrees compares the value of a row with that of the key. index is the index of the key's value, and at its position
// between the least (0) and the greatest (1). It reports whether the column may still be a copy.
func (w *copyCandidate) agrees(index int, position float64, c *Column, text string, v float64) bool {
	if w.linear {
		own := (v - c.Min) / (c.Max - c.Min)
		w.rising = w.rising && math.Abs(position-own) < 1e-6
		w.falls = w.falls && math.Abs(1-position-own) < 1e-6
		return w.rising || w.falls
	}
	for len(w.values) <= index {
		w.values = append(w.values, "")
	}
	if w.values[index] == "" {
		w.values[index] = strings.Clone(text)
	}
	return w.values[index] == text
}

// copies returns which columns repeat the key: one value for each of its values and vice versa,
// or indicator columns, each of which tells one value of the key from the others. Numbers that
// are not classes are copies if they are linear functions of the key; few values, or words, are
// classes.
func (t *Table) copies(key int, number bool) []bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := [2]int{key, 0}
	if number {
		at[1] = 1
	}
	if known := t.copyCache[at]; known != nil {
		return known
	}
	f := copyFinder{table: t, key: key, number: number, index: map[string]int{}}
	out := f.find()
	if t.copyCache == nil {
		t.copyCache = map[[2]int][]bool{}
	}
	t.copyCache[at] = out
	return out
}

// minRows is the fewest rows with which columns are compared.
const minRows = 10

// copyFinder finds the copies of a column.
type copyFinder struct {
	table      *Table
	key        int
	number     bool // the key is a numeric target
	candidates []*copyCandidate
	index      map[string]int // index of each value of the key
	count      []int          // number of rows with each value
	rows       int
}

func (f *copyFinder) find() []bool {
	out := make([]bool, len(f.table.Columns))
	if f.table.Rows < minRows {
		return out
	}
	f.choose()
	for _, s := range f.table.sheets {
		f.compare(s)
	}
	if f.rows < minRows {
		return out
	}
	k := &f.table.Columns[f.key]
	few := f.rows < len(f.count)+f.minRows()-k.Distinct || f.rows-slices.Max(f.count) < 4
	indicators := map[int][]int{} // columns that distinguish one value from all others, by that value
	for _, w := range f.candidates {
		if w.linear {
			out[w.column] = true
			continue
		}
		if few || len(w.values) < len(f.index) || slices.Contains(w.values, "") {
			continue
		}
		of := map[string][]int{} // values of the key for each value of the column
		for at, text := range w.values {
			of[text] = append(of[text], at)
		}
		out[w.column] = len(of) == len(f.index)
		for _, at := range of {
			if len(of) == 2 && len(at) == 1 {
				indicators[at[0]] = append(indicators[at[0]], w.column)
			}
		}
	}
	if len(indicators) >= len(f.index)-1 && !f.number {
		for _, columns := range indicators {
			for _, j := range columns {
				out[j] = true
			}
		}
	}
	return out
}

// minRows returns the minimum number of rows for which agreement is unlikely by chance.
func (f *copyFinder) minRows() int {
	return f.table.Columns[f.key].Distinct + 8 + bits.Len(uint(len(f.table.Columns)))
}

// choose selects the columns that may be copies.
func (f *copyFinder) choose() {
	k := &f.table.Columns[f.key]
	for j := range f.table.Columns {
		c := &f.table.Columns[j]
		switch numeric := c.Type == Number || c.Type == Whole; {
		case j == f.key || c.Distinct < 2:
		case f.number && numeric:
			if c.Distinct > 4 && k.Distinct > 4 && c.Max > c.Min {
				f.candidates = append(f.candidates, &copyCandidate{column: j, linear: true, rising: true, falls: true})
			}
		case f.table.Rows >= f.minRows() && c.Distinct <= k.Distinct && k.Distinct <= maxClasses &&
			(!f.number || c.Distinct == k.Distinct):
			f.candidates = append(f.candidates, &copyCandidate{column: j})
		}
	}
}

// compare drops the candidates that differ from the key in the rows of a file.
func (f *copyFinder) compare(s *sheet) {
	has := func(j int) bool { return j >= s.firstColumn && j < s.firstColumn+s.width }
	if !has(f.key) {
		return
	}
	f.candidates = slices.DeleteFunc(f.candidates, func(w *copyCandidate) bool { return !has(w.column) })
	stop := errors.New("no column is a copy")
	k, commas := &f.table.Columns[f.key], s.comma != ','
	s.samples(func(_, _ int, cells []string) error {
		if len(f.candidates) == 0 {
			return stop
		}
		if k.missing(cells[f.key-s.firstColumn]) {
			return nil
		}
		text, v := k.canonical(cells[f.key-s.firstColumn], commas)
		if s.test && k.attr == nil {
			text = strings.TrimSuffix(text, ".") // adult.test ends its classes with a full stop
		}
		at, known := f.index[text]
		if !known && len(f.index) <= maxClasses { // with more values, columns are not compared as classes
			at = len(f.index)
			f.index[strings.Clone(text)] = at
			f.count = append(f.count, 0)
		}
		f.rows++
		f.count[at]++
		f.candidates = slices.DeleteFunc(f.candidates, func(w *copyCandidate) bool {
			c, cell := &f.table.Columns[w.column], cells[w.column-s.firstColumn]
			if c.missing(cell) {
				return false
			}
			text, x := c.canonical(cell, commas)
			return !w.agrees(at, (v-k.Min)/(k.Max-k.Min), c, text, x)
		})
		return nil
	})
}

// canonical returns a value in a unique form, and its number.
func (c *Column) canonical(text string, commas bool) (string, float64) {
	if v, ok := c.decimal(text, commas); ok {
		return canonicalNumber(v), v
	}
	return text, 0
}

// copyOf returns the reason for ignoring a copy.
func (t *Table) copyOf(key int) say.Message {
	return say.Messagef("a copy of %s, which reveals the answer", t.titleOf(key))
}

// withoutCopies ignores columns that repeat the target or the client. Chosen roles stay.
func (t *Table) withoutCopies(out []Chosen, chosen []bool) {
	for key := range out {
		role := out[key].Role
		if role != Label && role != Target && role != Client {
			continue
		}
		own, _ := t.Columns[key].stem()
		before := slices.Clone(out)
		for j, copied := range t.copies(key, role == Target) {
			switch named, _ := t.owner(j); {
			case !copied || out[j].Role != Feature || chosen != nil && chosen[j]:
			case role != Client:
				out[j] = Chosen{Ignore, t.copyOf(key)}
			case named > 0 || t.Columns[j].Type == Category:
				out[j] = Chosen{Ignore, say.Messagef("another name of %s", t.titleOf(key))}
			}
		}
		if hasFeature(out) {
			continue
		}
		for j := range out { // if no feature is left, ignore only copies with the same name
			if stem, _ := t.Columns[j].stem(); out[j] != before[j] && stem != own &&
				!slices.Contains(targetNames, stem) {
				out[j] = Chosen{Feature, say.Messagef("a copy of %s, since there is no other feature", t.titleOf(key))}
			}
		}
	}
}
