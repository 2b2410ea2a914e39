package guide_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/registry"
	"flockscope/ui/chart/figures"
	"flockscope/ui/guide"
)

// Both files explain every kind of figure, in all parts, and nothing else but methods. Those
// are in package engine's TestMethods.
func TestTexts(t *testing.T) {
	methods := map[string]bool{}
	for _, m := range catalog.Schema().Algorithms {
		methods[m.Name] = true
	}
	wanted := map[string][]string{}
	for _, k := range figures.Kinds() {
		wanted["figure "+k.Name] = []string{"How to read it", "Example", "Typical misreading"}
	}
	for _, tt := range []struct {
		file     string
		sentence *regexp.Regexp
		letters  *regexp.Regexp
	}{
		{guide.FileIn(""), regexp.MustCompile(`\.( |$)`), regexp.MustCompile(`[A-Za-z]{3}`)},
		{guide.FileIn("zh-Hans"), regexp.MustCompile(`。`), regexp.MustCompile(`\p{Han}{3}`)},
	} {
		content, err := os.ReadFile("../../assets/" + tt.file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		texts := guide.Parse(string(content))
		for name, headings := range wanted {
			var has []string
			texts.Each(name, func(heading, text string) {
				has = append(has, heading)
				n := len(tt.sentence.FindAllString(text, -1))
				if n == 0 || !tt.letters.MatchString(text) {
					t.Errorf("%s.txt: %s, %s has %d sentences: %q", tt.file, name, heading, n, text)
				}
			})
			if !slices.Equal(has, headings) {
				t.Errorf("%s.txt: %s has the parts %q, want %q", tt.file, name, has, headings)
			}
		}
		for name := range texts {
			if wanted[name] == nil && !methods[name] && name != "words" {
				t.Errorf("%s.txt explains %q, which is neither a method nor a figure", tt.file, name)
			}
		}
		terms := 0
		texts.Each("words", func(term, text string) {
			terms++
			if !tt.letters.MatchString(text) {
				t.Errorf("%s.txt says of %q: %q", tt.file, term, text)
			}
		})
		want := 14
		if tt.file == guide.FileIn("") {
			want = 0 // the build appends those of sim/GLOSSARY.md
		}
		if terms != want {
			t.Errorf("%s.txt explains %d terms, want %d", tt.file, terms, want)
		}
	}
}

// The picture of a method has a line from a client to each model that it uses.
func TestPicture(t *testing.T) {
	for _, m := range catalog.Schema().Algorithms {
		got := guide.Picture(&m)
		lines, models := strings.Count(got, "stroke-width"), strings.Count(got, "<rect x=\"-9\"")
		want := map[registry.Family][2]int{
			registry.OneModel: {6, 1}, registry.HardClusters: {6, 3}, registry.SoftClusters: {18, 3},
			registry.PersonalModels: {6, 1},
		}[m.Family]
		if m.Name == "local" {
			want = [2]int{0, 0}
		}
		if lines != want[0] || models != want[1] || strings.Contains(got, "%!") {
			t.Errorf("%s (%s) has %d lines and %d models, want %v: %s", m.Name, m.Family.Title(), lines, models,
				want, got)
		}
	}
}
