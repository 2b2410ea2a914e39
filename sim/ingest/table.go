package ingest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"flockscope/sim/ingest/arff"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Table is the content of text files whose rows are samples: columns with their types. [Table.Set]
// makes a set of it when their roles are chosen.
type Table struct {
	Columns []Column
	Rows    int
	Train   int           // rows of training files, which come first
	Notes   []say.Message // about ignored weights and missing names, one sentence each

	header     bool
	sideBySide bool     // the files are columns of one table, side by side
	classes    []string // names of the classes 0, 1, …, if the first line has them
	sheets     []*sheet
	testColumn int    // column that marks test rows, −1 for none
	testRows   []bool // test rows by that column, nil for none

	mu        sync.Mutex
	copyCache map[[2]int][]bool // cached results of copies, by its arguments
}

// sheet is one file of a table.
type sheet struct {
	*file
	dialect
	text        []byte
	arff        *arff.File // for an ARFF file
	json        *jsonRows  // for a file of records
	firstColumn int        // index of its first column, if files are side by side
	firstRow    int        // index of its first row
	rows        int
	pendingRow  []string // first row, until it is known whether it is a header
	line        int      // line of the first row
}

// open determines the format of a file's rows.
func (s *sheet) open() (err error) {
	switch s.form {
	case arffForm:
		if s.arff, err = arff.Open(s.file.data, MaxColumns); err == nil {
			for j := range s.arff.Attributes {
				s.names = append(s.names, s.arff.Attributes[j].Name)
			}
		}
	case recordsForm:
		if s.json, err = openRecords(s.file.data); err == nil {
			s.names = s.json.keys
		}
	default:
		s.dialect, s.text, _, err = detect(s.file.data)
		return err
	}
	s.comma, s.width, s.namesCertain = ',', len(s.names), true
	return err
}

// walk calls visit for each row, with the number of its line or record. The row is valid during the
// call.
func (s *sheet) walk(visit func(line int, row []string) error) error {
	switch {
	case s.arff != nil:
		return s.arff.Each(visit)
	case s.json != nil:
		return s.json.each(visit)
	}
	return s.each(s.text, visit)
}

// samples calls visit for each row except the header, with its number in the table.
func (s *sheet) samples(visit func(row, line int, cells []string) error) error {
	row, header := s.firstRow, s.pendingRow != nil
	return s.walk(func(line int, cells []string) error {
		if header {
			header = false
			return nil
		}
		row++
		return visit(row-1, line, cells)
	})
}

// tooManyCells returns the error for a table with too many values.
func tooManyCells(rows, width, most int) error {
	return say.Errorf("%d rows of %d numbers are too many; expected %d numbers at most: ignore columns with "+
		"cols=, or remove rows",
		rows, width, most)
}

// Type is the type of a column's values.
type Type uint8

// The types of columns.
const (
	Empty    Type = iota // no values
	Number               // numbers, some of them fractions
	Whole                // whole numbers
	Bool                 // true or false, yes or no
	Date                 // dates, optionally with a time
	Category             // at most 256 distinct words
	Texts                // more distinct words
	Mixed                // numbers, and a few words that are probably mistakes
)

// String names the type.
func (t Type) String() string {
	return [...]string{"empty", "number", "whole number", "yes or no", "date", "category", "text",
		"number with errors"}[t]
}

// Column describes the values of a column.
type Column struct {
	Name     string
	Type     Type
	Min, Max float64 // range of numbers, and of dates as days since 1970
	Missing  int
	Distinct int // distinct values; maxClasses+1 if there are more
	Examples []string

	slug          string          // slug of the name
	attr          *arff.Attribute // declaration in an ARFF file; nil for texts and other formats
	seen          *seen
	numbers       int
	whole         int
	bools         int
	dates         int
	texts         int // values that are neither numbers nor missing
	oversized     int // those of texts that are numbers too large for float32
	sentenceCount int // those of texts that are sentences
	commas        int // numbers with a decimal comma
	points        int // numbers with a decimal point
	last          float64
	steps         int // numbers that are one more than the number before
	runs          int // how often a value differs from the one before, if there are few values
	before        int32
	stray         place
	strayed       string
}

