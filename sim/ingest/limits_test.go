package ingest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// allocated is how many bytes f allocates, those that are freed again included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// numbered returns prefix0, prefix1, … with commas between them.
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",%s%d", prefix, i)
	}
	return b.String()[1:]
}

// TestBoundsComeFirst: what is too large is refused before it takes memory, and what is
// not takes a small multiple of its size, whatever the file says of itself.
func TestBoundsComeFirst(t *testing.T) {
	const million = 1_000_000
	list := func(entry string) string { return strings.TrimSuffix(strings.Repeat(entry+",", million), ",") }
	words := lines(1500, func(i int) string {
		return strings.Repeat(string(rune('A'+i%50))+",", 60) + strconv.Itoa(i%2)
	})
	numbers := "a,b,label\n" + strings.Repeat("1,2.5,0\n2,3.5,1\n", million/20)
	tests := []struct {
		name, file, text string
		times            uint64 // how much more than the text may be allocated
		want             string // the error's end; empty where the file is good
	}{
		{"a CSV of a million columns", "x.csv", numbered("c", million) + ",label\n", 1, "line 1: expected 65539 columns at most, found more"},
		{"a CSV line of commas", "x.csv", "a,label\n1,2\n" + strings.Repeat(",", 8<<20), 1, "line 3: expected 65539 columns at most, found more"},
		{"a CSV header of commas", "x.csv", "label" + strings.Repeat(",", 8<<20), 1, "line 1: expected 65539 columns at most, found more"},
		{"a CSV value without end", "x.csv", "a,label\n1,2\n\"" + strings.Repeat("x", 8<<20), 12, "whole values in quotation marks, or none"},
		{"a CSV of as many columns as may be", "x.csv", numbered("c", maxFeatures) + ",label\n" + strings.Repeat("1,", maxFeatures) + "a\n" +
			strings.Repeat("2,", maxFeatures) + "b\n", 100, ""},
		{"a CSV of many rows", "x.csv", "a,label\n" + strings.Repeat("1,0\n2,1\n", million/2), 40, ""},
		{"a CSV of words, each of fifty", "x.csv", words, 130, ""},
		{"a CSV of texts", "x.csv", "a,label\n" + lines(million/10, func(i int) string { return fmt.Sprintf("text %d,%d", i, i%2) }), 20, "there is no feature; expected one besides column \"label\", as in cols=1:feature"},
		{"a CSV of identifiers", "x.csv", "id,a,label\n" + lines(million/10, func(i int) string { return fmt.Sprintf("%d,%d,%d", i, i%7, i%2) }), 40, ""},
		{"blanks and tabs", "x.txt", strings.NewReplacer(",", " \t ").Replace(numbers), 20, ""},
		{"UTF-16", "x.csv", string(wide(binary.LittleEndian, true, []byte(numbers))), 20, ""},
		{"Latin-1", "x.csv", "\xe9" + numbers, 40, ""},
		{"lines that end in CR", "x.csv", strings.ReplaceAll(numbers, "\n", "\r"), 30, ""},
		{"an archive", "x.zip", string(stored("x.csv", []byte(numbers))), 30, ""},
		{"ARFF with quotation marks", "x.arff", "@relation r\n@attribute a real\n@attribute class {'x y',z}\n@data\n" + strings.Repeat("1,'x y'\n2,z\n", million/20), 60, ""},
		{"ARFF of sparse rows", "x.arff", "@relation r\n" + lines(5000, func(i int) string { return fmt.Sprintf("@attribute a%d real", i) }) +
			"@data\n" + strings.Repeat("{}\n", million/10), 20, "26844 rows of 5000 numbers are too many; expected 134217728 numbers at most: ignore columns with cols=, or remove rows"},
		{"JSON Lines", "x.jsonl", strings.Repeat("{\"a\":1,\"label\":0}\n{\"a\":2.5,\"label\":1}\n", million/20), 20, ""},
		{"JSON of many keys", "x.json", "[{" + strings.ReplaceAll(numbered("\"k", million/10)+",", ",", "\":1,") + "\"k\":1}]", 40, "record 1: expected 65539 columns at most, found 65540"},
		{"a CSV of escapes", "x.csv", "a,note,label\n" + strings.Repeat("1,\"x \\\"y\\\", z\",0\n2,u,1\n", million/20), 40, ""},
		{"LEAF with a list of numbers", "x.json", `{"num_samples": [` + list("1") + `], "user_data": {}}`, 30, "expected user_data with lists x and y"},
		{"LEAF with a list of names", "x.json", `{"users": [` + list(`""`) + `], "user_data": {"": {"x": [[1],[2]], "y": [0,1]}}}`, 60, "expected 1, as many as user_data"},
		{"LEAF with a long sample", "x.json", `{"user_data": {"": {"x": [[` + list("1") + `]]}}}`, 4, "expected 65536 numbers of a sample at most, found more"},
		{"LEAF of many samples", "x.json", `{"user_data": {"": {"x": [` + list("[1]") + `], "y": [` + list("1") + `,0]}}}`, 40, "expected as many classes in y, found 1000001"},
		{"LEAF of deep nesting", "x.json", `{"users":` + strings.Repeat("[", million), 1, `byte 10: expected a string, found "[[[[[[[[[[[["`},
		{"JSON of deep nesting", "x.json", `{"a":` + strings.Repeat("[", million), 1, "expected at most 100 lists inside each other"},
		{"records of deep nesting", "x.json", strings.Repeat("[", million), 1, `record 1: expected an object such as {"width": 1.5, "label": "x"}, found "[[[[[[[[[[[["`},
		{"svmlight with a long line", "x.svm", "1 " + strings.TrimSpace(strings.Repeat("1:1 ", million)), 20, "expected an index above 1, found 1"},
		{"svmlight of many rows", "x.svm", strings.Repeat("1 1:1\n2 1:2\n", million/2), 40, ""},
		{"svmlight of many labels", "x.svm", strings.ReplaceAll(numbered("", million/5), ",", " 1:1\n") + " 1:2\n", 60, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(tt.name, "ARFF of sparse") {
				t.Skip("it has as many numbers as may be")
			}
			files := []File{{Name: tt.file, Data: []byte(tt.text)}}
			var err error
			got := allocated(func() { _, err = Read(files) })
			t.Logf("allocates %.1f times as much", float64(got)/float64(len(tt.text)))
			if most := tt.times*uint64(len(tt.text)) + 4<<20; got > most {
				t.Errorf("Read allocates %d bytes for %d; want %d times as many at most", got, len(tt.text), tt.times)
			}
			if tt.want == "" && err != nil {
				t.Errorf("Read refuses the file: %v", err)
			} else if tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.want)) {
				t.Errorf("Read returns error %v, want one that ends in %q", err, tt.want)
			}
		})
	}
}

