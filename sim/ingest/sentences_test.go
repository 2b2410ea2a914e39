package ingest

import (
	_ "embed"
	encoding "encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
)

//go:embed testdata/golden.json
var goldenSentences []byte

// table writes texts with two labels in turn, in quotation marks.
func table(texts []string) []byte {
	var b strings.Builder
	b.WriteString("label,text\n")
	for i, text := range texts {
		fmt.Fprintf(&b, "%s,\"%s\"\n", []string{"yes", "no"}[i%2], strings.ReplaceAll(text, `"`, `""`))
	}
	return []byte(b.String())
}

// TestSentencesGolden compares the numbers of texts with those of scikit-learn.
func TestSentencesGolden(t *testing.T) {
	var want struct {
		Train, Test, Words []string
		Rows               []map[string]float64
	}
	if err := encoding.Unmarshal(goldenSentences, &want); err != nil {
		t.Fatal(err)
	}
	s, err := Read([]File{{Name: "a_train.csv", Data: table(want.Train)}, {Name: "a_test.csv", Data: table(want.Test)}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Train != len(want.Train) || s.Len() != len(want.Rows) || s.Shape.Size() != len(want.Words) || !s.Texts {
		t.Fatalf("%d of %d texts for training, %v, Texts %t; want %d of %d, %d words", s.Train, s.Len(), s.Shape, s.Texts,
			len(want.Train), len(want.Rows), len(want.Words))
	}
	row := make([]float32, s.Shape.Size())
	for i := range s.Len() {
		s.Row(row, i)
		for j, got := range row {
			if v := want.Rows[i][strconv.Itoa(j)]; math.Abs(float64(got)-v) > 1e-7 {
				t.Errorf("text %d, word %q: %v, want %v", i, want.Words[j], got, v)
			}
		}
	}
}

// TestMostFrequentWords: of more words than are counted, the most frequent ones are, the
// first in the alphabet among those that are as frequent.
func TestMostFrequentWords(t *testing.T) {
	var all []string
	for i := range 600 { // every text has the words of four numbers, and two of its own
		all = append(all, fmt.Sprintf("common w%04d w%04d w%04d w%04d own%03da own%03db", i, (i+1)%600, (i+2)%600, (i+3)%600, i, i))
	}
	o, err := Open([]File{{Name: "a.csv", Data: table(all)}})
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{t: o.Table, roles: o.Table.Guess(),
		labelColumn: -1, targetColumn: -1, clientColumn: -1, groupColumn: -1}
	if err := b.plan(); err != nil {
		t.Fatal(err)
	}
	if n := len(b.texts.number); n != maxWords {
		t.Errorf("%d words, want %d", n, maxWords)
	}
	for word, want := range map[string]bool{"common": true, "w0000": true, "w0599": true, "own000a": true, "own199a": true,
		"own199b": false, "own200a": false, "own599b": false} {
		if _, got := b.texts.number[word]; got != want {
			t.Errorf("%s is counted: %t, want %t", word, got, want)
		}
	}
}

// TestWords: how texts are cut.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"a b c":                     "",
		"It's 3.50, isn't_it?":      "it 50 isn t_it",
		"Grüße aus Köln":            "grüße aus köln",
		"联邦学习 with iPhone手机":        "联 邦 学 习 with iphone 手 机",
		"連合学習のデータ":                  "連 合 学 習 の デ ー タ",
		"연합 학습":                     "연합 학습",
		"broken \xff\xfe bytes\xff": "broken bytes",
	} {
		got := words(text)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestSentencesGuessed: which columns of sentences are features.
func TestSentencesGuessed(t *testing.T) {
	sentence := func(i int) string { return fmt.Sprintf("\"number %d, said the poet, is %d\"", i, i*7919%101) }
	for _, tt := range []struct{ name, head, cols, want string }{
		{"label and text", "label,text", "", "lf"},
		{"text first", "text,sentiment", "", "fl"},
		{"numbers beside", "label,text,length", "", "lif"},
		{"numbers beside, chosen", "label,text,length", "text:feature,length:ignore", "lfi"},
		{"numbers left out", "label,text,length", "length:ignore", "lfi"},
		{"texts left out", "label,text", "text:ignore", "li"},
		{"two texts", "label,title,text", "", "lff"},
		{"two texts, one chosen", "label,title,text", "title:ignore", "lif"},
		{"clients", "client,label,text", "", "clf"},
		{"label chosen", "code,text", "code:label", "lf"},
	} {
		data := tt.head + "\n" + lines(60, func(i int) string {
			var row []string
			for name := range strings.SplitSeq(tt.head, ",") {
				switch name {
				case "text", "title":
					row = append(row, sentence(i))
				case "length":
					row = append(row, strconv.Itoa(i*31%97))
				case "client":
					row = append(row, "c"+strconv.Itoa(i/2%5))
				default:
					row = append(row, []string{"up", "down"}[i%2])
				}
			}
			return strings.Join(row, ",")
		})
		table := opened(t, File{Name: "a.csv", Data: []byte(data)})
		chosen, err := table.Roles(tt.cols)
		if err != nil || roles(chosen) != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, roles(chosen), err, tt.want)
			continue
		}
		s, _, err := table.Set(chosen, false)
		if wanted := strings.Contains(tt.want, "f"); (err == nil) != wanted {
			t.Errorf("%s: %v", tt.name, err)
		} else if wanted && s.Texts != (slices.Index(strings.Split(tt.head, ","), "length") < 0 || tt.cols != "") {
			t.Errorf("%s: Texts is %t", tt.name, s.Texts)
		}
	}
}

