package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A dialect is the format of a table in a text. It is determined from the whole text: the separator
// is the one that divides most rows into equally many values.
type dialect struct {
	comma byte // between values; ' ' stands for any run of blanks
	width int  // number of values in most rows
	// names are the names of the columns if no row of the table has them: attributes of an ARFF file, keys of records,
	// or the last comment before the rows.
	names        []string
	namesCertain bool // names are certain, as in ARFF files and records
	escaped      bool // values have escapes
}

// separators are tried in this order: if two divide rows equally well, the comma is probably a decimal comma or part of
// texts.
const separators = "\t;|,"

// title names the separator.
func (d *dialect) title() say.Message {
	switch d.comma {
	case ' ':
		return "blanks"
	case '\t':
		return "tabs"
	case ';':
		return "semicolons"
	case '|':
		return "bars"
	}
	return "commas"
}

// MaxColumns is the most columns of a table: the features of a sample, its label, its
// client and the client's group.
const MaxColumns = maxFeatures + 3

// census counts how often each separator occurs in the rows of a text.
type census struct {
	counts  [len(separators)]map[int]int // rows by number of separators
	words   map[int]int                  // rows by number of words
	rows    int
	longest [len(separators)]int // the first line with more than MaxColumns values, 0 for none
	ends    [len(separators)]int // rows that end in the separator
	first   [len(separators)]int // separators in the first row
}

// records calls visit for each row of a text that is not blank, with the number of its first line.
// A row may have several lines within quotation marks.
func records(text []byte, visit func(line int, row []byte)) {
	line, begin, from := 0, 1, 0
	quoted := false
	for from < len(text) {
		end := from
		for {
			line++
			n := bytes.IndexByte(text[end:], '\n')
			if n < 0 {
				n = len(text) - end - 1
			}
			quoted = quoted != (bytes.Count(text[end:end+n+1], []byte{'"'})%2 == 1)
			end += n + 1
			if !quoted || end >= len(text) {
				break
			}
		}
		quoted = false
		if row := bytes.TrimSpace(text[from:end]); len(row) > 0 {
			visit(begin, row)
		}
		from, begin = end, line+1
	}
}

// countSeparators returns how often each separator is outside quotation marks in a row, and the
// number of words separated by blanks.
func countSeparators(row []byte) (counts [len(separators)]int, words int) {
	quoted, inside := false, false
	for _, c := range row {
		switch c {
		case '"':
			quoted = !quoted
		case '\t', ' ', '\r', '\n':
			if !quoted {
				if c == '\t' {
					counts[0]++
				}
				inside = false
				continue
			}
		case ';', '|', ',':
			if !quoted {
				counts[strings.IndexByte(separators, c)]++
			}
		}
		if !inside {
			inside = true
			words++
		}
	}
	return counts, words
}

func (n *census) add(line int, row []byte) {
	counts, words := countSeparators(row)
	for k, c := range counts {
		if n.counts[k] == nil {
			n.counts[k] = map[int]int{}
			n.first[k] = c
		}
		if row[len(row)-1] == separators[k] {
			n.ends[k]++
		}
		n.counts[k][c]++
		if c >= MaxColumns && n.longest[k] == 0 {
			n.longest[k] = line
		}
	}
	if n.words == nil {
		n.words = map[int]int{}
	}
	n.words[words]++
	n.rows++
}

// surplus reports whether each row, except perhaps the header, ends in a separator without a value after it.
func (n *census) surplus(k, width int) bool {
	return n.ends[k] == n.rows || n.ends[k] == n.rows-1 && n.rows > 1 && n.first[k] == width-2
}

// mostCommon returns the most common key that is at least low, and its number of rows.
func mostCommon(counts map[int]int, low int) (key, rows int) {
	for k, n := range counts {
		if k >= low && (n > rows || n == rows && k > key) {
			key, rows = k, n
		}
	}
	return key, rows
}

// choose returns the separator that divides most rows into equally many values, and the fraction of
// rows that have that number.
func (n *census) choose() (d dialect, share float64) {
	d = dialect{comma: ',', width: 1}
	for k := range separators {
		key, rows := mostCommon(n.counts[k], 1)
		if part := float64(rows) / float64(max(1, n.rows)); part > share+0.05 {
			d.comma, d.width, share = separators[k], key+1, part
		}
	}
	if key, rows := mostCommon(n.words, 2); share < 0.8 {
		if part := float64(rows) / float64(max(1, n.rows)); part >= 0.8 {
			d.comma, d.width, share = ' ', key, part
		}
	}
	return d, share
}

// lineSpan is the range of bytes of a line, including its end.
type lineSpan struct{ from, to int }

