package packed

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/textfile"
)

func pack(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

const sample = "größe,label\n1 €,日本\n"

// TestForms: a text is the same whether it is packed or not, at once and line by line.
func TestForms(t *testing.T) {
	wide := "\xff\xfea\x00\n\x00b\x00"
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"as it is":            {[]byte(sample), sample},
		"packed":              {pack(sample), sample},
		"packed in two parts": {slices.Concat(pack(sample[:3]), pack(sample[3:])), sample},
		"UTF-16":              {pack(wide), "a\nb"},
		"empty":               {nil, ""},
		"empty, packed":       {pack(""), ""},
	} {
		if text, err := Read(tt.data, 100); string(text) != tt.want || err != nil {
			t.Errorf("%s: Read returns %q, %v, want %q", name, text, err, tt.want)
		}
		var lines []string
		for line, err := range textfile.ReadLines(NewReader(bytes.NewReader(tt.data))) {
			if err != nil {
				t.Errorf("%s: ReadLines returns error %v", name, err)
			}
			lines = append(lines, string(line))
		}
		if got := strings.Join(lines, "\n"); got != strings.TrimSuffix(tt.want, "\n") {
			t.Errorf("%s: ReadLines returns %q, want %q", name, got, tt.want)
		}
		head := Head(bytes.NewReader(tt.data), 20)
		if !strings.HasPrefix(tt.want, string(head)) || len(head) < min(len(tt.want), 1) {
			t.Errorf("%s: Head returns %q", name, head)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"too long":         {[]byte(sample), "it has more than 20 bytes; expected that at most"},
		"too long, packed": {pack(sample), "it has more than 20 bytes; expected that at most"},
		"broken off":       {pack("")[:9], "the gzip data are damaged after "},
		"more behind":      {append(pack("ab"), "more"...), "something else stands behind the gzip data"},
	} {
		if _, err := Read(tt.data, 20); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Read returns error %v, want %q", name, err, tt.want)
		}
	}
}

// TestDamage: a reader of damaged data returns what precedes the damage, and an error.
func TestDamage(t *testing.T) {
	whole := pack(sample)
	for _, n := range []int{len(whole) - 1, 5} {
		text, err := io.ReadAll(NewReader(bytes.NewReader(whole[:n])))
		if !strings.HasPrefix(sample, string(text)) || err == nil {
			t.Errorf("of %d bytes of %d, %q, %v are read", n, len(whole), text, err)
		}
	}
}

// FuzzRead: whatever comes, the readers agree.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add(pack(sample))
	f.Add(slices.Concat(pack(sample), pack("")))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := Read(data, 1<<20)
		streamed, broken := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(data)), 1<<20+1))
		if err == nil && (broken != nil || !bytes.Equal(textfile.Decode(streamed), text)) {
			t.Errorf("%q: NewReader finds %q, %v, and Read %q", data, streamed, broken, text)
		}
	})
}
