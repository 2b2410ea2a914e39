package dataset

import (
	"path"
	"strings"

	"flockscope/sim/param"
)

// Title is the name of a file as messages have it: without folders, printable and not
// long.
func Title(name string) string {
	return param.Plain(path.Base(strings.ReplaceAll(name, `\`, "/")))
}

// describe sets what a file's name says: whether it is for testing, whether it
// is EMNIST's, and a stem that the parts for training and for testing share.
//
//	books_train.svmlight.gz, books_test.svmlight.gz   books
//	train_8000.csv, test_1900.csv                     (none)
//	a9a, a9a.t                                        a9a
//	shop_1.csv, shop_2.csv                            shop 1, shop 2
func (f *file) describe(name string) {
	f.path = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	f.name = Title(name)
	base := strings.TrimSuffix(path.Base(f.path), ".gz")
	f.transposed = strings.Contains(base, "emnist") && !strings.Contains(base, "femnist")
	f.ending = path.Ext(base)
	const digits = "0123456789"
	f.test = f.ending == ".t" || f.ending == ".test" // as LIBSVM's and UCI's sets have it
	split := f.test
	words := strings.FieldsFunc(strings.TrimSuffix(base, f.ending), func(r rune) bool {
		return strings.ContainsRune(" _-.()", r)
	})
	kept := words[:0]
	for _, word := range words {
		switch strings.TrimRight(word, digits) {
		case "test", "testing", "t10k":
			f.test, split = true, true
		case "train", "training":
			split = true
		default:
			kept = append(kept, word)
		}
	}
	if split && len(kept) > 0 && strings.Trim(kept[len(kept)-1], digits) == "" {
		kept = kept[:len(kept)-1] // a count, as in test_1900
	}
	f.stem = strings.Join(kept, " ")
}
