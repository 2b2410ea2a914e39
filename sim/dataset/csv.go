package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"flockscope/sim/param"
)

// table is a CSV file being read: a header that names the columns, and a sample
// a row. One column is called label, class or y; client and group say whose the
// sample is; all others are features.
type table struct {
	header   []string // of the first file, which others must repeat
	label    int
	column   string // of the label, for messages
	client   int    // −1 without
	group    int    // −1 without
	features []int

	data    []float32
	target  target
	clients roster
	groups  roster // of the clients, in their order
	rows    []int  // of each file
}

func readCSV(s *Set, b *bundle) error {
	var t table
	for _, f := range b.files {
		before := len(t.target.of)
		if err := t.read(f); err != nil {
			return err
		}
		n := len(t.target.of) - before
		if n == 0 {
			return f.errorf("no row follows the header; expected a sample a row")
		}
		t.rows = append(t.rows, n)
		if !f.test {
			s.Train = len(t.target.of)
		}
	}
	s.Shape, s.rows = t.pack()
	s.Writer, s.Writers = t.clients.of, t.clients.names
	s.Group, s.Groups = t.groups.of, t.groups.names
	if t.client < 0 {
		stems(s, b.files, t.rows)
	}
	// A column called y may hold numbers to predict.
	return t.target.finish(s, strings.EqualFold(t.header[t.label], "y"))
}

func (t *table) read(f *file) error {
	data := unnoted(f.data)
	if err := CheckColumns(data); err != nil {
		return f.errorf("%w", err)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	r.ReuseRecord = true
	for first := true; ; first = false {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return f.errorf("%w", Torn(err))
		}
		line, _ := r.FieldPos(0)
		if first {
			err = t.head(row)
		} else {
			err = t.add(row, place{f, line, t.column})
		}
		if err != nil {
			return f.errorf("line %d: %w", line, err)
		}
	}
}

// MaxColumns is the most columns of a table: the features of a sample, its label, its
// client and the client's group.
const MaxColumns = maxFeatures + 3

// CheckColumns returns an error that names the first line at which a record of a table
// with more columns begins. It keeps nothing, while encoding/csv takes some thirty bytes
// for each value of a record before anybody can look at it: a line of commas would fill
// the memory.
func CheckColumns(data []byte) error {
	line, begin, columns, quoted := 1, 1, 1, false
	for _, c := range data {
		switch c {
		case '"':
			quoted = !quoted
		case ',':
			if quoted {
				continue
			}
			if columns++; columns > MaxColumns {
				return fmt.Errorf("line %d: expected %d columns at most, found more", begin, MaxColumns)
			}
		case '\n':
			if line++; !quoted {
				begin, columns = line, 1
			}
		}
	}
	return nil
}

// unnoted returns data without the notes that may stand before the header: lines that
// begin with # and a space. Blank lines are left in their places, so that all others
// keep their numbers.
func unnoted(data []byte) []byte {
	at := 0
	for line := range bytes.Lines(data) {
		if text := bytes.TrimSpace(line); len(text) > 0 && !bytes.HasPrefix(text, []byte("# ")) {
			break
		}
		at += len(line)
	}
	if at == 0 {
		return data
	}
	return append(bytes.Repeat([]byte("\n"), bytes.Count(data[:at], []byte("\n"))), data[at:]...)
}

// head takes the names of the columns.
func (t *table) head(row []string) error {
	row = slices.Clone(row)
	for j := range row {
		row[j] = strings.Clone(strings.TrimSpace(row[j]))
	}
	if t.header != nil {
		if !slices.Equal(t.header, row) {
			return fmt.Errorf("the header differs from that of the file before; expected %s", param.Quote(strings.Join(t.header, ",")))
		}
		return nil
	}
	if len(row) == 1 && (strings.ContainsAny(row[0], ";\t") || namesTarget(row[0])) {
		return fmt.Errorf("expected columns separated by commas, found %s", param.Quote(row[0]))
	}
	t.header, t.label, t.client, t.group = row, -1, -1, -1
	columns := make(map[string]int, len(row)) // by their names in lower case
	for j, name := range row {
		if name == "" {
			return fmt.Errorf("column %d has no name; give it one, or leave the column out", j+1)
		}
		lower := strings.ToLower(name)
		if before, known := columns[lower]; known {
			return fmt.Errorf("columns %d and %d are both called %s; expected names that differ", before+1, j+1, param.Quote(name))
		}
		columns[lower] = j
		at := &t.label
		switch lower {
		case "label", "class", "y":
		case "client":
			at = &t.client
		case "group":
			at = &t.group
		default:
			t.features = append(t.features, j)
			continue
		}
		if *at >= 0 {
			return fmt.Errorf("expected one of the columns %s and %s, found both", param.Quote(row[*at]), param.Quote(name))
		}
		*at = j
	}
	switch {
	case t.label < 0:
		return aboutText(row, fmt.Errorf("expected a header with a column label, class or y, found %s", param.Quote(strings.Join(row, ","))))
	case len(t.features) == 0:
		return errors.New("expected columns of features beside " + param.Quote(row[t.label]))
	case len(t.features) > maxFeatures:
		return fmt.Errorf("expected %d features at most, found %d", maxFeatures, len(t.features))
	case t.group >= 0 && t.client < 0:
		return errors.New("expected a column client beside the column group")
	}
	t.column = "column " + param.Quote(row[t.label])
	return nil
}

