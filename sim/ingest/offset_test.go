package ingest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/dataset"
)

// TestOffsets: what is added to all numbers of a column changes nothing of it once it is scaled,
// whether it comes as text or as an array, is a feature, a time or the number to predict, and is
// in the part for training or not.
func TestOffsets(t *testing.T) {
	const n, train = 60, 40
	step := func(i int) float64 { return float64(i * i % 11) }
	// The mean and the deviation of the first rows, in whole numbers as far as they go.
	sum, square := 0.0, 0.0
	for i := range train {
		sum += step(i)
		square += float64(step(i) * step(i))
	}
	mean := sum / train
	deviation := math.Sqrt(square/train - float64(mean*mean))
	for _, tt := range []struct{ offset, unit float64 }{
		{0, 1}, {1, 1}, {-40.7, 0.001}, {101325, 0.05}, {-101325, 0.01}, {5.411e6, 1}, {1e7, 1}, {5.411e6, 0.25}, {1.7e9, 0.5}, {1.7e9, 1000}, {-1.7e9, 0.125},
		{1e9, 0.05}, {1.7e12, 1}, {1.7e12, 1000}, {1e15, 1}, {3e37, 1e25}, {1e-3, 1e-12},
	} {
		number := func(i int) float64 { return tt.offset + float64(step(i)*tt.unit) }
		word := func(i int) string { return strconv.FormatFloat(number(i), 'g', -1, 64) }
		close := 1e-6 + 16*math.Abs(tt.offset)/tt.unit/(1<<52) // that of the float64 that were written
		table := "reading,other,label\n" + lines(n, func(i int) string { return fmt.Sprintf("%s,%d.5,%d", word(i), i%7, i%2) })
		predicted := "reading,other,y\n" + lines(n, func(i int) string {
			return fmt.Sprintf("%d.5,%d.25,%s", i%7, i%3, word(i))
		})
		column := numpyArray(false, []int{n, 1}, func(index []int) float64 { return number(index[0]) })
		labels := numpyArray(false, []int{n}, func(index []int) float64 { return float64(index[0] % 2) })
		records := lines(n, func(i int) string {
			return fmt.Sprintf(`{"reading": %s, "other": %d.5, "label": %d}`, word(i), i%7, i%2)
		})
		var rows []string
		for i := range n {
			rows = append(rows, fmt.Sprintf("{0 %s, 1 %d.5, 2 %d}", word(i), i%7, i%2))
		}
		all := map[string][]File{
			"text":    {{Name: "a.csv", Data: []byte(table)}},
			"array":   {{Name: "x.npy", Data: column}, {Name: "y.npy", Data: labels}},
			"records": {{Name: "a.jsonl", Data: []byte(records)}},
			"ARFF": {{Name: "a.arff", Data: arffFile("@attribute reading numeric\n@attribute other numeric\n@attribute label {0,1}",
				rows...)}},
		}
		if math.Abs(number(1))+10*tt.unit < largest {
			var x, y []string
			for i := range n {
				x, y = append(x, "["+word(i)+"]"), append(y, strconv.Itoa(i%2))
			}
			all["LEAF"] = []File{{Name: "a.json", Data: fmt.Appendf(nil, `{"user_data": {"a": {"x": [%s], "y": [%s]}}}`,
				strings.Join(x, ","), strings.Join(y, ","))}}
		}
		for name, files := range all {
			s, err := Read(files)
			if err != nil {
				t.Fatalf("%s, %v: %v", name, tt, err)
			}
			if len(s.Constant()) > 0 {
				t.Errorf("%s, %v: features %v are constant, want none", name, tt, s.Constant())
			}
			used := make([]bool, n)
			for i := range train {
				used[i] = true
			}
			row := make([]float32, s.Shape.Size())
			all := make([]int32, n)
			for i := range all {
				all[i] = int32(i)
			}
			for _, s := range []*dataset.Set{s, s.Only(all)} {
				standard, minmax := s.Scaled("standard", used), s.Scaled("minmax", used)
				for i := range n {
					s.Row(row, i)
					if got := float64(row[0]); math.Abs(got-number(i)) > math.Abs(number(i))/(1<<23) {
						t.Fatalf("%s, %v: sample %d is %v, want %v", name, tt, i, got, number(i))
					}
					standard.Row(row, i)
					if want := (step(i) - mean) / deviation; math.Abs(float64(row[0])-want) > close {
						t.Fatalf("%s, %v: sample %d is scaled to %v, want %v", name, tt, i, row[0], want)
					}
					minmax.Row(row, i)
					if want := step(i) / 9; math.Abs(float64(row[0])-want) > close {
						t.Fatalf("%s, %v: sample %d is mapped to %v, want %v", name, tt, i, row[0], want)
					}
				}
			}
		}
		if math.Abs(tt.offset)+10*tt.unit > 1e12 {
			continue
		}
		s, err := Read([]File{{Name: "a.csv", Data: []byte(predicted)}})
		if math.Abs(tt.offset) < 1000*tt.unit && tt.unit > 1 || err != nil || s.Value == nil {
			if err == nil && s.Value != nil || err != nil && tt.unit < 1000 {
				t.Errorf("numbers to predict, %v: %v", tt, err)
			}
			continue
		}
		for i, v := range s.Value {
			if got := (float64(v) + s.Offset - tt.offset) / tt.unit; math.Abs(got-step(i)) > 6e-3 {
				t.Fatalf("numbers to predict, %v: sample %d is %v, want %v", tt, i, got, step(i))
			}
		}
	}
}