// seen are the distinct values of a column, while there are few.
type seen struct {
	bytes [4]uint64 // whole numbers from 0 to 255
	words map[string]int32
	order []string
	ids   map[float64]bool // all whole numbers of the first columns, to detect identifiers
	many  bool
}

// missing are the texts that programs write for missing values. "none" is not among them, because a class may have that
// name.
var missing = [...]string{"", "?", "NA", "N/A", "n/a", "na", "<NA>", "#N/A", "NaN", "nan", "NULL", "null", "None", "-",
	"--", ".", `\N`}

func isMissing(text string) bool {
	if len(text) > 4 || text != "" && text[0]-'0' <= 9 {
		return false // most values are numbers
	}
	return slices.Contains(missing[:], text)
}

// nominal reports whether the values of the column are declared as words.
func (c *Column) nominal() bool { return c.attr != nil && c.attr.Kind == arff.Nominal }

// missing reports whether a value is missing.
func (c *Column) missing(text string) bool {
	if c.nominal() {
		return c.attr.Missing(text)
	}
	return isMissing(text)
}

// decimal reads a number, unless the column is nominal.
func (c *Column) decimal(text string, commas bool) (float64, bool) {
	if c.nominal() {
		return 0, false
	}
	return decimal(text, commas)
}

// maxExamples is the number of example values of a column.
const maxExamples = 3

// note counts a value. If commas is set, numbers may have a decimal comma.
func (c *Column) note(text string, at place, commas bool) {
	if c.missing(text) {
		c.Missing++
		return
	}
	if c.seen == nil {
		c.seen = &seen{}
	}
	if len(c.Examples) < maxExamples && !slices.Contains(c.Examples, text) {
		c.Examples = append(c.Examples, strings.Clone(text[:min(len(text), 60)]))
	}
	if v, ok := c.decimal(text, commas); ok {
		c.number(v)
		switch {
		case !commas:
		case strings.IndexByte(text, ',') >= 0:
			c.commas++
		case strings.IndexByte(text, '.') >= 0:
			if c.points++; c.strayed == "" {
				c.stray, c.strayed = at, strings.Clone(text)
			}
		}
		return
	}
	if _, ok := anyDecimal(text, commas); !c.nominal() && (ok || isInfinite(text)) {
		c.oversized++
	} else if _, ok := parseBool(text); ok {
		c.bools++
	} else if v, ok := date(text); ok {
		if c.dates == 0 && c.numbers == 0 {
			c.Min, c.Max = v, v
		}
		c.Min, c.Max = min(c.Min, v), max(c.Max, v)
		c.dates++
	}
	if c.strayed == "" {
		c.stray, c.strayed = at, strings.Clone(text[:min(len(text), 60)])
	}
	if c.texts++; isSentence(text) {
		c.sentenceCount++
	}
	if at := c.seen.add(text); at < 0 || at != c.before || c.runs == 0 {
		c.runs++
		c.before = at
	}
}

func (c *Column) number(v float64) {
	if c.numbers == 0 && c.dates == 0 {
		c.Min, c.Max = v, v
	} else if v == c.last+1 {
		c.steps++
	}
	if c.numbers == 0 || v != c.last {
		c.runs++
	}
	c.Min, c.Max, c.last = min(c.Min, v), max(c.Max, v), v
	c.numbers++
	if v == math.Trunc(v) {
		c.whole++
		if c.seen.ids != nil {
			c.seen.ids[v] = true
		}
		if 0 <= v && v < 256 {
			c.seen.bytes[int(v)/64] |= 1 << (int(v) % 64)
			return
		}
	}
	if !c.seen.many {
		c.seen.add(canonicalNumber(v))
	}
}

