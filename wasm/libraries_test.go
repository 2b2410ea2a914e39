package wasm

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// requirements returns the modules that a go.mod file requires directly, and those of its
// tools: of indirect ones the longest path that a tool's package begins with.
func requirements(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var names []string
	for _, r := range mod.Require {
		isTool := false
		for _, tool := range mod.Tool {
			isTool = isTool || strings.HasPrefix(tool.Path, r.Path+"/")
		}
		if (!r.Indirect || isTool) && r.Path != "flockscope" {
			names = append(names, r.Path)
		}
	}
	return names
}

// npmPackages returns the packages that a package.json file requires.
func npmPackages(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ DevDependencies, Dependencies map[string]string }
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, list := range []map[string]string{p.DevDependencies, p.Dependencies} {
		for name := range list {
			names = append(names, name)
		}
	}
	return names
}

// libraryRows returns the names in the first column of the table under "### Used".
func libraryRows(page string) (names []string) {
	_, rest, _ := strings.Cut(page, "\n### Used\n")
	table, _, _ := strings.Cut(rest, "\n### ")
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") {
			for _, name := range strings.Split(strings.TrimPrefix(cells[0], "| "), ", ") {
				names = append(names, strings.Trim(name, "`"))
			}
		}
	}
	return names
}

// Every library that the project requires has a row that says what it is for, and every
// row a requirement.
func TestLibraries(t *testing.T) {
	page, err := os.ReadFile("../sim/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := libraryRows(string(page))
	required := slices.Concat(requirements(t, "../go.mod"), requirements(t, "../e2e/go.mod"),
		npmPackages(t, "edge/package.json"), npmPackages(t, "../e2e/axe/package.json"))
	if len(rows) < 20 || len(required) < 20 {
		t.Fatalf("there are %d rows for %d requirements, want at least 20 of both", len(rows), len(required))
	}
	for _, name := range required {
		if !slices.Contains(rows, name) {
			t.Errorf("%s has no row in sim/ARCHITECTURE.md under \"Used\": say there what it is for, and why this one", name)
		}
	}
	for _, name := range rows {
		if !slices.Contains(required, name) {
			t.Errorf("sim/ARCHITECTURE.md lists %s under \"Used\", but no go.mod or package.json requires it", name)
		}
	}
}