// TestConstant: what differs by rounding alone is constant, and is named; all else is not.
func TestConstant(t *testing.T) {
	text := "fixed,rounded,large,nearly,kind,one,label\n" + lines(40, func(i int) string {
		return fmt.Sprintf("0.1,%s,12345678901234567890,%s,b,%d,%d", []string{"0.3", "0.30000000000000004"}[i%2],
			[]string{"0.3", "0.30000000000001"}[i/3%2], 1, i/5%2)
	})
	o, err := Open([]File{{Name: "a.csv", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := o.Set("", false)
	if err != nil || fmt.Sprint(s.Constant()) != "[0 1 2 4]" || s.Same.String() != "fixed, rounded, large, one" {
		t.Errorf("constant are %v, %v, called %q", s.Constant(), err, s.Same)
	}
	// Missing values of a column far from 0 are filled by its mean.
	text = "p,q,label\n" + strings.ReplaceAll(lines(40, func(i int) string {
		return fmt.Sprintf("%.3f,%d,%d", 101325+float64(i%4)/100, i%7, i/2%2)
	}), "101325.030,", ",")
	o, err = Open([]File{{Name: "a.csv", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err = o.Set("", true); err != nil {
		t.Fatal(err)
	}
	all := slices.Repeat([]bool{true}, 40)
	row := make([]float32, 2)
	s.Scaled("standard", all).Row(row, 3)
	if math.Abs(float64(row[0])) > 1e-6 {
		t.Errorf("a filled value is scaled to %v, want 0", row[0])
	}
	s.Scaled("standard", all).Row(row, 0)
	if want := -math.Sqrt2; math.Abs(float64(row[0])-want) > 1e-5 { // of 0, 1, 2 and 1 hundredths
		t.Errorf("the least value is scaled to %v, want %v", row[0], want)
	}
}

// TestDatesOfADay: times of one day differ once they are scaled.
func TestDatesOfADay(t *testing.T) {
	text := "when,a,label\n" + lines(40, func(i int) string { return fmt.Sprintf("2024-05-06T10:00:%02d,%d,%d", i%4, i%7, i/2%2) })
	o, err := Open([]File{{Name: "a.csv", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := o.Set("when:feature", false)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, 2)
	for i := range 4 {
		s.Scaled("standard", slices.Repeat([]bool{true}, 40)).Row(row, i)
		if want := (float64(i) - 1.5) / math.Sqrt(1.25); math.Abs(float64(row[0])-want) > 1e-5 {
			t.Errorf("second %d is scaled to %v, want %v", i, row[0], want)
		}
	}
}

// TestNumbers: which numbers are read, and which are refused with their column and line.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1.23D+00": 1.23, "-0.5d-1": -0.05, "1.0D0": 1, "2D+03": 2000, "+.5D2": 50, "1.5E+00": 1.5} {
		if got, ok := decimal(text, false); !ok || got != want {
			t.Errorf("decimal(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"3D", "2D0", "D+1", "1.D", "1.2D+", "1D+1D+1", "1e39", "1D+39", "inf", "-Infinity", "1e999"} {
		if got, ok := decimal(text, false); ok {
			t.Errorf("decimal(%q) = %v, want no number", text, got)
		}
	}
	for name, cell := range map[string]func(i int) string{
		"all":        func(i int) string { return fmt.Sprintf("%d.5e38", 4+i) },
		"one":        func(i int) string { return []string{"4e39", "1.5"}[min(i, 1)] },
		"one of few": func(i int) string { return []string{"1e400", "1", "2"}[min(i, 1+i%2)] },
		"infinite":   func(i int) string { return []string{"-inf", "0", "1", "2"}[min(i, 1+i%3)] },
	} {
		text := "a,big,label\n" + lines(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", i%7, cell(i), i%2) })
		_, err := Read([]File{{Name: "a.csv", Data: []byte(text)}})
		if err == nil || !strings.HasPrefix(err.Error(), `a.csv: line 2: column "big": expected a number of at most 3.4e38 in absolute value, found "`+cell(0)+`"`) {
			t.Errorf("%s: %v, want the line and the column", name, err)
		}
	}
	// Words are words.
	table := opened(t, File{Name: "a.csv", Data: []byte("a,b,label\n" + lines(60, func(i int) string {
		return fmt.Sprintf("%d,%s,%d", i%7, []string{"inf", "fin", "2D", "3D"}[i%4], i%2)
	}))})
	if got := roles(table.Guess()); got != "ffl" {
		t.Errorf("with words that look like numbers the roles are %s, want ffl", got)
	}
}
