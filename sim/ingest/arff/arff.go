// Package arff reads files of Weka's format (Witten and others, "Data Mining", 4th edition,
// 2016): the attributes, a line each, and behind @data the rows. A row has its values with
// commas between them, or in braces pairs of an attribute's number, from 0, and its value,
// where all others have the number 0 or their first declared value.
package arff

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// File is an ARFF file after its header.
type File struct {
	Attributes []Attribute
	Weighted   bool // rows have weights, which are ignored

	text []byte // the rows, after @data
	line int    // line number of @data
}

// Attribute is the declaration of a column.
type Attribute struct {
	Name   string
	Kind   Kind
	Values []string // values that a nominal attribute may have

	index map[string]int32 // index of each value
}

// Kind is the type of an attribute.
type Kind byte

// The kinds.
const (
	Numeric Kind = iota
	Nominal
	String
	Date
)

// Begins reports whether a line begins an ARFF file.
func Begins(line string) bool {
	lower := strings.ToLower(line)
	return strings.HasPrefix(lower, "@relation") || strings.HasPrefix(lower, "@attribute")
}

// Open reads the header of a file with at most columns attributes.
func Open(text []byte, columns int) (*File, error) {
	a := &File{}
	at := 0
	for raw := range bytes.Lines(text) {
		a.line++
		at += len(raw)
		line := strings.TrimSpace(string(raw))
		word := line
		if end := strings.IndexAny(line, " \t"); end > 0 {
			word = line[:end]
		}
		switch lower := strings.ToLower(word); {
		case line == "" || line[0] == '%' || line[0] == '#' || lower == "@relation":
		case lower == "@data":
			if len(a.Attributes) == 0 {
				return nil, say.Errorf("line %d: expected @attribute lines before @data, found none", a.line)
			}
			a.text = text[at:]
			return a, nil
		case strings.HasPrefix(lower, "@attribute"):
			if len(a.Attributes) == columns {
				return nil, say.Errorf("line %d: expected %d columns at most, found more", a.line, columns)
			}
			one, err := parseAttribute(strings.TrimSpace(line[len("@attribute"):]))
			if err != nil {
				return nil, say.Errorf("line %d: %s", a.line, err)
			}
			a.Attributes = append(a.Attributes, one)
		default:
			return nil, say.Errorf("line %d: expected @attribute or @data, found %s", a.line, param.Quote(line))
		}
	}
	return nil, say.Errorf("expected a line @data before the rows, found none")
}

// parseAttribute reads the declaration after @attribute: a name, a type and optionally a weight.
func parseAttribute(text string) (a Attribute, err error) {
	name, rest, err := nextValue(text, " \t{")
	if err != nil {
		return a, err
	}
	a.Name = strings.Clone(name)
	word := rest
	if end := strings.IndexAny(rest, " \t{"); end > 0 {
		word = rest[:end]
	}
	switch strings.ToLower(word) {
	case "":
		return a, say.Errorf("expected @attribute name type, found %s", param.Quote("@attribute "+text))
	case "numeric", "real", "integer":
		return a, nil
	case "string":
		a.Kind = String
		return a, nil
	case "date":
		a.Kind = Date
		return a, nil
	case "relational":
		return a, say.Errorf("attribute %s holds rows of its own (relational), which are not read; write a line for each of them, as Weka's filter MultiInstanceToPropositional does", param.Quote(a.Name))
	}
	if rest[0] != '{' {
		return a, say.Errorf("attribute %s has the type %s; expected numeric, string, date, or its values in braces",
			param.Quote(a.Name), param.Quote(word))
	}
	a.Kind, a.index = Nominal, map[string]int32{}
	for rest = strings.TrimLeft(rest[1:], " \t"); !strings.HasPrefix(rest, "}"); {
		var value string
		if value, rest, err = nextValue(rest, ",}"); err != nil {
			return a, err
		}
		if rest == "" {
			return a, say.Errorf("the values of attribute %s do not end; expected } on the same line",
				param.Quote(a.Name))
		}
		if _, twice := a.index[value]; twice {
			return a, say.Errorf("attribute %s declares %s twice; expected each value once", param.Quote(a.Name),
				param.Quote(value))
		}
		value = strings.Clone(value)
		a.index[value] = int32(len(a.Values))
		a.Values = append(a.Values, value)
		if rest[0] == ',' {
			rest = strings.TrimLeft(rest[1:], " \t")
		}
	}
	if len(a.Values) == 0 {
		return a, say.Errorf("attribute %s declares no values; expected some in braces", param.Quote(a.Name))
	}
	return a, nil
}

