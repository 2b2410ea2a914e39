package ingest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/textfile/packed"
)

// The files of the tests, built in memory.

func idxFile(kind byte, dims []int, entries ...byte) []byte {
	out := []byte{0, 0, kind, byte(len(dims))}
	for _, d := range dims {
		out = binary.BigEndian.AppendUint32(out, uint32(d))
	}
	return append(out, entries...)
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// ramp returns n bytes from, from+1 …
func ramp(from, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(from + i)
	}
	return out
}

func cifarFile(labels ...byte) []byte {
	var out []byte
	for i, label := range labels {
		out = append(out, label)
		for plane := range 3 {
			out = append(out, bytes.Repeat([]byte{byte(100*plane + i)}, cifarPlane)...)
		}
	}
	return out
}

// cifar100File has records with two labels each, of which the first is not looked at.
func cifar100File(labels ...byte) []byte {
	var out []byte
	for _, label := range labels {
		out = append(append(out, label/5, label), bytes.Repeat([]byte{label}, 3*cifarPlane)...)
	}
	return out
}

func text(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

var (
	images3 = idxFile(8, []int{3, 2, 3}, ramp(0, 18)...)
	labels3 = idxFile(8, []int{3}, 2, 0, 1)
	images2 = idxFile(8, []int{2, 2, 3}, ramp(40, 12)...)
	labels2 = idxFile(8, []int{2}, 1, 2)
	images1 = idxFile(8, []int{1, 2, 3}, ramp(40, 6)...)
	nine    = idxFile(8, []int{1}, 9)
	paper   = idxFile(8, []int{2, 2, 2}, 255, 250, 240, 255, 251, 0, 255, 255)
	leafAB  = text(`{"users": ["a", "b"], "num_samples": [2, 1], "user_data": {`,
		`"a": {"x": [[0.5, 1], [2, -3e0]], "y": [1, 0]}, "b": {"y": [2], "x": [[7, 8]]}}}`)
	leafB = text(`{"user_data": {"b": {"x": [[9, 9]], "y": [0]}}, "users": ["b"]}`)
	bag   = text("+1 1:2 3:0.5 # a comment", "", "-1 2:1e1", "# nothing", "1 5:-1")
	shops = text("label,width,height,client,group", "good,1,2,anna,north", "bad,3,4,ben,south",
		"good,-5,6.5,anna,north")
	pixelRows = func() []byte {
		var b strings.Builder
		b.WriteString("label")
		for i := range 4 {
			fmt.Fprintf(&b, ",pixel%d", i)
		}
		b.WriteString("\n3,0,255,51,0\n7,1,2,3,4\n")
		return []byte(b.String())
	}()
)

// brief is what the tests compare of a set.
type brief struct {
	shape   dataset.Shape
	names   string // of the classes, parted by spaces
	label   []uint8
	value   []float32
	train   int
	writer  []int32
	writers string
	group   []int32
	groups  string
	domains bool
	rows    [][]float32 // the first of them
	bytes   int64       // 0: not compared
}

// garments are the names of Fashion-MNIST's classes with those of MNIST's.
func garments() (names []string) {
	for k, name := range dataset.GarmentNames {
		names = append(names, fmt.Sprintf("%s or %d", name, k))
	}
	return names
}

func TestRead(t *testing.T) {
	f := func(name string, data []byte) File { return File{Name: name, Data: data} }
	third := func(row ...float32) []float32 {
		for j := range row {
			row[j] /= 255
		}
		return row
	}
	pair := brief{shape: dataset.Image(2, 3, 1), names: "0 1 2", label: []uint8{2, 0, 1}, train: 3,
		rows: [][]float32{third(0, 1, 2, 3, 4, 5), third(6, 7, 8, 9, 10, 11)}, bytes: 18 + 3}
	two := pair
	two.label, two.bytes = []uint8{2, 0, 1, 1, 2}, 30+5
	two.rows = [][]float32{third(0, 1, 2, 3, 4, 5), third(6, 7, 8, 9, 10, 11), third(12, 13, 14, 15, 16, 17),
		third(40, 41, 42, 43, 44, 45)}
	owned := two
	owned.writer, owned.writers, owned.bytes = []int32{1, 1, 0, 1, 0}, "w1 w2", 0
	sets := brief{shape: dataset.Image(2, 3, 1), names: strings.Join(garments(), " "), train: 6,
		label:  []uint8{2, 0, 1, 2, 0, 1, 9, 9},
		writer: []int32{0, 0, 0, 1, 1, 1, 0, 1}, writers: "fashion mnist", group: []int32{0, 1}, groups: "fashion mnist",
		domains: true}
	numbered, lettered := pair, pair
	numbered.names, lettered.names = "class 0 class 1 class 2", "class a class b class c"
	named := pair
	named.names = "ant bee cat"
	upright := pair
	upright.shape, upright.rows = dataset.Image(3, 2, 1), [][]float32{third(0, 3, 1, 4, 2, 5)}
	tests := []struct {
		name  string
		files []File
		want  brief
	}{
		{"IDX", []File{f("train-images-idx3-ubyte", images3), f("train-labels-idx1-ubyte", labels3)}, pair},
		{"IDX of two folders", []File{f("a/fashion/train-i", images3), f("a/fashion/train-l", labels3),
			f("a/mnist/train-l", labels3), f("a/mnist/train-i", images3), f("a/fashion/test-i", images1), f("a/fashion/test-l", nine), f("a/mnist/test-i", images1), f("a/mnist/test-l", nine)}, sets},
		{"IDX, parts in two folders", []File{f("train/i", images3), f("train/l", labels3), f("test/i", images2), f("test/l", labels2)}, two},
		{"IDX, packed, labels first", []File{f("l.gz", zipped(labels3)), f("i.gz", zipped(images3))}, pair},
		{"IDX, packed without a name for it", []File{f("labels", zipped(labels3)), f("images", zipped(images3))}, pair},
		{"IDX, test pair alone", []File{f("t10k-images-idx3-ubyte", images3), f("t10k-labels-idx1-ubyte", labels3)}, pair},
		{"IDX, one pair whose names disagree", []File{f("test.idx", images3), f("labels.idx", labels3)}, pair},
		{"IDX, train and test in any order", []File{f("t10k-images-idx3-ubyte", images2), f("train-labels-idx1-ubyte", labels3),
			f("t10k-labels-idx1-ubyte.gz", zipped(labels2)), f("train-images-idx3-ubyte", images3)}, two},
		{"IDX with class names", []File{f("i", images3), f("names.txt", text("ant", "bee", "cat")), f("l", labels3)}, named},
		{"IDX with class names of two words", []File{f("i", images3), f("names.txt", text("class a", "class b", "class c")), f("l", labels3)}, lettered},
		{"IDX with class names of a word and a number", []File{f("i", images3), f("names.txt", text("class 0", "class 1", "class 2")), f("l", labels3)}, numbered},
		{"IDX with writers", []File{f("train-images", images3), f("train-labels", labels3), f("test-images", images2), f("test-labels", labels2),
			f("writers.csv", text("writer,train_offset,train_count,test_offset,test_count", "w1,2,1,1,1",
				"w2,0,2,0,1"))}, owned},
		{"IDX, EMNIST by name", []File{f("emnist-mnist-images", images3), f("emnist-mnist-labels", labels3)}, upright},
		{"IDX, transposed by flag", []File{{Name: "i", Data: images3, Transposed: true}, f("l", labels3)}, upright},
		{"IDX, FEMNIST is not EMNIST", []File{f("femnist-images", images3), f("femnist-labels", labels3)}, pair},
		{"IDX, black on white", []File{f("i", paper), f("l", labels2)}, brief{shape: dataset.Image(2, 2, 1), names: "1 2", label: []uint8{0, 1}, train: 2,
			rows: [][]float32{third(0, 5, 15, 0), third(4, 255, 0, 0)}}},
		{"EMNIST letters", []File{f("emnist-letters-i", images2), f("emnist-letters-l", idxFile(8, []int{2}, 26, 1))}, brief{shape: dataset.Image(3, 2, 1),
			names: "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", label: []uint8{25, 0}, train: 2}},
		{"EMNIST balanced", []File{f("i", images2), f("l", idxFile(8, []int{2}, 0, 46))}, brief{shape: dataset.Image(2, 3, 1),
			names: "0 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K L M N O P Q R S T U V W X Y Z a b d e f g h n q r t", label: []uint8{0, 46}, train: 2}},
		{"EMNIST, with its mapping", []File{f("i", images2), f("l", idxFile(8, []int{2}, 2, 3)), f("mapping.txt", text("2 66 98", "3 67 99"))},
			brief{shape: dataset.Image(2, 3, 1), names: "B C", label: []uint8{0, 1}, train: 2}},
		{"CIFAR-10", []File{f("test_batch.bin", cifarFile(9)), f("data_batch_1.bin", cifarFile(0, 3)), f("data_batch_2.bin", cifarFile(1))},
			brief{shape: dataset.Image(32, 32, 3), names: strings.Join(cifarNames, " "), label: []uint8{0, 3, 1, 9},
				train: 3}},
		{"svmlight", []File{f("bag.svmlight", bag)}, brief{shape: dataset.Vector(5), names: "-1 1", label: []uint8{1, 0, 1}, train: 3,
			rows: [][]float32{{2, 0, 0.5, 0, 0}, {0, 10, 0, 0, 0}, {0, 0, 0, 0, -1}}}},
		{"svmlight from index 0", []File{f("bag", text("3 0:1", "10", "3 1:2"))}, brief{shape: dataset.Vector(2), names: "3 10", label: []uint8{0, 1, 0}, train: 3,
			rows: [][]float32{{1, 0}, {0, 0}, {0, 2}}}},
		{"svmlight, first sample empty", []File{f("bag", text("-1", "1 1:1"))}, brief{shape: dataset.Vector(1), names: "-1 1", label: []uint8{0, 1}, train: 2}},
		{"svmlight with numbers to predict", []File{f("bag", text("0.5 1:1", "2 qid:3 1:2"))}, brief{shape: dataset.Vector(1), value: []float32{0.5, 2}, train: 2}},
		{"svmlight, domains, train and test", []File{f("dvd_test.svmlight", text("1 1:4")), f("books_train.svmlight.gz", zipped(text("1 1:1", "-1 2:1"))), f("dvd_train.svmlight", text("1 1:3"))},
			brief{shape: dataset.Vector(2), names: "-1 1", label: []uint8{1, 0, 1, 1}, train: 3,
				writer: []int32{0, 0, 1, 1}, writers: "books dvd",
				group: []int32{0, 1}, groups: "books dvd", domains: true, rows: [][]float32{{1, 0}, {0, 1}, {3, 0},
					{4, 0}}}},
		{"svmlight, LIBSVM's ending", []File{f("a9a", text("1 1:1", "-1 2:1")), f("a9a.t", text("1 1:3"))},
			brief{shape: dataset.Vector(2), names: "-1 1", label: []uint8{1, 0, 1}, train: 2}},
		{"CSV", []File{f("flowers.csv", text("length,class,width", "1,rose,2", "3,lily,4"))}, brief{shape: dataset.Vector(2), names: "lily rose", label: []uint8{1, 0}, train: 2,
			rows: [][]float32{{1, 2}, {3, 4}}}},
		{"CSV, a class called none", []File{f("x.csv", text("a,class", "1,none", "2,some"))}, brief{shape: dataset.Vector(1), names: "none some", label: []uint8{0, 1}, train: 2}},
		{"CSV with clients and groups", []File{f("shops.csv", shops)}, brief{shape: dataset.Vector(2), names: "bad good", label: []uint8{1, 0, 1}, train: 3,
			writer: []int32{0, 1, 0}, writers: "anna ben", group: []int32{0,
				1}, groups: "north south", rows: [][]float32{{1, 2}, {3, 4}, {-5, 6.5}}}},
		{"CSV, numbers as classes in order", []File{f("x.csv", text("a,label", "1,10", "2,9", "3,+10"))}, brief{shape: dataset.Vector(1), names: "9 10", label: []uint8{1, 0, 1}, train: 3}},
		{"CSV, y with few whole numbers", []File{f("x.csv", text("a,y", "1,1", "2,0"))}, brief{shape: dataset.Vector(1), names: "0 1", label: []uint8{1, 0}, train: 2}},
		{"CSV, y to predict", []File{f("x.csv", text("a,Y", "1,1", "2,0.25"))}, brief{shape: dataset.Vector(1), value: []float32{1, 0.25}, train: 2}},
		{"CSV, fractions as labels", []File{f("x.csv", text("a,label", "1,1.5", "2,0.25"))}, brief{shape: dataset.Vector(1), value: []float32{1.5, 0.25}, train: 2}},
		{"CSV in Latin-1", []File{f("x.csv", []byte("label,a\n\xe4,1\n\xf6,2\n"))}, brief{shape: dataset.Vector(1), names: "ä ö", label: []uint8{0, 1}, train: 2}},
		{"words with blanks between them", []File{f("x.txt", text("a b Class", "1 2 cat", "2 3 dog"))}, brief{shape: dataset.Vector(2), names: "cat dog", label: []uint8{0, 1}, train: 2, rows: [][]float32{{1, 2}, {2, 3}}}},
		{"CIFAR-100", []File{f("train.bin", cifar100File(3, 99, 3))}, brief{shape: dataset.Image(32, 32, 3), names: cifar100Names, label: []uint8{3, 99, 3}, train: 3}},
		{"CSV, BOM, CRLF, quotes, spaces", []File{f("x.csv", []byte("\xef\xbb\xbf\"a\", Label\r\n\r\n 1 ,\"x, y\"\r\n2, z\r\n"))}, brief{shape: dataset.Vector(1), names: "x, y z", label: []uint8{0, 1}, train: 2,
			rows: [][]float32{{1}, {2}}}},
		{"CSV, a file a client", []File{f("anna.csv", text("a,label", "1,x")), f("ben.csv", text("a,label", "2,y"))}, brief{shape: dataset.Vector(1), names: "x y", label: []uint8{0, 1}, train: 2,
			writer: []int32{0, 1}, writers: "anna ben", group: []int32{0, 1}, groups: "anna ben", domains: true}},
		{"CSV, train and test with counts", []File{f("test_1.csv", text("a,label", "1,x")), f("train_2.csv", text("a,label", "2,y", "3,x"))}, brief{shape: dataset.Vector(1), names: "x y", label: []uint8{1, 0, 0}, train: 2}},
		{"CSV behind a note", []File{f("x.csv", text("# from afar", "", "# by bus", "#a,y", "1,0.5", "2,3", "3,1"))}, brief{shape: dataset.Vector(1), value: []float32{0.5, 3, 1}, train: 3}},
		{"CSV of shares of white", []File{f("mnist.csv", text("label,pixel0,pixel1,pixel2,pixel3", "7,0,1,0.2,0", "3,0,0,0,0.4"))}, brief{shape: dataset.Image(2, 2, 1), names: "3 7", label: []uint8{1, 0}, train: 2,
			rows: [][]float32{third(0, 255, 51, 0), third(0, 0, 0, 102)}}},
		{"CSV of pixels", []File{f("mnist.csv", pixelRows)}, brief{shape: dataset.Image(2, 2, 1), names: "3 7", label: []uint8{0, 1}, train: 2,
			rows: [][]float32{third(0, 255, 51, 0), third(1, 2, 3, 4)}, bytes: 8 + 2}},
		{"LEAF", []File{f("all_data_test.json", leafB), f("all_data_train.json", leafAB)}, brief{shape: dataset.Vector(2), names: "0 1 2", label: []uint8{1, 0, 2, 0}, train: 3,
			writer: []int32{0, 0, 1, 1}, writers: "a b", rows: [][]float32{{0.5, 1}, {2, -3}, {7, 8}, {9, 9}}}},
		{"LEAF, packed in two parts", []File{f("x.json.gz", slices.Concat(zipped(leafAB[:50]), zipped(leafAB[50:])))}, brief{shape: dataset.Vector(2), names: "0 1 2", label: []uint8{1, 0, 2}, train: 3,
			writer: []int32{0, 0, 1}, writers: "a b"}},
		{"LEAF, packed", []File{f("x.json.gz", zipped(leafAB))}, brief{shape: dataset.Vector(2), names: "0 1 2", label: []uint8{1, 0, 2}, train: 3,
			writer: []int32{0, 0, 1}, writers: "a b"}},
		{"LEAF, escapes", []File{f("x.json", []byte(`{"user_data":{"\u00e9\"":{"x":[[1],[2]],"y":[1,0]}},"more":[null,true,{"a":[-1.5e9,"]"]}]}`))},
			brief{shape: dataset.Vector(1), names: "0 1", label: []uint8{1, 0}, train: 2, writer: []int32{0, 0},
				writers: `é"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Read(tt.files)
			if err != nil {
				t.Fatalf("Read(%v) = %v, want a set", names(tt.files), err)
			}
			checkSet(t, s)
			got := brief{shape: s.Shape, names: strings.Join(s.ClassNames, " "), label: s.Label, value: s.Value,
				train:  s.Train,
				writer: s.Writer, writers: strings.Join(s.Writers, " "), group: s.Group, groups: strings.Join(s.Groups,
					" "), domains: s.Domains}
			for i := range tt.want.rows {
				row := make([]float32, s.Shape.Size())
				s.Row(row, i)
				got.rows = append(got.rows, row)
			}
			if tt.want.bytes > 0 {
				got.bytes = s.Bytes()
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("Read(%v)\n= %v, want\n  %v", names(tt.files), got, tt.want)
			}
		})
	}
}

func names(files []File) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

// checkSet checks what every set promises.
func checkSet(t *testing.T, s *dataset.Set) {
	t.Helper()
	n := s.Len()
	if n < 1 || s.Train < 1 || s.Train > n || (s.Label == nil) == (s.Value == nil) || len(s.ClassNames) != s.Classes {
		t.Fatalf("a set of %d samples, %d to train, %d labels, %d values, %d classes, names %q", n, s.Train,
			len(s.Label), len(s.Value), s.Classes, s.ClassNames)
	}
	if len(s.Label) > 0 && int(slices.Max(s.Label)) >= s.Classes {
		t.Fatalf("the highest label is %d, want less than %d", slices.Max(s.Label), s.Classes)
	}
	if s.Writer != nil && (len(s.Writer) != n || slices.Min(s.Writer) < 0 ||
		int(slices.Max(s.Writer)) >= len(s.Writers)) {
		t.Fatalf("writers %v of %d samples by %q", s.Writer, n, s.Writers)
	}
	if s.Group != nil && (len(s.Group) != len(s.Writers) || slices.Min(s.Group) < 0 ||
		int(slices.Max(s.Group)) >= len(s.Groups)) {
		t.Fatalf("groups %v of %d writers in %q", s.Group, len(s.Writers), s.Groups)
	}
	row := make([]float32, s.Shape.Size())
	for i := range n {
		s.Row(row, i)
		for _, v := range row {
			if !(v >= -math.MaxFloat32 && v <= math.MaxFloat32) {
				t.Fatalf("sample %d holds %v, want a finite number", i, v)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	f := func(name string, data []byte) File { return File{Name: name, Data: data} }
	one := func(name string, data []byte) []File { return []File{{Name: name, Data: data}} }
	packed := zipped(images3)
	damaged := bytes.Clone(packed)
	damaged[len(damaged)-8] ^= 1 // of the checksum
	badCIFAR := cifarFile(1, 2)
	badCIFAR[cifarRecord] = 77
	tooMany := strings.Builder{}
	tooMany.WriteString("a,label\n")
	for i := range maxClasses + 1 {
		fmt.Fprintf(&tooMany, "1,c%d\n", i)
	}
	manyNumbers := strings.Builder{}
	manyNumbers.WriteString("a,y\n")
	for i := range maxClasses {
		fmt.Fprintf(&manyNumbers, "1,%d\n", i)
	}
	nested := `{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	tests := []struct {
		name  string
		files []File
		want  string
	}{
		{"nothing", nil, "no file given; expected " + string(readable)},
		{"empty file", one("a.csv", nil), "a.csv: the file is empty; expected " + string(readable)},
		{"blank file", one("a.csv", []byte("\n \n")), "a.csv: all lines are empty or comments; expected " + string(readable)},
		{"too large", one("big.gz", make([]byte, MaxFileBytes+1)), "big.gz: it has more than 160 MB; expected that at most, packed by gzip if need be"},

		{"gzip breaks off", one("dir/i.gz", packed[:20]), "i.gz: the gzip data break off at byte 20, after 12 unpacked bytes; expected their end there"},
		{"gzip header breaks off", one("i.gz", packed[:5]), "i.gz: the gzip data break off at byte 5, after 0 unpacked bytes; expected their end there"},
		{"gzip checksum", one("i.gz", damaged), "i.gz: the gzip data are damaged after 34 unpacked bytes (gzip: invalid checksum); expected undamaged data"},
		{"gzip and more", one("i.gz", append(slices.Clone(packed), "more"...)), "i.gz: there are other bytes after the gzip data, which have 34 unpacked bytes; expected the end of the file"},
		{"gzip twice", one("i.gz", zipped(packed)), "i.gz: it is packed by gzip twice, and must be unpacked first; expected " + string(readable)},

		{"zip", one("set.zip", []byte("PK\x03\x04....")), `set.zip: the zip archive breaks off at byte 8; expected the list of its files there`},
		{"tar", one("set.tar.gz", zipped(append(make([]byte, 257), "ustar\x0000"...))), "set.tar.gz: it is a tar archive, which must be unpacked first; expected " + string(readable)},
		{"PNG", one("a.png", []byte("\x89PNG\r\n\x1a\n")), "a.png: 1 picture without labels; expected a folder for each class in a zip archive, or a table of names and labels beside them"},
		{"pickle", one("data_batch_1", []byte("\x80\x02}q\x01")), "data_batch_1: it is a Python pickle; CIFAR-10 comes in a binary version too; expected " + string(readable)},
		{"UTF-16", one("x.csv", []byte("\xff\xfel\x00a\x00")), `x.csv: no column is a label or target; name one label, class, target or y, choose one, as in cols=1:label, or add a file of labels`},
		{"unknown bytes", one("a", []byte{9, 8, 7, 1, 2, 3}), "a: the bytes from 0 on (09 08 07 01 02 03) begin no known kind of file; expected " + string(readable)},
		{"prose", one("README.md", text("# Notes", "Once upon a time, there was", "a file.")), `README.md: it begins with "Once upon a time, there was", which is no known kind of file; expected ` + string(readable)},
		{"link", one("a.txt", text("https://host.example/?data=linreg&amp;dphi=8")), "a.txt: it is a link or a preset, and has no samples; open it in a browser, or give it to flock with -preset"},
		{"preset", one("a.txt", []byte("\ufeff# mine\n data=linreg\n dphi = 8\n")), "a.txt: it is a link or a preset, and has no samples; open it in a browser, or give it to flock with -preset"},
		{"web page", one("x.csv.html", text("<!DOCTYPE html>")), "x.csv.html: it is a web page, perhaps a " +
			"server's reply instead of the file; expected " + string(readable)},
		{"percent in a name", one("100%d.txt", text("<x>")), `100%d.txt: it begins with "<x>", which is no known kind of file; expected ` + string(readable)},

		{"two kinds", []File{f("i", images3), f("x.csv", shops)}, `x.csv: it is a table, but i is an IDX file; expected the files of one set`},
		{"class names alone", one("names.txt", text("ant", "bee")), "names.txt: it looks like a list of class names, which goes with samples, and there are none; expected " + string(readable) + " too"},
		{"two lists of names", []File{f("a.txt", text("ant", "bee")), f("b.txt", text("ant", "bee"))}, "b.txt: it is a second list of class names beside a.txt; expected one"},
		{"wrong number of names", []File{f("i", images3), f("l", labels3), f("n", text("ant", "bee"))}, "n: it has 2 lines of words; expected the names of 3 classes, one a line"},
		{"names for numbers", []File{f("x.csv", text("a,y", "1,0.5")), f("n", text("ant", "bee"))}, "n: it looks like class names, but the samples have targets, not classes; expected no such file"},

		{"IDX of floats", []File{f("i", idxFile(13, []int{1}, 0, 0, 0, 0))}, "i: byte 2 is 13, for 32-bit floating-point numbers; expected 8, for unsigned bytes"},
		{"IDX of two dimensions", []File{f("i", idxFile(8, []int{1, 2}, 0, 0))}, "i: byte 3 declares 2 dimensions; expected 1 for labels or 3 for images"},
		{"IDX header breaks off", []File{f("i", images3[:10])}, "i: the header breaks off at byte 10; expected 16 bytes of it"},
		{"IDX cut short", []File{f("i", images3[:30]), f("l", labels3)}, "i: byte 4 declares 3 images of 2 × 3; expected 18 bytes after byte 16, found 14"},
		{"IDX too long", []File{f("i", append(bytes.Clone(images3), 0)), f("l", labels3)}, "i: byte 4 declares 3 images of 2 × 3; expected 18 bytes after byte 16, found 19"},
		{"IDX labels cut short", []File{f("i", images3), f("l", labels3[:9])}, "l: byte 4 declares 3 labels; expected as many bytes after byte 8, found 1"},
		{"IDX lies about its number", []File{f("i", idxFile(8, []int{1<<32 - 1, 28, 28}, 1, 2)), f("l", labels3)}, "i: byte 4 declares 4294967295 images of 28 × 28; expected 3367254359280 bytes after byte 16, found 2"},
		{"IDX lies about its size", []File{f("i", idxFile(8, []int{1, 1 << 31, 1 << 31}, 1)), f("l", labels3)}, "i: byte 8 begins a size of 2147483648 × 2147483648 pixels; expected 65536 pixels at most"},
		{"IDX overflow", []File{f("i", idxFile(8, []int{1 << 31, 1 << 31, 4}))}, "i: byte 8 begins a size of 2147483648 × 4 pixels; expected 65536 pixels at most"},
		{"IDX without images", []File{f("i", idxFile(8, []int{0, 2, 3}))}, "i: the number at byte 4 is 0; expected 1 at least"},
		{"IDX images alone", one("i", images3), "i: it has 3 images without labels; expected a file of labels too"},
		{"IDX labels alone", one("l", labels3), "l: it has 3 labels without images; expected a file of images too"},
		{"IDX counts differ", []File{f("i", images3), f("l", labels2)}, "l: byte 4 declares 2 labels; expected 3, as many as the images in i"},
		{"IDX test labels missing", []File{f("i", images3), f("l", labels3), f("t10k-i", images2)}, "t10k-i: it has 2 images without labels; expected a file of labels too"},
		{"IDX test images missing", []File{f("i", images3), f("l", labels3), f("t10k-l", labels2)}, "t10k-l: it has 2 labels without images; expected a file of images too"},
		{"IDX two of one part", []File{f("a", images3), f("b", images3), f("l", labels3)}, "b: by its name it has the same part as a; expected one file with test in its name"},
		{"IDX two labels of one part", []File{f("a", images3), f("k", labels3), f("l", labels3)}, "l: by its name it labels the same images as k; expected one file with test in its name"},
		{"IDX sizes differ", []File{f("i", images3), f("l", labels3), f("test-i", idxFile(8, []int{2, 1, 3}, ramp(0, 6)...)), f("test-l", labels2)}, "test-i: byte 8 begins a size of 1 × 3; expected 2 × 3 as in i"},
		{"IDX of one class", []File{f("i", images3), f("l", idxFile(8, []int{3}, 0, 0, 0))}, "i: all 3 samples are of one class; expected two at least"},

		{"writers with another kind", []File{f("w.csv", text("writer,train_offset,train_count", "a,0,3")), f("x.csv", shops)}, `w.csv: it goes with IDX files, but x.csv is a table`},
		{"writers without a column", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset", "a,0"))}, "w.csv: line 1: expected a column train_count"},
		{"writers beyond the end", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,0,2", "b,2,2"))}, `w.csv: line 3: column train_count: expected a count from 0 to 1 after offset 2, found "2"`},
		{"writers overlap", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,0,2", "b,1,2"))}, `w.csv: line 3: column train_offset: sample 1 already belongs to "a"; expected one writer for each`},
		{"writers leave a gap", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,0,2"))}, "w.csv: sample 2 has no writer; expected every sample in the range of one row"},
		{"writers with a gap in a row", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,0"))}, "w.csv: line 2: expected 3 values as in the header, found 2"},
		{"writers without a name", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", ",0,3"))}, "w.csv: line 2: column writer: expected a name, found nothing"},
		{"writers twice", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,0,1", "a,1,2"))}, `w.csv: line 3: column writer: "a" has a row above; expected one for each writer`},
		{"writers with a word", []File{f("i", images3), f("l", labels3), f("w.csv", text("writer,train_offset,train_count", "a,x,2"))}, `w.csv: line 2: column train_offset: expected a whole number from 0 to 3, found "x"`},

		{"CIFAR cut short", one("data_batch_1.bin", cifarFile(1, 2)[:6000]), `data_batch_1.bin: 2927 bytes are left at byte 3073; expected records of 3073 or 3074 bytes`},
		{"CIFAR-100", one("train.bin", append(make([]byte, 2*(cifarRecord+1)), bytes.Repeat([]byte{200}, cifarRecord+1)...)), `train.bin: the label at byte 6149 is 200; expected 0 to 99`},
		{"CIFAR label", one("data_batch_1.bin", badCIFAR), "data_batch_1.bin: the label at byte 3073 is 77; expected 0 to 9"},

		{"svmlight word", one("a", text("1 1:1", "1 2:x")), `a: line 2: index 2: expected a number, found "x"`},
		{"svmlight label", one("a", text("1 1:1", "one 2:1")), `a: line 2: label: expected a number, found "one"`},
		{"svmlight pair", one("a", text("1 1:1", "1 2 3:1")), `a: line 2: expected index:value, found "2"`},
		{"svmlight order", one("a", text("1 1:1", "1 5:1 3:1")), "a: line 2: expected an index above 5, found 3"},
		{"svmlight index", one("a", text("1 1:1", "1 65536:1")), "a: line 2: expected indices below 65536, found 65536"},
		{"svmlight index below 0", one("a", text("1 1:1", "1 -1:1")), `a: line 2: expected index:value, found "-1:1"`},
		{"svmlight infinity", one("a", text("1 1:1", "1 2:1e999")), `a: line 2: index 2: expected a number, found "1e999"`},
		{"svmlight large", one("a", text("1 1:1", "1 2:2e6")), `a: line 2: index 2: expected a number of at most a million in absolute value, found "2e6"`},

		{"CSV word among numbers", one("x.csv", text("a,y", "1,0.5", "2,1.5", "3,about 3", "4,2", "5,much")), `x.csv: line 4: column "y": expected a number, found "about 3"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"CSV word among whole numbers", one("x.csv", []byte(manyNumbers.String()+"1,about 3\n1,much\n")), `x.csv: line 258: column "y": expected a number, found "about 3"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"CSV word in the second file", []File{f("a.csv", text("a,y", "1,0.5", "2,1.5")), f("b.csv", text("# from afar", "a,y", "1,2.5", "2,much"))}, `b.csv: line 4: column "y": expected a number, found "much"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"CSV value of the second file", []File{f("a.csv", text("a,y", "1,0.5", "2,1.5")), f("b.csv", text("a,y", "1,2.5", "2,-3e6"))}, `a.csv: column "y" goes up to 3 000 000; expected targets of at most a million in absolute value: write them in a larger unit, such as thousands`},
		{"JSON list", one("x.json", text("[1,2,3]")), `x.json: record 1: expected an object such as {"width": 1.5, "label": "x"}, found "1,2,3]\n"`},
		{"spreadsheet", one("x.xlsx", []byte("PK\x03\x04....")), "x.xlsx: it is a spreadsheet, which must be saved as CSV first; expected " + string(readable)},
		{"Git LFS", one("x.csv", text("version https://git-lfs.github.com/spec/v1")), "x.csv: it is a pointer to a file that Git LFS keeps elsewhere; expected " + string(readable)},
		{"CSV without rows", one("x.csv", text("label,a")), "x.csv: no row follows the header; expected one row per sample"},
		{"CSV short row behind a note", one("x.csv", text("# from afar", "label,a,b", "1,2,3", "#,1,2", "1,2")), `x.csv: line 5: expected 3 values as in most rows, separated by commas, found 2`},
		{"CSV short row", one("x.csv", text("label,a,b", "1,2,3", "1,2")), `x.csv: line 3: expected 3 values as in most rows, separated by commas, found 2`},
		{"CSV comma in a text", one("x.csv", text("label,a", "1,what it says", "2,so, it goes on", "1,and ends")), `x.csv: line 3: expected 2 values as in most rows, separated by commas, found 3; put text that contains the separator in quotation marks`},
		{"CSV word", one("x.csv", text("label,a", "1,2", "1,two")), `x.csv: line 3: column "a": expected a number, found "two"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"CSV two groups", one("x.csv", text("label,a,client,group", "1,2,b,g", "1,2,b,h")), `x.csv: line 3: client "b" is in group "h" here and in group "g" above; expected one group, or cols=4:ignore`},
		{"CSV quote never closed", one("x.csv", text("label,a", "1,2", "2,\"2", "1,3", "2,4")), `x.csv: line 3: a quotation mark of the row that begins here is not closed at the end of its value; expected whole values in quotation marks, or none`},
		{"CSV quote closed by the next", one("x.csv", text("label,a", "1,\"2", "2,3", "1,\"3", "2,4")), `x.csv: line 2: a quotation mark of the row that begins here is not closed at the end of its value; expected whole values in quotation marks, or none`},
		{"CSV quote inside", one("x.csv", text("label,a", "1,2", "2,3\"", "1,3")), `x.csv: line 3: there is a quotation mark inside a value; expected whole values in quotation marks, or none`},
		{"CSV other header", []File{f("x.csv", text("label,a", "1,2")), f("x_test.csv", text("label,b", "1,2"))}, `x_test.csv: line 1: the header differs from that of the file before; expected "label,a"`},
		{"CSV classes", one("x.csv", []byte(tooMany.String())), `x.csv: column "label" has more than 256 different values; expected 256 classes at most, or the role number`},
		{"CSV classes of two files", []File{f("x.csv", []byte(tooMany.String())), f("x_test.csv", text("a,label", "1,c1", "2,late"))}, `x.csv: column "label" has more than 256 different values; expected 256 classes at most, or the role number`},
		{"CSV value", one("x.csv", text("y,a", "0.5,2", "1e7,2")), `x.csv: column "y" goes up to 10 000 000; expected targets of at most a million in absolute value: write them in a larger unit, such as thousands`},
		{"CSV one class", one("x.csv", text("label,a", "1,2", "1,3")), "x.csv: all 2 samples are of one class; expected two at least"},

		{"LEAF breaks off", one("x.json", leafAB[:100]), "x.json: byte 100: expected a number, found the end of the file"},
		{"LEAF without data", one("x.json", text(`{"users": []}`)), "x.json: byte 14: expected a member user_data, as in LEAF, found none"},
		{"LEAF without samples", one("x.json", text(`{"user_data": {}}`)), "x.json: there is no sample in it; expected user_data with lists x and y"},
		{"LEAF of words", one("x.json", text(`{"user_data": {"a": {"x": ["to be"], "y": ["o"]}}}`)), `x.json: byte 27: a sample is text; expected numbers: texts are read from tables with a column of them and one of labels, and counts of words from svmlight files`},
		{"LEAF of pictures", one("x.json", text(`{"user_data": {"a": {"x": [["1.png"]], "y": [0]}}}`)), `x.json: byte 28: a sample is text; expected numbers: texts are read from tables with a column of them and one of labels, and counts of words from svmlight files`},
		{"LEAF names nobody", one("x.json", text(`{"users": ["a", "b"], "user_data": {"a": {"x": [[1],[2]], "y": [0,1]}}}`)), `x.json: byte 16: expected "b" in user_data too, found no such user`},
		{"LEAF promises more", one("x.json", text(`{"num_samples": [3], "users": ["a"], "user_data": {"a": {"x": [[1],[2]], "y": [0,1]}}}`)), `x.json: byte 17: it declares 3 samples of "a"; expected 2, as many as are in user_data`},
		{"LEAF hides somebody", one("x.json", text(`{"user_data": {"a": {"x": [[1]], "y": [0]}, "b": {"x": [[2]], "y": [1]}}, "users": ["a"]}`)), "x.json: byte 90: the list of users has 1 names; expected 2, as many as user_data"},
		{"LEAF of one class", one("x.json", text(`{"user_data": {"a": {"x": [[1],[2]], "y": [3,3]}}}`)), "x.json: all 2 samples are of one class; expected two at least"},
		{"LEAF sizes differ", one("x.json", text(`{"user_data": {"a": {"x": [[1,2],[3]], "y": [0,1]}}}`)), "x.json: byte 36: the sample that ends here has 1 numbers; expected 2"},
		{"LEAF counts differ", one("x.json", text(`{"user_data": {"a": {"x": [[1],[3]], "y": [0]}}}`)), `x.json: byte 46: user "a" has 2 samples in x; expected as many classes in y, found 1`},
		{"LEAF class", one("x.json", text(`{"user_data": {"a": {"x": [[1]], "y": [256]}}}`)), "x.json: byte 42: expected a class from 0 to 255, found 256"},
		{"LEAF fraction", one("x.json", text(`{"user_data": {"a": {"x": [[1]], "y": [0.5]}}}`)), "x.json: byte 42: expected a class from 0 to 255, found 0.5"},
		{"LEAF more behind", one("x.json", text(`{"user_data": {"a": {"x": [[1]], "y": [1]}}} more`)), `x.json: byte 45: expected the end of the file, found "more\n"`},
		{"LEAF nests", one("x.json", []byte(nested)), "x.json: byte 105: expected at most 100 lists inside each other"},
		{"LEAF string without end", one("x.json", []byte(`{"user_data`)), "x.json: byte 1: expected a string that ends, found none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if s, err := Read(tt.files); err == nil {
				t.Errorf("Read(%v) = %+v, want error %q", names(tt.files), s, tt.want)
			} else if err.Error() != tt.want {
				t.Errorf("Read(%v) = error\n %s, want\n %s", names(tt.files), err, tt.want)
			}
		})
	}
}

// The files that CIFAR-100's authors give out are read as they are.
func TestReadWholeCIFAR100(t *testing.T) {
	train, test := make([]byte, 50_000*(cifarRecord+1)), make([]byte, 10_000*(cifarRecord+1))
	train[1] = 99 // all others are of class 0
	s, err := Read([]File{{Name: "train.bin", Data: train}, {Name: "test.bin", Data: test}})
	if err != nil || s.Train != 50_000 || s.Len() != 60_000 || s.Classes != 100 {
		t.Fatalf("Read = %+v, %v; want 50 000 and 10 000 samples of 100 classes", s, err)
	}
}

// TestUnpackStops: packed zeros cannot fill the memory.
func TestUnpackStops(t *testing.T) {
	in := &File{Name: "zeros.gz", Data: zipped(make([]byte, 1<<20))}
	if f, err := unpack(in, 1<<20, maxUnpackedBytes); err != nil || len(f.data) != 1<<20 {
		t.Errorf("unpack(1 MB, room 1 MB) = %v, want all of it", err)
	}
	f, err := unpack(in, 1<<20-1, maxUnpackedBytes)
	if want := "zeros.gz: unpacked, the files have more than 256 MB; expected that at most"; err == nil ||
		err.Error() != want {
		t.Errorf("unpack(1 MB, room for less) = %v, %v, want error %q", f, err, want)
	}
}

// TestInflate: what a faster way finds in a file is taken as it is; where it finds
// nothing, Go looks for itself.
func TestInflate(t *testing.T) {
	defer func(before func([]byte, int) ([]byte, bool)) { packed.Inflate = before }(packed.Inflate)
	in := File{Name: "a.gz", Data: zipped([]byte("packed"))}
	for _, tt := range []struct {
		able bool
		want string
	}{{true, "found"}, {false, "packed"}} {
		packed.Inflate = func(data []byte, most int) ([]byte, bool) {
			if !bytes.Equal(data, in.Data) || most != maxUnpackedBytes {
				t.Errorf("%d bytes of %d are to be unpacked, to %d at most", len(data), len(in.Data), most)
			}
			return []byte("found"), tt.able
		}
		if got, err := in.Unpack(maxUnpackedBytes); string(got) != tt.want || err != nil {
			t.Errorf("able: %v: %q, %v; want %q", tt.able, got, err, tt.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name, stem string
		test       bool
	}{
		{"train-images-idx3-ubyte.gz", "images idx3 ubyte", false},
		{"t10k-images-idx3-ubyte", "images idx3 ubyte", true},
		{"data/books_train.svmlight.gz", "books", false},
		{`C:\data\Books_Test.svmlight`, "books", true},
		{"train_8000.csv", "", false},
		{"test_1900.csv.gz", "", true},
		{"a9a", "a9a", false},
		{"a9a.t", "a9a", true},
		{"shop_1.csv", "shop 1", false},
		{"contest.csv", "contest", false},
		{"latest-test2.csv", "latest", true},
		{"", "", false},
	}
	for _, tt := range tests {
		var f file
		f.describe(tt.name)
		if f.stem != tt.stem || f.test != tt.test {
			t.Errorf("describe(%q): stem %q, test %v, want %q, %v", tt.name, f.stem, f.test, tt.stem, tt.test)
		}
	}
}
