// Package english writes numbers of things, and lists, as sentences have them.
package english

import (
	"strconv"
	"strings"
)

// Count writes a number of things: "1 circle", "4 circles", "2 pluses".
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(n, noun) }

// Plural returns noun for one thing, and its plural for any other number.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	}
	return noun + "s"
}

// List joins words: "a", "a and b", "a, b and c".
func List(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
