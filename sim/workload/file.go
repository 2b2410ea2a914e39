package workload

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"flockscope/sim/dataset"
)

// File is what a user brought, already checked: either rows of x and y, or a
// set of samples.
type File struct {
	Table *Table
	Set   *dataset.Set
}

// Data returns the workload that reads the file.
func (f *File) Data() string {
	if f.Table != nil {
		return "csv"
	}
	return "samples"
}

// Settings are those of Data that the file needs, as key=value: what has no
// pictures cannot be turned, and what has no classes needs a model that predicts
// numbers.
func (f *File) Settings() []string {
	var out []string
	if f.Set != nil && (f.Set.Shape.Height < 2 || f.Set.Shape.Width < 2) {
		out = append(out, "shift=none")
	}
	if f.Set != nil && f.Set.Classes == 0 {
		out = append(out, "net=linear")
	}
	return out
}

// Words describes the file in a few words.
func (f *File) Words() string {
	if t := f.Table; t != nil {
		rows := 0
		for _, x := range t.X {
			rows += len(x)
		}
		words := fmt.Sprintf("%d rows of %d clients", rows, len(t.Clients))
		if n := len(t.Groups); n > 0 {
			return words + fmt.Sprintf(" in %d groups", n)
		}
		return words + ", groups unknown"
	}
	s := f.Set
	words := fmt.Sprintf("%d samples of %d numbers", s.Len(), s.Shape.Size())
	if s.Shape.Height > 1 {
		words = fmt.Sprintf("%d images of %d × %d", s.Len(), s.Shape.Height, s.Shape.Width)
	}
	if s.Classes > 0 {
		words += fmt.Sprintf(" in %d classes", s.Classes)
	}
	if n := len(s.Writers); n > 0 {
		words += fmt.Sprintf(" by %d writers", n)
	}
	return words
}

// ReadFiles reads what a user brought, packed by gzip or not: one table of rows
// client,x,y, or the files of a sample set. The error is one sentence that names
// the file, the place and what was expected there.
func ReadFiles(files []dataset.File) (*File, error) {
	if len(files) == 0 {
		return nil, errors.New("no file came")
	}
	if len(files) == 1 && isTable(files[0].Head(2*longestLine)) {
		data, err := files[0].Unpack()
		if err != nil {
			return nil, err
		}
		t, err := ReadTable(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[0].Name, err)
		}
		return &File{Table: t}, nil
	}
	set, err := dataset.Read(files)
	if err != nil {
		return nil, err
	}
	return &File{Set: set}, nil
}

// longestLine is the most bytes of a table's first line.
const longestLine = 1 << 10

// isTable reports whether a text, of which the beginning will do, looks like rows
// of one client, one x and one y: its first line names these columns, or has three
// or four numbers or words. All other text is a matter of sample sets.
func isTable(data []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(dataset.Text(data), "\r\n"), []byte("\n"))
	if len(line) > longestLine || bytes.IndexByte(line, 0) >= 0 || bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(line, []byte("{")) {
		return false
	}
	columns := strings.Split(strings.ToLower(strings.TrimSpace(string(line))), ",")
	has := func(name string) bool {
		for _, c := range columns {
			if strings.TrimSpace(c) == name {
				return true
			}
		}
		return false
	}
	if has("label") || has("class") {
		return false
	}
	if has("client") && (has("x") || has("y")) {
		return true
	}
	for _, c := range line {
		if c < ' ' && c != '\t' && c != '\r' || c == 0x7f {
			return false // no text
		}
	}
	return utf8.Valid(line) && !strings.Contains(string(line), ":") && len(columns) <= 4
}
