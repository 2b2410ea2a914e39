//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// spoil flips a bit in the last lines of some records of a file, wherever copies of them are.
func spoil(t *testing.T, name string, records ...string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		cell := []byte(r[:len(`{"cell":"00112233445566778899aabbccddeeff"`)])
		for at := 0; ; at++ {
			i := bytes.Index(data[at:], cell)
			if i < 0 {
				break
			}
			at += i
			data[at+len(cell)+20] ^= 4
		}
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every command that reads results says how many cannot be read, and ends with 1 unless it is
// told to skip them; none writes to a damaged file before that. A merge with a good file, or
// computing them again, brings back what was lost.
func TestDamagedResults(t *testing.T) {
	dir := t.TempDir()
	name, good := filepath.Join(dir, "a.flock"), filepath.Join(dir, "good.flock")
	says(t, 0, sweepOf("-o", name)...)
	want := exported(t, name)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(want))
	renew := func() {
		t.Helper()
		for name, data := range map[string][]byte{name: whole, good: whole} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		spoil(t, name, lines[0], lines[10], lines[63])
	}
	renew()
	damaged, _ := os.ReadFile(name)
	jsonl := filepath.Join(dir, "a.jsonl")
	forged := strings.Replace(want, `"ari":`, `"ari":7,"was":`, 3) // in the first three lines
	if err := os.WriteFile(jsonl, []byte(forged), 0o600); err != nil {
		t.Fatal(err)
	}
	lost := "is damaged: 3 of 64 records cannot be read"
	for _, args := range [][]string{
		{"results", name}, {"results", "-jsonl", name}, {"results", "-csv", name}, {"results", "-json", name},
		{"results", "-plan", name}, {"report", name}, {"report", jsonl}, {"report", good, jsonl},
		{"merge", "-o", filepath.Join(dir, "new.flock"), name}, {"merge", "-o", filepath.Join(dir, "lines.flock"), jsonl},
		{"sweep", "-o", name}, sweepOf("-o", name), sweepOf("-workers", "2", "-o", name),
		{"verify", "-share", "1", name}, {"verify", jsonl},
	} {
		out, errs := says(t, exitFailed, args...)
		if strings.Count(errs, lost) != 1 || !strings.Contains(errs, "flock merge with a good copy") {
			t.Errorf("flock %q says %q", args, errs)
		}
		if args[1] == "-jsonl" && out != strings.Join(slices.Concat(lines[1:10], lines[11:63]), "") {
			t.Error("what is whole is not all printed")
		}
	}
	if after, _ := os.ReadFile(name); !bytes.Equal(after, damaged) {
		t.Error("a damaged file was written to")
	}
	for _, args := range [][]string{{"results", "-damaged", "skip", name}, {"report", "-damaged=skip", jsonl},
		{"verify", "-damaged=skip", name}} {
		if _, errs := says(t, 0, args...); strings.Count(errs, lost) != 1 {
			t.Errorf("flock %q says %q", args, errs)
		}
	}
	says(t, exitInput, "results", "-damaged", "maybe", name)
	for _, args := range [][]string{
		{"sweep", "-damaged=skip", "-o", name}, {"merge", "-o", name, good},
		{"merge", "-o", filepath.Join(dir, "healed.flock"), name, good}, {"merge", "-o", name, jsonl, good},
	} {
		renew()
		_, errs := says(t, 0, args...)
		if !strings.Contains(errs, lost) {
			t.Errorf("flock %q says %q", args, errs)
		}
		if exported(t, args[slices.Index(args, "-o")+1]) != want && args[0] == "merge" || args[0] == "sweep" &&
			exported(t, name) != want {
			t.Errorf("flock %q does not bring back what was lost", args)
		}
	}
	if kept, err := os.ReadFile(name + ".damaged"); err != nil || !bytes.Equal(kept, damaged) {
		t.Errorf("the damaged file is not kept: %v", err)
	}
}

// Of any damage, flock results either says so or prints all that was there.
func TestDamagedAtRandom(t *testing.T) {
	copies := 12
	if !testing.Short() {
		copies = 100
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "a.flock")
	says(t, 0, sweepOf("-o", name)...)
	want := exported(t, name)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	bad := filepath.Join(dir, "bad.flock")
	for n := range copies {
		data := bytes.Clone(whole)
		if n%4 == 0 {
			data = data[:random.IntN(len(data))]
		}
		for range min(20, len(data)) {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := invoke(t, "results", "-jsonl", bad)
		if code == exitOK && out != want || code != exitOK && !strings.Contains(errs, "flock: "+bad+" is ") {
			t.Errorf("copy %d: ends with %d, %d lines, says %q", n, code, strings.Count(out, "\n"), errs)
		}
	}
}
