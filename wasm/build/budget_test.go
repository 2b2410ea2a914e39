package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadBudget(t *testing.T) {
	got, err := readBudget("# words\n\nvisit 12\nfiles 13\nmemory  34  data=linreg&C=3\n")
	if want := []limit{{"visit", 12, ""}, {"files", 13, ""}, {"memory", 34, "data=linreg&C=3"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("readBudget = %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"", "# nothing", "visit", "visit x", "visit 0", "visit 1 2", "memory 5", "weight 5"} {
		if got, err := readBudget(bad); err == nil {
			t.Errorf("readBudget(%q) = %v, want an error", bad, got)
		}
	}
}

// TestBudgetFile: the budget of this repository can be read, and limits everything that can be limited.
func TestBudgetFile(t *testing.T) {
	text, err := os.ReadFile("budget.txt")
	if err != nil {
		t.Fatal(err)
	}
	budget, err := readBudget(string(text))
	if err != nil {
		t.Fatalf("budget.txt: %v", err)
	}
	for _, kind := range []string{"visit", "files", "arena", "memory"} {
		if !slices.ContainsFunc(budget, func(l limit) bool { return l.kind == kind }) {
			t.Errorf("budget.txt has no limit of kind %q", kind)
		}
	}
}

// A site that weighs more than its budget is told so.
func TestCheckBudget(t *testing.T) {
	site := files{
		"index.html":     []byte(`<script src="assets/boot.js"></script>`),
		"assets/boot.js": make([]byte, 60), "assets/boot.js.br": make([]byte, 20),
		"elsewhere": make([]byte, 1000), fileProgram.file: make([]byte, 900), fileProgram.file + ".br": make([]byte, 800), arenaProgram.file: make([]byte, 700),
	}
	whole := len(site["index.html"]) + 20
	if got := visitBytes(site); got != whole {
		t.Errorf("visitBytes = %d, want %d", got, whole)
	}
	for _, tt := range []struct {
		most string
		over bool
	}{{"visit 58", false}, {"visit 57", true}, {"files 800", false}, {"files 799", true}, {"arena 700", false}, {"arena 699", true}} {
		path := filepath.Join(t.TempDir(), "budget.txt")
		if err := os.WriteFile(path, []byte(tt.most), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := checkBudget(&out, path, "", "", site)
		if (err != nil) != tt.over || strings.Contains(out.String(), "too much") != tt.over {
			t.Errorf("with the budget %q: %v\n%s", tt.most, err, out.String())
		}
	}
}
