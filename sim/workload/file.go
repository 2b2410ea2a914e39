package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/dataset"
	"flockscope/sim/partition"
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

// Settings are those of Data that the file needs, as key=value: who made the samples
// holds them, or who holds what is no matter of their order in the file; what has no
// pictures cannot be turned, and what has no classes needs a model that predicts numbers.
func (f *File) Settings() []string {
	s := f.Set
	if s == nil {
		return nil
	}
	var out []string
	clients := owners(s)
	switch {
	case clients > 1:
		models := min(4, clients)
		if n := len(s.Groups); n > 0 {
			models = min(n, clients)
		}
		out = append(out, "split=writers", "C="+strconv.Itoa(clients), "K="+strconv.Itoa(min(models, mostModels)))
	case !partition.Mixed(s):
		out = append(out, "order=shuffled")
	}
	if clients > 1 || s.Shape.Height < 2 || s.Shape.Width < 2 {
		out = append(out, "shift=none")
	}
	if s.Classes == 0 {
		out = append(out, "net=linear")
	}
	return out
}

// mostModels is the most that K can be.
const mostModels = 64

// owners is how many clients suit a set whose writers are known: one for each who holds
// enough, or five for each domain, as CLoVE has it, if there are samples for so many. A
// hundred are as many as can be watched. It is 0 where nobody knows who made what.
func owners(s *dataset.Set) int {
	const most, each = 100, 5
	if s.Domains {
		n, held := len(s.Groups), make([]int, len(s.Groups))
		for _, domain := range s.Writer {
			held[domain]++
		}
		return n * min(slices.Min(held)/2, max(1, min(each, most/n)))
	}
	n := 0
	for _, able := range partition.Able(s, false) {
		if able {
			n++
		}
	}
	return min(n, most)
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
	if s.Shape.Size() == 1 {
		words = strings.TrimSuffix(words, "s")
	}
	if s.Shape.Height > 1 {
		words = fmt.Sprintf("%d images of %d × %d", s.Len(), s.Shape.Height, s.Shape.Width)
	}
	if s.Classes > 0 {
		words += fmt.Sprintf(" in %d classes", s.Classes)
	}
	switch n := len(s.Writers); {
	case s.Domains:
		words += fmt.Sprintf(" from %d domains", n)
	case len(s.Groups) > 0:
		words += fmt.Sprintf(" by %d writers in %d groups", n, len(s.Groups))
	case n > 0:
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
		data, err := files[0].Unpack(MaxFileBytes)
		if err != nil {
			return nil, err
		}
		t, err := ReadTable(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dataset.Title(files[0].Name), err)
		}
		return &File{Table: t}, nil
	}
	if err := apart(files); err != nil {
		return nil, err
	}
	set, err := dataset.Read(files)
	if err != nil {
		return nil, err
	}
	switch {
	case set.Len() >= fewest:
	case len(files) == 1:
		return nil, fmt.Errorf("%s: expected %d samples at least, two for each of two clients, found %d", dataset.Title(files[0].Name), fewest, set.Len())
	default:
		return nil, fmt.Errorf("the %d files have %d samples in all; expected %d samples at least, two for each of two clients", len(files), set.Len(), fewest)
	}
	return &File{Set: set}, nil
}

// apart returns an error if one of the files names columns client,x,y and another does
// not: a table comes alone.
func apart(files []dataset.File) error {
	table, other := -1, -1
	for i := range files {
		if columns, row := firstLines(files[i].Head(2 * longestLine)); namesTable(columns, row) {
			table = i
		} else {
			other = i
		}
	}
	if table < 0 || other < 0 {
		return nil
	}
	return fmt.Errorf("%s: it is a table of rows client,x,y, but %s is not; expected such a table alone, or files of samples", dataset.Title(files[table].Name), dataset.Title(files[other].Name))
}

// fewest is how many samples a set must have.
const fewest = 4

// longestLine is the most bytes of a table's first line.
const longestLine = 1 << 10

// isTable reports whether a text, of which the beginning will do, is meant as rows
// of one client, one x and one y: its first line names these columns or begins like such
// a row. All other text is a matter of sample sets.
func isTable(data []byte) bool {
	columns, row := firstLines(data)
	return namesTable(columns, row) || beginsTable(columns)
}

// firstLines returns what stands on the first two lines of a text, nothing if it is none
// or JSON.
func firstLines(data []byte) (first, second []string) {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(dataset.Text(data), "\r\n"), []byte("\n"))
	json := bytes.IndexAny(bytes.TrimSpace(line), "[{") == 0
	if json || len(line) > longestLine || !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' || r == 0x7f }) {
		return nil, nil
	}
	row, _, _ := bytes.Cut(bytes.TrimLeft(rest, "\r\n"), []byte("\n"))
	return columnsOf(string(line)), columnsOf(string(row))
}

// namesTable reports whether columns are those of clients and x, but none of classes and,
// as the row under them shows, none that has more numbers than x and y.
func namesTable(columns, row []string) bool {
	has := func(name string) bool { return slices.Contains(columns, name) }
	return has("client") && has("x") && !has("label") && !has("class") && !(has("y") && moreNumbers(columns, row))
}

// beginsTable reports whether what stands on a line may be a client, x, y and perhaps a
// group, and no names of columns, which may be numbers, too.
func beginsTable(row []string) bool {
	named := slices.ContainsFunc([]string{"client", "label", "class"}, func(name string) bool { return slices.Contains(row, name) })
	return !named && (len(row) == 3 || len(row) == 4) && (isNumber(row[1]) || isNumber(row[2]))
}

// moreNumbers reports whether a row under these columns has numbers beside client, x,
// y and group.
func moreNumbers(columns, row []string) bool {
	for j, text := range row {
		if j < len(columns) && !slices.Contains([]string{"client", "x", "y", "group"}, columns[j]) && isNumber(text) {
			return true
		}
	}
	return false
}

// columnsOf returns what stands on a line, in lower case, parted by commas or by
// what others part columns by: ReadTable says so.
func columnsOf(line string) []string {
	for _, comma := range ",;\t" {
		r := csv.NewReader(strings.NewReader(line))
		r.Comma = comma
		columns, err := r.Read()
		if err != nil || len(columns) == 1 {
			continue
		}
		for i := range columns {
			columns[i] = strings.ToLower(strings.TrimSpace(columns[i]))
		}
		return columns
	}
	return nil
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil
}
