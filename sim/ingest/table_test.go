package ingest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"flockscope/sim/dataset"
)

// opened reads files that must be a table.
func opened(t *testing.T, files ...File) *Table {
	t.Helper()
	o, err := Open(files)
	if err != nil {
		t.Fatalf("Open(%v): %v", names(files), err)
	}
	if o.Table == nil {
		t.Fatalf("Open(%v) is no table", names(files))
	}
	return o.Table
}

// roles writes the roles of columns as one letter each: i f l n c g.
func roles(chosen []Chosen) string {
	var b strings.Builder
	for _, c := range chosen {
		b.WriteByte("iflncg"[c.Role])
	}
	return b.String()
}

// lines repeats rows, of which %d is the number of the row.
func lines(n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// TestGuess: tables in the shapes in which people have them, with the roles that they
// mean.
func TestGuess(t *testing.T) {
	flower := func(i int) string {
		return fmt.Sprintf("%.1f,%.1f,%.1f,%.1f,", 5+float64(i%7)/10, 3+float64(i%5)/10, 1+float64(i%9)/10,
			float64(i%4)/10)
	}
	kinds := []string{"Iris-setosa", "Iris-versicolor", "Iris-virginica"}
	wdbc := func(i int) string {
		return fmt.Sprintf("%d,%s,%s", 842302+i*7919%90001*13, "MB"[i%2:i%2+1],
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%.2f,", 10+float64(i*37%101)/10), 30), ","))
	}
	adult := func(i int) string {
		return fmt.Sprintf("%d, %s, %d, %s, %d, %s, %s", 17+i*31%70, []string{"Private", "?", "State-gov"}[i%3],
			12285+i*7919%1470000,
			[]string{"HS-grad", "Masters"}[i%2], 9+i%2, []string{"Male", "Female"}[i/2%2], []string{"<=50K",
				">50K"}[i*7%3%2])
	}
	covtype := func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%s%d", 2000+i*37%1500, i*53%361, i*17%66, strings.Repeat("0,", 40), 1+i%7)
	}
	heart := func(i int) string {
		return fmt.Sprintf("%d.0,%d.0,%d.0,%d.0,%.1f,%s,%d", 29+i*7%48, i%2, 1+i%4, 94+i*31%100, float64(i*11%60)/10,
			[]string{"0.0", "1.0", "?"}[i%25%3], i*i%5)
	}
	wine := func(i int) string {
		return fmt.Sprintf("%.1f;%.2f;%.3f;%d", 7+float64(i%30)/10, float64(i%50)/100, float64(i%70)/1000, 3+i%6)
	}
	for _, tt := range []struct {
		name, file, text string
		want             string // roles
		cells            int    // columns that the text is parted into
	}{
		{"iris.data", "iris.data", lines(60, func(i int) string { return flower(i) + kinds[i/20] }) + "\n", "ffffl", 5},
		{"scikit-learn's iris.csv", "iris.csv", "60,4,setosa,versicolor,virginica\n" + lines(60, func(i int) string { return flower(i) + strconv.Itoa(i/20) }), "ffffl", 5},
		{"iris of scikit-learn as a frame", "iris.csv", "sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),target\n" + lines(60, func(i int) string { return flower(i) + strconv.Itoa(i/20) }), "ffffl", 5},
		{"iris with pandas' index", "iris.csv", ",a,b,c,d,species\n" + lines(60, func(i int) string { return strconv.Itoa(i) + "," + flower(i) + kinds[i/20] }), "iffffl", 6},
		{"iris with Id", "iris.csv", "Id,a,b,c,d,Species\n" + lines(60, func(i int) string { return strconv.Itoa(i+1) + "," + flower(i) + kinds[i/20] }), "iffffl", 6},
		{"iris of R, with row names", "iris.txt", "\"a\" \"b\" \"c\" \"d\" \"Species\"\n" + lines(60, func(i int) string {
			return fmt.Sprintf("%q %s %q", strconv.Itoa(i+1), strings.ReplaceAll(flower(i), ",", " "), kinds[i/20])
		}), "iffffl", 6},
		{"wdbc.data", "wdbc.data", lines(80, wdbc), "il" + strings.Repeat("f", 30), 32},
		{"adult.data", "adult.data", lines(60, adult), "ffffffl", 7},
		{"covtype.data", "covtype.data", lines(140, covtype), strings.Repeat("f", 43) + "l", 44},
		{"processed.cleveland.data", "processed.cleveland.data", lines(100, heart), "ffffffl", 7},
		{"heart.csv", "heart.csv", "age,sex,cp,trestbps,oldpeak,ca,target\n" + lines(100, func(i int) string { return strings.ReplaceAll(heart(i), ".0", "") }), "ffffffl", 7},
		{"winequality-red.csv", "winequality-red.csv", "\"fixed acidity\";\"volatile acidity\";\"chlorides\";\"quality\"\n" + lines(120, wine), "fffl", 4},
		{"HAR of Kaggle", "train.csv", "\"tBodyAcc-mean()-X\",\"tBodyAcc-mean()-Y\",\"fBodyAcc-bandsEnergy()-1,8\",\"subject\",\"Activity\"\n" + lines(60, func(i int) string {
			return fmt.Sprintf("%.4f,%.4f,%.4f,%d,%q", float64(i%13)/13, float64(i%7)/7, float64(i%11)/11, 1+i%6,
				[]string{"WALKING", "LAYING"}[i%2])
		}), "fffcl", 5},
		{"MNIST without names", "mnist.csv", lines(20, func(i int) string { return strconv.Itoa(i%10) + strings.Repeat(",0,255", 392) }), "l" + strings.Repeat("f", 784), 785},
		{"pandas' names, 0 and 1 and 2", "x.csv", "0,1,2,class\n" + lines(40, func(i int) string { return fmt.Sprintf("%d,%d.5,%d,%d", i%9, i%7, i%5, i%10) }), "fffl", 4},
		{"clients", "x.csv", "user_id;temp;hum;y\n" + lines(60, func(i int) string { return fmt.Sprintf("u%d;%d,5;%d,25;%d", i%5, i%9, i%8, i*13%200) }), "cffn", 4},
		{"a number of its own for each user", "x.csv", "user_id,a,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%d,%d,%d", 1000+i, i%9, i%2) }), "ifl", 3},
		{"target wins over y", "x.csv", "x,y,target\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d.25,%d", i%7, i%9, i%2) }), "ffl", 3},
		{"points with classes", "x.csv", "x,y,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d.25,%d", i%7, i%9, i%2) }), "ffl", 3},
		{"two labels", "x.csv", "a,label,class\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i%7, i%2, i%2) }), "fli", 3},
		{"ages to predict", "x.csv", "a,y\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d", i%7, 18+i%50) }), "fn", 2},
		{"digits to tell", "x.csv", "a,y\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d", i%7, i%10) }), "fl", 2},
		{"a time and dates", "x.csv", "client,time,day,a,y\n" + lines(60, func(i int) string { return fmt.Sprintf("c%d,%d,2021-03-%02d,%d.5,%d.5", i%3, i, 1+i%28, i%7, i%5) }), "ciifn", 5},
		{"truth, words and text", "x.csv", "ok,kind,note,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%v,k%d,note %d,%d", i%2 == 0, i%4, i, i%3%2) }), "ffil", 4},
		{"rows of client, x, y", "x.csv", "client,x,y,when\n" + lines(60, func(i int) string { return fmt.Sprintf("c%d,%d,%d,mon", i%3, i%7, i%5) }), "cfni", 4},
		{"rows of client, x, y without a header", "x.csv", lines(60, func(i int) string { return fmt.Sprintf("c%d,%d,%d,g%d", i%3, i%7, i%5, i%3/2) }), "cfng", 4},
		{"a label first", "x.csv", lines(40, func(i int) string { return fmt.Sprintf("%d,0,255,%d,3", i%3, i) }), "lffff", 5},
		{"housing.data", "housing.data", lines(60, func(i int) string {
			return fmt.Sprintf(" %.5f  %.2f   %d  %.2f", float64(i%17)/7, float64(i%11), i%2, 20+float64(i*7%13)/3)
		}), "fffn", 4},
		{"a title above", "x.csv", "My sheet\n\na,b,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i%7, i%9, i%2) }), "ffl", 3},
		{"numpy.savetxt", "x.txt", "# a b label\n" + lines(60, func(i int) string { return fmt.Sprintf("%e %e %e", float64(i%7), float64(i%9), float64(i%2)) }), "ffl", 3},
		{"mostly missing", "x.csv", "a,b,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%d.5,%s,%d", i%7, []string{"", "", "1"}[i%3], i%2) }), "fil", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := opened(t, File{Name: tt.file, Data: []byte(tt.text)})
			guess := table.Guess()
			if got := roles(guess); got != tt.want || len(table.Columns) != tt.cells {
				t.Errorf("the roles of %d columns are %s, want %s of %d: %+v", len(table.Columns), got, tt.want,
					tt.cells, guess)
			}
			s, notes, err := table.Set(guess, false)
			if err != nil {
				t.Fatal(err)
			}
			checkSet(t, s)
			for _, note := range notes {
				if strings.HasSuffix(note.String(), ".") || unicode.IsLower(rune(note[0])) {
					t.Errorf("a note is %q, want a sentence without its full stop", note)
				}
			}
		})
	}
}

