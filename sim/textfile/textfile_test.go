package textfile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

func packed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

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
	out := map[string][]byte{
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
	for name, data := range maps.Clone(out) {
		out[name+", packed"] = packed(data)
		out[name+", packed in two parts"] = slices.Concat(packed(data[:3]), packed(data[3:]))
	}
	return out
}

const sample = "größe,label\n1 €,日本\n\n𝄞 2,\"x\"\nlast, line ਊ\n" // ਊ is U+0A0A: two bytes of an LF

// TestForms: a text is the same in every form, in memory and line by line.
func TestForms(t *testing.T) {
	want := strings.Split(strings.TrimSuffix(sample, "\n"), "\n")
	for name, data := range forms(sample) {
		text, err := Read(data, 1000)
		got := strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\r\n", "\n"), "\r\n", "\n")
		if err != nil || strings.TrimSuffix(got, "\n") != strings.TrimSuffix(sample, "\n") {
			t.Errorf("%s: Read returns %q, %v, want %q", name, text, err, sample)
		}
		for how, from := range map[string]io.Reader{"at once": bytes.NewReader(data),
			"byte by byte": iotest.OneByteReader(bytes.NewReader(data))} {
			var lines []string
			for line, err := range Lines(from) {
				if err != nil {
					t.Errorf("%s, %s: Lines returns error %v", name, how, err)
				}
				lines = append(lines, string(line))
			}
			if !slices.Equal(lines, want) {
				t.Errorf("%s, %s: Lines returns %q, want %q", name, how, lines, want)
			}
		}
		if head := Head(bytes.NewReader(data), 20); !bytes.HasPrefix(head, []byte("größe")) {
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
	for line := range Lines(bytes.NewReader(data)) {
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

func TestReadRefuses(t *testing.T) {
	whole := packed([]byte(sample))
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"too long":         {[]byte(sample), "it has more than 20 bytes; expected that at most"},
		"too long, packed": {whole, "it has more than 20 bytes; expected that at most"},
		"broken off":       {packed(nil)[:9], "the gzip data are damaged after "},
		"more behind":      {append(packed([]byte("ab")), "more"...), "something else stands behind the gzip data"},
	} {
		if _, err := Read(tt.data, 20); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Read returns error %v, want %q", name, err, tt.want)
		}
	}
	var last error
	for _, err := range Lines(bytes.NewReader(whole[:len(whole)-9])) {
		last = err
	}
	if last == nil {
		t.Error("Lines says nothing of data that break off")
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
		const most = 1 << 20
		text, err := Read(data, most)
		if err == nil && !utf8.Valid(text) {
			t.Fatalf("Read(%q) is no UTF-8: %q", data, text)
		}
		Head(bytes.NewReader(data), 100)
		var lines [][]byte
		var broken error
		for line, err := range Lines(bytes.NewReader(data)) {
			if broken = err; err == nil {
				lines = append(lines, bytes.Clone(line))
			}
		}
		joined := bytes.Join(lines, []byte{'\n'})
		if err != nil || broken != nil || !utf8.Valid(joined) {
			return
		}
		clean := func(text []byte) []byte {
			text = bytes.ReplaceAll(text, []byte{'\r'}, nil) // before an LF, however many
			return bytes.TrimRight(bytes.ReplaceAll(text, []byte(utf8Mark), nil), "\n")
		}
		if !bytes.Equal(clean(joined), clean(text)) {
			t.Errorf("%q: Lines finds %q, Read %q", data, joined, text)
		}
	})
}
