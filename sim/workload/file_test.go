package workload

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/ingest"
)

func TestReadFiles(t *testing.T) {
	const images = "label,a,b,c,d\ncat,0,1,2,3\ndog,3,2,1,0\ncat,1,1,1,1\ndog,0,0,0,1\n"
	tests := []struct {
		name  string
		texts []string
		data  string
		words string
	}{
		{"rows", []string{"a,1,2\nb,2,3\na,3,4\n"}, "csv", "3 rows of 2 clients, groups unknown"},
		{"one group", []string{"client,x,y,group\na,1,2,g\nb,2,3,g\n"}, "csv", "2 rows of 2 clients in 1 group"},
		{"rows with groups", []string{"a,1,2,g\nb,2,3,h\n"}, "csv", "2 rows of 2 clients in 2 groups"},
		{"rows of clients with numbers, without a header", []string{"7,1,2\n8,2,3\n7,3,4\n8,4,5\n"}, "csv", "4 rows of 2 clients, groups unknown"},
		{"rows of clients with names, one each, without a header", []string{"a,1,2\nb,2,3\nc,3,4\nd,4,5\n"}, "csv", "4 rows of 4 clients, groups unknown"},
		{"rows of clients with numbers, one each", []string{"client,x,y\n1,1,2\n2,2,3\n3,3,4\n4,4,5\n"}, "csv", "4 rows of 4 clients, groups unknown"},
		{"rows with a header", []string{"client,x,y\na,1,2\nb,2,3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"columns in another order, and more of them", []string{"y,note,group,x,client\n1,n,g,2,a\n1,n,h,2,b\n"}, "csv", "2 rows of 2 clients in 2 groups"},
		{"a mark at the front", []string{"\xef\xbb\xbfclient,x,y\na,1,2\nb,2,3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"lines of Windows", []string{"client,x,y\r\na,1,2\r\nb,2,3\r\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"lines of old Macs", []string{"client,x,y\ra,1,2\rb,2,3\r"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"samples in lines of old Macs", []string{strings.ReplaceAll(images, "\n", "\r")}, "samples", "4 samples of 4 numbers in 2 classes"},
		{"bags of words in lines of old Macs", []string{"1 1:0.5 3:1\r-1 2:1\r1 2:2\r1 1:3\r"}, "samples", "4 samples of 3 numbers in 2 classes"},
		{"samples", []string{images}, "samples", "4 samples of 4 numbers in 2 classes"},
		{"samples of columns called by numbers", []string{"label,0,1\n1,1,2\n2,2,3\n1,3,4\n2,4,5\n"}, "samples", "4 samples of 2 numbers in 2 classes"},
		{"two files of rows", []string{"client,x,y\na,1,0.5\nb,2,3\n", "client,x,y\na,2,1.5\nb,4,2\n"}, "csv", "4 rows of 2 clients, groups unknown"},
		{"two files of samples", []string{images, images}, "samples", "8 samples of 4 numbers in 2 classes from 2 domains"},
		{"samples of clients", []string{"client,class,a,b,c\nme,1,0,1,2\nyou,2,0,1,2\nme,2,2,1,2\nyou,1,0,1,1\n"}, "samples", "4 samples of 3 numbers in 2 classes by 2 writers"},
		{"bags of words", []string{"1 1:0.5 3:1\n-1 2:1\n1 2:2\n1 1:3\n"}, "samples", "4 samples of 3 numbers in 2 classes"},
		{"columns in quotes", []string{"\"f1\",\"f2\",\"label\"\n1,2,a\n2,3,b\n3,4,a\n4,5,b\n"}, "samples", "4 samples of 2 numbers in 2 classes"},
		{"rows in quotes", []string{"\"client\",\"x\",\"y\"\n\"a\",1,2\n\"b\",2,3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"numbers to predict by clients", []string{"client,x1,x2,y\na,1,2,0.5\nb,2,3,1.5\na,3,4,2.5\nb,4,5,3.5\n"}, "samples", "4 samples of 2 numbers by 2 writers"},
		{"a third number beside x and y", []string{"client,x,z,y\na,1,2,0.5\nb,2,3,1.5\na,3,4,2.5\nb,4,5,3.5\n"}, "samples", "4 samples of 2 numbers by 2 writers"},
		{"the same with groups", []string{"client,x,z,y,group\na,1,2,0.5,p\nb,2,3,1.5,q\na,3,4,2.5,p\nb,4,5,3.5,q\n"}, "samples", "4 samples of 2 numbers by 2 writers in 2 groups"},
		{"numbers to predict", []string{"x1,x2,y\n1,2,0.5\n2,3,1.5\n3,4,2.5\n4,5,3.5\n"}, "samples", "4 samples of 2 numbers"},
		{"one number to predict", []string{"x,y\n1,0.5\n2,1.5\n3,2.5\n4,3.5\n"}, "samples", "4 samples of 1 number"},
		{"semicolons", []string{"client;x;y\na;1;2\nb;2;3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"semicolons without a header", []string{"a;1;2\nb;2;3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"a class by another name", []string{"f1,f2,species\n1,2,a\n2,3,b\n3,4,a\n4,5,b\n"}, "samples", "4 samples of 2 numbers in 2 classes"},
		{"samples without a header", []string{"0.5,1,2,0\n0.7,2,1,1\n0.5,3,3,0\n0.9,1,0,1\n"}, "samples", "4 samples of 3 numbers in 2 classes"},
		{"three columns without a header behind a blank line", []string{"\n0.1,1,0\n0.2,2,1\n0.3,3,0\n0.4,1,1\n"}, "samples", "4 samples of 2 numbers in 2 classes"},
		{"points with classes", []string{"x,y,label\n1,2,a\n2,3,b\n3,4,a\n4,5,b\n"}, "samples", "4 samples of 2 numbers in 2 classes"},
		{"a time beside x and y", []string{"client,x,y,time\na,1,0.5,0\nb,2,1.5,1\na,3,2.5,2\nb,4,3.5,3\n"}, "csv", "4 rows of 2 clients, groups unknown"},
		{"rows that end in commas", []string{"client,x,y\na,1,2,\nb,2,3,\n"}, "csv", "2 rows of 2 clients, groups unknown"},
	}
	for _, tt := range tests {
		var files []ingest.File
		for i, text := range tt.texts {
			files = append(files, ingest.File{Name: strings.Repeat("more", i) + "file.csv", Data: []byte(text)})
		}
		f, err := ReadFiles(files)
		if err != nil {
			t.Errorf("%s: ReadFiles: %v", tt.name, err)
			continue
		}
		if f.Data() != tt.data || f.Words().String() != tt.words || f.Set == nil {
			t.Errorf("%s: ReadFiles gives %s for data=%s, want %s for data=%s", tt.name, f.Words(), f.Data(), tt.words,
				tt.data)
		}
	}
}

// TestSettings: what a file brings along makes a run at once, in which those who made
// the samples are the clients, and known groups are planted.
func TestSettings(t *testing.T) {
	// rows are samples of two classes, one after the other, each row with what stands before.
	rows := func(n int, before func(i int) string, sorted bool) string {
		var b strings.Builder
		for i := range n {
			class := i % 2
			if sorted {
				class = 2 * i / n
			}
			fmt.Fprintf(&b, "%s%d,%d,%d\n", before(i), i%7, i%5, class)
		}
		return b.String()
	}
	nobody := func(int) string { return "" }
	for _, tt := range []struct {
		name   string
		texts  []string
		want   string
		groups int // that are planted
	}{
		{"nobody's", []string{"a,b,label\n" + rows(160, nobody, false)}, "shift=none", 0},
		{"nobody's, sorted", []string{"a,b,label\n" + rows(160, nobody, true)}, "order=shuffled shift=none", 0},
		{"writers", []string{"client,a,b,label\n" + rows(90, func(i int) string { return fmt.Sprintf("w%d,", i%9) }, true)},
			"split=writers C=9 K=4 shift=none", 0},
		{"few writers", []string{"client,a,b,label\n" + rows(90, func(i int) string { return fmt.Sprintf("w%d,", i%3) }, false)},
			"split=writers C=3 K=3 shift=none", 0},
		{"a writer of one sample", []string{"client,a,b,label\n" + rows(91, func(i int) string { return fmt.Sprintf("w%d,", min(i/10, 9)) }, false)},
			"split=writers C=9 K=4 shift=none", 0},
		{"a writer alone", []string{"client,a,b,label\n" + rows(90, func(int) string { return "w," }, false)}, "shift=none", 0},
		{"writers in unequal groups", []string{"client,group,a,b,label\n" + rows(130, func(i int) string { return fmt.Sprintf("w%d,g%d,", i%13, min(1, i%13/3)) }, false)},
			"split=writers C=13 K=2 shift=none", 2},
		{"more writers than can be watched", []string{"client,a,b,label\n" + rows(900, func(i int) string { return fmt.Sprintf("w%d,", i%300) }, false)},
			"split=writers C=100 K=4 shift=none", 0},
		{"domains", []string{"a,b,label\n" + rows(60, nobody, true), "a,b,label\n" + rows(40, nobody, true), "a,b,label\n" + rows(50, nobody, true)},
			"split=writers C=15 K=3 shift=none", 3},
		{"domains of few samples", []string{"a,b,label\n" + rows(60, nobody, false), "a,b,label\n" + rows(4, nobody, false)},
			"split=writers C=4 K=2 shift=none", 2},
		{"a domain of one sample", []string{"a,b,label\n" + rows(60, nobody, false), "a,b,label\n" + rows(1, nobody, false)}, "shift=none", 0},
	} {
		var files []ingest.File
		for i, text := range tt.texts {
			files = append(files, ingest.File{Name: string(rune('a'+i)) + "-shop.csv", Data: []byte(text)})
		}
		f, err := ReadFiles(files)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := strings.Join(f.Settings(), " "); got != tt.want {
			t.Errorf("%s: the settings are %q, want %q", tt.name, got, tt.want)
			continue
		}
		if _, groups := build(t, "samples", f, append([]string{"net=softmax"},
			f.Settings()...)...).Groups(); groups != tt.groups {
			t.Errorf("%s: %d groups are planted, want %d", tt.name, groups, tt.groups)
		}
	}
}

// TestReadFilesUnpacks: a table is one packed or not, and what is wrong with it is
// said alike; a wrapping that is broken is no table's fault.
func TestReadFilesUnpacks(t *testing.T) {
	packed := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	long := "client,x,y\n" + strings.Repeat("a,1,2\nb,2,3\n", 5000)
	for _, tt := range []struct {
		name string
		data []byte
		want string // the words, or the error
	}{
		{"rows", packed("client,x,y\na,1,2\nb,2,3\n"), "2 rows of 2 clients, groups unknown"},
		{"rows without a header", packed("a,1,2,g\rb,2,3,h\r"), "2 rows of 2 clients in 2 groups"},
		{"more rows than a glance shows", packed(long), "10000 rows of 2 clients, groups unknown"},
		{"samples", packed("label,a,b\n1,2,3\n2,3,4\n1,2,2\n2,1,1\n"), "4 samples of 2 numbers in 2 classes"},
		{"a word for a number", packed("a,1,2\nb,two,3\n"), `mine.csv.gz: line 2: column 2: expected a number, found "two"`},
		{"broken off", packed(long)[:40], "mine.csv.gz: the gzip data break off at byte 40"},
		{"broken off at once", packed(long)[:5], "mine.csv.gz: the gzip data break off at byte 5"},
		{"packed twice", packed(string(packed(long))), "mine.csv.gz: it is packed by gzip twice"},
	} {
		f, err := ReadFiles([]ingest.File{{Name: "mine.csv.gz", Data: tt.data}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.Words().String()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: ReadFiles: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestReadFilesRefuses: the error names the file and says what is wrong.
func TestReadFilesRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		want string
	}{
		{"a word for a number", "a,1,2\nb,two,3\n", `mine.csv: line 2: column 2: expected a number, found "two"; correct it`},
		{"a word for a number behind CR", "label,u\r1,2\r2,two\r", `mine.csv: line 3: column "u": expected a number, found "two"`},
		{"one client", "a,1,2\na,2,3\n", "mine.csv: all rows belong to client"},
		{"an empty file", "", "mine.csv: the file is empty; expected "},
		{"columns and no rows", "client,x,y\n", "mine.csv: no row follows the header"},
		{"no feature", "client,x\na,1\na,2\nb,3\nb,4\n", `mine.csv: there is no feature`},
		{"a comma in a number", "client,x,y\na,1,2\nb,1,5,2\n", "mine.csv: line 3: expected 3 values as in most rows, separated by commas, found 4; a number has a point, not a comma"},
		{"a JSON list", "[1,2,3]\n", "mine.csv: record 1: expected an object such as"},
		{"a JSON list of lists", " [[1,2,3],\n[2,3,4]]\n", "mine.csv: record 1: expected an object such as"},
		{"a web page", "<!DOCTYPE html>\n<html>", "mine.csv: it is a web page"},
		{"three samples", "label,a\n1,2\n2,3\n1,4\n", "mine.csv: expected 4 samples at least, two for each of two clients, found 3"},
	} {
		_, err := ReadFiles([]ingest.File{{Name: "mine.csv", Data: []byte(tt.text)}})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: ReadFiles: %v, want %s…", tt.name, err, tt.want)
		}
	}
	rows := ingest.File{Name: "here/rows.csv", Data: []byte("client,x,y\na,1,2\nb,2,3\n")}
	samples := ingest.File{Name: "here/samples.csv", Data: []byte("label,a\n1,2\n2,3\n")}
	for _, both := range [][]ingest.File{{rows, samples}, {samples, rows}} {
		const want = "columns; expected "
		if _, err := ReadFiles(both); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s and %s: ReadFiles: %v, want %s", both[0].Name, both[1].Name, err, want)
		}
	}
	few := []ingest.File{{Name: "here/a.csv", Data: []byte("label,a\n1,2\n2,3\n")},
		{Name: "here/b.csv", Data: []byte("label,a\n1,2\n")}}
	if _, err := ReadFiles(few); err == nil || err.Error() != "the 2 files have 3 samples in all; expected 4 samples at least, two for each of two clients" {
		t.Errorf("three samples in two files: ReadFiles: %v, want what both have", err)
	}
	few[0].Name = `here/my "few".csv`
	if _, err := ReadFiles(few[:1]); err == nil ||
		err.Error() != `my "few".csv: expected 4 samples at least, two for each of two clients, found 2` {
		t.Errorf("two samples in one file: ReadFiles: %v, want the name without folders and backslashes", err)
	}
	if _, err := ReadFiles(nil); err == nil {
		t.Error("ReadFiles of nothing gives a file")
	}
}

// TestFilesGoWhereTheyBelong: each workload that needs a file says which one
// when it gets none, or the other one.
func TestFilesGoWhereTheyBelong(t *testing.T) {
	rows := &File{Table: rows(t, 1, 4, 5)}
	samples := &File{Set: drawnDigits(60)}
	for _, e := range Registry.All() {
		values := func(file *File) error {
			v := words("C=4", "sd=1")
			defaults(v, e.Fields)
			set(v, "n=60", "net=softmax", "shift=none")
			_, err := e.Make.Make(v.Values(), file)
			return err
		}
		want := map[string][3]error{"csv": {ErrNoFile, nil, ErrNoFile},
			"samples": {ErrNoSamples, ErrNoSamples, nil}}[e.Name]
		for i, file := range []*File{nil, rows, samples} {
			if err := values(file); err != want[i] {
				t.Errorf("%s with the file %+v: %v, want %v", e.Name, file, err, want[i])
			}
		}
		if needs := want[0] != nil; e.Make.NeedFile != needs || e.Make.FromFile && !needs {
			t.Errorf("%s: NeedFile = %v, FromFile = %v, want them as its errors say", e.Name, e.Make.NeedFile,
				e.Make.FromFile)
		}
	}
}

// TestAdvice: tables are trained in several local epochs at a rate that their features
// allow, or by Adam where these are sentences; pictures, counts of words and rows of x and y are left as they are.
func TestAdvice(t *testing.T) {
	table := func(n, copies int, label func(i int) string) string { // columns that are all the same
		var b strings.Builder
		b.WriteString(strings.Repeat("a,", copies) + "label\n")
		for i := range n {
			b.WriteString(strings.Repeat(fmt.Sprintf("%d,", i*7%11), copies) + label(i) + "\n")
		}
		return b.String()
	}
	class := func(i int) string { return strconv.Itoa(i % 2) }
	number := func(i int) string { return fmt.Sprintf("%d.5", i%9) }
	var texts strings.Builder
	for i := range 60 {
		fmt.Fprintf(&texts, "%s,this is what text number %d says\n", class(i), i)
	}
	for _, tt := range []struct{ name, text, want, adapted string }{
		{"one column", table(100, 1, class), "avg=model tau=10 lr=0.5", "Defaults that fit this file: avg=model, tau=10, lr=0.5"},
		{"columns that go together", table(100, 50, class), "avg=model tau=10 lr=0.02", "Defaults that fit this file: avg=model, tau=10, lr=0.02"},
		{"a target", table(100, 5, number), "avg=model tau=10 lr=0.1", "Defaults that fit this file: avg=model, tau=10, lr=0.1"},
		{"many rows", table(20000, 1, class), "avg=model tau=1 lr=0.5", "Defaults that fit this file: avg=model, tau=1, lr=0.5"},
		{"few rows", table(6, 1, class), "avg=model tau=10 lr=0.5", "Defaults that fit this file: C=3, K=3, avg=model, tau=10, lr=0.5"},
		{"one group", "client,group,a,b,label\n" + strings.Repeat("u,g,1,2,x\nv,g,3,4,y\nw,g,1,4,x\n", 9), "avg=model tau=10 lr=0.5", "Defaults that fit this file: K=1, avg=model, tau=10, lr=0.5"},
		{"two clients", "client,a,b,label\n" + strings.Repeat("u,1,2,x\nv,3,4,y\nu,5,1,y\nv,2,2,x\n", 9), "avg=model tau=10 lr=0.5", "Defaults that fit this file: K=2, avg=model, tau=10, lr=0.5"},
		{"lines", "client,x,y\n" + strings.Repeat("u,1,2\nv,3,4\n", 9), "", "Defaults that fit this file: K=2"},
		{"lines in one group", "client,x,y,group\n" + strings.Repeat("u,1,2,g\nv,3,4,g\nw,3,4,g\nz,3,4,g\n", 9), "", ""},
		{"lines in two groups", "client,x,y,group\n" + strings.Repeat("u,1,2,g\nv,3,4,g\nw,3,4,h\nz,3,4,h\n", 9), "", "Defaults that fit this file: K=2"},
		{"lines in four groups", "client,x,y,group\n" + strings.Repeat("u,1,2,e\nv,3,4,f\nw,3,4,g\nz,3,4,h\n", 9), "", "Defaults that fit this file: K=4"},
		{"words", strings.Repeat("1 1:2 4:1\n-1 2:3\n", 40), "", ""},
		{"texts", "label,text\n" + texts.String(), "avg=model tau=10 opt=adam lr=0.003", "Defaults that fit this file: avg=model, tau=10, opt=adam, lr=0.003"},
	} {
		f, err := ReadFiles([]ingest.File{{Name: "a.csv", Data: []byte(tt.text)}})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := strings.Join(f.Advice(), " "); got != tt.want {
			t.Errorf("%s: the advice is %q, want %q", tt.name, got, tt.want)
		}
		none := func(string) bool { return false }
		if got := f.Adapted(none, true); got.String() != tt.adapted {
			t.Errorf("%s: adapted is said as %q, want %q", tt.name, got, tt.adapted)
		}
		if got := f.Adapted(func(string) bool { return true }, true); got != "" {
			t.Errorf("%s: adapted is said as %q where all was chosen, want nothing", tt.name, got)
		}
		if tt.want != "" {
			build(t, "samples", f, append(f.Settings(), f.Advice()...)...)
		}
	}
}

// TestPublished: tables in the shapes in which people have them run at once, as what they
// are, or are refused with the line, the column and what to do.
func TestPublished(t *testing.T) {
	rows := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i) + "\n")
		}
		return b.String()
	}
	line := func(comma, point string) func(i int) string { // client, x, y
		return func(i int) string {
			return strings.ReplaceAll(fmt.Sprintf("p%d%s0.%d%s-0.%d", i/6, comma, 1+i*7%97, comma, 1+i*5%89),
				".", point)
		}
	}
	two := func(i int) string { return fmt.Sprintf("0.%02d,0.%02d,%d", i*7%97, i*13%89, i%2) }
	const lines, linesK = "24 rows of 4 clients, groups unknown: data=csv", "24 rows of 2 clients, groups unknown: data=csv&K=2"
	for _, tt := range []struct{ name, file, text, want string }{
		{"commas", "a.csv", "client,x,y\n" + rows(24, line(",", ".")), lines},
		{"bars", "a.csv", "client|x|y\n" + rows(24, line("|", ".")), lines},
		{"decimal commas", "a.csv", "client;x;y\n" + rows(24, line(";", ",")), lines},
		{"a sep= line", "a.csv", "sep=,\nclient,x,y\n" + rows(24, line(",", ".")), lines},
		{"a comment", "a.csv", "#made by tool\nclient,x,y\n" + rows(24, line(",", ".")), lines},
		{"Latin-1", "a.csv", "client,x,y\n" + strings.ReplaceAll(rows(24, line(",", ".")), "p0", "Zo\xeb"), lines},
		{"a time beside", "a.csv", "client,x,y,time\n" + rows(24, func(i int) string { return line(",", ".")(i) + "," + strconv.Itoa(i) }), lines},
		{"clients as fractions", "a.csv", "client,x,y\n" + rows(24, func(i int) string { return []string{"1.0", "1", "2.0"}[i%3] + line(",", ".")(i)[2:] }), linesK},
		{"blank lines", "a.csv", "client,x,y\na,1,2\n\na,2,3\nb,1,1\n,,\nb,2,2\n\n", "4 rows of 2 clients, groups unknown: data=csv&K=2"},
		{"groups", "a.csv", "client,x,y,group\n" + rows(24, func(i int) string { return line(",", ".")(i) + ",g" + strconv.Itoa(i/12) }), "24 rows of 4 clients in 2 groups: data=csv&K=2"},
		{"a hexadecimal number", "a.csv", "client,x,y\n" + rows(24, line(",", ".")) + "p0,0x1p-2,1\n", `a.csv: line 26: column "x": expected a number, found "0x1p-2"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"a zero byte", "a.csv", "client,x,y\n" + rows(24, line(",", ".")) + "p0,0.\x001,1\n", "a.csv: line 26: the text contains a zero byte, so the file is damaged; remove it, or save the file again as text"},

		{"classes", "a.csv", "f0,f1,label\n" + rows(60, two), "60 samples of 2 numbers in 2 classes: data=samples&shift=none"},
		{"an end to each line", "a.csv", "f0,f1,label,\n" + rows(60, func(i int) string { return two(i) + "," }), "60 samples of 2 numbers in 2 classes: data=samples&shift=none"},
		{"income as a feature", "a.csv", "f0,income,label\n" + rows(60, two), "60 samples of 2 numbers in 2 classes: data=samples&shift=none"},
		{"numbered clients", "a.csv", "client,f0,f1,label\n" + rows(60, func(i int) string { return strconv.Itoa(i/2%5) + "," + two(i) }), "60 samples of 2 numbers in 2 classes by 5 writers: data=samples&split=writers&C=5&K=4&shift=none"},
		{"y, z and a target", "a.csv", "x,z,y,target\n" + rows(60, func(i int) string { return "0.5," + two(i) }), "60 samples of 3 numbers in 2 classes: data=samples&shift=none"},
		{"a label of fractions", "a.csv", "a,b,label\n" + rows(60, func(i int) string { return two(i) + ".5" + strconv.Itoa(i) }), "60 samples of 2 numbers: data=samples&shift=none&net=linear"},
		{"a label first, without names", "a.csv", rows(40, func(i int) string { return fmt.Sprintf("%d,0,255,%d,3", i%3, i) }), "40 samples of 4 numbers in 3 classes: data=samples&shift=none"},
		{"250 quantities", "a.csv", "a,y\n" + rows(250, func(i int) string { return fmt.Sprintf("0.%d,%d", i*7%97, i) }), "250 samples of 1 number: data=samples&shift=none&net=linear"},
		{"ages with halves", "a.csv", "a,b,y\n" + rows(60, func(i int) string { return fmt.Sprintf("0.%d,0.%d,%d.5", i*7%97, i*3%50, 22+i%40) }), "60 samples of 2 numbers: data=samples&shift=none&net=linear"},
		{"counts of bicycles", "a.csv", "client,temp,hum,y\n" + rows(100, func(i int) string { return fmt.Sprintf("c%d,0.%d,0.%d,%d", i%5, i*7%97, i*3%50, 1+i*37%180) }), "100 samples of 2 numbers by 5 writers: data=samples&split=writers&C=5&K=4&shift=none&net=linear"},
		{"subjects", "a.csv", "f0,f1,subject,label\n" + rows(60, func(i int) string {
			return fmt.Sprintf("0.%d,0.%d,%d,%s", i*7%97, i*3%50, 1+i/2%6, []string{"WALK", "SIT"}[i%2])
		}), "60 samples of 2 numbers in 2 classes by 6 writers: data=samples&split=writers&C=6&K=4&shift=none"},
		{"MNIST without names", "a.csv", rows(6, func(i int) string { return strconv.Itoa(i) + strings.Repeat(",0,255", 392) }), "6 images of 28 × 28 in 6 classes: data=samples&C=3&K=3&scale=none"},
		{"LEAF, pictures as lists in lists", "a.json", `{"user_data": {"u": {"x": [[[1,2],[3,4]],[[1,2],[3,5]]], "y": [0,1]}, "v": {"x": [[[1,2],[3,4]],[[1,2],[3,5]]], "y": ["1","0"]}}}`, "4 samples of 4 numbers in 2 classes by 2 writers: data=samples&split=writers&C=2&K=2&shift=none"},
		{"texts", "a.csv", "label,text\n" + rows(60, func(i int) string {
			return fmt.Sprintf("%s,this is what text number %d says", []string{"yes", "no"}[i%2], i)
		}), "60 texts with 56 different words in 2 classes: data=samples&scale=none&shift=none"},
		{"LEAF, texts", "a.json", `{"user_data": {"u": {"x": ["the cat"], "y": ["t"]}}}`, "a.json: byte 27: a sample is text; expected numbers: texts are read from tables with a column of them and one of labels, and counts of words from svmlight files"},
	} {
		f, err := ReadFiles([]ingest.File{{Name: tt.file, Data: []byte(tt.text)}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.Words().String() + ": " + strings.Join(append([]string{"data=" + f.Data()}, f.Settings()...), "&")
			build(t, f.Data(), f, append(f.Settings(), f.Advice()...)...)
		}
		if got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

// TestOwnTestPart: what files set apart for testing stays apart where every client can have some
// of it, and is said.
func TestOwnTestPart(t *testing.T) {
	rows := func(n int, who func(i int) int) string {
		var b strings.Builder
		b.WriteString("client,a,b,label\n")
		for i := range n {
			fmt.Fprintf(&b, "c%d,%d.5,%d.25,k%d\n", who(i), i%7, i*i%11, i*7%9%3)
		}
		return b.String()
	}
	nobody := func(text string) string { return strings.ReplaceAll(text, "\nc0,", "\n,") }
	for _, tt := range []struct {
		name        string
		train, test string
		want, note  string
	}{
		{"nobody's", nobody(rows(200, func(int) int { return 0 })), nobody(rows(80, func(int) int { return 0 })),
			"test=set shift=none", "80 of 280 samples are for testing, as the files say: test=set keeps them apart"},
		{"few tests", nobody(rows(200, func(int) int { return 0 })), nobody(rows(20, func(int) int { return 0 })),
			"C=5 K=4 test=set shift=none", "20 of 220 samples are for testing, as the files say: test=set keeps them apart"},
		{"too few tests", nobody(rows(200, func(int) int { return 0 })), nobody(rows(5, func(int) int { return 0 })),
			"shift=none", "5 of 205 samples are for testing, as the files say, but they are too few, or of other clients, so that each client is tested on a part of all its samples"},
		{"the same clients", rows(80, func(i int) int { return i % 4 }), rows(40, func(i int) int { return i % 4 }),
			"split=writers C=4 K=4 test=set shift=none", "40 of 120 samples are for testing, as the files say: test=set keeps them apart"},
		{"other clients", rows(80, func(i int) int { return i % 4 }), rows(40, func(i int) int { return 4 + i%4 }),
			"split=writers C=8 K=4 shift=none", "40 of 120 samples are for testing, as the files say, but they are too few, or of other clients, so that each client is tested on a part of all its samples"},
	} {
		f, err := ReadFiles([]ingest.File{{Name: "test.csv", Data: []byte(tt.test)}, {Name: "train.csv", Data: []byte(tt.train)}})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := strings.Join(f.SettingsApart(), " "); got != tt.want || len(f.Notes) == 0 ||
			f.Notes[len(f.Notes)-1].String() != tt.note {
			t.Errorf("%s: the settings are %s, the notes %q, want %s, %q", tt.name, got, f.Notes, tt.want, tt.note)
		}
		kept := func(key string) bool { return key == "test" }
		said := f.Adapted(func(string) bool { return false }, false).String()
		if strings.Contains(said, "test=set") != strings.Contains(tt.want, "test=set") ||
			strings.Contains(f.Adapted(kept, false).String(), "test") {
			t.Errorf("%s: it is said %q", tt.name, said)
		}
		w := build(t, "samples", f, append([]string{"C=16", "net=softmax"}, f.SettingsApart()...)...).(*shared)
		if !strings.Contains(tt.want, "test=set") {
			continue
		}
		for i := range w.clients {
			h := &w.clients[i]
			for _, sample := range h.Train {
				if int(sample) >= f.Set.Train {
					t.Fatalf("%s: client %d trains on sample %d, which is for testing", tt.name, i, sample)
				}
			}
			for _, sample := range h.Client.Test {
				if int(sample) < f.Set.Train {
					t.Fatalf("%s: client %d is tested on sample %d, which is for training", tt.name, i, sample)
				}
			}
		}
	}
	// Rows of x and y have no test part as lines, so they are samples.
	line := func(n int) []byte { return []byte("client,x,y\n" + strings.Repeat("a,1,2\nb,2,5\nc,3,3\n", n)) }
	f, err := ReadFiles([]ingest.File{{Name: "train.csv", Data: line(9)}, {Name: "test.csv", Data: line(4)}})
	if err != nil || f.Data() != "samples" || strings.Join(f.SettingsApart(), " ") != "split=writers C=3 K=3 test=set shift=none net=linear" {
		t.Fatalf("lines with a test part are data=%s with %q, %v", f.Data(), f.SettingsApart(), err)
	}
	build(t, "samples", f, append(f.SettingsApart(), f.Advice()...)...)
	build(t, "csv", f)
}

// TestScarceTests: with classes that the tests do not have, or hardly more tests than clients,
// every client still gets some.
func TestScarceTests(t *testing.T) {
	for _, classes := range []int{2, 5, 10} {
		for _, tests := range []int{8, 9, 13, 20, 37, 64} {
			text := func(n, most int) []byte {
				var b strings.Builder
				b.WriteString("a,b,label\n")
				for i := range n {
					fmt.Fprintf(&b, "%d.5,%d.25,k%d\n", i%7, i*i%11, (i*7+i/3)%most)
				}
				return []byte(b.String())
			}
			f, err := ReadFiles([]ingest.File{{Name: "train.csv", Data: text(200, classes)},
				{Name: "test.csv", Data: text(tests, max(2, classes-1))}})
			if err != nil {
				t.Fatal(err)
			}
			for seed := range 5 {
				build(t, "samples", f, append([]string{"C=16", "net=softmax", fmt.Sprintf("sd=%d", seed+1)}, f.SettingsApart()...)...)
			}
		}
	}
}
