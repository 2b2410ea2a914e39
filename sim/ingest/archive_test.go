package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/say"
)

// archived is a zip archive of files: pairs of a name and a text.
func archived(pairs ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, _ := w.Create(pairs[i])
		f.Write([]byte(pairs[i+1]))
	}
	w.Close()
	return b.Bytes()
}

// activities are the files of UCI's HAR, with three features.
func activities() (pairs []string) {
	pairs = []string{"HAR/README.txt", "====\nSome people did things, 30 of them.\n", "HAR/features_info.txt",
		"Features\n====\n\nThey come from 2 sensors.\n",
		"HAR/activity_labels.txt", "1 WALKING\n2 SITTING\n", "HAR/features.txt", "1 tBodyAcc-mean()-X\n2 bands()-1,8\n3 bands()-1,8\n"}
	for _, part := range []string{"train", "test"} {
		n := map[string]int{"train": 30, "test": 12}[part]
		dir := "HAR/" + part + "/"
		pairs = append(pairs,
			dir+"X_"+part+".txt", lines(n, func(i int) string {
				return fmt.Sprintf("  %15.7e %15.7e %15.7e", float64(i), -float64(i)/3, 0.5)
			}),
			dir+"y_"+part+".txt", lines(n, func(i int) string { return strconv.Itoa(1 + i%2) }),
			dir+"subject_"+part+".txt", lines(n, func(i int) string { return strconv.Itoa(1 + i*5/n) }),
			dir+"Inertial Signals/body_acc_x_"+part+".txt", lines(n, func(i int) string {
				return "1.0e-1 2.0e-1 3.0e-1"
			}))
	}
	return pairs
}

