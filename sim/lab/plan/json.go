package plan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/param"
	"flockscope/sim/version"
)

// Records are written and read here, not by encoding/json, which would make the page's program much larger. The output
// equals that of encoding/json byte for byte.

// A member is one member of a JSON object: its key, a pointer to its value, and whether a zero value is omitted.
type member struct {
	key       string
	value     any // *string, *int, *float64, **int, **float64, *[]float32 or *[]Lane
	omitEmpty bool
}

func (r *Record) members() []member {
	return []member{
		{"cell", &r.Cell, false}, {"query", &r.Query, false}, {"floats", &r.Floats, true}, {"data", &r.Data, true},
		{"version", &r.Version, false}, {"fingerprint", &r.Fingerprint, true}, {"lanes", &r.Lanes, true},
		{"error", &r.Error, true}, {"seconds", &r.Seconds, true}, {"build", &r.Build, true},
	}
}

func (l *Lane) members() []member {
	return append([]member{
		{"lane", &l.Lane, false}, {"round", &l.Round, true},
		{"ari", &l.ARI, false}, {"misplaced", &l.Misplaced, false}, {"nmi", &l.NMI, false}, {"purity", &l.Purity, false},
		{"ari_participants", &l.ARIParticipants, true},
		{"settled", &l.Settled, false}, {"found", &l.Found, false}, {"price", &l.Price, false},
		{"loss", &l.Loss, false}, {"worst", &l.Worst, false}, {"accuracy", &l.Accuracy, true},
		{"weakest", &l.Weakest, true}, {"val", &l.Val, true}, {"test", &l.Test, true}, {"attack", &l.Attack, true}, {"clusters", &l.Clusters, false},
		{"down", &l.Down, false}, {"up", &l.Up, false}, {"computed", &l.Computed, true}, {"time", &l.Time, true}, {"diverged", &l.Diverged, true},
		{"cause", &l.Cause, true}, {"fingerprint", &l.Fingerprint, false},
		{"clients", &l.Clients, true},
	}, l.History.members()...)
}

// AppendJSON appends the record as one JSON object. It only fails for numbers that JSON cannot represent.
func (r *Record) AppendJSON(dst []byte) ([]byte, error) { return appendObject(dst, r.members()) }

func appendObject(dst []byte, members []member) (_ []byte, err error) {
	dst = append(dst, '{')
	first := true
	for _, m := range members {
		if m.omitEmpty && empty(m.value) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), m.key...), '"', ':')
		if dst, err = appendValue(dst, m.value); err != nil {
			return dst, fmt.Errorf("%s %w", m.key, err)
		}
	}
	return append(dst, '}'), nil
}

func empty(value any) bool {
	switch p := value.(type) {
	case *string:
		return *p == ""
	case *int:
		return *p == 0
	case *float64:
		return *p == 0
	case **int:
		return *p == nil
	case **float64:
		return *p == nil
	case *[]float32:
		return len(*p) == 0
	case *[]Lane:
		return len(*p) == 0
	}
	return false
}

func appendValue(dst []byte, value any) (_ []byte, err error) {
	switch p := value.(type) {
	case *string:
		return appendText(dst, *p), nil
	case *int:
		return strconv.AppendInt(dst, int64(*p), 10), nil
	case *float64:
		return appendNumber(dst, *p, 64)
	case **int:
		if *p != nil {
			return appendValue(dst, *p)
		}
	case **float64:
		if *p != nil {
			return appendValue(dst, *p)
		}
	case *[]float32:
		dst = append(dst, '[')
		for i, v := range *p {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendNumber(dst, float64(v), 32); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case *[]Lane:
		dst = append(dst, '[')
		for i := range *p {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendObject(dst, (*p)[i].members()); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
	return append(dst, "null"...), nil
}

// appendNumber writes the fewest digits that parse as v, a number of 32 or 64 bits, as
// ECMAScript would.
func appendNumber(dst []byte, v float64, bits int) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return dst, errors.New("is not a finite number")
	}
	least, most := 1e-6, 1e21
	if bits == 32 {
		least, most = float64(float32(least)), float64(float32(most))
	}
	if size := math.Abs(v); size == 0 || size >= least && size < most {
		return strconv.AppendFloat(dst, v, 'f', -1, bits), nil
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, bits)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-09
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst, nil
}

func appendText(dst []byte, text string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i, c := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', byte(c))
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c == '\f':
			dst = append(dst, '\\', 'f')
		case c < ' ' || c == '\u2028' || c == '\u2029' || c == utf8.RuneError && size == 1:
			dst = append(dst, '\\', 'u', digits[c>>12], digits[c>>8&15], digits[c>>4&15], digits[c&15])
		default:
			dst = utf8.AppendRune(dst, c)
		}
	}
	return append(dst, '"')
}

var (
	errCut   = errors.New("is cut off, or no record of a sweep")
	errTwice = errors.New("says the same thing twice: another program has written it")
)

// reader reads one JSON text.
type reader struct {
	text    []byte
	at      int
	missing string // a missing member that an object must have, "" for none
}

// maxDepth is the maximum nesting of unknown values.
const maxDepth = 32