// canonicalNumber writes a number in a unique form: 1.0 and +1 are 1.
func canonicalNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// add adds a word and returns its index, −1 if there are too many.
func (s *seen) add(text string) int32 {
	if s.many {
		return -1
	}
	if at, known := s.words[text]; known {
		return at
	}
	if len(s.order) == maxClasses {
		s.many, s.words, s.order = true, nil, nil
		return -1
	}
	if s.words == nil {
		s.words = map[string]int32{}
	}
	text = strings.Clone(text) // a copy, so that the row is not kept
	s.words[text] = int32(len(s.order))
	s.order = append(s.order, text)
	return s.words[text]
}

// count returns the number of different values, maxClasses+1 for more than maxClasses.
func (s *seen) count() int {
	n := len(s.order)
	for v := range 256 {
		if s.bytes[v/64]>>(v%64)&1 == 1 {
			n++
		}
	}
	if s.many || n > maxClasses {
		return maxClasses + 1
	}
	return n
}

// decideType sets the type after all rows have been read.
func (c *Column) decideType(rows int) {
	n := rows - c.Missing
	if n == 0 {
		return
	}
	c.Distinct = c.seen.count()
	few := c.Distinct <= maxOneHot && n >= 5*c.Distinct
	if c.attr != nil {
		c.declaredType(n)
		return
	}
	switch {
	case c.oversized > 0 && c.oversized+c.numbers == n, c.commas > 0 && c.points > 0:
		c.Type = Mixed // 1.234 may mean 1234 there
	case c.whole == n:
		c.Type = Whole
	case c.numbers == n:
		c.Type = Number
	case c.bools == n:
		c.Type = Bool
	case c.dates == n:
		c.Type = Date
	case 2*c.numbers >= n && !few:
		c.Type = Mixed
	case c.Distinct > maxClasses:
		c.Type = Texts
	default:
		c.Type = Category
	}
}

// declaredType decides the type of a column of an ARFF file with n values.
func (c *Column) declaredType(n int) {
	switch kind := c.attr.Kind; {
	case kind == arff.Numeric && c.whole == n:
		c.Type = Whole
	case kind == arff.Numeric && c.numbers == n:
		c.Type = Number
	case kind == arff.Numeric:
		c.Type = Mixed
	case kind == arff.Date && c.dates == n:
		c.Type = Date
	case kind == arff.Date:
		c.Type = Texts
	default:
		c.Type = Category
	}
}

// decimal reads a decimal number within the range of float32; see [anyDecimal].
func decimal(text string, comma bool) (float64, bool) {
	v, ok := anyDecimal(text, comma)
	return v, ok && math.Abs(v) <= math.MaxFloat32
}

func isInfinite(text string) bool {
	text = strings.ToLower(strings.TrimLeft(text[:min(len(text), 9)], "+-"))
	return text == "inf" || text == "infinity"
}

