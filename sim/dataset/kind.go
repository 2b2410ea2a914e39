package dataset

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"flockscope/sim/param"
)

// kind is a file format.
type kind struct {
	title string // reads well behind "it is"
	// read fills a set from files of this kind; nil for files that only go
	// with others.
	read func(s *Set, b *bundle) error
}

// The kinds.
var (
	idxKind     = kind{"an IDX file", readIDX}
	cifarKind   = kind{"a CIFAR-10 batch", readCIFAR}
	svmKind     = kind{"an svmlight file", readSVM}
	csvKind     = kind{"a CSV table", readCSV}
	leafKind    = kind{"a LEAF JSON file", readLEAF}
	namesKind   = kind{title: "a list of class names"}
	writersKind = kind{title: "a table of writers"}
)

const readable = "IDX images and labels, CIFAR-10 binary batches, svmlight, CSV or LEAF JSON files"

// recognise tells a file's kind from its contents; the name helps where a file
// is broken.
func recognise(f *file) (*kind, error) {
	data := f.data
	switch {
	case len(data) == 0:
		return nil, f.errorf("the file is empty; expected %s", readable)
	case idxWhole(data):
		return &idxKind, nil
	case cifarWhole(data):
		return &cifarKind, nil
	case idxMagic(data):
		return &idxKind, nil
	}
	if what := foreign(data, f.ending); what != "" {
		return nil, f.errorf("it is %s; expected %s", what, readable)
	}
	if isText(data) {
		return recogniseText(f)
	}
	if f.ending == ".bin" {
		return &cifarKind, nil
	}
	return nil, f.errorf("byte 0 and those behind it (% x) begin no known kind of file; expected %s", data[:min(8, len(data))], readable)
}

// recogniseText looks at the first line that says something.
func recogniseText(f *file) (*kind, error) {
	f.data = Text(f.data)
	if !utf8.Valid(f.data) {
		line := 1
		for text := range bytes.Lines(f.data) {
			if !utf8.Valid(text) {
				return nil, f.errorf("line %d: expected text in UTF-8, found %s; save the file as UTF-8", line, param.Quote(string(bytes.TrimSpace(text))))
			}
			line++
		}
	}
	if isNames(f.data) {
		return &namesKind, nil
	}
	for line := range bytes.Lines(f.data) {
		text := strings.TrimSpace(string(line[:min(len(line), 1<<16)]))
		if _, err := number(text); text == "" || text[0] == '#' || err == nil {
			continue // a number may be the label of an svmlight sample without features
		}
		switch {
		case text[0] == '{', text[0] == '[':
			return &leafKind, nil
		case isSVM(text):
			return &svmKind, nil
		case isHeader(text, "writer", "train_offset"):
			return &writersKind, nil
		case namesTarget(text), f.ending == ".csv":
			return &csvKind, nil
		}
		return nil, f.errorf("it begins with %s, which is no known kind of file; expected %s", param.Quote(text), readable)
	}
	return nil, f.errorf("no line says anything; expected %s", readable)
}

// isHeader reports whether a line names these columns among others, or would
// if commas parted them.
func isHeader(line string, columns ...string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(",;\t\" ", r) })
	for _, column := range columns {
		if !slices.Contains(words, column) {
			return false
		}
	}
	return len(words) > 1
}

// namesTarget reports whether a line is the header of samples, or would be if commas
// parted its columns.
func namesTarget(line string) bool {
	return isHeader(line, "label") || isHeader(line, "class") || isHeader(line, "y")
}

// isSpaced reports whether two lines begin samples whose columns are parted by spaces,
// not commas: below names of columns, of which none is a number, are as many numbers, or
// one fewer and a class.
func isSpaced(header, row []byte) bool {
	names, none := count(header)
	values, numbers := count(row)
	return namesTarget(string(header)) && none == 0 && names == values && numbers > 0 && numbers >= values-1
}

// count returns how many words are on a line, and how many of them are numbers.
func count(line []byte) (words, numbers int) {
	for word := range bytes.FieldsSeq(line) {
		words++
		if _, err := number(word); err == nil {
			numbers++
		}
	}
	return words, numbers
}

// isNames reports whether data look like a list of class names: some short
// lines in one block that no comma or colon parts, and that are no table.
func isNames(data []byte) bool {
	const longest = 40
	lines := bytes.Split(bytes.TrimSpace(data[:min(len(data), maxClasses*longest)]), []byte("\n"))
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || len(line) > longest || bytes.ContainsAny(line, ",;:\t{}[]<>") {
			return false
		}
	}
	return len(lines) > 1 && len(lines) <= maxClasses && len(data) <= maxClasses*longest && !isSpaced(lines[0], lines[1])
}

// isText reports whether data begin like text.
func isText(data []byte) bool {
	for _, c := range data[:min(len(data), 4096)] {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f {
			return false
		}
	}
	return true
}

// foreign names well-known files that are not read, with what to do instead, by their
// beginning or the ending of their name.
func foreign(data []byte, ending string) string {
	if ending == ".xlsx" || ending == ".ods" {
		return "a spreadsheet, which must be saved as CSV first"
	}
	for _, known := range [...]struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive, which must be unpacked first"},
		{"\x1f\x8b", "packed by gzip twice, and must be unpacked first"},
		{"BZh", "packed by bzip2, and must be unpacked first"},
		{"\xfd7zXZ", "packed by xz, and must be unpacked first"},
		{"\x28\xb5\x2f\xfd", "packed by zstd, and must be unpacked first"},
		{"7z\xbc\xaf", "a 7z archive, which must be unpacked first"},
		{"\x93NUMPY", "a NumPy array"},
		{"\x80\x02", "a Python pickle; CIFAR-10 comes in a binary version too"},
		{"\x80\x03", "a Python pickle"},
		{"\x80\x04", "a Python pickle"},
		{"PAR1", "a Parquet file"},
		{"\x89HDF", "an HDF5 file"},
		{"\x89PNG", "a single PNG image"},
		{"\xff\xd8\xff", "a single JPEG image"},
		{"GIF8", "a single GIF image"},
		{"%PDF", "a PDF document"},
		{"\xff\xfe", "text in UTF-16, which must be saved as UTF-8 first"},
		{"version https://git-lfs", "a pointer to a file that Git LFS keeps elsewhere"},
		{"\xfe\xff", "text in UTF-16, which must be saved as UTF-8 first"},
	} {
		if bytes.HasPrefix(data, []byte(known.magic)) {
			return known.what
		}
	}
	if lower := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 512)])); bytes.HasPrefix(lower, []byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) {
		return "a web page, perhaps what a server said in place of the file"
	}
	const tar = 257
	if len(data) > tar+5 && string(data[tar:tar+5]) == "ustar" {
		return "a tar archive, which must be unpacked first"
	}
	return ""
}
