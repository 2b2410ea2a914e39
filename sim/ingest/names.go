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

// readNames reads one class name per line, such as CIFAR-10's batches.meta.txt; or EMNIST's mapping: a label (the first
// is low) and the code of its character, or the codes of its capital and small letter; or a label and its name, as in
// HAR's activity_labels.txt.
func readNames(f *file, s *dataset.Set, low int) ([]string, error) {
	classes := s.Classes
	if classes == 0 {
		return nil, f.errorf("it looks like class names, but the samples have targets, not classes; expected no such file")
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
		if character, ok := emnistCharacter(name, low+len(names)); ok {
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

// keyedNames returns the names of classes if each line has a class and its name, such as 1 WALKING, and no class is
// missing; otherwise nil.
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

// emnistCharacter returns the character of a label from its line of EMNIST's mapping.
func emnistCharacter(line string, label int) (character string, ok bool) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 || words[0] != strconv.Itoa(label) {
		return "", false
	}
	code, err := strconv.Atoi(words[1])
	return string(rune(code)), err == nil && code > ' ' && code < 0x7f
}

// namesColumns reports whether a file is a list of column names, one per line, optionally with numbers before them.
func (f *file) namesColumns() bool {
	switch f.stem {
	case "features", "feature names", "feature", "columns", "column names", "attributes", "attribute names":
		return len(columnNames(f)) > 1
	}
	return false
}

// columnNames returns the names in such a list, nil if a line has none.
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

// isDocumentation reports whether a file describes others, by its name: README, index, licences,
// UCI's iris.names, HAR's features_info.txt and so on.
func (f *file) isDocumentation() bool {
	if isPicture(f.data) {
		return false
	}
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
	return base == "index" || base == "config.json" || // files beside PFLlib's clients
		strings.HasSuffix(stem, "_info") || strings.HasSuffix(stem, "description")
}