// TestUnpackedSize: of packed data as much is allocated as they unpack to, and nothing if
// that is too much, in one member or in many.
func TestUnpackedSize(t *testing.T) {
	const size = 24 << 20
	pack := func(members int) []byte {
		var b bytes.Buffer
		for range members {
			w := gzip.NewWriter(&b)
			w.Write(make([]byte, size/members))
			w.Close()
		}
		return b.Bytes()
	}
	const slack = 4 << 20 // for gzip's own tables, which the race detector has it make anew
	for members, data := range map[int][]byte{1: pack(1), 1000: pack(1000)} {
		size := size / members * members
		in := File{Name: "zeros.gz", Data: data}
		for _, most := range []int{size, size - 1, 1000} {
			var out []byte
			var err error
			got := allocated(func() { out, err = in.Unpack(most) })
			want := 0
			if most >= size {
				want = size
			}
			if len(out) != want || (err == nil) != (most >= size) {
				t.Errorf("%d members: Unpack(%d) returns %d bytes, %v", members, most, len(out), err)
			}
			if got > uint64(want+slack) {
				t.Errorf("%d members: Unpack(%d) allocates %d bytes, want %d at most", members, most, got, want+slack)
			}
		}
	}
}

// TestManyWriters: each row is looked up, not compared with all before it.
func TestManyWriters(t *testing.T) {
	const n = 200_000
	var b strings.Builder
	b.WriteString("writer,train_offset,train_count\n")
	for i := range n {
		fmt.Fprintf(&b, "w%d,0,0\n", i)
	}
	b.WriteString("all,0,3\n")
	s, err := Read([]File{{Name: "i", Data: images3}, {Name: "l", Data: labels3},
		{Name: "w.csv", Data: []byte(b.String())}})
	if err != nil || len(s.Writers) != n+1 || s.Writer[0] != n {
		t.Errorf("Read of a table of %d writers: %v", n+1, err)
	}
}
