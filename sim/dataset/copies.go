package dataset

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"

	"flockscope/sim/say"
)

// twin is a column while it may be a copy of another, the key.
type twin struct {
	column   int
	value    []string // that came with each value of the key, "" before the first
	affine   bool     // it is compared as a number
	up, down bool     // the key rises, or falls, with it along a line
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
	var twins []*twin
	if t.Rows < 10 {
		return out // by chance columns of few rows agree, too
	}
	rare := t.Rows < k.Distinct+8+bits.Len(uint(len(t.Columns)))
	for j := range t.Columns {
		c := &t.Columns[j]
		switch numeric := c.Type == Number || c.Type == Whole; {
		case j == key || c.Distinct < 2:
		case number && numeric:
			if c.Distinct > 4 && k.Distinct > 4 && c.Max > c.Min {
				twins = append(twins, &twin{column: j, affine: true, up: true, down: true})
			}
		case !rare && c.Distinct <= k.Distinct && k.Distinct <= maxClasses && (!number || c.Distinct == k.Distinct):
			twins = append(twins, &twin{column: j})
		}
	}
	index, count := map[string]int{}, []int(nil)
	n := 0
	stop := errors.New("enough")
	for _, s := range t.sheets {
		if key < s.at || key >= s.at+s.width || len(twins) == 0 {
			continue
		}
		twins = slices.DeleteFunc(twins, func(w *twin) bool { return w.column < s.at || w.column >= s.at+s.width })
		commas := s.comma != ','
		s.samples(func(_, _ int, cells []string) error {
			if k.missing(cells[key-s.at]) {
				return nil
			}
			text, v := k.canonical(cells[key-s.at], commas)
			if s.test && k.attr == nil {
				text = strings.TrimSuffix(text, ".") // as adult.test ends its classes
			}
			at, known := index[text]
			if !known && len(index) <= maxClasses {
				at = len(index)
				index[strings.Clone(text)] = at
				count = append(count, 0)
			}
			n++
			count[at]++ // of numbers with more values than that no column is compared as classes
			twins = slices.DeleteFunc(twins, func(w *twin) bool {
				c, cell := &t.Columns[w.column], cells[w.column-s.at]
				if c.missing(cell) {
					return false
				}
				text, x := c.canonical(cell, commas)
				if w.affine {
					along, whole := (x-c.Min)/(c.Max-c.Min), k.Max-k.Min
					w.up = w.up && math.Abs((v-k.Min)/whole-along) < 1e-6
					w.down = w.down && math.Abs((k.Max-v)/whole-along) < 1e-6
					return !w.up && !w.down
				}
				for len(w.value) <= at {
					w.value = append(w.value, "")
				}
				if w.value[at] == "" {
					w.value[at] = strings.Clone(text)
				}
				return w.value[at] != text
			})
			if len(twins) == 0 {
				return stop
			}
			return nil
		})
	}
	if len(twins) == 0 || n < 10 {
		return out
	}
	few := n < len(count)+8+bits.Len(uint(len(t.Columns))) || n-slices.Max(count) < 4
	shown := map[int][]int{} // columns that tell one value from all others, by that value
	for _, w := range twins {
		if w.affine {
			out[w.column] = true
			continue
		}
		if few || len(w.value) < len(index) || slices.Contains(w.value, "") {
			continue
		}
		of := map[string][]int{}
		for at, text := range w.value {
			of[text] = append(of[text], at)
		}
		out[w.column] = len(of) == len(index)
		for _, at := range of {
			if len(of) == 2 && len(at) == 1 {
				shown[at[0]] = append(shown[at[0]], w.column)
			}
		}
	}
	if len(shown) >= len(index)-1 && !number {
		for _, columns := range shown {
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

// leave leaves out what only repeats what is to be told, or who the client is, and makes
// features of sentences or times where nothing else is one. Columns with a chosen role stay.
func (t *Table) leave(out []Chosen, chosen []bool) {
	if t.Lines(out) {
		return
	}
	free := func(j int) bool { return chosen == nil || !chosen[j] }
	feature := func(c Chosen) bool { return c.Role == Feature }
	for key := range out {
		role := out[key].Role
		if role != Label && role != Target && role != Client {
			continue
		}
		own, _ := t.Columns[key].stem()
		before := slices.Clone(out)
		for j, copied := range t.copies(key, role == Target) {
			switch named, _ := t.owner(j); {
			case !copied || out[j].Role != Feature || !free(j):
			case role != Client:
				out[j] = Chosen{Ignore, t.copyOf(key)}
			case named > 0 || t.Columns[j].Type == Category:
				out[j] = Chosen{Ignore, say.Messagef("another name of %s", t.titleOf(key))}
			}
		}
		if slices.ContainsFunc(out, feature) {
			continue
		}
		for j := range out { // without them nothing is left: their names must say the same
			if stem, _ := t.Columns[j].stem(); out[j] != before[j] && stem != own &&
				!slices.Contains(targetNames, stem) {
				out[j] = Chosen{Feature, say.Messagef("a copy of %s, and nothing else is a feature", t.titleOf(key))}
			}
		}
	}
	t.useSentences(out, chosen)
	if slices.ContainsFunc(out, feature) {
		return
	}
	for j := range out {
		if c := &t.Columns[j]; out[j].Role == Ignore && free(j) && (c.Type == Date || among(timeNames, c.slug)) &&
			c.Distinct > 1 {
			out[j] = Chosen{Feature, "a time, since no other column is a feature"}
		}
	}
}