// nextValue reads a value, in quotation marks of either kind or up to one of the characters in ends, and returns the
// text after the value and following blanks. Within quotation marks a backslash escapes, and two quotation marks stand
// for one.
func nextValue(text, ends string) (value, rest string, err error) {
	mark := byte(0)
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		mark = text[0]
	}
	if mark == 0 {
		end := strings.IndexAny(text, ends)
		if end < 0 {
			end = len(text)
		}
		for i := 1; i < end; i++ { // a comment
			if text[i] == '%' && (text[i-1] == ' ' || text[i-1] == '\t') {
				end, text = i, text[:i]
			}
		}
		return strings.TrimSpace(text[:end]), strings.TrimLeft(text[end:], " \t"), nil
	}
	var made []byte // the value, if it has escapes
	from := 1
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			made = append(append(made, text[from:i]...), unescaped(text[i+1]))
			i++
			from = i + 1
		case text[i] != mark:
		case i+1 < len(text) && text[i+1] == mark:
			made = append(made, text[from:i+1]...)
			i++
			from = i + 1
		default:
			value, rest = text[from:i], strings.TrimLeft(text[i+1:], " \t")
			if made != nil {
				value = string(append(made, value...))
			}
			if strings.HasPrefix(rest, "%") {
				rest = ""
			}
			return value, rest, nil
		}
	}
	return "", "", say.Errorf("a quotation mark is not closed; expected its end on the same line, after %s",
		param.Quote(text))
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// Each calls visit for each row, with its line number. The row is valid during the call.
func (a *File) Each(visit func(line int, row []string) error) error {
	width := len(a.Attributes)
	row, usual := make([]string, width), make([]string, width) // usual has the values that a sparse row leaves out
	for j, attribute := range a.Attributes {
		switch attribute.Kind {
		case Numeric:
			usual[j] = "0"
		case Nominal:
			usual[j] = attribute.Values[0]
		case Date:
			usual[j] = "1970-01-01"
		}
	}
	last := make([]int, width) // the last sparse row in which each attribute had a value
	line, rows := a.line, 0
	for raw := range bytes.Lines(a.text) {
		line++
		text := strings.TrimSpace(string(raw))
		if text == "" || text[0] == '%' {
			continue
		}
		rows++
		var err error
		if text[0] == '{' {
			copy(row, usual)
			err = a.sparse(text[1:], row, last, rows)
		} else if err = a.dense(text, row, ","); err != nil && strings.IndexByte(text, ',') < 0 {
			err = a.dense(text, row, " \t")
		}
		if err == nil {
			err = a.check(row)
		}
		if err == nil {
			err = visit(line, row)
		}
		if err != nil {
			return say.Errorf("line %d: %s", line, err)
		}
	}
	return nil
}

// dense reads the values of a row and skips the weight that may follow them.
func (a *File) dense(text string, row []string, ends string) (err error) {
	n := 0
	for more := true; more; n++ {
		value := ""
		if n > 0 && strings.HasPrefix(text, "{") {
			break // a weight after a comma
		}
		if value, text, err = nextValue(text, ends); err != nil {
			return err
		}
		if at := strings.LastIndexByte(value, '{'); text == "" && at > 0 && isWeight(value[at:]) && n == len(row)-1 {
			value, text = strings.TrimSpace(value[:at]), value[at:]
		}
		if strings.HasPrefix(text, "%") {
			text = ""
		}
		if n < len(row) {
			row[n] = value
		}
		switch more = strings.HasPrefix(text, ","); {
		case more:
			text = strings.TrimLeft(text[1:], " \t")
			more = text != "" || n < len(row)-1 // a comma at the end of a row adds no value
		case ends != ",":
			more = text != "" && text[0] != '{'
		}
	}
	if n == len(row) && isWeight(text) {
		a.Weighted, text = true, ""
	}
	switch {
	case n != len(row):
		return say.Errorf("expected %d values, one for each @attribute, found %d", len(row), n)
	case text != "":
		return say.Errorf("expected a comma after a value, found %s", param.Quote(text))
	}
	return nil
}

