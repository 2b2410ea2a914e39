package ingest

import (
	"path"
	"slices"
	"strings"

	"flockscope/sim/param"
)

// Title returns the name of a file for messages: without folders, printable and short.
func Title(name string) string {
	return param.Plain(path.Base(strings.ReplaceAll(name, `\`, "/")))
}

// partOf are words that may be joined with train or test, as in xtrain.
const partOf = " x y data images labels features targets set "

// describe sets what a file's name says: whether it is for testing, whether it is EMNIST's, and the
// stem that training and test files share.
//
//	books_train.svmlight.gz, books_test.svmlight.gz   books
//	train_8000.csv, test_1900.csv                     (none)
//	a9a, a9a.t                                        a9a
//	digits.tra, digits.tes                            digits
//	KDDTrain+.txt, KDDTest+.txt                       kdd
//	xTrain.npy, x_test.npy                            x
//	shop_1.csv, shop_2.csv                            shop 1, shop 2
func (f *file) describe(name string) {
	f.origin = strings.ReplaceAll(name, `\`, "/")
	f.path = strings.ToLower(f.origin)
	f.name = Title(name)
	base := strings.TrimSuffix(path.Base(f.path), ".gz")
	f.transposed = strings.Contains(base, "emnist") && !strings.Contains(base, "femnist")
	f.ending = path.Ext(base)
	const digits = "0123456789"
	f.test = f.ending == ".t" // as in LIBSVM's data sets
	split := f.test
	if !among(partWords, strings.TrimPrefix(f.ending, ".")) { // as .test in UCI's data sets
		base = strings.TrimSuffix(base, f.ending)
	}
	separator := func(r rune) bool { return strings.ContainsRune(" _-.()+", r) }
	words := strings.FieldsFunc(base, separator)
	capitals := strings.FieldsFunc(path.Base(strings.ReplaceAll(name, `\`, "/")), separator)
	var kept, all []string // words of the name; all includes words of validation
	for i, word := range words {
		what := strings.TrimRight(word, digits)
		rest := "" // the word after train or test, as in trainlabels
		for _, part := range strings.Fields(partWords) {
			before, after, found := strings.Cut(what, part)
			if !found || before != "" && after != "" || before+after == "" {
				continue
			}
			capital := strings.ToUpper(part[:1]) + part[1:]
			if among(partOf, before+after) || strings.HasSuffix(strings.TrimRight(capitals[i], digits), capital) {
				what, rest = part, before+after
			}
		}
		switch {
		case among(testWords, what):
			f.test = true
		case among(validWords, what):
			f.valid = true
			all = append(all, word)
		case !among(trainWords, what):
			kept, all = append(kept, word), append(all, word)
			continue
		default:
			f.train = true
		}
		if split = true; rest != "" {
			kept, all = append(kept, rest), append(all, rest)
		}
	}
	f.valid = f.valid && !f.test
	f.withValid = strings.Join(all, " ")
	if split && len(kept) > 0 && strings.Trim(kept[len(kept)-1], digits) == "" {
		kept = kept[:len(kept)-1] // a count, as in test_1900
	}
	f.stem = strings.Join(kept, " ")
}

// assignParts decides which files are for testing. Folders called train and test count if names say nothing. Validation
// files are for testing if there are training files and no test files; without training files the name is a
// coincidence. If training and test files have one stem each, they belong to one set.
func assignParts(files []*file) {
	folder := func(f *file, words string) bool {
		if f.train || f.test || f.valid {
			return false
		}
		return slices.ContainsFunc(strings.Split(path.Dir(f.path), "/"), func(name string) bool {
			return among(words, name)
		})
	}
	all := func(words string, is func(f *file) bool) (out []*file, any bool) {
		for _, f := range files {
			if folder(f, words) {
				out = append(out, f)
			}
			any = any || is(f)
		}
		return out, any || len(out) > 0
	}
	_, train := all(trainWords, func(f *file) bool { return f.train })
	tests, test := all(testWords, func(f *file) bool { return f.test })
	valid, _ := all(validWords, func(f *file) bool { return f.valid })
	for _, f := range tests {
		f.test = train
	}
	for _, f := range valid {
		f.valid = train
	}
	for _, f := range files {
		switch {
		case !f.valid:
		case !train:
			f.valid, f.stem = false, f.withValid
		case !test:
			f.test, f.valid = true, false
		}
	}
	var first [2]*file // first file of each part
	alike := true
	for _, f := range files {
		one := &first[f.order()/2]
		if *one == nil {
			*one = f
		}
		alike = alike && f.stem == (*one).stem
	}
	if alike && first[0] != nil && first[1] != nil {
		for _, f := range files {
			f.stem = first[0].stem
		}
	}
}
