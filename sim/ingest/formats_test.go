package ingest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFormatsPage: the page of formats names code that exists, all roles, and all fields of a
// column's line.
func TestFormatsPage(t *testing.T) {
	text, err := os.ReadFile("../FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
	page, seen := string(text), 0
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) < 4 || cells[0] == "| format" {
			continue
		}
		for _, path := range regexp.MustCompile("`([a-z]+/[^`]*)`").FindAllStringSubmatch(cells[len(cells)-1], -1) {
			seen++
			if _, err := os.Stat(filepath.Join("..", "..", path[1])); err != nil {
				t.Errorf("FORMATS.md says that %s reads a format: %v", path[1], err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("FORMATS.md names %d files, want 20 at least", seen)
	}
	for _, role := range RoleNames() {
		if !strings.Contains(page, role+",") && !strings.Contains(page, role+";") {
			t.Errorf("FORMATS.md does not name the role %s", role)
		}
	}
	if n := 1 + strings.Count(Line{}.String(), "\t"); n != 12 || !strings.Contains(page, "lines of twelve fields") {
		t.Errorf("a column is described in %d fields, FORMATS.md says twelve", n)
	}
}
