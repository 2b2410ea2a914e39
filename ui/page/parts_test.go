package page

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
)

// Every part in the page has a name in the list, and a rule in the style sheet that hides it; and
// every name belongs to a part.
func TestPartsAreThere(t *testing.T) {
	files, err := filepath.Glob("../shell/*.vugu")
	if err != nil || len(files) == 0 {
		t.Fatalf("no components: %v", err)
	}
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`data-part="([^"]*)"`).FindAllSubmatch(text, -1) {
			name := string(m[1])
			found[name] = true
			if !slices.ContainsFunc(FrameParts, func(p FramePart) bool { return p.Name == name }) {
				t.Errorf("%s has a part %q that is not in the list of parts", file, name)
			}
		}
	}
	style, err := os.ReadFile("../../assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range FrameParts {
		if !found[p.Name] {
			t.Errorf("no component has the part %q", p.Name)
		}
		if rule := `.without-` + p.Name + ` [data-part="` + p.Name + `"]`; !strings.Contains(string(style), rule) {
			t.Errorf("the style sheet has no %s, so nothing hides it", rule)
		}
		// Of share the button, not the setting, has the name by old custom.
		if _, field := catalog.Schema().Field(p.Name); field && p.Name != "share" {
			t.Errorf("the part %q is also a setting, and controls= cannot mean both", p.Name)
		}
		if p.What == "" {
			t.Errorf("nobody says what the part %q is", p.Name)
		}
	}
}

// EMBEDDING.md names every part, and every key of a frame.
func TestPartsInDocs(t *testing.T) {
	page, err := os.ReadFile("../EMBEDDING.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, p := range FrameParts {
		if !strings.Contains(text, "`"+p.Name+"`") {
			t.Errorf("EMBEDDING.md does not name the part %s", p.Name)
		}
	}
	for _, key := range []string{"embed=", "controls=", "hide=", "lanes=", "autoplay=", "loop=", "theme=", "keys=",
		"id=", "origin="} {
		if !strings.Contains(text, "`"+key) {
			t.Errorf("EMBEDDING.md does not name the key %s", key)
		}
	}
	for _, format := range []string{"csv", "json", "svg", "png", "run", "bib", "txt", "sh"} {
		if _, known := Formats[format]; !known || !strings.Contains(text, "`"+format+"`") {
			t.Errorf("EMBEDDING.md does not name the format %s, or the page does not know it", format)
		}
	}
}