// anyDecimal reads a decimal number. It may have a decimal comma if comma is set, thousands separators, Fortran's
// exponent D as in 1.5D+00, and a percent sign, which is ignored. Hexadecimal numbers, underscores and words such as
// inf are not read. A number beyond the range of float64 is infinite.
func anyDecimal(text string, comma bool) (float64, bool) {
	if len(text) == 0 || len(text) > 64 {
		return 0, false
	}
	if len(text) <= 3 {
		v := 0
		for i := range len(text) {
			if text[i]-'0' > 9 {
				v = -1
				break
			}
			v = 10*v + int(text[i]-'0')
		}
		if v >= 0 {
			return float64(v), true
		}
	}
	if text = strings.TrimSuffix(text, "%"); strings.IndexByte(text, ',') >= 0 {
		if point := strings.IndexByte(text, '.'); !comma || point > strings.IndexByte(text, ',') {
			text = ungrouped(text, ',', '.') // as in 1,234.5
			comma = false
		} else if point >= 0 {
			text = ungrouped(text, '.', ',') // as in 1.234,5
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c-'0' <= 9, c == '.', c == '-', c == '+', i > 0 && (c == 'e' || c == 'E'), c == ',' && comma:
		case i > 0 && c|0x20 == 'd' && i < len(text)-1 && (text[i+1]-'0' > 9 || strings.ContainsAny(text[:i], ".,")):
			text = text[:i] + "e" + text[i+1:] // 3D alone may be a word
		default:
			return 0, false
		}
	}
	if comma {
		text = strings.Replace(text, ",", ".", 1) // a number has one comma at most
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || math.IsInf(v, 0)
}

// ungrouped returns a number without its thousands separators, if each is followed by three digits.
func ungrouped(text string, mark, point byte) string {
	end := len(text)
	if at := strings.IndexByte(text, point); at >= 0 {
		end = at
	}
	groups := strings.Split(strings.TrimLeft(text[:end], "+-"), string(mark))
	for i, group := range groups {
		if i > 0 && len(group) != 3 || len(group) > 3 || group == "" {
			return text
		}
	}
	return strings.ReplaceAll(text[:end], string(mark), "") + text[end:]
}

// parseBool reads a Boolean word.
func parseBool(text string) (float64, bool) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "on":
		return 1, true
	case "false", "f", "no", "n", "off":
		return 0, true
	}
	return 0, false
}

// date reads a date, optionally with a time: year, month, day, or day, month, year. It returns days since 1970-01-01.
// With slashes the month comes first, unless it is above 12.
func date(text string) (float64, bool) {
	if len(text) < 8 || len(text) > 35 || text[0]-'0' > 9 {
		return 0, false
	}
	var part [7]int
	var digits [7]int
	n := 0
	var mark byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c-'0' <= 9:
			part[n] = 10*part[n] + int(c-'0')
			if digits[n]++; digits[n] > 9 {
				return 0, false
			}
			continue
		case n < 2 && (c == '-' || c == '/' || c == '.') && (mark == 0 || c == mark):
			mark = c
		case n == 2 && (c == ' ' || c == 'T'), n > 2 && n < 5 && c == ':', n == 5 && c == '.':
		case n > 2 && (c == 'Z' || c == '+' || c == '-'):
			i = len(text) // a time zone, which is ignored
		default:
			return 0, false
		}
		if i < len(text) {
			if digits[n] == 0 {
				return 0, false
			}
			n++
		}
	}
	year, month, day := part[0], part[1], part[2]
	if digits[2] == 4 {
		day, year = year, day
		if mark == '/' && month > 12 || mark == '/' && day <= 12 {
			day, month = month, day
		}
	} else if digits[0] != 4 {
		return 0, false
	}
	if n < 2 || year < 1000 || year > 2999 || month < 1 || month > 12 || day < 1 || day > 31 || part[3] > 24 ||
		part[4] > 59 || part[5] > 60 {
		return 0, false
	}
	// Days of the Gregorian calendar, with years that start in March.
	if month < 3 {
		year--
		month += 12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
	return float64(days) + float64(part[3]*3600+part[4]*60+part[5])/86400, true
}

