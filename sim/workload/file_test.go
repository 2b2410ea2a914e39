package workload

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"flockscope/sim/dataset"
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
		{"rows with groups", []string{"a,1,2,g\nb,2,3,h\n"}, "csv", "2 rows of 2 clients in 2 groups"},
		{"rows with a header", []string{"client,x,y\na,1,2\nb,2,3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"columns in another order, and more of them", []string{"y,note,group,x,client\n1,n,g,2,a\n1,n,h,2,b\n"}, "csv", "2 rows of 2 clients in 2 groups"},
		{"a mark at the front", []string{"\xef\xbb\xbfclient,x,y\na,1,2\nb,2,3\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"lines of Windows", []string{"client,x,y\r\na,1,2\r\nb,2,3\r\n"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"lines of old Macs", []string{"client,x,y\ra,1,2\rb,2,3\r"}, "csv", "2 rows of 2 clients, groups unknown"},
		{"samples in lines of old Macs", []string{strings.ReplaceAll(images, "\n", "\r")}, "samples", "4 samples of 4 numbers in 2 classes"},
		{"bags of words in lines of old Macs", []string{"1 1:0.5 3:1\r-1 2:1\r"}, "samples", "2 samples of 3 numbers in 2 classes"},
		{"samples", []string{images}, "samples", "4 samples of 4 numbers in 2 classes"},
		{"two files of samples", []string{images, images}, "samples", "8 samples of 4 numbers in 2 classes by 2 writers"},
		{"samples of clients", []string{"client,class,a,b,c\nme,1,0,1,2\nyou,2,0,1,2\n"}, "samples", "2 samples of 3 numbers in 2 classes by 2 writers"},
		{"bags of words", []string{"1 1:0.5 3:1\n-1 2:1\n"}, "samples", "2 samples of 3 numbers in 2 classes"},
	}
	for _, tt := range tests {
		var files []dataset.File
		for i, text := range tt.texts {
			files = append(files, dataset.File{Name: strings.Repeat("more", i) + "file.csv", Data: []byte(text)})
		}
		f, err := ReadFiles(files)
		if err != nil {
			t.Errorf("%s: ReadFiles: %v", tt.name, err)
			continue
		}
		if f.Data() != tt.data || f.Words() != tt.words || (f.Table == nil) == (f.Set == nil) {
			t.Errorf("%s: ReadFiles gives %s for data=%s, want %s for data=%s", tt.name, f.Words(), f.Data(), tt.words, tt.data)
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
		{"samples", packed("label,a,b\n1,2,3\n2,3,4\n"), "2 samples of 2 numbers in 2 classes"},
		{"a word for a number", packed("a,1,2\nb,two,3\n"), `mine.csv.gz: line 2: expected a number for x, found "two"`},
		{"broken off", packed(long)[:40], "mine.csv.gz: the gzip data break off at byte 40"},
		{"broken off at once", packed(long)[:5], "mine.csv.gz: the gzip data break off at byte 5"},
		{"packed twice", packed(string(packed(long))), "mine.csv.gz: it is packed by gzip twice"},
	} {
		f, err := ReadFiles([]dataset.File{{Name: "mine.csv.gz", Data: tt.data}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.Words()
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
		{"a word for a number", "a,1,2\nb,two,3\n", `mine.csv: line 2: expected a number for x, found "two"`},
		{"a word for a number behind CR", "label,u\r1,2\r2,two\r", `mine.csv: line 3: column "u": expected a number, found "two"`},
		{"one client", "a,1,2\na,2,3\n", "mine.csv: all rows belong to client"},
		{"an empty file", "", "mine.csv: the file has no rows"},
	} {
		_, err := ReadFiles([]dataset.File{{Name: "mine.csv", Data: []byte(tt.text)}})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: ReadFiles: %v, want %s…", tt.name, err, tt.want)
		}
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
		want := map[string][3]error{"csv": {ErrNoFile, nil, ErrNoFile}, "samples": {ErrNoSamples, ErrNoSamples, nil}}[e.Name]
		for i, file := range []*File{nil, rows, samples} {
			if err := values(file); err != want[i] {
				t.Errorf("%s with the file %+v: %v, want %v", e.Name, file, err, want[i])
			}
		}
		if needs := want[0] != nil; e.Make.NeedFile != needs || e.Make.FromFile && !needs {
			t.Errorf("%s: NeedFile = %v, FromFile = %v, want them as its errors say", e.Name, e.Make.NeedFile, e.Make.FromFile)
		}
	}
}
