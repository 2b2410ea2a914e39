package shell

import (
	"os"
	"strings"
	"testing"

	"flockscope/ui/page"
)

// The help links to the pages of the documentation, and to all of them that the README
// lists.
func TestDocsPages(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range docsPages {
		if _, err := os.Stat("../../" + page.File + ".md"); err != nil {
			t.Errorf("the help links to %s, which is not there", page.File)
		}
	}
	listed := 0
	for line := range strings.Lines(string(readme)) {
		row, ok := strings.CutPrefix(line, "| [")
		if !ok {
			continue
		}
		listed++
		_, address, _ := strings.Cut(row, "](")
		file, _, ok := strings.Cut(address, ".md)")
		found := false
		for _, page := range docsPages {
			found = found || page.File == file
		}
		if !ok || !found {
			t.Errorf("the README lists %s, which the help does not link to", file)
		}
	}
	if listed < 5 {
		t.Errorf("the README lists %d pages", listed)
	}
	for _, page := range docsPages[1:] { // the first one is the README itself
		if !strings.Contains(string(readme), "("+page.File+".md)") {
			t.Errorf("the README does not link to %s", page.File)
		}
	}
}

func TestDocsAddress(t *testing.T) {
	for home, want := range map[string]string{
		"https://host/":             "https://host/docs/README.html",
		"https://host/s/abc":        "https://host/docs/README.html",
		"https://host/sim/":         "https://host/sim/docs/README.html",
		"https://host/x/index.html": "https://host/x/docs/README.html",
	} {
		if got := (&page.Exporter{Home: home}).DocsAddress("README"); got != want {
			t.Errorf("from %s the documentation is at %s, want %s", home, got, want)
		}
	}
}