// Some programs escape the characters in escapable with a backslash, while others double quotation marks. Such a pair
// is replaced by a character of escapes until values are separated. In most texts a backslash is an ordinary character,
// so a text is read with escapes only if it cannot be read without.
const (
	escapable = "\"\\,;|\t"
	escapes   = "\x01\x02\x03\x04\x05\x06"
)

// escaped returns a text with escapes in place of pairs, nil if all pairs are double backslashes.
func escaped(text []byte) []byte {
	var out []byte
	some := false
	from := 0
	for {
		n := bytes.IndexByte(text[from:], '\\')
		if n < 0 || from+n+1 == len(text) {
			break
		}
		at := from + n
		if out == nil {
			out = make([]byte, 0, len(text))
		}
		out = append(out, text[from:at]...)
		if k := strings.IndexByte(escapable, text[at+1]); k >= 0 {
			out = append(out, escapes[k])
			some = some || text[at+1] != '\\'
			from = at + 2
			continue
		}
		out = append(out, '\\')
		from = at + 1
	}
	if !some {
		return nil
	}
	return append(out, text[from:]...)
}

// unescaped returns a value with its escapes replaced by their characters.
func unescaped(text string) string {
	if !strings.ContainsAny(text, escapes) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if k := strings.IndexRune(escapes, r); k >= 0 {
			return rune(escapable[k])
		}
		return r
	}, text)
}

// reads reports whether all rows of a text can be read and have equally many values. The first row
// may have another number unless like is set.
func (d *dialect) reads(text []byte, like bool) bool {
	return d.each(text, func(_ int, row []string) error {
		if like && len(row) != d.width {
			return errUneven
		}
		like = true
		return nil
	}) == nil
}

var errUneven = errors.New("dataset: rows of several widths")

// detect returns the dialect of a text, and the text with blank lines in place of comments and
// titles, so that line numbers stay. ok is false if less than half of the rows have the same number
// of values.
func detect(text []byte) (d dialect, rows []byte, ok bool, err error) {
	d, rows, ok, err = detectPlain(text)
	marked := escaped(text)
	if marked == nil || err == nil && d.reads(rows, true) {
		return d, rows, ok, err
	}
	e, left, fits, wrong := detectPlain(marked)
	e.escaped = true
	if wrong == nil && (e.reads(left, true) || e.reads(left, false) && (err != nil || !d.reads(rows, false))) {
		return e, left, fits, nil
	}
	return d, rows, ok, err
}

// detectPlain is detect for a text without escapes.
func detectPlain(text []byte) (d dialect, rows []byte, ok bool, err error) {
	head := readPreamble(text)
	rows = blankOut(text, head.lines)
	var n census
	records(rows, n.add)
	d, share := n.choose()
	if head.separator != 0 {
		share = 1
		if err := d.force(head.separator, &n); err != nil {
			return d, nil, true, err
		}
	}
	k := strings.IndexByte(separators, d.comma) // −1 for blanks
	if k > 0 && d.width > 1 && n.surplus(k, d.width) {
		d.width--
	}
	switch {
	case k >= 0 && n.longest[k] > 0:
		return d, nil, true, say.Errorf("line %d: expected %d columns at most, found more", n.longest[k], MaxColumns)
	case k < 0 && d.width > MaxColumns:
		return d, nil, true, say.Errorf("expected %d columns at most, found %d", MaxColumns, d.width)
	}
	if cells := d.split(head.comment); len(cells) == d.width && d.width > 1 {
		d.names = cells
	}
	if ok = share > 0.5; !ok {
		d.followFirstRow(&n)
	}
	rows = blankOut(rows, d.nonRows(rows))
	if d.comma == ' ' && bytes.IndexByte(rows, '\t') >= 0 {
		rows = bytes.ReplaceAll(rows, []byte{'\t'}, []byte{' '})
	}
	return d, rows, ok, nil
}

// preamble is the part of a text before its rows.
type preamble struct {
	lines     []lineSpan // comments, and the line with the separator
	comment   []byte     // the last comment, which may name the columns
	separator byte       // separator in a line such as "sep=;", which Excel writes; 0 for none
}

// readPreamble reads a text up to its first row.
func readPreamble(text []byte) (p preamble) {
	at := 0
	for raw := range bytes.Lines(text) {
		from := at
		at += len(raw)
		row := bytes.TrimSpace(raw)
		switch {
		case len(row) == 0:
			continue
		case row[0] == '#' || row[0] == '%':
			p.comment = bytes.TrimLeft(row, "#% \t")
		case len(row) <= 5 && bytes.HasPrefix(bytes.ToLower(row), []byte("sep=")) && p.separator == 0:
			p.separator = ','
			if len(row) == 5 {
				p.separator = row[4]
			} else if bytes.IndexByte(raw, '\t') >= 0 {
				p.separator = '\t'
			}
		default:
			return p
		}
		p.lines = append(p.lines, lineSpan{from, at})
	}
	return p
}

