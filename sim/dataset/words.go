package dataset

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[Maker]{
		Meta: registry.Meta{
			Name:   "words",
			Title:  "Synthetic texts (like AG News)",
			Family: registry.Texts,
			Doc:    "Short texts on ten topics in an artificial language of 256 words, given as word counts. Pictures have one square per word, and one row for the words of each topic.",
			Paper: registry.Citation{Authors: "Zhang, Zhao, LeCun",
				Title: "Character-level Convolutional Networks for Text Classification",
				Venue: "NeurIPS", Year: 2015, URL: "https://arxiv.org/abs/1509.01626", Where: "the AG's News set, which these texts imitate"},
		},
		Make: Words,
	})
}

// The measures of the language and its texts.
const (
	row        = 16 // words in a row of the vocabulary
	neutral    = 5  // rows of words that belong to no topic, and are not among the most frequent
	topics     = 10
	vocabulary = (1 + neutral + topics) * row
	favour     = 6   // how many times as often a topic has its own words
	shortest   = 30  // words of a text
	longest    = 70  // words
	digress    = 0.3 // the largest part of a text that is on another topic
)

// Words draws n texts, 1 × 256 × 1, in ten classes, their topics. A number says
// how often a word stands in the text; a text has length 1, so that long ones
// count no more than short ones (Joachims, "Text Categorization with Support
// Vector Machines", 1998). All texts are drawn alike; the last seventh counts as
// the test split.
func Words(seed uint64, n int) *Set {
	s := &Set{Name: "Texts", Shape: Shape{1, vocabulary, 1}, Sheet: Shape{vocabulary / row, row, 1}, Picture: asSquares,
		Classes: topics, Train: n - n/7,
		Label: deal[uint8](n, topics, seed, wordPurpose, classDeal)}
	for k := range topics {
		s.ClassNames = append(s.ClassNames, "T"+strconv.Itoa(k+1))
	}
	l := newLanguage(seed)
	s.Rows = bags{newDrawn(s.Shape, n, func(dst []uint8, i int) { l.write(dst, seed, i, int(s.Label[i])) })}
	return s
}

// language says how often words stand in texts: for each topic the sums of their
// shares, up to each word. The first row of the vocabulary has the most frequent
// words, such as "the" in English; neutral rows follow, and a row for each topic.
type language [topics][vocabulary]float64

// newLanguage draws how frequent words are. The r-th in the order of frequency
// has a share of 1/(r + 2.7) (Zipf's law as Mandelbrot has it), and more in texts
// on its own topic. After the first row, the next words in that order fill a column
// of all other rows, so that every topic has as many of any frequency.
func newLanguage(seed uint64) *language {
	const others = vocabulary/row - 1
	rows := deal[int32](others*row, others, seed, wordPurpose, topicStream)
	var l language
	for k := range l {
		sums := l[k][:]
		for r := range vocabulary {
			w, share := r, 1/(float64(r)+2.7)
			if r >= row {
				at := int(rows[r-row]) + 1
				w = at*row + (r-row)/others
				if at == 1+neutral+k {
					share *= favour
				}
			}
			sums[w] = share
		}
		for w := 1; w < vocabulary; w++ {
			sums[w] += sums[w-1]
		}
	}
	return &l
}

// write counts the words of text i. A part of it, up to digress, is on a topic
// that is drawn.
func (l *language) write(dst []uint8, seed uint64, i, topic int) {
	var s rng.Stream
	s.Reset(seed, wordPurpose, i, sampleStream)
	length := shortest + s.IntN(longest-shortest+1)
	other, part := s.IntN(topics), digress*s.Float64()
	for range length {
		k := topic
		if s.Float64() < part {
			k = other
		}
		sums := l[k][:]
		w, _ := slices.BinarySearch(sums, s.Float64()*sums[vocabulary-1])
		dst[w]++
	}
}

// asSquares draws a square a word. Shares of many words are small: three times the
// share is ink.
func asSquares(dst []uint8, row []float32) {
	for j, v := range row {
		dst[j] = uint8(min(3*255*v, 255))
	}
}

// bags are texts of which the words were counted.
type bags struct{ *drawn }

// row writes text i to dst, as long as 1.
func (b bags) Row(dst []float32, i int) {
	counts := b.at(i)
	sum := 0
	for _, n := range counts {
		sum += int(n) * int(n)
	}
	scale := float32(1 / math.Sqrt(float64(sum)))
	for j, n := range counts {
		dst[j] = float32(n) * scale
	}
}