// TestSentencesAndNumbers: both cannot be features, and the error says what to change.
func TestSentencesAndNumbers(t *testing.T) {
	data := "label,text,length\n" + lines(60, func(i int) string {
		return fmt.Sprintf("%s,this is text number %d,%d", []string{"up", "down"}[i%2], i, i)
	})
	table := opened(t, File{Name: "a.csv", Data: []byte(data)})
	chosen, err := table.Roles("text:feature")
	if err != nil {
		t.Fatal(err)
	}
	want := `a.csv: column "text" has sentences and column "length" does not, so they cannot both be features; ` +
		`give one of them the role ignore, as in cols=3:ignore`
	if _, _, err := table.Set(chosen, false); err == nil || err.Error() != want {
		t.Errorf("error\n %v, want\n %s", err, want)
	}
}

// TestNoWordsForTraining: texts that only the samples for testing have cannot be counted.
func TestNoWordsForTraining(t *testing.T) {
	row := func(text string) func(i int) string {
		return func(i int) string {
			return []string{"up", "down"}[i%2] + "," + strings.ReplaceAll(text, "#", strconv.Itoa(i))
		}
	}
	_, err := Read([]File{{Name: "a_train.csv", Data: []byte("label,text\n" + lines(9, row("N/A")))},
		{Name: "a_test.csv", Data: []byte("label,text\n" + lines(60, row("this is text number #")))}})
	if err == nil || !strings.Contains(err.Error(), "the training texts have no words") {
		t.Errorf("error %v", err)
	}
}

// TestSentencesLeftOut: rows without a label are left out, and a missing text has no words.
func TestSentencesLeftOut(t *testing.T) {
	data := "label,title,text\n" + lines(60, func(i int) string {
		label, title := []string{"up", "down"}[i%2], fmt.Sprintf("the title number %d", i)
		if i == 3 {
			label = ""
		}
		if i == 4 {
			title = "N/A"
		}
		return fmt.Sprintf("%s,%s,what is here is text %d", label, title, i)
	})
	s, err := Read([]File{{Name: "a.csv", Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 59 {
		t.Errorf("%d samples, want 59", s.Len())
	}
	row := make([]float32, s.Shape.Size())
	norm := func(i int) (square float64, words int) {
		s.Row(row, i)
		for _, v := range row {
			if square += float64(v * v); v > 0 {
				words++
			}
		}
		return square, words
	}
	for i, want := range map[int]int{2: 7, 3: 4, 4: 7} { // numbers of one digit are no words
		if square, words := norm(i); math.Abs(square-1) > 1e-6 || words != want {
			t.Errorf("text %d has length² %v and %d words; want 1 and %d", i, square, words, want)
		}
	}
}

// TestSequences: texts are the numbers of their words, in order, with the vocabulary of the training texts, cut and
// filled to one length.
func TestSequences(t *testing.T) {
	train := "label,text\n" + lines(400, func(i int) string {
		return fmt.Sprintf([]string{"x,the cat sat on the mat item%d", "y,a dog ran to the dog house item%d"}[i%2], i)
	})
	tests := "label,text\nx,the unseen cat sat down and down and down\ny,dog dog dog dog\n"
	o, err := Open([]File{{Name: "train.csv", Data: []byte(train)}, {Name: "test.csv", Data: []byte(tests)}})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := o.SetOf("", false, dataset.Sequences{Words: 4, Length: 6})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s)
	// Counts: the 600, dog 400, and cat, house, mat, on, ran, sat, to 200 each: the first two of these in the alphabet.
	// Numbers: cat 2, dog 3, house 4, the 5.
	row := make([]float32, 6)
	for i, want := range map[int][]float32{0: {5, 2, 1, 1, 5, 1}, 1: {3, 1, 1, 5, 3, 4},
		400: {5, 1, 2, 1, 1, 1}, 401: {3, 3, 3, 3, 0, 0}} {
		if s.Row(row, i); !slices.Equal(row, want) {
			t.Errorf("text %d: %v, want %v", i, row, want)
		}
	}
	if s.Tokens != 6 || s.Shape.Size() != 6 || s.Texts || !s.Plain() || s.Train != 400 {
		t.Errorf("%d tokens, shape %v, texts %v, plain %v, %d to train", s.Tokens, s.Shape, s.Texts, s.Plain(), s.Train)
	}
	if s, _, err = o.Set("", false); err != nil || !s.Texts || s.Tokens != 0 {
		t.Errorf("as weights: %v, %+v", err, s)
	}
	o, err = Open([]File{{Name: "a.csv", Data: []byte("a,label\n1,0\n2,1\n3,0\n4,1\n")}})
	if err != nil {
		t.Fatal(err)
	}
	var wrong *param.Error
	_, _, err = o.SetOf("", false, dataset.Sequences{Words: 4, Length: 6})
	if !errors.As(err, &wrong) || wrong.Field != "texts" {
		t.Errorf("numbers as sequences: error %v", err)
	}
}
