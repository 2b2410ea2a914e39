package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// textForms are the ways in which people have one and the same text.
func textForms(text string) map[string][]byte {
	wide := func(order binary.AppendByteOrder, text string) (out []byte) {
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			out = order.AppendUint16(out, u)
		}
		return out
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(text))
	w.Close()
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string][]byte{
		"plain":             []byte(text),
		"with a mark":       []byte("\ufeff" + text),
		"a mark and CRLF":   []byte("\ufeff" + crlf),
		"CR":                []byte(strings.ReplaceAll(text, "\n", "\r")),
		"UTF-16 LE":         wide(binary.LittleEndian, crlf),
		"UTF-16 BE":         wide(binary.BigEndian, text),
		"empty lines first": []byte("\n \r\n\n" + text),
		"mark, empty lines": []byte("\ufeff\r\n\r\n" + crlf),
		"packed":            packed.Bytes(),
	}
}

// TestTextForms: presets, plans, records and tables are read in every form.
func TestTextForms(t *testing.T) {
	dir := t.TempDir()
	call := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := flock(context.Background(), args, &out, &errs); code != 0 {
			return "error: " + errs.String()
		}
		return out.String()
	}
	made := filepath.Join(dir, "made.flock")
	call("sweep", "-o", made, "-vary", "K=2,3", "-seeds", "2", "T=2&C=6&algos=ifca")
	records := call("results", "-jsonl", made)
	if strings.Count(records, "\n") != 4 {
		t.Fatalf("a sweep of four runs has the records %q", records)
	}
	merged := 0
	for _, tt := range []struct {
		name, text string
		read       func(file string) string
	}{
		{"preset", "# Zoë's\ndata=linreg\ndphi=8\nT=3\n", func(file string) string { return call("check", "-preset", file) }},
		{"plan", "query T=2&C=6&algos=ifca\nvary K=2,3\nseeds 2\n", func(file string) string { return call("sweep", "-plan", file) }},
		{"plan of a report", "query T=2&C=6&algos=ifca\nvary K=2,3\nseeds 2\n", func(file string) string { return call("report", "-plan", file, made) }},
		{"report", records, func(file string) string { return call("report", "-title", "one", file) }},
		{"merge", records, func(file string) string {
			merged++
			into := filepath.Join(dir, strings.Repeat("m", merged)+".flock")
			if text := call("merge", "-o", into, file); text != "" {
				return text
			}
			return call("report", "-title", "one", into)
		}},
		{"table", "a,label\n1,x\n2.5,y\n3,x\n4,y\n", func(file string) string { return call("inspect", file) }},
	} {
		want := ""
		for _, form := range []string{"plain", "with a mark", "a mark and CRLF", "CR", "UTF-16 LE", "UTF-16 BE", "empty lines first",
			"mark, empty lines", "packed"} {
			file := filepath.Join(dir, "text")
			if err := os.WriteFile(file, textForms(tt.text)[form], 0o666); err != nil {
				t.Fatal(err)
			}
			got := tt.read(file)
			if want == "" {
				want = got
			}
			if strings.HasPrefix(got, "error: ") || got != want {
				t.Errorf("%s, %s: flock says\n%s\nwant\n%s", tt.name, form, got, want)
			}
		}
	}
}

// TestOtherForms: files that are no store of results are told from damaged ones.
func TestOtherForms(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"lines.jsonl": {[]byte("\ufeff\n{\"cell\":1}\n"), "it holds records as JSON Lines; put them into a file of results with flock merge -o"},
		"store.gz":    {textForms("\x00\x01")["packed"], "it is packed by gzip, which only records as JSON Lines may be; unpack it first"},
		"text":        {[]byte("\n\n"), "is no file of results, or all of it is damaged"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, tt.data, 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := flock(context.Background(), []string{"results", file}, &out, &errs)
		if code != 2 || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("flock results %s ends with %d, says %q; want 2, %q", name, code, errs.String(), tt.want)
		}
	}
}
