package ingest

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/textfile"
)

// readNames reads one class name a line, such as CIFAR-10's batches.meta.txt, or
// EMNIST's mapping: a label, from low on, and the number of its character, or of its
// capital and its small letter; or a label and its name, as HAR's activity_labels.txt.
func readNames(f *file, s *dataset.Set, low int) ([]string, error) {
	classes := s.Classes
	if classes == 0 {
		return nil, f.errorf("it looks like class names, but the samples have numbers to predict; expected no such file")
	}
	var names []string
	for line := range bytes.Lines(f.data) {
		name := string(bytes.TrimSpace(line))
		if name == "" {
			continue
		}
		if !utf8.ValidString(name) || len(name) > 100 {
			return nil, f.errorf("line %d: expected the name of class %d, found %s", len(names)+1, len(names),
				param.Quote(name))
		}
		if character, ok := mapped(name, low+len(names)); ok {
			name = character
		}
		names = append(names, strings.Clone(name))
	}
	if own := keyedNames(names, s.ClassNames); own != nil {
		return own, nil
	}
	if len(names) != classes {
		return nil, f.errorf("it has %d lines of words; expected the names of %d classes, one a line", len(names),
			classes)
	}
	return names, nil
}

// keyedNames returns the names of classes where each line has a class and its name, such
// as 1 WALKING; nil where they are written otherwise, or a class is missing.
func keyedNames(lines, classes []string) []string {
	known := map[string]string{}
	for _, line := range lines {
		class, name, _ := strings.Cut(line, " ")
		if known[class] != "" {
			return nil
		}
		known[class] = strings.TrimSpace(name)
	}
	var names []string
	for _, class := range classes {
		if known[class] == "" {
			return nil
		}
		names = append(names, known[class])
	}
	return names
}

// mapped returns the character of a line of EMNIST's mapping that is about label.
func mapped(line string, label int) (character string, ok bool) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 || words[0] != strconv.Itoa(label) {
		return "", false
	}
	code, err := strconv.Atoi(words[1])
	return string(rune(code)), err == nil && code > ' ' && code < 0x7f
}

// namesColumns reports whether a file is a list of the names of columns, one a line, by its
// name and its lines. Numbers may stand before the names.
func (f *file) namesColumns() bool {
	switch f.stem {
	case "features", "feature names", "feature", "columns", "column names", "attributes", "attribute names":
		return len(columnNames(f)) > 1
	}
	return false
}

// columnNames returns the names in such a list, nil where a line has none.
func columnNames(f *file) []string {
	var names []string
	for line := range bytes.Lines(f.data) {
		text := string(bytes.TrimSpace(line))
		if text == "" {
			continue
		}
		number, name, _ := strings.Cut(text, " ")
		if v, err := strconv.Atoi(strings.TrimRight(number, ".:")); err != nil || v != len(names) && v != len(names)+1 {
			name = text
		}
		if name = strings.TrimSpace(name); name == "" || isNumeric(name) || len(names) > MaxColumns {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// describes reports whether a file is about other files, by its name: README, index,
// licences, UCI's iris.names, HAR's features_info.txt and the like.
func (f *file) describes() bool {
	base := path.Base(f.path)
	for _, word := range [...]string{"readme", "license", "licence", "copying", "changelog", "citation"} {
		if strings.HasPrefix(base, word) {
			return true
		}
	}
	switch f.ending {
	case ".names":
		return !isNames(textfile.Decode(f.data))
	case ".md", ".rst", ".info", ".pdf", ".htm", ".html", ".doc", ".docx", ".py", ".r", ".ipynb":
		return true
	}
	stem := strings.TrimSuffix(base, f.ending)
	return base == "index" || base == "config.json" || // beside PFLlib's clients
		strings.HasSuffix(stem, "_info") || strings.HasSuffix(stem, "description")
}