// TestActivities: UCI's HAR opens as it is published: files together, or the archive, or
// the archive in an archive.
func TestActivities(t *testing.T) {
	pairs := activities()
	var together []File
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(pairs[i], "Inertial") {
			together = append(together, File{Name: pairs[i][strings.LastIndex(pairs[i], "/")+1:],
				Data: []byte(pairs[i+1])})
		}
	}
	whole := archived(pairs...)
	for name, files := range map[string][]File{
		"files":    together,
		"archive":  {{Name: "HAR.zip", Data: whole}},
		"archives": {{Name: "har.zip", Data: archived("HAR.zip", string(whole), "HAR.names", "Citation: see there.\n")}},
	} {
		o, err := Open(files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, notes, err := o.Set("", false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkSet(t, s)
		if s.Len() != 42 || s.Train != 30 || s.Shape.Size() != 3 || fmt.Sprint(s.ClassNames) != "[WALKING SITTING]" ||
			len(s.Writers) != 5 {
			t.Errorf("%s: %d samples, %d to train, of %v, classes %q, writers %q", name, s.Len(), s.Train, s.Shape,
				s.ClassNames, s.Writers)
		}
		if got := o.Table.Columns[2].Name; got != "bands()-1,8.2" || o.Table.Columns[4].Name != "subject" {
			t.Errorf("%s: the third column is called %q, the last %q", name, got, o.Table.Columns[4].Name)
		}
		if len(notes) != 1 || s.Same.String() != "bands()-1,8.2" || !strings.Contains(notes[0].String(), "README.txt") ||
			!strings.Contains(notes[0].String(), "features_info.txt") {
			t.Errorf("%s: notes %q, want one that names what was passed over", name, notes)
		}
	}
	if _, err := Open(append(together[:3:3], File{Name: "features.txt", Data: []byte("a\nb\n")}, together[4],
		together[5])); err == nil ||
		err.Error() != "features.txt: it has the names of 2 columns; expected 3, as many as X_train.txt has" {
		t.Errorf("with other names: %v", err)
	}
}

// TestArchives: which files of an archive are a set, and what is said of the others.
func TestArchives(t *testing.T) {
	flowers := lines(60, func(i int) string {
		return fmt.Sprintf("%d.1,%d.2,%s", i%7, i%9, []string{"setosa", "virginica"}[i/30])
	})
	copied := strings.Replace(flowers, "6.1", "6.2", 2)
	prose := "1. Title: Flowers\n   Sources: a garden, 1936\n"
	other := lines(60, func(i int) string { return fmt.Sprintf("%d,%d,%d,%d", i, i%9, i%5, i%2) })
	for _, tt := range []struct {
		name string
		zip  []byte
		want string // samples, domains and what is passed over, or the error
	}{
		{"UCI's iris", archived("Index", "Index of iris\n", "iris.names", prose, "bezdekIris.data", copied, "iris.data", flowers),
			"60 0 Ignored files: Index, iris.names, f.zip › bezdekIris.data"},
		{"wines", archived("wine-red.csv", strings.ReplaceAll(flowers, ",", ";"), "wine-white.csv", lines(49, func(i int) string { return fmt.Sprintf("%d;%d;setosa", i, i%3) }), "wine.names", prose),
			"109 2 Ignored files: wine.names"},
		{"a part for testing", archived("adult.data", flowers, "adult.test", "|1x3 Cross validator\n"+strings.ReplaceAll(flowers, "a\n", "a.\n")),
			"120 0 "},
		{"packed once more", archived("covtype.data.gz", string(zipped([]byte(flowers))), "covtype.info", prose), "60 0 Ignored files: covtype.info"},
		{"Apple's", archived("a/flowers.csv", flowers, "__MACOSX/a/._flowers.csv", "\x00\x05", "a/.DS_Store", "x"), "60 0 "},
		{"two tables", archived("a.csv", flowers, "b.csv", other),
			"f.zip › b.csv: it has 4 columns; expected 3, as in f.zip › a.csv; f.zip contains a.csv, b.csv: unpack it, and open the files that belong together"},
		{"two kinds", archived("a.csv", flowers, "b.svm", "1 1:2\n-1 1:3\n"),
			"f.zip › b.svm: it is an svmlight file, but f.zip › a.csv is a table; expected the files of one set; f.zip contains a.csv, b.svm: unpack it, and open the files that belong together"},
		{"pictures", archived("a.png", "\x89PNG1", "b.png", "\x89PNG2"),
			"f.zip: it is a zip archive of 2 files, all of unknown kinds: a.png, b.png; expected " + string(readable)},
		{"one picture", archived("a.png", "\x89PNG1"), "f.zip › a.png: it is a damaged PNG image; expected " + string(readable)},
		{"descriptions", archived("README", prose, "b.names", prose),
			"f.zip: it is a zip archive of 2 files, all of unknown kinds: README, b.names; expected " + string(readable)},
		{"nothing", archived(), "f.zip: it is a zip archive without files; expected " + string(readable)},
		{"archives all the way down", archived("a.zip", string(archived("b.zip", string(archived("iris.csv", flowers))))), "PK"},
	} {
		s, notes, err := func() (*dataset.Set, []say.Message, error) {
			o, err := Open([]File{{Name: "f.zip", Data: tt.zip}})
			if err != nil {
				return nil, nil, err
			}
			return o.Set("", false)
		}()
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			checkSet(t, s)
			var passed string
			for _, note := range notes {
				if strings.HasPrefix(note.String(), "Ignored files") {
					passed = note.String()
				}
			}
			got = fmt.Sprintf("%d %d %s", s.Len(), len(s.Groups), passed)
		}
		if got != tt.want && !(tt.want == "PK" && err != nil) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if _, err := Read([]File{{Name: "README.txt", Data: []byte(prose)},
		{Name: "a.names", Data: []byte(prose)}}); err == nil ||
		err.Error() != "only descriptions given: README.txt, a.names; expected "+string(readable) {
		t.Errorf("descriptions alone: %v", err)
	}
}

// numpyArray writes an array of float64 in the order of C, or of Fortran.
func numpyArray(fortran bool, shape []int, value func(index []int) float64) []byte {
	var dims []string
	all := 1
	for _, n := range shape {
		dims = append(dims, strconv.Itoa(n))
		all *= n
	}
	word := map[bool]string{true: "True", false: "False"}[fortran]
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': %s, 'shape': (%s,), }", word, strings.Join(dims, ", "))
	header += strings.Repeat(" ", 63-(len(header)+10)%64) + "\n"
	out := append([]byte(arrayMagic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	out = append(out, header...)
	for at := range all {
		index := make([]int, len(shape))
		for k := range shape {
			d := k
			if !fortran {
				d = len(shape) - 1 - k
			}
			index[d], at = at%shape[d], at/shape[d]
		}
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(value(index)))
	}
	return out
}

// TestFortranOrder: an array reads the same in the order of Fortran as in that of C.
func TestFortranOrder(t *testing.T) {
	for _, shape := range [][]int{{12, 5}, {6, 2, 7}, {5, 3, 4, 3}, {8, 1}} {
		value := func(index []int) float64 {
			v := 0.0
			for _, i := range index {
				v = 10*v + float64(i) + 0.5
			}
			return v
		}
		labels := numpyArray(false, shape[:1], func(index []int) float64 { return float64(index[0] % 2) })
		var rows [2]string
		for i, fortran := range []bool{false, true} {
			s, err := Read([]File{{Name: "x.npy", Data: numpyArray(fortran, shape, value)},
				{Name: "y.npy", Data: labels}})
			if err != nil {
				t.Fatalf("%v, Fortran %v: %v", shape, fortran, err)
			}
			checkSet(t, s)
			row := make([]float32, s.Shape.Size())
			for k := range s.Len() {
				s.Row(row, k)
				rows[i] += fmt.Sprintln(s.Shape, row, s.Label[k])
			}
		}
		if rows[0] != rows[1] {
			t.Errorf("%v: in the order of Fortran it reads %.300s, in that of C %.300s", shape, rows[1], rows[0])
		}
	}
}
