package dataset

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[Generator]{
		Meta: registry.Meta{
			Name:   "words",
			Title:  "Synthetic texts (like AG News)",
			Family: registry.Texts,
			Doc:    "Short texts on ten topics in an artificial language of 256 words, given as word counts. Pictures have one square per word, and one row for the words of each topic.",
			Paper: registry.Citation{Authors: "Zhang, Zhao, LeCun", Given: "Xiang, Junbo, Yann",
				Title: "Character-level Convolutional Networks for Text Classification",
				Venue: "NeurIPS", Year: 2015, URL: "https://arxiv.org/abs/1509.01626", Where: "the AG's News set, which these texts imitate"},
		},
		Make: Words,
	})
}

// Parameters of the language and its texts.
const (
	row           = 16 // words in a row of the vocabulary
	neutral       = 5  // rows of words that belong to no topic, and are not among the most frequent
	topics        = 10
	vocabulary    = (1 + neutral + topics) * row
	topicBoost    = 6   // factor by which topic words are more frequent in texts on the topic
	shortest      = 30  // fewest words of a text
	longest       = 70  // most words of a text
	maxDigression = 0.3 // largest fraction of a text that is on another topic
)

// Words returns n synthetic texts, 1 × 256 × 1, in ten classes, their topics. Features are word
// counts, scaled to a vector of length 1, so that long texts weigh no more than short ones
// (Joachims, "Text Categorization with Support Vector Machines", 1998). All texts have one
// distribution; the last seventh is the test split.
func Words(seed uint64, n int) *Set {
	s := &Set{Name: "Texts", Shape: Shape{1, vocabulary, 1},
		PictureShape: Shape{vocabulary / row, row, 1}, Picture: wordImage,
		Classes: topics, Train: n - n/7,
		Label: balanced[uint8](n, topics, seed, wordPurpose, classStream)}
	for k := range topics {
		s.ClassNames = append(s.ClassNames, "T"+strconv.Itoa(k+1))
	}
	l := newLanguage(seed)
	s.Rows = bagsOfWords{newLazyPixels(s.Shape, n, func(dst []uint8, i int) { l.write(dst, seed, i, int(s.Label[i])) })}
	return s
}

// language is the cumulative distribution of words for each topic. The first row of the vocabulary
// has the most frequent words, such as "the" in English; neutral rows follow, and a row for each
// topic.
type language [topics][vocabulary]float64

// newLanguage draws the word frequencies. The r-th most frequent word has a weight of 1/(r + 2.7)
// (the Zipf-Mandelbrot law), and more in texts on its topic. After the first row, consecutive words
// fill one column of all other rows, so that all topics have the same frequencies.
func newLanguage(seed uint64) *language {
	const others = vocabulary/row - 1
	rows := balanced[int32](others*row, others, seed, wordPurpose, topicStream)
	var l language
	for k := range l {
		sums := l[k][:]
		for r := range vocabulary {
			w, share := r, 1/(float64(r)+2.7)
			if r >= row {
				at := int(rows[r-row]) + 1
				w = at*row + (r-row)/others
				if at == 1+neutral+k {
					share *= topicBoost
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

// write counts the words of text i. A random fraction of it, up to maxDigression, is on a random
// topic.
func (l *language) write(dst []uint8, seed uint64, i, topic int) {
	var s rng.Stream
	s.Reset(seed, wordPurpose, i, sampleStream)
	length := shortest + s.IntN(longest-shortest+1)
	other, part := s.IntN(topics), maxDigression*s.Float64()
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

// wordImage draws one square per word, three times as bright as its feature, since most features
// are small.
func wordImage(dst []uint8, row []float32) {
	for j, v := range row {
		dst[j] = uint8(min(3*255*v, 255))
	}
}

// bagsOfWords are word counts, which Row scales to length 1.
type bagsOfWords struct{ *lazyPixels }

// Row implements [Rows].
func (b bagsOfWords) Row(dst []float32, i int) {
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
