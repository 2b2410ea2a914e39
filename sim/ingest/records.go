package ingest

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// jsonRows are rows as JSON: a list of objects, or consecutive objects, as in JSON Lines. The keys of all objects are
// the columns; a missing key or null is a missing value.
type jsonRows struct {
	data  []byte
	keys  []string
	index map[string]int
}

// isRecords reports whether a text that begins with a brace or a bracket is a list of records, and not one object as in
// LEAF.
func isRecords(data []byte) bool {
	j := json{data: data}
	if j.peek() == '[' {
		return true
	}
	leaf, some := false, false
	err := j.object(func(key string) error {
		some = true
		if leaf = leaf || slices.Contains(leafKeys, key); leaf {
			return errLEAF // without reading further
		}
		return j.skip()
	})
	return err == nil && some && (j.peek() == '{' || j.peek() == ',')
}

var errLEAF = errors.New("dataset: an object of LEAF's")

// openRecords collects the keys of all records.
func openRecords(data []byte) (*jsonRows, error) {
	r := &jsonRows{data: data, index: map[string]int{}}
	return r, r.objects(func(n int, j *json) error {
		return j.object(func(key string) error {
			if _, known := r.index[key]; !known {
				if len(r.keys) == MaxColumns {
					return say.Errorf("expected %d columns at most, found %d", MaxColumns, MaxColumns+1)
				}
				r.index[key] = len(r.keys)
				r.keys = append(r.keys, key)
			}
			_, err := j.value(key)
			return err
		})
	})
}

// objects calls visit at each object. An error names the record, counted from 1.
func (r *jsonRows) objects(visit func(n int, j *json) error) error {
	j := &json{data: r.data}
	n := 0
	one := func() (err error) {
		if n++; n > maxSamples {
			return say.Errorf("record %d: %s", n, errTooMany)
		}
		if j.peek() != '{' {
			err = j.wrong(`an object such as {"width": 1.5, "label": "x"}`)
		} else {
			err = visit(n, j)
		}
		if err != nil {
			err = say.Errorf("record %d: %s", n, err)
		}
		return err
	}
	if j.peek() == '[' {
		if err := j.array(one); err != nil {
			if n > 0 && !strings.HasPrefix(err.Error(), "record ") {
				err = say.Errorf("after record %d: %s", n, err)
			}
			return err
		}
		return j.end()
	}
	for j.peek(); j.at < len(j.data); j.peek() {
		if err := one(); err != nil {
			return err
		}
		if j.peek() == ',' { // a list without brackets
			j.at++
		}
	}
	return nil
}

// each calls visit for each record, with its number. The row is valid during the call.
func (r *jsonRows) each(visit func(n int, row []string) error) error {
	row, has := make([]string, len(r.keys)), make([]int, len(r.keys)) // the last record with each key
	return r.objects(func(n int, j *json) error {
		clear(row)
		err := j.object(func(key string) (err error) {
			k := r.index[key]
			if has[k] == n {
				return say.Errorf("the key %s occurs twice; expected it once", param.Quote(key))
			}
			has[k] = n
			row[k], err = j.value(key)
			return err
		})
		if err != nil {
			return err
		}
		return visit(n, row)
	})
}

// value returns the value of a key as a cell: numbers and words are unchanged, null and NaN are empty.
func (j *json) value(key string) (string, error) {
	from := 0
	switch c := j.peek(); c {
	case '{', '[':
		return "", say.Errorf("the key %s has a list or an object; expected a number, a text, true, false or null: give each value a key of its own, as pandas.json_normalize does",
			param.Quote(key))
	case '"':
		return j.text()
	}
	from = j.at
	if err := j.skip(); err != nil {
		return "", err
	}
	if word := j.data[from:j.at]; !bytes.Equal(word, []byte("null")) && !bytes.Equal(word, []byte("NaN")) {
		return string(word), nil
	}
	return "", nil
}
