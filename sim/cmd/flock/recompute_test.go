//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An independent program, in NumPy, computes the numbers and verdicts of tables anew from their results, and plays some of
// their runs anew. It notices a number that is not that of its runs.
func TestRecomputed(t *testing.T) {
	if testing.Short() {
		t.Skip("NumPy's replays take some seconds")
	}
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy, scipy").Run() != nil {
		t.Skip("needs Debian's python3-scipy")
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join(root, "sim", "lab", "papers", "reference", "recompute.py"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	recompute := func(flock string, args ...string) (string, error) {
		cmd := exec.Command(python, append([]string{script}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "FLOCK="+flock)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for name, file := range map[string]string{"hcfl-tab1": "hcfl-tab1-v1-reduced.flock",
		"cflgp-fig1d": "cflgp-fig1d-v1-reduced.flock"} {
		inFolder(t, dir, "reproduce", "-reduced", name)
		out, err := recompute(path, "-reduced", "-replay", "5", name, file)
		if err != nil || !strings.Contains(out, name+": replays: 5 agree, 0 differ, 0 not compared") ||
			!strings.Contains(out, " agree, 0 differ, 0 not compared\n"+name+": replays") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	// A flock that prints other numbers than its pages have.
	wrong := filepath.Join(dir, "wrong")
	text := "#!/bin/sh\n" + path + ` "$@" | sed 's/"loss":0\.\(.\)/"loss":0.\1\1/g'` + "\n"
	if err := os.WriteFile(wrong, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := recompute(wrong, "-reduced", "cflgp-fig1d", "cflgp-fig1d-v1-reduced.flock"); err == nil ||
		!strings.Contains(out, "differs: ") {
		t.Errorf("of other losses it says\n%s", out)
	}
}