// TestBesideFiles: UCI's HAR has features, labels and subjects in files of their own.
func TestBesideFiles(t *testing.T) {
	var files []File
	for _, part := range []string{"test", "train"} {
		n := map[string]int{"train": 30, "test": 12}[part]
		files = append(files,
			File{Name: "y_" + part + ".txt", Data: []byte(lines(n, func(i int) string {
				return strconv.Itoa(1 + i%3)
			}))},
			File{Name: "X_" + part + ".txt", Data: []byte(lines(n, func(i int) string {
				return fmt.Sprintf("  %e %e", float64(i), -float64(i)/3)
			}))},
			File{Name: "subject_" + part + ".txt",
				Data: []byte(lines(n, func(i int) string { return strconv.Itoa(1 + i*5/n) }))})
	}
	o, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := o.Set("", false)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s)
	if s.Len() != 42 || s.Train != 30 || s.Shape.Size() != 2 || s.Classes != 3 || len(s.Writers) != 5 ||
		s.Label[4] != 1 || s.Writer[29] != 4 {
		t.Errorf("the set has %d samples, %d to train, of %v, %d classes, writers %q", s.Len(), s.Train, s.Shape,
			s.Classes, s.Writers)
	}
	files[0].Data = files[0].Data[2:]
	if _, err := Open(files); err == nil || err.Error() != "y_test.txt: it has 11 rows; expected 12, as many as X_test.txt" {
		t.Errorf("with a label fewer: %v", err)
	}
	if _, err := Read(files[4:5]); err == nil || !strings.Contains(err.Error(), "add a file of labels") {
		t.Errorf("features alone: %v", err)
	}
}