// openTable reads text files and determines the types and names of their columns.
func openTable(b *bundle) (*Table, error) {
	t := &Table{testColumn: -1}
	for _, f := range b.files {
		s := &sheet{file: f}
		if err := s.open(); err != nil {
			return nil, f.errorf("%s", err)
		}
		if s.width > MaxColumns {
			return nil, f.errorf("expected %d columns at most, found %d", MaxColumns, s.width)
		}
		t.sheets = append(t.sheets, s)
	}
	stems := t.stems()
	if t.sideBySide = len(stems) > 1; t.sideBySide { // features come first
		slices.SortStableFunc(t.sheets, func(a, b *sheet) int { return cmp.Or(a.order()-b.order(), b.width-a.width) })
		stems = t.stems()
	}
	for _, s := range t.sheets {
		first := t.sheets[0]
		if t.sideBySide {
			first = stems[s.stem]
		}
		if s.width != first.width {
			return nil, b.withArchive(s.errorf("it has %d columns; expected %d, as in %s", s.width, first.width,
				first.file.name))
		}
		if err := s.matches(first); err != nil {
			return nil, err
		}
	}
	t.makeColumns(stems)
	for _, s := range t.sheets {
		if err := t.scan(s); err != nil {
			return nil, err
		}
	}
	if err := t.aligned(); err != nil {
		return nil, err
	}
	if first := t.sheets[0]; b.columns != nil && first.names == nil {
		if first.names = columnNames(b.columns); len(first.names) != first.width {
			return nil, b.columns.errorf("it has the names of %d columns; expected %d, as many as %s has",
				len(first.names), first.width, first.file.name)
		}
	}
	t.name()
	for j := range t.Columns {
		t.Columns[j].decideType(t.Rows)
	}
	if slices.ContainsFunc(t.sheets, func(s *sheet) bool { return s.arff != nil && s.arff.Weighted }) {
		t.Notes = append(t.Notes, "Weights of rows are ignored: all samples count equally")
	}
	t.findParts()
	return t, nil
}

// makeColumns makes the columns of all files: those of the first, or of one file of each stem
// side by side.
func (t *Table) makeColumns(stems map[string]*sheet) {
	width := t.sheets[0].width
	if t.sideBySide {
		width = 0
		for _, s := range t.sheets {
			if first := stems[s.stem]; first != s {
				s.firstColumn = first.firstColumn
				continue
			}
			s.firstColumn = width
			width += s.width
		}
	}
	t.Columns = make([]Column, width)
	for _, s := range t.sheets {
		for j := range s.width {
			if s.arff != nil && s.arff.Attributes[j].Kind != arff.String {
				t.Columns[s.firstColumn+j].attr = &s.arff.Attributes[j]
			}
		}
	}
	for j := range min(2, width) {
		t.Columns[j].seen = &seen{ids: map[float64]bool{}}
	}
}

// matches returns an error if the rows of a file cannot be appended to those of another: in ARFF and JSON the columns
// have names, which must agree.
func (s *sheet) matches(first *sheet) error {
	switch {
	case s.form != first.form && (s.namesCertain || first.namesCertain):
		return s.errorf("its format differs from that of %s; expected files of one format: text, ARFF or JSON",
			first.file.name)
	case s.arff != nil:
		if err := s.arff.Same(first.arff, first.file.name); err != nil {
			return s.errorf("%s", err)
		}
	case s.json != nil && !slices.Equal(s.names, first.names):
		return s.errorf("its records have the keys %s; expected %s, in the same order, as in %s",
			param.Quote(strings.Join(s.names, ",")), param.Quote(strings.Join(first.names, ",")), first.file.name)
	}
	return nil
}

// stems returns the first sheet of each stem if the files are columns of one table, as in UCI's HAR: X_train, y_train
// and subject_train. In that case at least one of them has a single column. Otherwise it returns one sheet.
func (t *Table) stems() map[string]*sheet {
	one := map[string]*sheet{"": t.sheets[0]}
	first := map[string]*sheet{}
	single := false
	for _, s := range t.sheets {
		if _, known := first[s.stem]; !known {
			first[s.stem] = s
		}
		single = single || s.width == 1
	}
	if single && len(first) > 1 {
		return first
	}
	return one
}

