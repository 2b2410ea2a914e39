//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The pages on sweeps and on reports say what works: their blocks run one after the other
// in an empty folder, and the table of the first is what they print.
func TestSweepsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	page, err := os.ReadFile("../../lab/plan/SWEEPS.md")
	if err != nil {
		t.Fatal(err)
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 5 {
		t.Fatalf("the page has %d blocks", len(blocks))
	}
	run := func(script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-euc", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s%v\n%s", script, err, out)
		}
		return string(out)
	}
	reports := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(readPage(t,
		"sim/lab/report/REPORT.md"), -1)
	if len(reports) < 3 {
		t.Fatalf("the page on reports has %d blocks", len(reports))
	}
	for _, block := range append(blocks, reports...) {
		run(block[1])
	}
	for _, part := range []string{"all.flock", "shared.flock"} {
		if run("flock results -jsonl "+part) != run("cat k.jsonl") {
			t.Errorf("%s has other results than k.flock", part)
		}
	}
	table := regexp.MustCompile(`(?m)<!-- table: (.*) -->\n((?:    .*\n)*)`).FindSubmatch(page)
	if table == nil {
		t.Fatal("the page has no table")
	}
	if got := run(string(table[1])); got != strings.ReplaceAll("\n"+string(table[2]), "\n    ", "\n")[1:] {
		t.Errorf("%s prints\n%s", table[1], got)
	}
}