// TestRoles: cols= changes the guess, and Cols writes the change.
func TestRoles(t *testing.T) {
	text := "id,site,a,A,b c,species\n" + lines(40, func(i int) string {
		return fmt.Sprintf("%d,s%d,%d,%d,%d,k%d", i, i%4, i%7, i%5, i%6, i%2)
	})
	table := opened(t, File{Name: "x.csv", Data: []byte(text)})
	for _, tt := range []struct{ cols, want, again string }{
		{"", "icfffl", ""},
		{"3:ignore", "icif" + "fl", "a:ignore"},
		{"a_2:ignore", "icfifl", "a_2:ignore"},
		{"b_c:number", "icffni", "b_c:number,species:ignore"},
		{"site:group", "igfffl", "site:group"},
		{"*:ignore,4-5:feature,6:label", "iiiffl", "site:ignore,a:ignore"},
		{"id:client", "cffffl", "id:client,site:feature"},
	} {
		got, err := table.Roles(tt.cols)
		if err != nil {
			t.Errorf("cols=%s: %v", tt.cols, err)
			continue
		}
		chosen := make([]Role, len(got))
		for j := range got {
			chosen[j] = got[j].Role
		}
		if roles(got) != tt.want && tt.cols != "b_c:number" {
			t.Errorf("cols=%s makes %s, want %s", tt.cols, roles(got), tt.want)
		}
		back, err := table.Roles(table.Cols(chosen))
		if err != nil || roles(back) != roles(got) {
			t.Errorf("cols=%s is written %q, which makes %s, %v, want %s", tt.cols, table.Cols(chosen), roles(back),
				err, roles(got))
		}
	}
	for cols, want := range map[string]string{
		"nobody:label": `no column is called "nobody"; the columns are id, site, a, a_2, b_c, species`,
		"sitr:client":  `did you mean "site"?`,
		"9:label":      "they have the numbers 1 to 6",
		"3-x:label":    "is not a range of numbers",
		"a:king":       "roles are ignore, feature, label, number, client, group",
		"a":            "roles are",
	} {
		if _, err := table.Roles(cols); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("cols=%s: %v, want …%s", cols, err, want)
		}
	}
	for cols, want := range map[string]string{
		"a:label,a_2:label":      "both have the role label",
		"a:number":               "",
		"*:ignore":               "no column is a label or target",
		"*:ignore,6:label":       "there is no feature",
		"site:number":            `column "site" has words; expected numbers as targets`,
		"species:label,3:number": "expected one of them",
	} {
		chosen, err := table.Roles(cols)
		if err == nil {
			_, _, err = table.Set(chosen, false)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("cols=%s: %v, want …%s", cols, err, want)
		}
	}
}

