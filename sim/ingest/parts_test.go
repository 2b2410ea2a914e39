package ingest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPartsOfFiles: names of files, of folders, of what is in archives and of arrays say which
// samples are for testing, which come last.
func TestPartsOfFiles(t *testing.T) {
	rows := func(n int) string {
		return "a,label\n" + lines(n, func(i int) string { return fmt.Sprintf("%d.5,%d", 100*n+i, i%2) })
	}
	f := func(name string, n int) File { return File{Name: name, Data: []byte(rows(n))} }
	x := func(name string, n int) File {
		return File{Name: name, Data: []byte("a,b\n" + lines(n, func(i int) string {
			return fmt.Sprintf("%d.5,%d", 100*n+i, i%3)
		}))}
	}
	y := func(name string, n int) File {
		return File{Name: name, Data: []byte("label\n" + lines(n, func(i int) string { return strconv.Itoa(i % 2) }))}
	}
	array := func(name string, n int) string {
		if strings.Contains(strings.ToLower(name), "y") {
			return string(numpyArray(false, []int{n}, func(index []int) float64 { return float64(index[0] % 2) }))
		}
		return string(numpyArray(false, []int{n, 2}, func(index []int) float64 {
			return float64(n) + float64(0.1*float64(index[1]))
		}))
	}
	npz := func(sizes map[string]int) []File {
		var pairs []string
		for name, n := range sizes {
			pairs = append(pairs, name+".npy", array(name, n))
		}
		return []File{{Name: "data.npz", Data: archived(pairs...)}}
	}
	client := func(name string, n int) []File {
		return []File{{Name: name, Data: archived("x.npy", array("x", n), "y.npy", array("y", n))}}
	}
	for name, tt := range map[string]struct {
		files      []File
		all, train int
		domains    int // less than 0: clients
	}{
		"train and test":                       {[]File{f("test.csv", 10), f("train.csv", 20)}, 30, 20, 0},
		"with words":                           {[]File{f("my_test_data.csv", 10), f("my_train_data.csv", 20)}, 30, 20, 0},
		"in one word":                          {[]File{f("testdata.csv", 10), f("traindata.csv", 20)}, 30, 20, 0},
		"training and validation":              {[]File{f("val.csv", 10), f("train.csv", 20)}, 30, 20, 0},
		"training and valid":                   {[]File{f("valid.csv", 10), f("training.csv", 20)}, 30, 20, 0},
		"all three":                            {[]File{f("test.csv", 10), f("train.csv", 20), f("validation.csv", 15)}, 45, 35, 0},
		"folders":                              {[]File{f("d/test/a.csv", 10), f("d/train/a.csv", 20)}, 30, 20, 0},
		"folders and domains":                  {[]File{f("test/a.csv", 10), f("train/a.csv", 20), f("test/b.csv", 12), f("train/b.csv", 24)}, 66, 44, 2},
		"a folder for tests alone":             {[]File{f("test/a.csv", 10), f("test/b.csv", 20)}, 30, 30, 2},
		"columns side by side, in three parts": {[]File{y("y_val.csv", 12), x("x_val.csv", 12), x("x_train.csv", 20), y("y_train.csv", 20), y("y_test.csv", 10), x("x_test.csv", 10)}, 42, 32, 0},
		"LIBSVM's names":                       {[]File{f("mnist.scale.t", 10), f("mnist.scale", 20)}, 30, 20, 0},
		"UCI's names":                          {[]File{f("pendigits.tes", 10), f("pendigits.tra", 20)}, 30, 20, 0},
		"other names of UCI's":                 {[]File{f("sat.tst", 10), f("sat.trn", 20)}, 30, 20, 0},
		"endings":                              {[]File{f("monks-1.test", 10), f("monks-1.train", 20)}, 30, 20, 0},
		"in capitals":                          {[]File{f("KDDTest+.txt", 10), f("KDDTrain+.txt", 20)}, 30, 20, 0},
		"one of them says more":                {[]File{f("poker-testing.csv", 10), f("poker-training-true.csv", 20)}, 30, 20, 0},
		"shops called Strain and Detest":       {[]File{f("Strain.csv", 10), f("Detest.csv", 20)}, 30, 30, 2},
		"shops of another country":             {[]File{f("tr.csv", 10), f("te.csv", 20)}, 30, 30, 2},
		"a test alone":                         {[]File{f("test.csv", 10)}, 10, 10, 0},
		"shops called dev and eval":            {[]File{f("dev.csv", 10), f("eval.csv", 20)}, 30, 30, 2},
		"a contest and a protest":              {[]File{f("contest.csv", 10), f("protest.csv", 20)}, 30, 30, 2},
		"an archive":                           {[]File{{Name: "d.zip", Data: archived("d/test.csv", rows(10), "d/train.csv", rows(20))}}, 30, 20, 0},
		"an archive of folders":                {[]File{{Name: "d.zip", Data: archived("d/test/x.csv", rows(10), "d/train/x.csv", rows(20))}}, 30, 20, 0},
		"arrays of clients":                    {append(client("d/train/0.npz", 20), append(client("d/test/0.npz", 10), append(client("d/train/1.npz", 22), client("d/test/1.npz", 12)...)...)...), 64, 42, -2},
		"arrays of clients, in three parts":    {append(client("d/val/0.npz", 14), append(client("d/train/0.npz", 20), client("d/test/0.npz", 10)...)...), 44, 34, 0},
		"arrays of train and test":             {append(client("train.npz", 20), client("test.npz", 10)...), 30, 20, 0},
		"two archives":                         {[]File{{Name: "test.zip", Data: archived("a.csv", rows(10), "b.csv", rows(14))}, {Name: "train.zip", Data: archived("a.csv", rows(20), "b.csv", rows(22))}}, 66, 42, 2},
		"an archive called test":               {[]File{{Name: "test.zip", Data: archived("train.csv", rows(20), "test.csv", rows(10))}}, 30, 20, 0},
		"arrays":                               {npz(map[string]int{"x_train": 20, "y_train": 20, "x_test": 10, "y_test": 10}), 30, 20, 0},
		"arrays of other names":                {npz(map[string]int{"trainX": 20, "trainY": 20, "testX": 10, "testY": 10}), 30, 20, 0},
		"arrays in one word":                   {npz(map[string]int{"Xtrain": 20, "ytrain": 20, "Xtest": 10, "ytest": 10}), 30, 20, 0},
		"arrays with validation":               {npz(map[string]int{"X_train": 20, "y_train": 20, "X_val": 10, "y_val": 10}), 30, 20, 0},
		"arrays in three parts":                {npz(map[string]int{"x_train": 20, "y_train": 20, "x_val": 12, "y_val": 12, "x_test": 10, "y_test": 10}), 42, 32, 0},
	} {
		s, err := Read(tt.files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkSet(t, s)
		if s.Len() != tt.all || s.Train != tt.train || len(s.Groups) != max(0, tt.domains) ||
			tt.domains <= 0 && len(s.Writers) != -tt.domains {
			t.Errorf("%s: %d samples, %d to train, of %q, %q, want %d, %d of %d domains", name, s.Len(), s.Train, s.Groups,
				s.Writers, tt.all, tt.train, tt.domains)
		}
		row := make([]float32, s.Shape.Size())
		for i := s.Train; i < s.Len(); i++ {
			if s.Row(row, i); s.Train == 20 && !(row[0] == 10 || int(row[0]/100) == 10) {
				t.Errorf("%s: sample %d, for testing, is %v", name, i, row)
			}
		}
	}
}

// TestPartsOfRows: a column says which rows are for testing; they come last, and the rows for
// training alone say what the words of texts are and what fills missing values.
func TestPartsOfRows(t *testing.T) {
	pick := func(words ...string) func(i int) string { return func(i int) string { return words[i*i%len(words)] } }
	for _, tt := range []struct {
		name  string
		value func(i int) string
		tests string // the values of the tests, "" for no such column
		role  string
	}{
		{"split", pick("train", "test", "train"), "test", "i"},
		{"subset", pick("Train", "Test", "Train"), "Test", "i"},
		{"part", pick("training", "testing"), "testing", "i"},
		{"set", pick("train", "val", "train", "train", "test"), "test", "i"},
		{"set", pick("train", "valid"), "valid", "i"},
		{"is_test", pick("0", "1", "0"), "1", "i"},
		{"is_train", pick("0", "1", "0"), "0", "i"},
		{"is_train", pick("True", "False"), "False", "i"},
		{"partition", pick("train", "test"), "test", "i"},
		{"Usage", pick("Training", "PrivateTest", "PublicTest"), "PrivateTest", "i"}, // of FER2013
		{"holdout", pick("0", "1"), "1", "i"},
		{"train", pick("0", "1", "0"), "", "f"}, // of jobs
		{"test", pick("0", "1"), "", "f"},       // of patients
		{"split", pick("1", "2", "3"), "", "i"},
		{"fold", pick("0", "1", "2"), "", "i"},
		{"split", pick("train", "other"), "", "i"},
		{"kind", pick("train", "bus"), "", "f"},
		{"kind", pick("test", "val"), "", "f"},
	} {
		text := "w,h," + tt.name + ",label\n" + lines(60, func(i int) string {
			return fmt.Sprintf("%d,%d.5,%s,%d", 1000+i, i%7, tt.value(i), i/3%2)
		})
		o, err := Open([]File{{Name: "a.csv", Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := o.Set("", false)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		checkSet(t, s)
		var want []int // rows
		for _, test := range []bool{false, true} {
			for i := range 60 {
				if (tt.value(i) == tt.tests) == test {
					want = append(want, i)
				}
			}
		}
		train := slices.IndexFunc(want, func(i int) bool { return tt.value(i) == tt.tests })
		if train < 0 {
			train = 60
		}
		if got := roles(o.Table.Guess()); got != "ff"+tt.role+"l" || s.Train != train {
			t.Errorf("%s of %s: the roles are %s, %d rows are for training, want ff%sl, %d", tt.name, tt.value(1), got, s.Train,
				tt.role, train)
		}
		row := make([]float32, s.Shape.Size())
		for i, from := range want {
			if s.Row(row, i); int(row[0]) != 1000+from || int(s.Label[i]) != from/3%2 {
				t.Fatalf("%s: sample %d is %v of class %d, want row %d", tt.name, i, row, s.Label[i], from)
			}
		}
		if s, _, err = o.Set("3:feature", false); err != nil || s.Train != 60 {
			t.Errorf("%s as a feature: %v, %d rows for training", tt.name, err, s.Train)
		}
	}
	// Rows of other forms say it, too, and a copy of the label is left out of them.
	cells := func(i int) (split, flag, label string) {
		return []string{"test", "train"}[min(i%3, 1)], []string{"1", "0"}[min(i%3, 1)], []string{"b", "a"}[i/3%2]
	}
	var plain, flags []string
	for i := range 60 {
		split, flag, label := cells(i)
		plain = append(plain, fmt.Sprintf("%d,%s,%s,%d", 1000+i, split, label, i/3%2))
		flags = append(flags, fmt.Sprintf("{0 %d, 1 %s, 2 %s, 3 %d}", 1000+i, flag, label, i/3%2))
	}
	for name, f := range map[string]File{
		"ARFF": {Name: "a.arff", Data: arffFile("@attribute w numeric\n@attribute split {train,test}\n@attribute label {b,a}\n@attribute code {0,1}",
			plain...)},
		"sparse ARFF": {Name: "a.arff", Data: arffFile("@attribute w numeric\n@attribute is_test {0,1}\n@attribute label {b,a}\n@attribute code {0,1}",
			flags...)},
		"records": {Name: "a.jsonl", Data: []byte(lines(60, func(i int) string {
			split, _, label := cells(i)
			return fmt.Sprintf(`{"w": %d, "split": "%s", "label": "%s", "code": %d}`, 1000+i, split, label, i/3%2)
		}))},
	} {
		o, err := Open([]File{f})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, _, err := o.Set("", false)
		if got := roles(o.Table.Guess()); err != nil || got != "fili" || s.Train != 40 {
			t.Fatalf("%s: %v, the roles are %s, %d rows for training, want fili, 40", name, err, got, s.Train)
		}
		row := make([]float32, 1)
		for i := range 60 {
			if s.Row(row, i); (int(row[0])%3 == 1) != (i >= 40) { // rows 0, 3, … are 1000, 1003, …
				t.Fatalf("%s: sample %d is row %v", name, i, row[0]-1000)
			}
		}
	}
	// Numbers to predict, clients, missing values and bytes move along.
	text := "client,split,a,y\n" + lines(40, func(i int) string {
		return fmt.Sprintf("c%d,%s,%s,%d.25", i%4, []string{"test", "train"}[min(i%4, 1)], []string{"", strconv.Itoa(i)}[min(i%7, 1)], i)
	})
	o, err := Open([]File{{Name: "a.csv", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := o.Set("", true)
	if err != nil || s.Train != 30 || s.Value[0] != 1.25 || s.Value[30] != 0.25 || s.Writers[s.Writer[30]] != "c0" {
		t.Fatalf("numbers to predict: %v, %+v", err, s)
	}
	sum, n := 0.0, 0.0
	for i := range 40 {
		if i%4 > 0 && i%7 > 0 {
			sum, n = sum+float64(i), n+1
		}
	}
	row := make([]float32, 1)
	if s.Row(row, 30); row[0] != float32(sum/n) { // row 0
		t.Errorf("a missing value is %v, want %v, the mean of those for training", row[0], sum/n)
	}
	text = "text,split,label\n" + lines(60, func(i int) string {
		word := []string{"only in tests here", "we train by this"}[min(i%4, 1)]
		return fmt.Sprintf("this is what text number %d says and %s,%s,%d", i, word, []string{"test", "train"}[min(i%4, 1)], i/2%2)
	})
	if o, err = Open([]File{{Name: "a.csv", Data: []byte(text)}}); err != nil {
		t.Fatal(err)
	}
	if s, _, err = o.Set("", false); err != nil || s.Train != 45 || !s.Texts {
		t.Fatalf("texts: %v, %+v", err, s)
	}
	// this is what text number says and we train by, and the numbers of 45 rows without one letter
	if want := 10 + 38; s.Shape.Size() != want {
		t.Errorf("the texts for training have %d words, want %d", s.Shape.Size(), want)
	}
}