// force sets the separator that the text declares.
func (d *dialect) force(separator byte, n *census) error {
	if !strings.ContainsRune(separators+" ", rune(separator)) {
		return say.Errorf("line 1: %s separates the values; expected a comma, a semicolon, a tab or a bar",
			param.Quote(string(separator)))
	}
	d.comma = separator
	if k := strings.IndexByte(separators, separator); k >= 0 {
		key, _ := mostCommon(n.counts[k], 0)
		d.width = key + 1
	}
	return nil
}

// followFirstRow takes the separator and the number of values from the first row, for texts whose rows differ: errors
// then name the rows that differ from the first.
func (d *dialect) followFirstRow(n *census) {
	for k := range separators {
		if n.first[k]+1 > d.width || d.comma != separators[k] && n.first[k] > 0 && d.width == 1 {
			d.comma, d.width = separators[k], n.first[k]+1
		}
	}
	if k := strings.IndexByte(separators, d.comma); k >= 0 && n.first[k] > 0 {
		d.width = n.first[k] + 1
	}
}

// blankOut returns text with some lines replaced by blank ones, which the CSV reader skips, so that
// line numbers stay.
func blankOut(text []byte, lines []lineSpan) []byte {
	if len(lines) == 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	at := 0
	for _, s := range lines {
		out = append(out, text[at:s.from]...)
		out = append(out, '\n')
		at = s.to
	}
	return append(out, text[at:]...)
}

// nonRows returns the lines among the rows that are not rows: comments, and titles before the first
// row, which have no separator.
func (d *dialect) nonRows(text []byte) (lines []lineSpan) {
	first := true
	at := 0
	for line := range bytes.Lines(text) {
		from := at
		at += len(line)
		row := bytes.TrimSpace(line)
		if len(row) == 0 {
			continue
		}
		comment := row[0] == '#' || row[0] == '%'
		if !comment && !first {
			continue
		}
		width := d.parts(row)
		title := first && width == 1 && d.width > 1 && bytes.IndexByte(row, '"') < 0
		if comment && width != d.width || title {
			lines = append(lines, lineSpan{from, at})
		} else {
			first = false
		}
	}
	return lines
}

// parts returns the number of values in a row.
func (d *dialect) parts(row []byte) int {
	counts, words := countSeparators(row)
	if k := strings.IndexByte(separators, d.comma); k >= 0 {
		return counts[k] + 1
	}
	return words
}

// split returns the values of one line.
func (d *dialect) split(line []byte) []string {
	cells, err := d.reader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func (d *dialect) reader(from io.Reader) *csv.Reader {
	r := csv.NewReader(from)
	r.Comma = rune(d.comma)
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = d.comma != '\t' // a tab separates values, so it is not white space
	r.ReuseRecord = true
	return r
}

// each calls visit for each row of a text that has a value, with its line number. Values are
// trimmed; the row is valid during the call. A separator at the end of a row adds no value.
func (d *dialect) each(text []byte, visit func(line int, row []string) error) error {
	r := d.reader(bytes.NewReader(text))
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(err)
		}
		line, _ := r.FieldPos(0)
		some := false
		for j := range row {
			row[j] = strings.TrimSpace(row[j])
			if d.escaped {
				row[j] = unescaped(row[j])
			}
			some = some || row[j] != ""
		}
		for len(row) > d.width && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if !some {
			continue
		}
		if err := visit(line, row); err != nil {
			return say.Errorf("line %d: %s", line, err)
		}
	}
}

// csvError describes an error of the CSV reader: the line, and what was expected there.
func csvError(err error) error {
	var parse *csv.ParseError
	switch {
	case !errors.As(err, &parse):
		return err
	case errors.Is(err, csv.ErrBareQuote):
		return say.Errorf("line %d: there is a quotation mark inside a value; expected whole values in quotation marks, or none",
			parse.Line)
	case errors.Is(err, csv.ErrQuote):
		// The reader has searched for the end of the quotation up to the next mark, or to the end of the file.
		return say.Errorf("line %d: a quotation mark of the row that begins here is not closed at the end of its value; expected whole values in quotation marks, or none", parse.StartLine)
	}
	return say.Errorf("line %d: %s", parse.Line, parse.Err)
}