// TestMissing: rows are left out, or filled with the mean of those for training.
func TestMissing(t *testing.T) {
	text := "a,colour,label\n1,red,x\n,blue,y\n3,NA,x\n5,red,y\n-,red,\n 7 ,blue,x\n"
	table := opened(t, File{Name: "x.csv", Data: []byte(text)})
	row := func(s *dataset.Set, i int) string {
		out := make([]float32, s.Shape.Size())
		s.Row(out, i)
		return fmt.Sprint(out)
	}
	s, notes, err := table.Set(table.Guess(), false)
	if err != nil || s.Len() != 3 || row(s, 1) != "[5 0 1]" ||
		fmt.Sprint(notes) != "[3 rows with missing values are ignored]" {
		t.Errorf("%d rows are left, the second %v, with %q, %v", s.Len(), row(s, 1), notes, err)
	}
	s, notes, err = table.Set(table.Guess(), true)
	if err != nil || s.Len() != 5 || row(s, 1) != "[4 1 0]" || row(s, 2) != "[3 0.5 0.5]" {
		t.Errorf("%d rows are left, the second %v, the third %v, with %q, %v", s.Len(), row(s, 1), row(s, 2),
			notes, err)
	}
}

// TestDecimal: which texts are numbers, with a decimal comma and without.
func TestDecimal(t *testing.T) {
	for text, want := range map[string][2]float64{ // −1: no number
		"12": {12, 12}, "-0.5": {-0.5, -0.5}, "+3": {3, 3}, "1e3": {1000, 1000}, ".5": {0.5, 0.5}, "2.": {2, 2}, "12%": {12, 12},
		"0,5": {-1, 0.5}, "-1,25": {-1, -1.25}, "1,234": {1234, 1.234}, "1,234.5": {1234.5, 1234.5}, "1.234,5": {-1, 1234.5}, "1,234,567": {1234567, -1},
		"12,34.5": {-1, -1}, "1,2,3": {-1, -1}, "": {-1, -1}, "%": {-1, -1}, "0x1p-2": {-1, -1}, "1_0": {-1, -1}, "inf": {-1, -1}, "NaN": {-1, -1}, "1e999": {-1, -1}, "--5": {-1, -1}, "e5": {-1, -1},
	} {
		for i, comma := range []bool{false, true} {
			got, ok := decimal(text, comma)
			if ok != (want[i] != -1) || ok && got != want[i] {
				t.Errorf("decimal(%q, %v) = %v, %v, want %v", text, comma, got, ok, want[i])
			}
		}
	}
}