// scan counts the values of a file. Its first row may be a header.
func (t *Table) scan(s *sheet) error {
	if s.firstColumn == 0 {
		s.firstRow = t.Rows
	}
	err := s.walk(func(line int, row []string) error {
		if s.pendingRow == nil && !s.namesCertain {
			s.line = line
			s.pendingRow = make([]string, len(row))
			for j, text := range row {
				s.pendingRow[j] = strings.Clone(text)
			}
			return nil
		}
		if err := s.check(row); err != nil {
			return err
		}
		t.note(s, line, row)
		return nil
	})
	if err != nil {
		return s.errorf("%s", err)
	}
	if s.namesCertain || s.pendingRow == nil {
		if s.rows == 0 {
			return s.errorf("no row follows the names of the columns; expected one row per sample")
		}
	} else if err := t.settleFirst(s); err != nil {
		return err
	} else if s.rows == 0 {
		return s.errorf("no row follows the header; expected one row per sample")
	}
	t.count(s)
	return nil
}

// note counts the values of a row.
func (t *Table) note(s *sheet, line int, row []string) {
	at := place{file: s.file, line: line}
	for j, text := range row {
		t.Columns[s.firstColumn+j].note(text, at, s.comma != ',')
	}
	s.rows++
}

// check returns an error if a row has another number of values than most rows, or if there are too many rows.
func (s *sheet) check(row []string) error {
	if len(row) != s.width {
		err := s.uneven(len(row))
		switch {
		case len(row) <= s.width:
		case slices.ContainsFunc(row, isPhrase):
			err = say.Errorf("%s; put text that contains the separator in quotation marks", err)
		case s.comma == ',':
			err = say.Errorf("%s; a number has a point, not a comma", err)
		}
		return err
	}
	if s.firstRow+s.rows == maxSamples {
		return errTooMany
	}
	if s.namesCertain && (s.rows+1)*s.width > 2*maxCells { // sparse rows have many values in few bytes
		return tooManyCells(s.rows+1, s.width, 2*maxCells)
	}
	return nil
}

// uneven returns the error for a row with another number of values than most rows.
func (s *sheet) uneven(values int) error {
	return say.Errorf("expected %d values as in most rows, separated by %s, found %d", s.width, s.title(), values)
}

// settleFirst decides whether the first row of a file is a header or a sample.
func (t *Table) settleFirst(s *sheet) error {
	header := t.sheets[0]
	commented := s.names // names from a comment, used if no row is a header
	s.names = nil
	switch {
	case t.sideBySide && s.width == 1 && s.rows > 0 && t.Columns[s.firstColumn].numbers > 0:
		if _, ok := decimal(s.pendingRow[0], s.comma != ','); !ok {
			return nil
		}
	case s == header || t.sideBySide:
		if s.names, t.classes = t.names(s); s.names != nil {
			return nil
		}
		if s.names = commented; len(s.pendingRow) != s.width {
			return s.errorf("line %d: %s", s.line, s.uneven(len(s.pendingRow)))
		}
	case header.pendingRow == nil: // rows without a header
		if len(s.pendingRow) != s.width || s.width != header.width {
			return s.errorf("line %d: expected %d values as in %s, found %d",
				s.line, header.width, header.file.name, len(s.pendingRow))
		}
	default:
		if names, _ := t.names(s); !slices.EqualFunc(names, header.names, strings.EqualFold) {
			return s.errorf("line %d: the header differs from that of the file before; expected %s",
				s.line, param.Quote(strings.Join(header.names, ",")))
		}
		return nil
	}
	t.note(s, s.line, s.pendingRow)
	s.pendingRow = nil
	return nil
}

// count adds the rows of a sheet that continues those before it.
func (t *Table) count(s *sheet) {
	if s.firstColumn > 0 {
		return
	}
	t.Rows += s.rows
	if !s.test {
		t.Train = t.Rows
	}
}

// aligned gives files that are side by side the same row numbers, and returns an error if their numbers of rows differ.
func (t *Table) aligned() error {
	for _, s := range t.sheets {
		if s.firstColumn == 0 {
			continue
		}
		beside := slices.IndexFunc(t.sheets, func(o *sheet) bool {
			return o.firstColumn == 0 && o.order() == s.order()
		})
		if beside < 0 {
			return s.errorf("it has a column for samples that are not there; expected the file of their features")
		}
		if o := t.sheets[beside]; o.rows != s.rows {
			return s.errorf("it has %d rows; expected %d, as many as %s", s.rows, o.rows, o.file.name)
		}
		s.firstRow = t.sheets[beside].firstRow
	}
	return nil
}

