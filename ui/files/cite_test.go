package files

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/registry"
)

// Every author of a paper has a given name, and every paper the kind of entry that BibTeX styles print with its venue.
func TestBibTeXOfAllPapers(t *testing.T) {
	s := catalog.Schema()
	papers := map[string]registry.Citation{}
	for i := range s.Algorithms {
		papers[s.Algorithms[i].Name] = s.Algorithms[i].Paper
	}
	for i := range s.Workloads {
		papers[s.Workloads[i].Name] = s.Workloads[i].Paper
	}
	for name, c := range papers {
		authors := strings.Count(c.Authors, ", ") + 1
		text := BibTeX("link", "", []registry.Citation{c}, []string{name})
		names := strings.Split(fullNames(c), " and ")
		if len(names) != authors || strings.Count(fullNames(c), ", ") != authors {
			t.Errorf("%s: the authors are %q", name, names)
		}
		want := map[bool]string{true: "howpublished = {arXiv}", false: " = {" + c.Venue}[c.Venue == "arXiv"]
		if kind, field, venue := publication(c.Venue); kind != "misc" {
			want = field + " = {" + venue + "}"
		}
		if !strings.Contains(text, want) || !strings.Contains(text, "  url = {http") || !strings.Contains(text, "  year = {20") &&
			!strings.Contains(text, "  year = {19") {
			t.Errorf("%s: the entry has no %q, year or address:\n%s", name, want, text)
		}
	}
	// A method that somebody writes may have family names alone.
	if got := fullNames(registry.Citation{Authors: "Kim, de Veciana"}); got != "Kim and de Veciana" {
		t.Errorf("without given names, the authors are %q", got)
	}
}