// TestDates: which texts are dates, and how many days after the beginning of 1970.
func TestDates(t *testing.T) {
	for text, want := range map[string]float64{
		"1970-01-01": 0, "2000-03-01": 11017, "1969-12-31": -1, "2024-02-29 12:00": 19782.5, "2024-02-29T06:00:00Z": 19782.25, "31.12.1999": 10956,
		"12/31/1999": 10956, "31/12/1999": 10956, "2011/01/01 00:00:00.000+02:00": 14975,
		"1.2.3": math.NaN(), "10.0.0.1": math.NaN(), "2000-13-01": math.NaN(), "20000101": math.NaN(), "2000-01": math.NaN(), "12:30:00": math.NaN(), "2000-01-01x": math.NaN(),
	} {
		got, ok := date(text)
		if ok == math.IsNaN(want) || ok && got != want {
			t.Errorf("date(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
}

// dialects write a table of texts, of which the first row are names.
var dialects = map[string]func(cells [][]string) []byte{
	"commas":     parted(","),
	"semicolons": parted(";"),
	"tabs":       parted("\t"),
	"bars":       parted("|"),
	"blanks":     parted("   "),
	"CRLF": func(cells [][]string) []byte {
		return bytes.ReplaceAll(parted(",")(cells), []byte("\n"), []byte("\r\n"))
	},
	"CR":   func(cells [][]string) []byte { return bytes.ReplaceAll(parted(",")(cells), []byte("\n"), []byte("\r")) },
	"BOM":  func(cells [][]string) []byte { return append([]byte("\xef\xbb\xbf"), parted(",")(cells)...) },
	"sep=": func(cells [][]string) []byte { return append([]byte("sep=;\n"), parted(";")(cells)...) },
	"comments": func(cells [][]string) []byte {
		return append([]byte("# made by a tool\n#another, one\n\n"), parted(",")(cells)...)
	},
	"UTF-16 LE": func(cells [][]string) []byte { return wide(binary.LittleEndian, true, parted(",")(cells)) },
	"UTF-16 BE": func(cells [][]string) []byte { return wide(binary.BigEndian, true, parted(";")(cells)) },
	"UTF-16 without a mark": func(cells [][]string) []byte {
		return wide(binary.LittleEndian, false, parted(",")(cells))
	},
	"an end to each line": func(cells [][]string) []byte {
		return bytes.ReplaceAll(parted(",")(cells), []byte("\n"), []byte(",\n"))
	},
	"rows of nothing": func(cells [][]string) []byte {
		return append(parted(",")(cells), bytes.Repeat([]byte(strings.Repeat(",", len(cells[0])-1)+"\n"), 3)...)
	},
	"ARFF": func(cells [][]string) []byte {
		head := "% a comment\n@relation r\n\n"
		for _, name := range cells[0] {
			head += "@ATTRIBUTE '" + name + "' string\n"
		}
		return append([]byte(head+"@data\n"), parted(",")(cells[1:])...)
	},
	"decimal commas": func(cells [][]string) []byte {
		comma := slices.Clone(cells)
		for i := range comma {
			comma[i] = slices.Clone(comma[i])
			for j, text := range comma[i] {
				if isNumeric(text) {
					comma[i][j] = strings.Replace(text, ".", ",", 1)
				}
			}
		}
		return parted(";")(comma)
	},
	"zip":  func(cells [][]string) []byte { return stored("folder/table.csv", parted(",")(cells)) },
	"gzip": func(cells [][]string) []byte { return zipped(parted(";")(cells)) },
}

// parted writes rows with a separator between values, in quotation marks where they need
// some.
func parted(comma string) func(cells [][]string) []byte {
	return func(cells [][]string) []byte {
		var b bytes.Buffer
		for _, row := range cells {
			for j, text := range row {
				if j > 0 {
					b.WriteString(comma)
				}
				if strings.ContainsAny(text, ",;|\t\" ") {
					text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
				}
				b.WriteString(text)
			}
			b.WriteByte('\n')
		}
		return b.Bytes()
	}
}

func wide(order binary.AppendByteOrder, mark bool, text []byte) []byte {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(string(text))) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// stored is a zip archive of a file that is not compressed.
func stored(name string, data []byte) []byte {
	le := binary.LittleEndian
	sizes := func(out []byte) []byte {
		out = le.AppendUint32(out, crc32.ChecksumIEEE(data))
		out = le.AppendUint32(le.AppendUint32(out, uint32(len(data))), uint32(len(data)))
		return le.AppendUint16(le.AppendUint16(out, uint16(len(name))), 0)
	}
	out := append([]byte(zipMagic), make([]byte, 10)...)
	out = append(append(sizes(out), name...), data...)
	list := len(out)
	out = append(append(out, zipEntry...), make([]byte, 12)...)
	out = append(append(sizes(out), make([]byte, 14)...), name...)
	size := len(out) - list
	out = append(append(out, zipEnd...), 0, 0, 0, 0, 1, 0, 1, 0)
	return append(le.AppendUint32(le.AppendUint32(out, uint32(size)), uint32(list)), 0, 0)
}

// TestDialects: a random table reads the same, however it is written.
func TestDialects(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		width := 2 + r.IntN(6)
		label := r.IntN(width)
		header := make([]string, width)
		kinds := make([]int, width)
		for j := range header {
			header[j] = fmt.Sprintf("%s %d", []string{"größe", "Length (cm)", "f"}[r.IntN(3)], j)
			kinds[j] = r.IntN(3)
		}
		header[label] = []string{"label", "Class", "target"}[r.IntN(3)]
		kinds[label] = 3
		if !slices.Contains(kinds, 0) && !slices.Contains(kinds, 1) {
			kinds[(label+1)%width] = 0
		}
		cells := [][]string{header}
		for i := range 20 + r.IntN(60) {
			row := make([]string, width)
			for j, kind := range kinds {
				switch kind {
				case 0:
					row[j] = strconv.FormatFloat(math.Round(r.NormFloat64()*1e4)/1e3, 'f', 3, 64)
				case 1:
					row[j] = strconv.Itoa(r.IntN(2000) - 1000)
				case 2:
					row[j] = []string{"red, dark", "blue", `a "b"`, "Zoë|x"}[r.IntN(4)]
				case 3:
					row[j] = []string{"no", "yes; surely", "perhaps"}[i%3]
				}
			}
			cells = append(cells, row)
		}
		print := func(s *dataset.Set) string {
			row := make([]float32, s.Shape.Size())
			var b strings.Builder
			fmt.Fprint(&b, s.Shape, s.ClassNames, s.Label, s.Value)
			for i := range s.Len() {
				s.Row(row, i)
				fmt.Fprint(&b, row)
			}
			return b.String()
		}
		want := ""
		for name, write := range dialects {
			data := write(cells)
			s, err := Read([]File{{Name: "table.csv", Data: data}})
			if err != nil {
				t.Errorf("seed %d, %s: %v\n%.300s", seed, name, err, data)
				continue
			}
			if got := print(s); want == "" {
				want = got
			} else if got != want {
				t.Errorf("seed %d, %s: the table reads %.300s, in another dialect %.300s\n%.200s", seed, name, got,
					want, data)
			}
		}
	}
}

// FuzzTable: whatever a table and cols= say, the answer is a sound set or one line that
// says what is wrong.
func FuzzTable(f *testing.F) {
	for _, seed := range []string{"a,b,label\n1,2,x\n2,3,y\n", "sep=;\nclient;x;y\nc;0,5;1\nd;1;2,25\n",
		"% c\n@relation r\n@attribute a real\n@attribute class {x,y}\n@data\n1,x\n2,y\n",
		"@relation r\n@attribute 'a b' {0,'1 \\' x'}\n@attribute d date 'yyyy'\n@attribute class {x,y}\n@data\n{0 0, 2 y}, {5}\n'1 \\' x',?,x {1}\n{}\n",
		"[{\"a\":1,\"label\":\"x\"},\n{\"a\":2.5,\"label\":null},{\"b\":true,\"label\":\"\\u00e9\"}]", "{\"a\":1,\"y\":2}\n{\"a\":NaN,\"y\":3}\n", "a,n,label\n1,\"b \\\"c\\\", d\",x\n2,e\\, f,y\n",
		"# a b c\n1 2 0\n3 4 1\n", "3,2,u,v\n1,2,0\n2,1,1\n2,2,0\n", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", "a\tlabel\n\"x\ny\"\t1\n2\t0\n", "1,?,x\n2,NA,y\n,,\n", "Title\n\na|label|\n1|2|\n3|4|\n"} {
		for _, cols := range []string{"", "1:label", "*:ignore,2:number", "a:client,b-c:feature"} {
			f.Add([]byte(seed), cols, len(cols)%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cols string, fill bool) {
		o, err := Open([]File{{Name: "a.csv", Data: data}})
		var s *dataset.Set
		if err == nil {
			s, _, err = o.Set(cols, fill)
		}
		if err != nil {
			if text := err.Error(); strings.ContainsFunc(text, unicode.IsControl) || len(text) > 1000+len(cols) {
				t.Errorf("error %q, want one line", text)
			}
			return
		}
		checkSet(t, s)
		if o.Table != nil {
			chosen, _ := o.Table.Roles(cols)
			o.Table.Inspect(chosen)
		}
	})
}
