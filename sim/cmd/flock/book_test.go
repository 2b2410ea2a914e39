//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// inFolder runs the built program in a folder, which gets its results files, and returns what it prints.
func inFolder(t *testing.T, dir string, args ...string) (out, errs string) {
	t.Helper()
	cmd := program(t, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &stderr)
	}
	return stdout.String(), stderr.String()
}

// pagesOf returns the pages of a book without what differs from one computer and hour to the next.
func pagesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*", "results/*"} {
		names, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // the folder of pages
			}
			rel, _ := filepath.Rel(folder, name)
			out[rel] = regexp.MustCompile(`The times of its .* add up to .*`).ReplaceAllString(string(text), "")
		}
	}
	return out
}

// A book has a page for each table and one with a row for each, which links to it. Numbers link to the page beside it,
// and a reduced form has none of the paper's numbers.
func TestBook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, format := range []string{"markdown", "html"} {
		inFolder(t, dir, "reproduce", "-reduced", "-format", format, "-book", "book", "cflgp-fig1b", "cflgp-fig1d")
	}
	pages := pagesOf(t, filepath.Join(dir, "book"))
	if len(pages) != 6 {
		t.Fatalf("the book has %d pages, want 6", len(pages))
	}
	for name, text := range pages {
		ending := filepath.Ext(name)
		for _, never := range []string{"localhost", "Paper and Flockscope", "0.04 at best"} {
			if strings.Contains(text, never) {
				t.Errorf("%s says %q", name, never)
			}
		}
		if strings.HasPrefix(name, "results/") {
			link := map[string]string{".md": "](../?data=linreg", ".html": `<a href="../?data=linreg`}[ending]
			if !strings.Contains(text, link) || !strings.Contains(text, "not comparable with the paper") {
				t.Errorf("%s has no number with a relative link, or does not say that it is reduced", name)
			}
			continue
		}
		for _, table := range []string{"cflgp-fig1b", "cflgp-fig1d"} {
			if to := "results/" + table + "-reduced" + ending; !strings.Contains(text, to) || pages[to] == "" {
				t.Errorf("%s has no link to %s, or that is not there", name, to)
			}
		}
		if !strings.Contains(text, "reduced form: not comparable") || !strings.Contains(text, "●") {
			t.Errorf("%s does not count:\n%s", name, text)
		}
	}

	// What is done costs what it took, and the rest is measured.
	out, _ := inFolder(t, dir, "reproduce", "-reduced", "-cost", "cflgp-fig1b", "cflgp-fig1c")
	for _, want := range []string{`cflgp-fig1b .* 100 .* 12 clients, 200 rounds .* 100 finished runs`,
		`cflgp-fig1c .* 200 .* 12 clients, 200 rounds, 2 parameters .* 40 runs of at most 3 rounds`,
		`\nall: .* of CPU time`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the costs do not say %s:\n%s", want, out)
		}
	}
}

// A book that is killed twice goes on, and ends with the pages of one that was not.
func TestBookIsKilled(t *testing.T) {
	t.Parallel()
	args := []string{"reproduce", "-reduced", "-book", "book", "cflgp-fig1a", "cflgp-fig1b"}
	whole, killed := t.TempDir(), t.TempDir()
	inFolder(t, whole, args...)
	file := filepath.Join(killed, "cflgp-fig1a-v1-reduced.flock")
	size := int64(0)
	for range 2 {
		cmd := program(t, args...)
		cmd.Dir = killed
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for grown := false; !grown; { // until it has kept results
			select {
			case err := <-ended:
				t.Fatalf("it ended before it was killed: %v", err)
			default:
			}
			if info, err := os.Stat(file); err == nil && info.Size() > size {
				size, grown = info.Size(), true
			}
		}
		cmd.Process.Signal(syscall.SIGKILL)
		<-ended
	}
	_, errs := inFolder(t, killed, args...)
	if !strings.Contains(errs, "what it has is not computed again") {
		t.Errorf("it does not go on:\n%s", errs)
	}
	got, want := pagesOf(t, filepath.Join(killed, "book")), pagesOf(t, filepath.Join(whole, "book"))
	if len(got) != len(want) || len(want) != 3 {
		t.Errorf("%d pages, want %d", len(got), len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
}
