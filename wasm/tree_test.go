package wasm

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// topLevel is what the root of the repository holds, beside hidden files and folders.
var topLevel = []string{
	"LICENSE", "Makefile", "README.md", "assets", "clusterer", "e2e", "go.mod", "go.sum", "index.html",
	"sim", "ui", "wasm",
}

// maxFileBytes is the largest file of the repository: a compiled program is larger.
const maxFileBytes = 1_000_000

// Nothing is in the repository that was not meant to be: no new folder at its root, and no
// large file, such as a program that go build has left behind.
func TestRepositoryHoldsOnlySource(t *testing.T) {
	const root = ".."
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("this is no clone of the repository: ", err)
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if !slices.Contains(names, "go.mod") {
		t.Fatalf("git lists %d files and no go.mod", len(names))
	}
	for _, problem := range misplaced(names, func(name string) int64 {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return 0 // removed, and not yet committed
		}
		return info.Size()
	}) {
		t.Error(problem)
	}
}

// published are the arena's runs, which the site has too.
const published = "sim/lab/papers/arena-records.jsonl.gz"

// misplaced returns which files must not be in the repository, and why.
func misplaced(names []string, size func(name string) int64) (problems []string) {
	seen := map[string]bool{}
	for _, name := range names {
		top, _, _ := strings.Cut(name, "/")
		if !seen[top] && !strings.HasPrefix(top, ".") && !slices.Contains(topLevel, top) {
			problems = append(problems, top+" does not belong to the root of the repository; see topLevel")
		}
		seen[top] = true
		if size(name) > maxFileBytes && name != published {
			problems = append(problems, name+" is larger than 1 MB; was it committed by accident?")
		}
	}
	return problems
}

func TestMisplaced(t *testing.T) {
	sizes := map[string]int64{"sim/flock": 11_000_000, "sim/a.go": 1_000_000, "app": 5, "app2/x": 5, ".github/a.md": 5}
	names := []string{".github/a.md", "app", "app2/x", "app2/y", "sim/a.go", "sim/flock", "gone.go"}
	got := strings.Join(misplaced(names, func(name string) int64 { return sizes[name] }), "\n")
	for _, want := range []string{"app does not", "app2 does not", "sim/flock is larger", "gone.go does not"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want something about %q", got, want)
		}
	}
	if n := strings.Count(got, "\n"); n != 3 {
		t.Errorf("got %d problems, want 4:\n%s", n+1, got)
	}
}

// mapped are the files in a line of a package's list of its files.
var mapped = regexp.MustCompile(`(?m)^//\t((?:\w+\.go,? )+)`)

// What the documentation of a package says of a file is of one that is there.
func TestListsOfFiles(t *testing.T) {
	lists := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".." {
			return cmp.Or(err, fs.SkipDir)
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, line := range mapped.FindAllSubmatch(text, -1) {
			lists++
			for name := range strings.FieldsSeq(strings.ReplaceAll(string(line[1]), ",", " ")) {
				_, err := os.Stat(filepath.Join(filepath.Dir(path), name))
				if err != nil && !strings.HasPrefix(name, "NAME") {
					t.Errorf("%s names %s, which is not there", path, name)
				}
			}
		}
		return err
	})
	if err != nil || lists < 100 {
		t.Errorf("%d lines of lists, want more: %v", lists, err)
	}
}

// Each test that the Makefile selects by a pattern exists: a renamed one would drop out in silence.
func TestMakefileNamesTests(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var tests []byte
	for _, pattern := range []string{"../sim/engine/*_test.go", "../sim/*/*/*_test.go", "../sim/cmd/flock/*_test.go", "../wasm/*/*_test.go"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tests = append(tests, text...)
		}
	}
	patterns := regexp.MustCompile(`(?m)^(?:BITS|MEET|MEETFLOCK) := (.*)$`).FindAllSubmatch(makefile, -1)
	if len(patterns) != 3 {
		t.Fatalf("the Makefile has %d patterns, want 3", len(patterns))
	}
	for _, p := range patterns {
		for name := range strings.SplitSeq(strings.ReplaceAll(string(p[1]), "$$", "$"), "|") {
			if !regexp.MustCompile(`(?m)^func Test\w*` + strings.TrimSuffix(strings.TrimPrefix(name, "Test"), "$")).Match(tests) {
				t.Errorf("no test is named %s", name)
			}
		}
	}
}
