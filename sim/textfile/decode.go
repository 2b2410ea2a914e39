// Package textfile decodes text files: in UTF-8, UTF-16 or Windows-1252, with any line ends. Tables,
// presets, plans and results are all read by it, so that they accept the same encodings. Package
// packed unpacks texts that are compressed by gzip.
//
//	decode.go  a whole text, in memory
//	lines.go   line by line, in memory or of any length
package textfile

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode returns a text as UTF-8 without a byte order mark, in lines that end in LF or CRLF. It
// reads UTF-16 of either byte order, with or without a mark, and reads invalid UTF-8 as
// Windows-1252, which includes Latin-1. A CR without an LF, the line end of old Macs and some
// spreadsheets, becomes an LF, so that line numbers stay. Data that need no change are returned
// unchanged.
func Decode(data []byte) []byte {
	f := formOf(data)
	data = data[f.mark:]
	if f.wide {
		data = fromUTF16(data, f.low)
	}
	if !utf8.Valid(data) {
		data = fromWindows1252(data)
	}
	if inner := []byte("\n" + utf8Mark); bytes.Contains(data, inner) {
		data = bytes.ReplaceAll(data, inner, []byte{'\n'}) // byte order marks within files that were concatenated
	}
	return endLines(data)
}

const utf8Mark = "\ufeff"

// form is the encoding of a text.
type form struct {
	mark int  // number of bytes of the byte order mark
	wide bool // UTF-16
	low  int  // position of the low byte in a UTF-16 unit
}

// formOf determines the encoding of a text from its first bytes.
func formOf(head []byte) form {
	switch {
	case bytes.HasPrefix(head, []byte(utf8Mark)):
		return form{mark: len(utf8Mark)}
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return form{2, true, 0}
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return form{2, true, 1}
	}
	low, wide := zeroBytes(head)
	return form{0, wide, low}
}

// IsWide reports whether data look like UTF-16, with a mark or without.
func IsWide(data []byte) bool { return formOf(data).wide }

// sniffLength is the number of bytes that are examined for UTF-16 without a mark.
const sniffLength = 512

// zeroBytes reports whether data look like UTF-16 without a mark: one byte of most characters at the start, which are
// usually Latin, is zero. low is the position of the other byte.
func zeroBytes(data []byte) (low int, ok bool) {
	head := data[:min(len(data), sniffLength)&^1]
	if len(head) < 8 || len(data) < sniffLength && len(data)%2 == 1 {
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

// fromUTF16 decodes units of two bytes; low is the index of the lower byte.
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

// windows1252 is what the bytes from 0x80 to 0x9f mean; other bytes have their Latin-1 meaning.
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

// endLines replaces each CR without an LF by an LF.
func endLines(data []byte) []byte {
	out := data
	for i := bytes.IndexByte(data, '\r'); i >= 0 && i < len(data); {
		end := i // position of the CR
		for end < len(data) && data[end] == '\r' {
			end++
		}
		if end == len(data) || data[end] != '\n' {
			if &out[0] == &data[0] {
				out = bytes.Clone(data)
			}
			for k := i; k < end; k++ {
				out[k] = '\n'
			}
		}
		next := bytes.IndexByte(data[end:], '\r')
		if next < 0 {
			break
		}
		i = end + next
	}
	return out
}
