package ingest

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
)

// Columns of sentences become TF-IDF weights of the 1000 most frequent words, like those of
// scikit-learn's TfidfVectorizer(max_features=1000): the number of times that a word occurs
// in the text, times its inverse document frequency, scaled so that each text has length 1
// (Salton, Buckley, "Term-weighting approaches in automatic text retrieval", 1988). All
// sentences of a row are one text. Frequencies are those of the samples for training. Networks with an embedding read
// the words themselves ([dataset.Sequences]).

// maxWords is the size of the vocabulary of weights.
const maxWords = 1000

// Numbers in sequences that are not of words of the vocabulary, and that of its first word.
const (
	noWord      = 0 // behind the end of a text
	unknownWord = 1
	firstWord   = 2
)

// fewWords is the most words of a name; a sentence has more.
const fewWords = 3

// isSentence reports whether a text has more than a few words.
func isSentence(text string) bool {
	const least = 11 // bytes of four short words
	return len(text) >= least && len(words(text)) > fewWords
}

// sentences reports whether most values of a column are sentences, and many of them are distinct.
func (c *Column) sentences() bool {
	return (c.Type == Texts || c.Type == Category) && c.Distinct > maxOneHot && 2*c.sentenceCount >= c.texts
}

// words returns the words of a text in lower case: runs of two or more letters, digits and
// underscores. Chinese and Japanese have no spaces between words, so each of their
// characters is a word.
func words(text string) (out []string) {
	text = strings.ToLower(text)
	begin, letters := 0, 0
	for i, r := range text + " " {
		alone := 0x3040 <= r && r <= 0x9fff
		if !alone && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if letters == 0 {
				begin = i
			}
			letters++
			continue
		}
		if letters > 1 {
			out = append(out, text[begin:i])
		}
		if letters = 0; alone {
			out = append(out, string(r))
		}
	}
	return out
}

// texts holds the words of a table's rows.
type texts struct {
	number map[string]uint16 // number of each word in the vocabulary, in alphabetical order
	rows   [][]uint16        // the numbers of each row's words
	as     dataset.Sequences
}

// readVocabulary finds the most frequent words in the training samples.
func (b *builder) readVocabulary() error {
	count := map[string]int{}
	for _, s := range b.t.sheets {
		if s.test && b.t.Train > 0 {
			continue
		}
		err := s.samples(func(row, _ int, cells []string) error {
			if b.tests(row) {
				return nil
			}
			for k, text := range cells {
				if b.roles[s.firstColumn+k].Role == Feature && !b.t.Columns[s.firstColumn+k].missing(text) {
					for _, word := range words(text) {
						if _, known := count[word]; !known {
							word = strings.Clone(word) // a copy, so that the row is not kept
						}
						count[word]++
					}
				}
			}
			return nil
		})
		if err != nil {
			return inSheet(s, err)
		}
	}
	frequent := make([]string, 0, len(count))
	for word := range count {
		frequent = append(frequent, word)
	}
	slices.Sort(frequent)
	slices.SortStableFunc(frequent, func(x, y string) int { return count[y] - count[x] })
	if len(frequent) == 0 {
		return b.refuse("the training texts have no words; give the column of texts the role ignore, or add rows with words")
	}
	most := maxWords
	if b.as.Length > 0 {
		most = b.as.Words
	}
	frequent = frequent[:min(len(frequent), most)]
	slices.Sort(frequent)
	b.texts = &texts{map[string]uint16{}, make([][]uint16, b.t.Rows), b.as}
	for k, word := range frequent {
		b.texts.number[word] = uint16(k)
	}
	return nil
}

// add adds a text to a row.
func (t *texts) add(row int, text string) {
	for _, word := range words(text) {
		k, known := t.number[word]
		switch {
		case t.as.Length == 0 && known:
			t.rows[row] = append(t.rows[row], k)
		case t.as.Length == 0 || len(t.rows[row]) == t.as.Length:
		case known:
			t.rows[row] = append(t.rows[row], firstWord+k)
		default:
			t.rows[row] = append(t.rows[row], unknownWord)
		}
	}
}

// sequences returns the numbers of the words of some rows.
func (t *texts) sequences(kept []int, length int) *dataset.Tokens {
	out := &dataset.Tokens{Size: length, Data: make([]uint16, len(kept)*length)} // filled with noWord
	for i, row := range kept {
		copy(out.Data[i*length:], t.rows[row])
	}
	return out
}

// bag returns the weights of the words of some rows, of which the first `train` are for training.
func (t *texts) bag(kept []int, train int) *dataset.Sparse {
	bag := &dataset.Sparse{Size: len(t.number), Start: []int32{0}}
	df := make([]int, bag.Size) // document frequency: how many texts have the word
	for i, row := range kept {
		slices.Sort(t.rows[row])
		before := -1
		for _, k := range t.rows[row] {
			if i < train && int(k) != before {
				df[k]++
			}
			before = int(k)
		}
	}
	idf := make([]float64, bag.Size)
	for k, n := range df {
		idf[k] = 1 + exact.Log(float64(1+train)/float64(1+n))
	}
	for _, row := range kept {
		from, square := len(bag.Value), 0.0
		for of := t.rows[row]; len(of) > 0; {
			k, n := of[0], 1
			for n < len(of) && of[n] == k {
				n++
			}
			v := float64(n) * idf[k]
			square += float64(v * v)
			bag.Index, bag.Value = append(bag.Index, k), append(bag.Value, float32(v))
			of = of[n:]
		}
		for e := from; e < len(bag.Value); e++ {
			bag.Value[e] = float32(float64(bag.Value[e]) / math.Sqrt(square))
		}
		bag.Start = append(bag.Start, int32(len(bag.Index)))
	}
	bag.Index, bag.Value = slices.Clip(bag.Index), slices.Clip(bag.Value)
	return bag
}
