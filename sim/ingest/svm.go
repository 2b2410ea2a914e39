package ingest

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A line of an svmlight file (Joachims, "Making Large-Scale SVM Learning Practical", 1999) has a label (−1, +1 or the
// number of a class), and pairs index:value in rising order for the features that are not zero. A comment begins with
// #. Indices begin at 1; many sets begin at 0, which is detected by any index of 0.

// isSVM reports whether a line looks like svmlight.
func isSVM(line string) bool {
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	_, err := strconv.ParseFloat(words[0], 64)
	name, _, pair := strings.Cut(words[1], ":")
	return err == nil && pair && (name == "qid" || strings.Trim(name, "0123456789") == "")
}

func readSVM(s *dataset.Set, b *bundle) error {
	bag := &dataset.Sparse{Start: []int32{0}}
	var t target
	var rows []int // rows of each file
	for _, f := range b.files {
		before := len(t.nameOfRow)
		line := 0
		for text := range bytes.Lines(f.data) {
			line++
			text, _, _ = bytes.Cut(text, []byte("#"))
			if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			if err := parseSVM(bag, text, &t, place{f, line, "label"}); err != nil {
				return f.errorf("line %d: %s", line, err)
			}
		}
		rows = append(rows, len(t.nameOfRow)-before)
		if !f.test {
			s.Train = len(t.nameOfRow)
		}
	}
	if len(bag.Index) == 0 {
		return b.files[0].errorf("no sample has a feature; expected pairs index:value")
	}
	if slices.Min(bag.Index) > 0 {
		for e := range bag.Index {
			bag.Index[e]--
		}
	}
	bag.Size = int(slices.Max(bag.Index)) + 1
	bag.Index, bag.Value = slices.Clip(bag.Index), slices.Clip(bag.Value)
	s.Shape, s.Rows = dataset.Vector(bag.Size), bag
	stems(s, b.files, rows)
	return t.finish(s, true)
}

// parseSVM appends the sample on a line, which begins with its label.
func parseSVM(bag *dataset.Sparse, text []byte, t *target, at place) error {
	last := -2 // the label comes next
	for word := range bytes.FieldsSeq(text) {
		if last == -2 {
			if _, err := number(word); err != nil {
				return say.Errorf("%s: %s", at.column, err)
			}
			if len(t.nameOfRow) == maxSamples {
				return errTooMany
			}
			t.add(string(word), at)
			last = -1
			continue
		}
		name, value, pair := bytes.Cut(word, []byte(":"))
		if string(name) == "qid" {
			continue // the query of a ranking problem
		}
		index, err := strconv.Atoi(string(name))
		if !pair || err != nil || index < 0 {
			return say.Errorf("expected index:value, found %s", param.Quote(string(word)))
		}
		if index >= maxFeatures {
			return say.Errorf("expected indices below %d, found %d", maxFeatures, index)
		}
		if index <= last {
			return say.Errorf("expected an index above %d, found %d", last, index)
		}
		v, err := number(value)
		if err != nil {
			return say.Errorf("index %d: %s", index, err)
		}
		bag.Index, bag.Value = append(bag.Index, uint16(index)), append(bag.Value, float32(v))
		last = index
	}
	bag.Start = append(bag.Start, int32(len(bag.Index)))
	return nil
}

// number reads a finite number of at most largest in absolute value.
func number[T string | []byte](text T) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, say.Errorf("expected a number, found %s", param.Quote(string(text)))
	}
	if math.Abs(v) > largest {
		return 0, say.Errorf("expected a number of at most a million in absolute value, found %s", param.Quote(string(text)))
	}
	return v, nil
}