var errText = errors.New("raw text is not read, only numbers, or bags of words in svmlight files")

// aboutText adds errText to what is wrong with a row if a sentence stands in it: then
// neither a header nor another word there would help.
func aboutText(row []string, err error) error {
	const few = 5 // words that may still be a name
	if slices.ContainsFunc(row, func(value string) bool { return len(strings.Fields(value)) > few }) {
		return fmt.Errorf("%w; %w", err, errText)
	}
	return err
}

// missing are the texts that programs write where no value is known. A class may well
// be called none, so that is not among them.
var missing = [...]string{"", "?", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None"}

// add takes a sample, of which the label is at a place.
func (t *table) add(row []string, at place) error {
	if len(row) != len(t.header) {
		return fmt.Errorf("expected %d values as in the header, found %d", len(t.header), len(row))
	}
	for _, j := range t.features {
		v, err := number(row[j])
		if err != nil {
			return aboutText(row, fmt.Errorf("column %s: %w", param.Quote(t.header[j]), err))
		}
		t.data = append(t.data, v)
	}
	if len(t.target.of) == maxSamples {
		return errTooMany
	}
	if text := strings.TrimSpace(row[t.label]); slices.Contains(missing[:], text) {
		return fmt.Errorf("%s: expected a class or a number, found %s; leave out rows that have none", t.column, param.Quote(text))
	}
	t.target.add(row[t.label], at)
	if t.client < 0 {
		return nil
	}
	name := strings.TrimSpace(row[t.client])
	if name == "" {
		return errors.New("expected the name of a client, found nothing")
	}
	who, fresh := t.clients.add(name)
	if t.group < 0 {
		return nil
	}
	group := strings.TrimSpace(row[t.group])
	switch {
	case group == "":
		return fmt.Errorf("client %s has no group; give every row one, or leave the column out", param.Quote(name))
	case fresh:
		t.groups.add(group)
	case t.groups.names[t.groups.of[who]] != group:
		return fmt.Errorf("client %s is in group %s here and in group %s above", param.Quote(name), param.Quote(group), param.Quote(t.groups.names[t.groups.of[who]]))
	}
	return nil
}

// pack returns the samples as they are best kept. Columns called pixel0,
// pixel1 … or 1x1, 1x2 …, as in MNIST's tables, are square images.
func (t *table) pack() (Shape, rows) {
	n := len(t.features)
	edge := int(math.Sqrt(float64(n)))
	first := strings.ToLower(t.header[t.features[0]])
	if edge*edge == n && (strings.HasPrefix(first, "pixel") || first == "1x1") {
		unit := float32(1)
		if slices.Max(t.data) <= 1 {
			unit = 255 // shares of white
		}
		if data, ok := wholeBytes(t.data, unit); ok {
			shape := Shape{edge, edge, 1}
			return shape, &pixels{n, lightOnDark(data, shape)}
		}
	}
	return Shape{1, n, 1}, &features{n, slices.Clip(t.data)}
}

// wholeBytes returns data times unit as bytes, if that is what they are.
func wholeBytes(data []float32, unit float32) ([]uint8, bool) {
	out := make([]uint8, len(data))
	for i, v := range data {
		v = float32(v * unit)
		if !(v > -0.01 && v < 255.01) {
			return nil, false
		}
		out[i] = uint8(v + 0.5)
		if d := v - float32(out[i]); d < -0.01 || d > 0.01 {
			return nil, false
		}
	}
	return out, true
}
