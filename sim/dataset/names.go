package dataset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"flockscope/sim/param"
)

// readNames reads one class name a line, such as CIFAR-10's batches.meta.txt.
func readNames(f *file, classes int) ([]string, error) {
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
		names = append(names, strings.ToValidUTF8(name, ""))
	}
	if len(names) != classes {
		return nil, f.errorf("it has %d lines of words; expected the names of %d classes, one a line", len(names), classes)
	}
	return names, nil
}