// isWeight reports whether a text is the weight of a row, such as {0.5}.
func isWeight(text string) bool {
	text, open := strings.CutPrefix(text, "{")
	text, _, _ = strings.Cut(text, "%")
	text, closed := strings.CutSuffix(strings.TrimSpace(text), "}")
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return open && closed && err == nil
}

// sparse reads the pairs of a row after its opening brace. last has, for each attribute, the last row in which it had a
// value, and row is the number of this one.
func (a *File) sparse(text string, row []string, last []int, number int) error {
	for text = strings.TrimLeft(text, " \t"); !strings.HasPrefix(text, "}"); {
		place := text
		if end := strings.IndexAny(text, " \t"); end >= 0 {
			place, text = text[:end], strings.TrimLeft(text[end:], " \t")
		}
		j, err := strconv.Atoi(place)
		switch {
		case err != nil:
			return say.Errorf("expected pairs of the number of an attribute and its value, such as {1 5, 3 x}, found %s",
				param.Quote(place))
		case j < 0 || j >= len(row):
			return say.Errorf("expected the number of an attribute from 0 to %d, found %d", len(row)-1, j)
		case last[j] == number:
			return say.Errorf("attribute %d has two values; expected one", j)
		}
		last[j] = number
		if row[j], text, err = nextValue(text, ",}"); err != nil {
			return err
		}
		if text == "" || text[0] != ',' && text[0] != '}' {
			return say.Errorf("the braces of the row do not end; expected } after its last value")
		}
		if text[0] == ',' {
			text = strings.TrimLeft(text[1:], " \t")
		}
	}
	text = strings.TrimLeft(text[1:], ", \t")
	switch {
	case isWeight(text):
		a.Weighted = true
	case text != "" && text[0] != '%':
		return say.Errorf("expected the end of the row after its braces, found %s", param.Quote(text))
	}
	return nil
}

// check returns an error if a value is not declared.
func (a *File) check(row []string) error {
	for j, value := range row {
		attribute := &a.Attributes[j]
		if attribute.index == nil || attribute.Missing(value) {
			continue
		}
		if _, known := attribute.index[value]; !known {
			const few = 6
			names := make([]string, min(few, len(attribute.Values)))
			for i := range names {
				names[i] = param.Plain(attribute.Values[i])
			}
			if len(attribute.Values) > few {
				names = append(names, "…")
			}
			return say.Errorf("attribute %s declares the values %s; expected one of them, or ? where it is not known, found %s",
				param.Quote(attribute.Name), strings.Join(names, ", "), param.Quote(value))
		}
	}
	return nil
}

// Same returns an error if the attributes of two files differ. name is the name of the other file.
func (a *File) Same(other *File, name string) error {
	for j := range min(len(a.Attributes), len(other.Attributes)) { // the number of attributes is compared elsewhere
		mine, theirs := &a.Attributes[j], &other.Attributes[j]
		if mine.Name != theirs.Name || mine.Kind != theirs.Kind || !slices.Equal(mine.Values, theirs.Values) {
			return say.Errorf("attribute %s is declared differently; expected %s with the same type and values, as in %s",
				param.Quote(mine.Name), param.Quote(theirs.Name), name)
		}
	}
	return nil
}

// Missing reports whether a value of a nominal attribute is missing. A declared value is never missing, whatever it
// means in other programs.
func (a *Attribute) Missing(text string) bool {
	_, declared := a.index[text]
	return text == "?" || text == "" && !declared
}
