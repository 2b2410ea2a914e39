package ingest

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"

	"flockscope/sim/say"
)

// candidate is a column while it may be a copy of another, the key.
type candidate struct {
	column   int
	values   []string // that came with each value of the key, "" before the first
	line     bool     // it is compared as a number, along a line
	up, down bool     // the key rises, or falls, with it
}

// agrees takes a value of the key, which has a number, and stands at a place between the
// least (0) and the greatest (1), and the value beside it. It reports whether they may still be copies.
func (w *candidate) agrees(number int, place float64, c *Column, text string, v float64) bool {
	if w.line {
		own := (v - c.Min) / (c.Max - c.Min)
		w.up = w.up && math.Abs(place-own) < 1e-6
		w.down = w.down && math.Abs(1-place-own) < 1e-6
		return w.up || w.down
	}
	for len(w.values) <= number {
		w.values = append(w.values, "")
	}
	if w.values[number] == "" {
		w.values[number] = strings.Clone(text)
	}
	return w.values[number] == text
}

// copies says which columns have the same in them as the key: one value for each of its values
// and the other way round, or as many columns, each of which tells one of its values from the
// others. Numbers that are not classes are copies of each other if they are in proportion,
// perhaps with a constant; a few values, or words, are classes.
func (t *Table) copies(key int, number bool) []bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := [2]int{key, 0}
	if number {
		at[1] = 1
	}
	if known := t.copied[at]; known != nil {
		return known
	}
	out := t.findCopies(key, number)
	if t.copied == nil {
		t.copied = map[[2]int][]bool{}
	}
	t.copied[at] = out
	return out
}

func (t *Table) findCopies(key int, number bool) []bool {
	out := make([]bool, len(t.Columns))
	k := &t.Columns[key]
	// By chance columns of few rows agree, too.
	least := k.Distinct + 8 + bits.Len(uint(len(t.Columns)))
	if t.Rows < 10 {
		return out
	}
	var candidates []*candidate
	for j := range t.Columns {
		c := &t.Columns[j]
		switch numeric := c.Type == Number || c.Type == Whole; {
		case j == key || c.Distinct < 2:
		case number && numeric:
			if c.Distinct > 4 && k.Distinct > 4 && c.Max > c.Min {
				candidates = append(candidates, &candidate{column: j, line: true, up: true, down: true})
			}
		case t.Rows >= least && c.Distinct <= k.Distinct && k.Distinct <= maxClasses &&
			(!number || c.Distinct == k.Distinct):
			candidates = append(candidates, &candidate{column: j})
		}
	}
	index, count := map[string]int{}, []int(nil) // of the values of the key
	n := 0
	stop := errors.New("no column is a copy")
	for _, s := range t.sheets {
		has := func(j int) bool { return j >= s.at && j < s.at+s.width }
		if !has(key) {
			continue
		}
		candidates = slices.DeleteFunc(candidates, func(w *candidate) bool { return !has(w.column) })
		commas := s.comma != ','
		s.samples(func(_, _ int, cells []string) error {
			if len(candidates) == 0 {
				return stop
			}
			if k.missing(cells[key-s.at]) {
				return nil
			}
			text, v := k.canonical(cells[key-s.at], commas)
			if s.test && k.attr == nil {
				text = strings.TrimSuffix(text, ".") // as adult.test ends its classes
			}
			at, known := index[text]
			if !known && len(index) <= maxClasses { // of more values than that no column is compared as classes
				at = len(index)
				index[strings.Clone(text)] = at
				count = append(count, 0)
			}
			n++
			count[at]++
			candidates = slices.DeleteFunc(candidates, func(w *candidate) bool {
				c, cell := &t.Columns[w.column], cells[w.column-s.at]
				if c.missing(cell) {
					return false
				}
				text, x := c.canonical(cell, commas)
				return !w.agrees(at, (v-k.Min)/(k.Max-k.Min), c, text, x)
			})
			return nil
		})
	}
	if n < 10 {
		return out
	}
	few := n < len(count)+least-k.Distinct || n-slices.Max(count) < 4
	indicators := map[int][]int{} // columns that tell one value from all others, by that value
	for _, w := range candidates {
		if w.line {
			out[w.column] = true
			continue
		}
		if few || len(w.values) < len(index) || slices.Contains(w.values, "") {
			continue
		}
		of := map[string][]int{}
		for at, text := range w.values {
			of[text] = append(of[text], at)
		}
		out[w.column] = len(of) == len(index)
		for _, at := range of {
			if len(of) == 2 && len(at) == 1 {
				indicators[at[0]] = append(indicators[at[0]], w.column)
			}
		}
	}
	if len(indicators) >= len(index)-1 && !number {
		for _, columns := range indicators {
			for _, j := range columns {
				out[j] = true
			}
		}
	}
	return out
}

// canonical returns a value in the one form that is compared, and its number.
func (c *Column) canonical(text string, commas bool) (string, float64) {
	if v, ok := c.decimal(text, commas); ok {
		return canonicalNumber(v), v
	}
	return text, 0
}

// copyOf says why a column is left out.
func (t *Table) copyOf(key int) say.Message {
	return say.Messagef("a copy of %s, which would tell the answer", t.titleOf(key))
}

// withoutCopies leaves out what only repeats what is to be told, or who the client is. Columns
// with a chosen role stay.
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
		for j := range out { // without them nothing is left: their names must say the same
			if stem, _ := t.Columns[j].stem(); out[j] != before[j] && stem != own &&
				!slices.Contains(targetNames, stem) {
				out[j] = Chosen{Feature, say.Messagef("a copy of %s, and nothing else is a feature", t.titleOf(key))}
			}
		}
	}
}