// next returns the next byte that is not a space, without consuming it; 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// skip consumes c if it comes next, and reports whether it did.
func (r *reader) skip(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// list reads the items between two brackets, separated by commas.
func (r *reader) list(from, to byte, part func() error) error {
	if !r.skip(from) {
		return errCut
	}
	if r.skip(to) {
		return nil
	}
	for {
		if err := part(); err != nil {
			return err
		}
		if r.skip(to) {
			return nil
		}
		if !r.skip(',') {
			return errCut
		}
	}
}

// object reads an object. It skips members that are not in the list and records missing ones.
func (r *reader) object(members []member, depth int) error {
	var has uint64 // one bit for each of members
	err := r.list('{', '}', func() error {
		key, err := r.string()
		if err != nil || !r.skip(':') {
			return errCut
		}
		for i := range members {
			if members[i].key == key {
				if has>>i&1 != 0 {
					return errTwice
				}
				has |= 1 << i
				return r.member(&members[i])
			}
		}
		return r.skipValue(depth)
	})
	for i := range members {
		if !members[i].omitEmpty && has>>i&1 == 0 {
			r.missing = members[i].key
		}
	}
	return err
}

// typeError says that a member has a value of another kind.
type typeError struct{ key, got, want string }

func (u *typeError) Error() string {
	return fmt.Sprintf("has %s = %s; allowed is %s", u.key, param.Plain(u.got), u.want)
}

// member reads the value of a member.
func (r *reader) member(m *member) error {
	r.next()
	from := r.at
	err := r.value(m.value)
	kind := ""
	switch m.value.(type) {
	case *string:
		kind = "a text"
	case *int, **int:
		kind = "a whole number"
	case *float64, **float64:
		kind = "a finite number"
	}
	if err == nil || kind == "" || r.next() == 0 {
		return err
	}
	got, _, _ := strings.Cut(string(r.text[from:]), ",")
	return &typeError{m.key, strings.TrimRight(got, "}]"), kind}
}

// skipValue skips the value of an unknown key.
func (r *reader) skipValue(depth int) error {
	if depth == maxDepth {
		return errCut
	}
	switch r.next() {
	case '{':
		return r.object(nil, depth+1)
	case '[':
		return r.list('[', ']', func() error { return r.skipValue(depth + 1) })
	case '"':
		_, err := r.string()
		return err
	}
	if len(r.token()) == 0 {
		return errCut
	}
	return nil
}

// token reads a number or a word.
func (r *reader) token() string {
	r.next()
	from := r.at
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E' || c == '+' || c == '-' || c == '.') {
			break
		}
	}
	return string(r.text[from:r.at])
}

func (r *reader) value(value any) (err error) {
	switch p := value.(type) {
	case *string:
		*p, err = r.string()
	case *int:
		*p, err = strconv.Atoi(r.token())
	case *float64:
		word := r.token()
		if *p, err = strconv.ParseFloat(word, 64); strings.ContainsAny(word, "nix") { // a form that only Go reads
			err = errCut
		}
	case **int:
		*p = nil
		if r.next() != 'n' {
			*p = new(int)
			return r.value(*p)
		}
		return r.null()
	case **float64:
		*p = nil
		if r.next() != 'n' {
			*p = new(float64)
			return r.value(*p)
		}
		return r.null()
	case *[]float32:
		*p = nil
		return r.list('[', ']', func() error {
			var v float64
			err := r.value(&v)
			*p = append(*p, float32(v))
			return err
		})
	case *[]Lane:
		*p = nil
		return r.list('[', ']', func() error {
			*p = append(*p, Lane{})
			return r.object((*p)[len(*p)-1].members(), 1)
		})
	}
	return err
}

func (r *reader) null() error {
	if r.token() != "null" {
		return errCut
	}
	return nil
}

// string reads a quoted string.
func (r *reader) string() (string, error) {
	if !r.skip('"') {
		return "", errCut
	}
	var out []byte
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			return string(out), nil
		case c < ' ':
			return "", errCut
		case c != '\\':
			out = append(out, c)
			continue
		}
		if r.at == len(r.text) {
			break
		}
		c = r.text[r.at]
		r.at++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			if r.at+4 > len(r.text) {
				return "", errCut
			}
			v, err := strconv.ParseUint(string(r.text[r.at:r.at+4]), 16, 32)
			if err != nil {
				return "", errCut
			}
			r.at += 4
			out = utf8.AppendRune(out, rune(v)) // unpaired surrogates become U+FFFD: records have none
		default:
			return "", errCut
		}
	}
	return "", errCut
}

// IsRecords reports whether a text begins like records, one a line.
func IsRecords(head []byte) bool { return bytes.HasPrefix(head, []byte(`{"cell":`)) }

// ParseRecord reads what AppendJSON wrote. It rejects text that is not a record, and numbers that are not possible for
// any run; see [Record.Fits].
func ParseRecord(text []byte) (Record, error) {
	r, err := parseRecord(text)
	if err == nil {
		err = r.check(-1, -1)
	}
	if err != nil {
		return Record{}, err
	}
	return r, nil
}

func parseRecord(text []byte) (r Record, err error) {
	if !utf8.Valid(text) {
		return r, errors.New("is no UTF-8: it is damaged, or another program has written it")
	}
	in := reader{text: text}
	if err := in.object(r.members(), 0); err == errTwice || errors.As(err, new(*typeError)) {
		return r, err
	} else if err != nil || in.next() != 0 || in.at < len(text) {
		return r, errCut
	}
	if r.Cell == "" || r.Query == "" || len(r.Lanes) == 0 && r.Error == "" {
		return r, errors.New("is no record of a sweep")
	}
	c := Cell{ID: r.Cell, Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	if c.hash() != r.Cell {
		return r, errors.New("was changed: its cell is another than its query says")
	}
	if in.missing != "" && r.Version == version.Engine { // other versions may have other members
		return r, &invalidError{r.Cell, "", in.missing, "nothing", "a value or null"}
	}
	return r, nil
}
