package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flockscope/sim/licences"
)

// The file is what the modules of this build say.
func TestLicencesAreCurrent(t *testing.T) {
	text, err := notice()
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != licences.Text {
		t.Errorf("licences.txt is not current; run: go generate ./sim/cmd/licences")
	}
}

// Each module that a product is made of stands under it, with its version and a licence.
// This asks go list in another way than the command does.
func TestEveryModuleIsNamed(t *testing.T) {
	overview, texts, _ := strings.Cut(licences.Text, "\n=====")
	permits := regexp.MustCompile(`(?i)permission is hereby\s+granted|redistribution and use|permission to use`)
	seen := 0
	for _, p := range products {
		system, processor, _ := strings.Cut(p.target, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", p.command)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		_, section, ok := strings.Cut(overview, "\n"+p.title+"\n")
		section, _, _ = strings.Cut(section, "\n\n")
		if !ok {
			t.Errorf("%s has no list", p.title)
		}
		for _, name := range append(strings.Split(strings.TrimSpace(string(out)), "\n"), goName) {
			if name = strings.TrimSpace(name); name == "" {
				continue // of the standard library
			}
			if name == "flockscope" {
				name = ownName
			}
			seen++
			if !strings.Contains("\n"+section+"\n", "\n    "+name+"\n") {
				t.Errorf("%s: %s is not in its list", p.title, name)
			}
			if _, text, ok := strings.Cut(texts, "\n"+name+"\n"); !ok || !permits.MatchString(text) {
				t.Errorf("%s has no licence", name)
			}
		}
	}
	if seen < 2*len(products) {
		t.Errorf("only %d modules were seen", seen)
	}
}

func TestCollect(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": "a", "copying.txt": "b", "license.go": "no", "README": "no", "in/Licence.md": "c", "in/deep/x.go": "no",
		"aside/LICENSE": "no", "THIRD_PARTY_LICENSES/Other-LICENSE": "d",
	} {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var m module
	for range 2 { // a file is taken once
		if err := m.collect(filepath.Join(top, "in", "deep"), top); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	for _, file := range m.licenceFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(text)
	}
	if got.String() != "cadb" && got.String() != "cdab" && got.String() != "cabd" {
		t.Errorf("collect takes files with %q, want a, b, c and d once", got.String())
	}
}

func TestTidy(t *testing.T) {
	if got := tidy("\n  a \r\nb\t\n\n"); got != "  a\nb\n" {
		t.Errorf("tidy returns %q", got)
	}
}
