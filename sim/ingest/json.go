package ingest

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// json is a streaming reader of JSON without allocations. After an error, at is the position of the error.
type json struct {
	data  []byte
	at    int
	depth int
}

// object reads an object and calls member after each key; member reads the value.
func (j *json) object(member func(key string) error) error {
	return j.list('{', '}', func() error {
		key, err := j.text()
		if err == nil {
			err = j.take(':')
		}
		if err != nil {
			return err
		}
		return member(key)
	})
}

// array reads an array and calls entry to read each entry.
func (j *json) array(entry func() error) error { return j.list('[', ']', entry) }

// maxDepth limits nested lists, so that a hostile file cannot exhaust the stack.
const maxDepth = 100

func (j *json) list(open, shut byte, entry func() error) error {
	if err := j.take(open); err != nil {
		return err
	}
	if j.depth++; j.depth > maxDepth {
		return say.Errorf("expected at most %d lists inside each other", maxDepth)
	}
	defer func() { j.depth-- }()
	if j.peek() == shut {
		j.at++
		return nil
	}
	for {
		if err := entry(); err != nil {
			return err
		}
		switch j.peek() {
		case ',':
			j.at++
		case shut:
			j.at++
			return nil
		default:
			return j.wrong(say.Messagef("%q or %q", ',', shut))
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (j *json) peek() byte {
	for ; j.at < len(j.data); j.at++ {
		switch c := j.data[j.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (j *json) take(c byte) error {
	if j.peek() != c {
		return j.wrong(say.Name(strconv.QuoteRune(rune(c))))
	}
	j.at++
	return nil
}

// wrong returns an error about the present position.
func (j *json) wrong(expected say.Message) error {
	if j.at >= len(j.data) {
		return say.Errorf("expected %s, found the end of the file", expected)
	}
	return say.Errorf("expected %s, found %s", expected, param.Quote(string(j.data[j.at:min(j.at+12, len(j.data))])))
}

// end returns an error if anything follows.
func (j *json) end() error {
	if j.peek(); j.at < len(j.data) {
		return j.wrong("the end of the file")
	}
	return nil
}

// text reads a string.
func (j *json) text() (string, error) {
	if j.peek() != '"' {
		return "", j.wrong("a string")
	}
	for end := j.at + 1; end < len(j.data); end++ {
		switch j.data[end] {
		case '\\':
			end++
		case '"':
			raw := string(j.data[j.at+1 : end])
			j.at = end + 1
			return unescape(raw), nil
		}
	}
	return "", say.Errorf("expected a string that ends, found none")
}

// unescape replaces the escapes of a text. Invalid ones stay.
func unescape(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	unit := func(text string) (rune, bool) { // a UTF-16 code unit
		if len(text) < 6 || text[:2] != `\u` {
			return 0, false
		}
		v, err := strconv.ParseUint(text[2:6], 16, 16)
		return rune(v), err == nil
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		if r, ok := unit(raw[i:]); ok {
			i += 5
			if low, ok := unit(raw[i+1:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
				r = utf16.DecodeRune(r, low)
				i += 6
			}
			b.WriteRune(r)
			continue
		}
		i++
		if at := strings.IndexByte(`"\/bfnrt`, raw[i]); at >= 0 {
			b.WriteByte("\"\\/\b\f\n\r\t"[at])
		} else {
			b.WriteString(raw[i-1 : i+1])
		}
	}
	return b.String()
}

// number reads a finite number of at most largest in absolute value.
func (j *json) number() (float64, error) {
	text := j.numeral()
	if len(text) == 0 {
		return 0, j.wrong("a number")
	}
	v, err := number(text)
	if err != nil {
		j.at -= len(text)
	}
	return v, err
}

// numeral skips the characters of a number, and returns them.
func (j *json) numeral() []byte {
	j.peek()
	from := j.at
	for j.at < len(j.data) {
		switch c := j.data[j.at]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
			j.at++
		default:
			return j.data[from:j.at]
		}
	}
	return j.data[from:]
}

// skip skips a value of any type.
func (j *json) skip() error {
	switch c := j.peek(); {
	case c == '{':
		return j.object(func(string) error { return j.skip() })
	case c == '[':
		return j.array(j.skip)
	case c == '"':
		_, err := j.text()
		return err
	}
	for _, word := range [...]string{"null", "true", "false", "NaN"} { // the last one is from Python
		if end := j.at + len(word); end <= len(j.data) && string(j.data[j.at:end]) == word {
			j.at = end
			return nil
		}
	}
	if len(j.numeral()) == 0 {
		return j.wrong("a value")
	}
	return nil
}
