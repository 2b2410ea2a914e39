package ingest

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/ingest/arff"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/textfile"
)

// kind is a kind of files.
type kind struct {
	title say.Message // follows "it is"
	// makes a set from files of this kind; nil for tables and for files that only accompany others
	read func(s *dataset.Set, b *bundle) error
}

// The kinds.
var (
	idxKind     = kind{"an IDX file", readIDX}
	cifarKind   = kind{"a CIFAR batch", readCIFAR}
	pictureKind = kind{"a picture", readPictures}
	arrayKind   = kind{"a NumPy array", readArrays}
	svmKind     = kind{"an svmlight file", readSVM}
	tableKind   = kind{title: "a table"} // openTable reads tables
	leafKind    = kind{"a LEAF JSON file", readLEAF}
	namesKind   = kind{title: "a list of class names"}
	writersKind = kind{title: "a table of writers"}
)

const readable say.Message = "a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files"

// recognise determines a file's kind from its contents; the name helps if the file is damaged.
func recognise(f *file) (*kind, error) {
	data := f.data
	switch {
	case len(data) == 0:
		return nil, f.errorf("the file is empty; expected %s", readable)
	case isIDX(data):
		return &idxKind, nil
	case isCIFAR(data):
		return &cifarKind, nil
	case idxMagic(data):
		return &idxKind, nil
	}
	if bytes.HasPrefix(data, []byte(arrayMagic)) {
		return &arrayKind, nil
	}
	if isPicture(data) {
		return &pictureKind, nil
	}
	if what := unsupported(data, f.ending); what != "" {
		return nil, f.errorf("it is %s; expected %s", what, readable)
	}
	if textfile.IsWide(data) || isText(data) {
		f.data = textfile.Decode(data)
		return recogniseText(f)
	}
	if f.ending == ".bin" {
		return &cifarKind, nil
	}
	return nil, f.errorf("the bytes from 0 on (% x) begin no known kind of file; expected %s",
		data[:min(8, len(data))], readable)
}

// recogniseText determines the kind of a text from its first lines.
func recogniseText(f *file) (*kind, error) {
	if at := bytes.IndexByte(f.data, 0); at >= 0 {
		return nil, f.errorf("line %d: the text contains a zero byte, so the file is damaged; remove it, or save the file again as text",
			1+bytes.Count(f.data[:at], []byte{'\n'}))
	}
	if isLink(f.data) {
		return nil, f.errorf("it is a link or a preset, and has no samples; open it in a browser, or give it to flock with -preset")
	}
	if isNames(f.data) {
		return &namesKind, nil
	}
	begins := ""
	for line := range bytes.Lines(f.data) {
		text := strings.TrimSpace(string(line[:min(len(line), 1<<16)]))
		if text == "" || text[0] == '#' || text[0] == '%' {
			continue
		}
		if begins == "" {
			begins = text
		}
		if isNumeric(text) {
			continue // the label of an svmlight sample without features, or a column of labels
		}
		switch {
		case text[0] == '{', text[0] == '[':
			if isRecords(f.data) {
				f.form = recordsForm
				return &tableKind, nil
			}
			return &leafKind, nil
		case isSVM(text):
			return &svmKind, nil
		case isHeader(text, "writer", "train_offset"):
			return &writersKind, nil
		}
		break
	}
	switch {
	case begins == "":
		return nil, f.errorf("all lines are empty or comments; expected %s", readable)
	case arff.Begins(begins):
		f.form = arffForm
		return &tableKind, nil
	case f.ending == ".csv", f.ending == ".tsv", isNumeric(begins), f.isTable():
		return &tableKind, nil
	}
	return nil, f.errorf("it begins with %s, which is no known kind of file; expected %s", param.Quote(begins),
		readable)
}

// isLink reports whether a text is a link of Flockscope or a preset.
func isLink(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 4096)]) {
		text := strings.ToLower(string(bytes.TrimSpace(line)))
		if text == "" || text[0] == '#' {
			continue
		}
		return strings.HasPrefix(text, "data=") || strings.HasPrefix(text, "http") && strings.Contains(text, "?data=")
	}
	return false
}

