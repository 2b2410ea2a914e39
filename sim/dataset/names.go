package dataset

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/param"
)

// readNames reads one class name a line, such as CIFAR-10's batches.meta.txt, or
// EMNIST's mapping: a label, from low on, and the number of its character, or of its
// capital and its small letter.
func readNames(f *file, low, classes int) ([]string, error) {
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
			return nil, f.errorf("line %d: expected the name of class %d, found %s", len(names)+1, len(names), param.Quote(name))
		}
		if character, ok := mapped(name, low+len(names)); ok {
			name = character
		}
		names = append(names, strings.Clone(name))
	}
	if len(names) != classes {
		return nil, f.errorf("it has %d lines of words; expected the names of %d classes, one a line", len(names), classes)
	}
	return names, nil
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
