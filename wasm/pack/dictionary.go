package pack

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A text is a sequence of bytes. Each stands for a word or a phrase, except rareByte:
// the byte after it stands for one of the rarer words. A phrase is two words or phrases
// with smaller bytes.
//
// The stream of the dictionary has the number of words, in LEB128, then each
// word: its operand, param, shape and length and its bytes; then the number of
// words that have a byte of their own, then the two bytes of each phrase.
const (
	phrases  = 80
	common   = rareByte - phrases
	rareByte = 255
	maxWords = common + 256

	maxPhrase = 1 << 10 // words; limits what a damaged file can make of a byte
)

// compose returns the streams of a dictionary and of a text. The words used most
// have the first bytes. Then the most frequent pair of neighbours becomes a phrase, and
// so on ("byte pair encoding", P. Gage, A New Algorithm for Data Compression, 1994).
func compose(list []word, numbers []uint16) (dictionary, out []byte) {
	// In codes, the bytes come first and then the rarer words.
	const rare = 256
	codes, order := byUse(len(list), numbers)
	common := min(common, len(list))
	for i, c := range codes {
		if int(c) >= common {
			codes[i] = c - uint16(common) + rare
		}
	}

	dictionary = binary.AppendUvarint(nil, uint64(len(list)))
	for _, n := range order {
		w := list[n]
		dictionary = append(dictionary, byte(w.operand), w.param, w.shape, w.length)
		dictionary = append(dictionary, w.bytes[:w.length]...)
	}
	dictionary = append(dictionary, byte(common))
	var lengths [rareByte]int // lengths in words
	for code := range common {
		lengths[code] = 1
	}
	for code := common; code < rareByte; code++ {
		pair, ok := bestPair(codes, &lengths)
		if !ok {
			break
		}
		lengths[code] = lengths[pair>>8] + lengths[pair&0xff]
		dictionary = append(dictionary, byte(pair>>8), byte(pair))
		codes = join(codes, pair, uint16(code))
	}
	for _, c := range codes {
		if c >= rare {
			out = append(out, rareByte)
		}
		out = append(out, byte(c))
	}
	return dictionary, out
}

// byUse returns a text whose words are numbered by use, the most frequent first, and
// their old numbers in that order.
func byUse(words int, numbers []uint16) (codes, order []uint16) {
	uses := make([]int, words)
	for _, n := range numbers {
		uses[n]++
	}
	order = make([]uint16, words)
	for i := range order {
		order[i] = uint16(i)
	}
	slices.SortStableFunc(order, func(a, b uint16) int { return cmp.Compare(uses[b], uses[a]) })
	rank := make([]uint16, words)
	for i, n := range order {
		rank[n] = uint16(i)
	}
	codes = make([]uint16, len(numbers))
	for i, n := range numbers {
		codes[i] = rank[n]
	}
	return codes, order
}

// bestPair returns the most frequent pair of neighbours that have bytes and are not too
// long together, the first in the higher byte.
func bestPair(codes []uint16, lengths *[rareByte]int) (pair uint16, ok bool) {
	var uses [1 << 16]int32
	last := -1 // the same neighbours three times in a row are not two pairs
	for i := 1; i < len(codes); i++ {
		a, b := codes[i-1], codes[i]
		if a >= rareByte || b >= rareByte {
			continue
		}
		if a == b && last == i-1 {
			continue
		}
		if a == b {
			last = i
		}
		uses[a<<8|b]++
	}
	most := int32(1)
	for p, n := range uses {
		if n > most && lengths[p>>8]+lengths[p&0xff] <= maxPhrase {
			pair, most = uint16(p), n
		}
	}
	return pair, most > 1
}

// join replaces every pair of neighbours by a code.
func join(codes []uint16, pair, code uint16) []uint16 {
	a, b := pair>>8, pair&0xff
	out := codes[:0]
	for i := 0; i < len(codes); i++ {
		if i+1 < len(codes) && codes[i] == a && codes[i+1] == b {
			out = append(out, code)
			i++
		} else {
			out = append(out, codes[i])
		}
	}
	return out
}
