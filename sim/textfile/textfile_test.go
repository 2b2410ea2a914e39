package textfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

func wide(order binary.AppendByteOrder, mark bool, text string) []byte {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// forms are the ways in which one text comes.
func forms(text string) map[string][]byte {
	ends := func(end string) string { return strings.ReplaceAll(text, "\n", end) }
	return map[string][]byte{
		"as it is":                 []byte(text),
		"with a mark":              []byte("\ufeff" + text),
		"UTF-16 LE":                wide(binary.LittleEndian, true, text),
		"UTF-16 BE":                wide(binary.BigEndian, true, text),
		"UTF-16 LE, no mark":       wide(binary.LittleEndian, false, text),
		"UTF-16 BE, no mark":       wide(binary.BigEndian, false, text),
		"CRLF":                     []byte(ends("\r\n")),
		"CR":                       []byte(ends("\r")),
		"CRLF and a mark":          []byte("\ufeff" + ends("\r\n")),
		"UTF-16 LE and CRLF":       wide(binary.LittleEndian, true, ends("\r\n")),
		"UTF-16 BE and CR":         wide(binary.BigEndian, true, ends("\r")),
		"ends of two kinds":        []byte(strings.Replace(text, "\n", "\r", 1)),
		"CR CR LF":                 []byte(ends("\r\r\n")),
		"two files, each a mark":   []byte("\ufeff" + strings.Replace(text, "\n", "\n\ufeff", 2)),
		"without an end of itself": []byte(strings.TrimSuffix(text, "\n")),
	}
}

const sample = "größe,label\n1 €,日本\n\n𝄞 2,\"x\"\nlast, line ਊ\n" // ਊ is U+0A0A: two bytes of an LF

// TestForms: a text is the same in every form, in memory and line by line.
func TestForms(t *testing.T) {
	want := strings.Split(strings.TrimSuffix(sample, "\n"), "\n")
	for name, data := range forms(sample) {
		text := Decode(data)
		got := strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\r\n", "\n"), "\r\n", "\n")
		if strings.TrimSuffix(got, "\n") != strings.TrimSuffix(sample, "\n") {
			t.Errorf("%s: Decode returns %q, want %q", name, text, sample)
		}
		for how, from := range map[string]io.Reader{"at once": bytes.NewReader(data),
			"byte by byte": iotest.OneByteReader(bytes.NewReader(data))} {
			var lines []string
			for line, err := range ReadLines(from) {
				if err != nil {
					t.Errorf("%s, %s: ReadLines returns error %v", name, how, err)
				}
				lines = append(lines, string(line))
			}
			if !slices.Equal(lines, want) {
				t.Errorf("%s, %s: ReadLines returns %q, want %q", name, how, lines, want)
			}
		}
		var lines []string
		for line := range Lines(data) {
			lines = append(lines, string(line))
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s: Lines returns %q, want %q", name, lines, want)
		}
		if head := Head(data[:20]); !bytes.HasPrefix(head, []byte("größe")) {
			t.Errorf("%s: Head returns %q", name, head)
		}
	}
}

// Windows-1252 is read in whole texts alone: the bytes of the euro sign, of an e with an
// acute accent, of a curly quotation mark.
func TestWindows1252(t *testing.T) {
	data := []byte("\x80 caf\xe9 \x93\n{\r\n")
	if got := string(Decode(data)); got != "€ café “\n{\r\n" {
		t.Errorf("Decode returns %q", got)
	}
	for line := range Lines(data) {
		if string(line) != "\x80 caf\xe9 \x93" {
			t.Errorf("Lines begins with %q, want the line as it is", line)
		}
		break
	}
}

func TestDecodeKeepsWhatIsRight(t *testing.T) {
	data := []byte("a\r\nb\nc")
	if got := Decode(data); &got[0] != &data[0] {
		t.Error("Decode copies a text that needs no change")
	}
	cr := []byte("a\rb")
	if Decode(cr); string(cr) != "a\rb" {
		t.Errorf("Decode makes %q of its argument", cr)
	}
}

// TestReadLinesEnd: lines that cannot be read further end with the error.
func TestReadLinesEnd(t *testing.T) {
	for from, want := range map[string]error{"a\nb": nil, "a\n": iotest.ErrTimeout} {
		var last error
		for _, err := range ReadLines(io.MultiReader(strings.NewReader(from), iotest.ErrReader(cmp.Or(want, io.EOF)))) {
			last = err
		}
		if last != want {
			t.Errorf("ReadLines(%q) ends with %v, want %v", from, last, want)
		}
	}
}

// FuzzTextfile: whatever comes, a text is UTF-8, and both readers find the same lines in
// UTF-8 and UTF-16.
func FuzzTextfile(f *testing.F) {
	for _, data := range forms(sample) {
		f.Add(data)
	}
	f.Add([]byte("\xff\xfe\x00\xd8\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := Decode(data)
		if !utf8.Valid(text) {
			t.Fatalf("Decode(%q) is no UTF-8: %q", data, text)
		}
		Head(data[:min(len(data), 100)])
		var lines, read [][]byte
		for line := range Lines(data) {
			lines = append(lines, bytes.Clone(line))
		}
		for line, err := range ReadLines(bytes.NewReader(data)) {
			if err != nil {
				t.Fatalf("%q: ReadLines yields %v", data, err)
			}
			read = append(read, bytes.Clone(line))
		}
		if !slices.EqualFunc(lines, read, bytes.Equal) {
			t.Fatalf("%q: Lines finds %q, ReadLines %q", data, lines, read)
		}
		joined := bytes.Join(lines, []byte{'\n'})
		if !utf8.Valid(joined) {
			return
		}
		clean := func(text []byte) []byte {
			text = bytes.ReplaceAll(text, []byte{'\r'}, nil) // before an LF, however many
			return bytes.TrimRight(bytes.ReplaceAll(text, []byte(utf8Mark), nil), "\n")
		}
		if !bytes.Equal(clean(joined), clean(text)) {
			t.Errorf("%q: Lines finds %q, Decode %q", data, joined, text)
		}
	})
}