// names returns the column names in the first row of a sheet, nil if it is not a header, or the names of the classes if
// the row has those, as in scikit-learn's files. A row is a header if it has a word in a column of numbers; if the
// table has no numbers, none of its words may occur below it.
func (t *Table) names(s *sheet) (names, classes []string) {
	row := s.pendingRow
	columns := t.Columns[s.firstColumn : s.firstColumn+s.width]
	if len(row) == s.width-1 { // R omits the name of the column of row names
		row = append([]string{""}, row...)
	}
	if len(s.pendingRow) > 2 && s.rows > 1 {
		if _, ok := decimal(s.pendingRow[0], false); ok && s.pendingRow[1] == strconv.Itoa(s.width-1) &&
			!slices.ContainsFunc(s.pendingRow[2:], isNumeric) {
			names = make([]string, s.width)
			names[s.width-1] = "target"
			return names, s.pendingRow[2:]
		}
	}
	if len(row) != s.width {
		return nil, nil
	}
	numeric, words, again, counting := 0, 0, false, true
	before := -1.0 // the last number to the left
	for j, text := range row {
		c := &columns[j]
		v, number := decimal(text, s.comma != ',')
		if number {
			counting = counting && (v == before+1 || before < 0 && v == 1)
			before = v
		}
		n := s.rows - c.Missing
		switch {
		case number:
			numeric++
		case n > 0 && 2*c.numbers >= n && !isMissing(text):
			words++
		}
		if c.seen != nil && !number && !isMissing(text) {
			_, known := c.seen.words[text]
			again = again || known
		}
	}
	known := slices.ContainsFunc(row, func(name string) bool {
		name = slug(name)
		return slices.Contains(targetNames, name) || slices.Contains(clientNames, name)
	})
	switch {
	case numeric > 0 && !(counting && (words > 0 || known || numeric == len(row) && s.rows > 0)):
		return nil, nil
	case numeric == len(row) && (len(row) < 3 || !t.hasFractions(columns)):
		return nil, nil
	case numeric == 0 && words == 0 && (again || !known && s.rows < 2):
		return nil, nil
	}
	return row, nil
}

// hasFractions reports whether columns have fractions: then a first row of 0, 1, 2 … is a header,
// as pandas writes by default.
func (t *Table) hasFractions(columns []Column) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.numbers > c.whole })
}

func isNumeric(text string) bool { _, ok := decimal(text, false); return ok }

// name gives every column a unique name: its name in the header, or a number.
func (t *Table) name() {
	taken := map[string]int{} // number of uses of each name
	for _, s := range t.sheets {
		if t.Columns[s.firstColumn].Name != "" {
			continue
		}
		for j := range s.width {
			name := ""
			switch {
			case len(s.names) == s.width:
				name = s.names[j]
			case t.sideBySide && s.width == 1:
				name = s.stem
			}
			if name == "" {
				name = "column " + strconv.Itoa(s.firstColumn+j+1)
			} else {
				name = strings.ToValidUTF8(name[:min(len(name), 100)], "")
			}
			made := name
			for lower := strings.ToLower(name); taken[strings.ToLower(made)] > 0; {
				taken[lower]++
				made = name + "." + strconv.Itoa(taken[lower])
			}
			taken[strings.ToLower(made)]++
			t.Columns[s.firstColumn+j].Name, t.Columns[s.firstColumn+j].slug = made, slug(made)
		}
	}
	t.header = len(t.sheets[0].names) > 0
	if !t.header && len(t.Columns) > 1 {
		t.Notes = append(t.Notes, "There is no header, so columns are numbered")
	}
}

// isPhrase reports whether a value has at least three words.
func isPhrase(value string) bool { return len(strings.Fields(value)) > 2 }
