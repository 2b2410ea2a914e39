package main

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// overlay returns a file for go's -overlay, with which package algorithm has these files besides. The working tree
// stays as it is.
func overlay(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for file, text := range files {
		path := filepath.Join(folder, file)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, "sim", "algorithm", file)] = path
	}
	listed, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(path, listed, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSkeleton: the skeleton is formatted, compiles and passes its own test; it runs in flock, and as a draft it has
// all that tests expect of it.
func TestSkeleton(t *testing.T) {
	const name = "mymethod"
	for file, text := range files(name) {
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s is not formatted (%v)", file, err)
		}
	}
	commands := [][]string{{"test", "flockscope/sim/algorithm", "-run", "^TestMymethod$"}}
	if !testing.Short() {
		commands = append(commands, []string{"run", "flockscope/sim/cmd/flock", "run", "algos=" + name + ",ifca&T=5"},
			[]string{"test", "flockscope/sim/engine", "-short", "-run", "^(TestMethods|TestLaws|TestEveryFloor|TestExplain)$"},
			[]string{"test", "flockscope/sim/cmd/flock", "-run", "^TestDocsAreCurrent$"},
			[]string{"test", "flockscope/ui/shell", "-run", "^TestChineseTexts$"})
	}
	with := overlay(t, files(name))
	for _, args := range commands {
		out, err := exec.Command("go", append([]string{args[0], "-overlay=" + with}, args[1:]...)...).CombinedOutput()
		if err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestWrite: files are written where they belong; a name that is taken, or is none, is refused with the reason.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	source := "package algorithm\n\ntype taken struct{}\n"
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(folder, "mymethod"); err != nil {
		t.Fatal(err)
	}
	for file, want := range files("mymethod") {
		if got, err := os.ReadFile(filepath.Join(folder, file)); err != nil || string(got) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	for name, want := range map[string]string{
		"My-Method": "lower-case letters and digits", "": "lower-case letters and digits", "ifca": "a method already",
		"range": "a word of Go", "len": "a word of Go", "taken": "declares taken already", "mymethod": "is there already",
	} {
		if err := write(folder, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error that says %q", name, err, want)
		}
	}
	if err := write(t.TempDir(), "mymethod"); err == nil || !strings.Contains(err.Error(), "root of the repository") {
		t.Errorf("in an empty folder: %v", err)
	}
}

// The example of the page on reports is formatted and runs, its records can be replayed, and without the settings of
// training it is refused when the program starts: its links would not say how its clients train.
func TestExample(t *testing.T) {
	source, err := os.ReadFile("onecut.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(source); err != nil || string(formatted) != string(source) {
		t.Errorf("onecut.go.txt is not formatted (%v)", err)
	}
	if testing.Short() {
		t.Skip("builds flock twice")
	}
	build := func(source string) string {
		t.Helper()
		flock := filepath.Join(t.TempDir(), "flock")
		out, err := exec.Command("go", "build", "-overlay="+overlay(t, map[string]string{"onecut.go": source}), "-o", flock,
			"flockscope/sim/cmd/flock").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return flock
	}
	run := func(flock string, args ...string) (string, error) {
		out, err := exec.Command(flock, args...).CombinedOutput()
		return string(out), err
	}

	flock, results := build(string(source)), filepath.Join(t.TempDir(), "one.flock")
	if out, err := run(flock, "sweep", "-seeds", "2", "-vary", "algos=onecut,fedavg", "-o", results,
		"data=digits&n=600&C=6&T=12&shift=none&concept=permute&avg=model&tau=2"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run(flock, "results", "-jsonl", results); err != nil ||
		strings.Count(out, "&avg=model&tau=2&algos=onecut") < 2 {
		t.Errorf("the queries of its records do not say how it was trained (%v):\n%s", err, out)
	}
	if out, err := run(flock, "verify", "-share", "1", results); err != nil {
		t.Errorf("replayed: %v\n%s", err, out)
	}

	untrained := strings.Replace(string(source), "method.Training(method.FieldK,", "append([]param.Field{method.FieldK},", 1)
	if out, err := run(build(untrained), "version"); err == nil || !strings.Contains(out, "onecut has no setting lr") {
		t.Errorf("without the settings of training: %v\n%s", err, out)
	}
}
