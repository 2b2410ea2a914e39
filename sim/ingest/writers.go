package ingest

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A table of writers lists the rows of an IDX set by writer: columns writer, train_offset, train_count and, if there is
// a test split, test_offset and test_count. Every sample belongs to one writer.
var writersColumns = [...]string{"writer", "train_offset", "train_count", "test_offset", "test_count"}

func readWriters(s *dataset.Set, f *file) error {
	if n := bytes.Count(f.data, []byte{','}); n > 1<<20 {
		return f.errorf("it has %d commas; expected a table of writers", n)
	}
	r := csv.NewReader(bytes.NewReader(f.data))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		return f.errorf("%s", csvError(err))
	}
	var column [len(writersColumns)]int
	for j, name := range writersColumns {
		column[j] = slices.IndexFunc(header, func(h string) bool {
			return strings.EqualFold(strings.TrimSpace(h), name)
		})
		if column[j] < 0 && (j < 3 || s.Train < s.Len()) {
			return f.errorf("line 1: expected a column %s", name)
		}
	}
	s.Writer = make([]int32, s.Len())
	for i := range s.Writer {
		s.Writer[i] = -1
	}
	known := map[string]bool{} // writers seen so far
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.errorf("%s", csvError(err))
		}
		line, _ := r.FieldPos(0)
		if len(row) != len(header) {
			return f.errorf("line %d: expected %d values as in the header, found %d", line, len(header), len(row))
		}
		who := int32(len(s.Writers))
		name := strings.TrimSpace(row[column[0]])
		switch {
		case name == "":
			return f.errorf("line %d: column writer: expected a name, found nothing", line)
		case known[name]:
			return f.errorf("line %d: column writer: %s has a row above; expected one for each writer", line,
				param.Quote(name))
		}
		name = strings.Clone(name) // a copy, so that the row is not kept
		known[name] = true
		s.Writers = append(s.Writers, name)
		for part, ends := range [...][2]int{{0, s.Train}, {s.Train, s.Len()}} {
			if ends[0] == ends[1] {
				continue
			}
			at, count := column[1+2*part], column[2+2*part]
			if wrong, err := claim(s, who, row[at], row[count], ends[0], ends[1]); err != nil {
				return f.errorf("line %d: column %s: %s", line, writersColumns[1+2*part+wrong], err)
			}
		}
	}
	if i := slices.Index(s.Writer, -1); i >= 0 {
		return f.errorf("sample %d has no writer; expected every sample in the range of one row", i)
	}
	return nil
}

// claim assigns count samples, from offset on, to a writer. Offset 0 is sample low, and the samples must end before
// high. wrong is 0 if the error is about the offset, and 1 if it is about the count.
func claim(s *dataset.Set, who int32, offset, count string, low, high int) (wrong int, err error) {
	from, err := strconv.Atoi(strings.TrimSpace(offset))
	if err != nil || from < 0 || from > high-low {
		return 0, say.Errorf("expected a whole number from 0 to %d, found %s", high-low, param.Quote(offset))
	}
	n, err := strconv.Atoi(strings.TrimSpace(count))
	if err != nil || n < 0 || n > high-low-from {
		return 1, say.Errorf("expected a count from 0 to %d after offset %d, found %s", high-low-from, from,
			param.Quote(count))
	}
	for i := low + from; i < low+from+n; i++ {
		if s.Writer[i] >= 0 {
			return 0, say.Errorf("sample %d already belongs to %s; expected one writer for each", i-low,
				param.Quote(s.Writers[s.Writer[i]]))
		}
		s.Writer[i] = who
	}
	return 0, nil
}
