// Package guide has the explanations of terms, methods and figures, which are loaded from a
// file on demand.
//
//	guide.go         the file; picture.go the pictures of methods, which wasm/build adds to it
//	corruptions.go   the pictures of corruptions, files that wasm/build adds to the site
package guide

import "strings"

// Texts are explanations: by the name of a method, by "figure " and the name of a kind of
// figure, and "words", which are the terms of the page. By "picture " and the name of a
// method there is its picture, as SVG.
//
// A file of them has a block for each: a line "= " with the name, and lines of a heading, a
// colon and a text. Headings of methods and figures are keys, see [Texts.Each]. Empty lines
// and comments, which begin with //, are skipped.
type Texts map[string]string

// Parse reads a file.
func Parse(file string) Texts {
	t, name := Texts{}, ""
	for _, line := range strings.Split(file, "\n") {
		if after, ok := strings.CutPrefix(line, "= "); ok {
			name = after
		} else if line != "" && !strings.HasPrefix(line, "//") {
			t[name] += line + "\n"
		}
	}
	return t
}

// Each calls f with the parts of an explanation, in their order.
func (t Texts) Each(name string, f func(heading, text string)) {
	for _, line := range strings.Split(t[name], "\n") {
		heading, text, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		switch heading {
		case "idea":
			heading = "Idea"
		case "assumes":
			heading = "Assumes"
		case "fails":
			heading = "Fails when"
		case "read":
			heading = "How to read it"
		case "example":
			heading = "Example"
		case "misread":
			heading = "Typical misreading"
		}
		f(heading, text)
	}
}

// Guide is the explanations as far as they are loaded.
type Guide struct {
	File   string // without ".txt": "guide", or "guide.zh"; empty before the first request
	Texts  Texts  // nil before they are loaded
	Failed bool   // they could not be fetched
}

// FileIn returns the file for a language as in <html lang>, "" for English.
func FileIn(lang string) string {
	if lang == "" {
		return "guide"
	}
	return "guide." + lang[:2]
}