// isTable reports whether most lines have the same number of values, at least two, and some of them
// are numbers or known column names.
func (f *file) isTable() bool {
	d, rows, ok, err := detect(f.data)
	if err != nil {
		return true // openTable reports the error
	}
	numbers, named, n := 0, false, 0
	stop := errors.New("enough")
	d.each(rows, func(_ int, row []string) error {
		for _, text := range row {
			if _, ok := decimal(text, d.comma != ','); ok {
				numbers++
			}
			named = named || slices.Contains(targetNames, slug(text))
		}
		if n++; n == 20 {
			return stop
		}
		return nil
	})
	return ok && d.width > 1 && (numbers > 0 || named || d.width > 4)
}

// isHeader reports whether a line contains these column names, with any separator.
func isHeader(line string, columns ...string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(",;\t\" ", r) })
	for _, column := range columns {
		if !slices.Contains(words, column) {
			return false
		}
	}
	return len(words) > 1
}

// countWords returns the number of words on a line, and how many of them are numbers.
func countWords(line []byte) (words, numbers int) {
	for word := range bytes.FieldsSeq(line) {
		words++
		if isNumeric(string(word)) {
			numbers++
		}
	}
	return words, numbers
}

// isNames reports whether data look like a list of class names: some short lines without separators
// or empty lines, and not a table: neither columns of numbers, unless they are EMNIST's mapping,
// nor numbers below names.
func isNames(data []byte) bool {
	const longest = 40
	if len(data) > maxClasses*longest {
		return false
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) < 2 || len(lines) > maxClasses {
		return false
	}
	numeric, mapped := true, true
	before := 0
	for i, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || len(line) > longest || bytes.ContainsAny(line, ",;:|\t{}[]<>@\"") {
			return false
		}
		words, numbers := countWords(line)
		if i == 0 {
			before, _ = strconv.Atoi(string(bytes.Fields(line)[0]))
		}
		low, err := strconv.Atoi(string(bytes.Fields(line)[0]))
		mapped = mapped && err == nil && low == before+i && (words == 2 || words == 3)
		if i > 0 || numbers > 0 {
			numeric = numeric && numbers > 0 && numbers >= words-1 && (words > 2 || numbers == words)
		}
	}
	return mapped || !numeric
}

// isText reports whether data begin like text, which may contain a few zero bytes.
func isText(data []byte) bool {
	head := data[:min(len(data), 4096)]
	zeros := 0
	for _, c := range head {
		switch {
		case c == 0:
			zeros++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f:
			return false
		}
	}
	return 10*zeros <= len(head)
}

// spreadsheet reports whether an ending is that of a spreadsheet, which is a zip archive.
func spreadsheet(ending string) bool { return ending == ".xlsx" || ending == ".ods" }

// unsupported names well-known formats that are not read, and what to do instead.
func unsupported(data []byte, ending string) say.Message {
	if spreadsheet(ending) {
		return "a spreadsheet, which must be saved as CSV first"
	}
	for _, known := range [...]struct {
		magic string
		what  say.Message
	}{
		{"\x1f\x8b", "packed by gzip twice, and must be unpacked first"},
		{"BZh", "packed by bzip2, and must be unpacked first"},
		{"\xfd7zXZ", "packed by xz, and must be unpacked first"},
		{"\x28\xb5\x2f\xfd", "packed by zstd, and must be unpacked first"},
		{zipEnd, "a zip archive without files"},
		{"7z\xbc\xaf", "a 7z archive, which must be unpacked first"},
		{"\x80\x02", "a Python pickle; CIFAR-10 comes in a binary version too"},
		{"\x80\x03", "a Python pickle"},
		{"\x80\x04", "a Python pickle"},
		{"PAR1", "a Parquet file"},
		{"\x89HDF", "an HDF5 file"},
		{"\x89PNG", "a damaged PNG image"},
		{"GIF8", "a GIF image, which must be saved as PNG or JPEG first"},
		{"BM", "a BMP image, which must be saved as PNG or JPEG first"},
		{"RIFF", "a WebP image or a recording; pictures must be saved as PNG or JPEG first"},
		{"%PDF", "a PDF document"},
		{"version https://git-lfs", "a pointer to a file that Git LFS keeps elsewhere"},
	} {
		if bytes.HasPrefix(data, []byte(known.magic)) {
			return known.what
		}
	}
	if lower := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 512)])); bytes.HasPrefix(lower,
		[]byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) {
		return "a web page, perhaps a server's reply instead of the file"
	}
	const tar = 257
	if len(data) > tar+5 && string(data[tar:tar+5]) == "ustar" {
		return "a tar archive, which must be unpacked first"
	}
	return ""
}
