package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"unicode/utf16"
	"unicode/utf8"

	"flockscope/sim/say"
)

// Text returns a text as UTF-8 without the mark that may stand at its front, in lines
// that end in LF or CRLF. It reads UTF-16 of either byte order, with a mark or without,
// and takes what is not UTF-8 for Windows-1252, of which Latin-1 is a part. Where a file
// has CR alone, as those of old Macs and of some spreadsheets have, each becomes an LF:
// all lines keep their numbers. Data that need no change are returned as they are.
func Text(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		data = fromUTF16(data[2:], 0)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		data = fromUTF16(data[2:], 1)
	default:
		if low, ok := zeroBytes(data); ok {
			data = fromUTF16(data, low)
		}
	}
	if !utf8.Valid(data) {
		data = fromWindows1252(data)
	}
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		return bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return data
}

// zeroBytes reports whether data look like UTF-16 without a mark: of the first
// characters, which are mostly Latin, one byte of each is zero. low is the place of
// the other byte.
func zeroBytes(data []byte) (low int, ok bool) {
	head := data[:min(len(data), 512)&^1]
	if len(head) < 8 || len(data)%2 == 1 {
		return 0, false
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case zeros[1] > half*7/10 && zeros[0] == 0:
		return 0, true
	case zeros[0] > half*7/10 && zeros[1] == 0:
		return 1, true
	}
	return 0, false
}

// fromUTF16 decodes two bytes a unit, of which the one at low is the lower.
func fromUTF16(data []byte, low int) []byte {
	out := make([]byte, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		r := rune(data[i+low]) | rune(data[i+1-low])<<8
		if utf16.IsSurrogate(r) && i+3 < len(data) {
			if pair := utf16.DecodeRune(r, rune(data[i+2+low])|rune(data[i+3-low])<<8); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// windows1252 is what the bytes from 0x80 to 0x9f mean; the others mean themselves.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func fromWindows1252(data []byte) []byte {
	table := []rune(windows1252)
	out := make([]byte, 0, len(data)+len(data)/8)
	for _, c := range data {
		r := rune(c)
		if 0x80 <= c && c < 0xa0 {
			r = table[c-0x80]
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// broken says of an error of a reader of CSV which line is broken, and what was
// expected there.
func broken(err error) error {
	var parse *csv.ParseError
	switch {
	case !errors.As(err, &parse):
		return err
	case errors.Is(err, csv.ErrBareQuote):
		return say.Errorf("line %d: a quotation mark stands inside a value; expected values in quotation marks as a whole or not at all",
			parse.Line)
	case errors.Is(err, csv.ErrQuote):
		// The reader has looked for the end as far as the next mark, or that of the file.
		return say.Errorf("line %d: a quotation mark of the row that begins here is not closed where its value ends; expected values in quotation marks as a whole or not at all", parse.StartLine)
	}
	return say.Errorf("line %d: %s", parse.Line, parse.Err)
}
