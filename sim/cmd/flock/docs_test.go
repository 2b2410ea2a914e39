package main

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
)

// root is the folder of the whole project.
const root = "../../.."

// The generated parts of all pages are what they are generated from, and every block
// stands in some page.
func TestDocsAreCurrent(t *testing.T) {
	pages, err := markdownFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
		fresh, err := rewrite(context.Background(), filepath.Dir(page), string(text))
		if err != nil {
			t.Errorf("%s: %v", page, err)
			continue
		}
		was, is := strings.Split(string(text), "\n"), strings.Split(fresh, "\n")
		for i := range min(len(was), len(is)) {
			if was[i] != is[i] {
				t.Errorf("%s, line %d, is not current (go generate ./sim/cmd/flock updates it):\n%.200s\nwant\n%.200s",
					page, i+1, was[i], is[i])
				break
			}
		}
		if len(was) != len(is) {
			t.Errorf("%s has %d lines, want %d", page, len(was), len(is))
		}
	}
	for name := range blocks {
		if !strings.Contains(all, "<!-- flock: "+name+" ") {
			t.Errorf("no page has the block %s", name)
		}
	}
}

// The README is read to its end only if it is short.
func TestReadmeIsShort(t *testing.T) {
	text := readPage(t, "README.md")
	if n := strings.Count(text, "\n"); n > 150 {
		t.Errorf("README.md has %d lines, want at most 150; move reference material to the page that it belongs to", n)
	}
	pages, err := markdownFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name, err := filepath.Rel(root, page)
		if err != nil {
			t.Fatal(err)
		}
		if name = filepath.ToSlash(name); path.Base(path.Dir(name)) == "results" {
			continue // RESULTS.md beside it lists these
		}
		if name != "README.md" && !strings.Contains(text, "]("+name) {
			t.Errorf("README.md has no link to %s", name)
		}
	}
}

// readPage reads a page by its path from the root.
func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The page of settings names every key of a link that is no setting.
func TestPageKeysAreInDocs(t *testing.T) {
	text := readPage(t, "sim/experiment/SETTINGS.md")
	for _, key := range experiment.PageKeys() {
		if !strings.Contains(text, "`"+key+"=") {
			t.Errorf("SETTINGS.md does not name the key %s=", key)
		}
	}
}

// The page of the command line names every command and every field of its output.
func TestOutputIsInDocs(t *testing.T) {
	text := readPage(t, "sim/cmd/flock/README.md")
	var names []string
	for _, of := range []any{roundLine{}, summaryLine{}, plan.Scores{}, resultLine{}} {
		for f := range reflect.TypeOf(of).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	if !slices.Contains(names, "ari") {
		t.Fatalf("the fields are %q, want ari among them", names)
	}
	for _, name := range names {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("README.md of flock does not name the field %s", name)
		}
	}
	for line := range strings.Lines(usage()) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "flock" {
			if command := words[1]; !strings.Contains(text, "## "+command+"\n") &&
				!strings.Contains(text, "- `flock "+command) &&
				!strings.Contains(text, "; `flock "+command) {
				t.Errorf("README.md of flock does not describe the command %s", command)
			}
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, text := range []string{
		"<!-- flock: nothing -->\n" + docsEnd,
		"<!-- flock: methods -->\nno end",
		"<!-- flock:  -->\n" + docsEnd,
		"<!-- flock: code docs.go -->\n" + docsEnd,
		"<!-- flock: code missing.go from x -->\n" + docsEnd,
		"<!-- flock: code docs.go from missing -->\n" + docsEnd,
		"<!-- flock: imports docs.go -->\n" + docsEnd,
	} {
		if _, err := rewrite(context.Background(), ".", text); err == nil {
			t.Errorf("rewrite(%q) = nil, want an error", text)
		}
	}
}

func TestCode(t *testing.T) {
	dir := t.TempDir()
	source := "package p\n\nfunc a() {}\n\n// b is here.\ntype b struct{}\n\nfunc (b) c() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a": "```go\n" + source[len("package p\n\n"):] + "```\n",
		"b": "```go\n// b is here.\ntype b struct{}\n\nfunc (b) c() {}\n```\n",
	} {
		var out bytes.Buffer
		if err := code(context.Background(), &out, dir, []string{"p.go", "from", name}); err != nil ||
			out.String() != want {
			t.Errorf("code from %s = %q, %v, want %q", name, out.String(), err, want)
		}
	}
}

// Rules about imports are listed with their exceptions; a field that the table would leave out
// is an error.
func TestImportRules(t *testing.T) {
	dir := t.TempDir()
	write := func(rule string) {
		t.Helper()
		source := "package p\n\nvar rules = []rule{{" + rule + "}}\n"
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(`why: "it is so", layer: []string{"flockscope/a"}, except: []string{"flockscope/a/b"}, never: []string{"os"}, direct: true`)
	var out bytes.Buffer
	if err := imports(context.Background(), &out, dir, []string{"p.go"}); err != nil ||
		!strings.Contains(out.String(), "| `a` except `a/b` | nothing of `os`, directly | it is so |\n") {
		t.Errorf("imports = %v, %q", err, &out)
	}
	write(`why: "it is so", layer: []string{"flockscope/a"}, never: []string{"os"}, spare: []string{"os/user"}`)
	if err := imports(context.Background(), &out, dir, []string{"p.go"}); err == nil || !strings.Contains(err.Error(), "spare") {
		t.Errorf("a field that the table does not show: %v", err)
	}
}

// A package is listed with the first sentence of its comment and what it imports of
// the project, tests left out.
func TestReadPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":        "// Package a counts. It does no more.\npackage a\n\nimport (\n\t\"fmt\"\n\t\"flockscope/z\"\n\t\"flockscope/b/c\"\n)\n\nvar _ = fmt.Sprint\n",
		"a/a_test.go":   "package a\n\nimport \"flockscope/tests\"\n",
		"b/c/c.go":      "package c\n",
		"e2e/go.mod":    "module e2e\n",
		"e2e/e.go":      "package e\n",
		".build/hid.go": "package hid\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readPackages(dir)
	want := []goPackage{{"a", "Counts.", []string{"b/c", "z"}}, {"b/c", "", nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("readPackages = %+v, %v, want %+v", got, err, want)
	}
}
