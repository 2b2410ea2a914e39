//go:build !js

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// invoke carries out one command line.
func invoke(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = flock(context.Background(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// Reports are written of files of results and of JSON Lines alike; bad input gets a
// sentence and the exit code 2.
func TestReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	sweep := []string{"sweep", "-seeds", "2", "-vary", "K=2,3", "-vary", "algos=ifca,clove", "-o",
		file("a.flock"), "T=5&C=6"}
	if code, _, errs := invoke(t, sweep...); code != exitOK {
		t.Fatal(errs)
	}
	_, lines, _ := invoke(t, "results", "-jsonl", file("a.flock"))
	_, planText, _ := invoke(t, "results", "-plan", file("a.flock"))
	for name, text := range map[string]string{"a.jsonl": lines, "a.plan": planText, "empty": "",
		"cut.jsonl": lines[:40] + "\n", "other": "hello"} {
		if err := os.WriteFile(file(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, want, errs := invoke(t, "report", file("a.flock"), "-svg", file("pictures"))
	if code != exitOK || !strings.Contains(want, "| clove | ") || !strings.Contains(want,
		defaultSite+"?data=linreg") {
		t.Fatalf("code %d, %s\n%s", code, errs, want)
	}
	if svg, err := os.ReadFile(file("pictures/curves-ari-1.svg")); err != nil ||
		strings.Contains(string(svg), "<text") {
		t.Error(err)
	}
	for _, args := range [][]string{{file("a.jsonl")}, {"-plan", file("a.plan"), file("a.jsonl")},
		{file("a.jsonl"), file("a.flock")}} {
		if code, got, errs := invoke(t, append([]string{"report"}, args...)...); code != exitOK || got != want {
			t.Errorf("%v: code %d, %s\n%s\nwant\n%s", args, code, errs, got, want)
		}
	}
	for _, format := range reportFormats {
		if code, got, errs := invoke(t, "report", "-format", format,
			file("a.flock")); code != exitOK || len(got) < 500 {
			t.Errorf("%s: code %d, %s\n%s", format, code, errs, got)
		}
	}
	code, got, errs := invoke(t, "report", "-score", "raw", "-rope", "0.02", "-family", "K", "-against", "ifca",
		file("a.flock"))
	if code != exitOK || !strings.Contains(got, "How much better: ARI") || !strings.Contains(got, "at most 0.02 are") ||
		!strings.Contains(got, "Differences from ifca") || !strings.Contains(got, "| method | K = 2 | K = 3 |") {
		t.Errorf("effect sizes: code %d, %s\n%s", code, errs, got)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-score", "beauty", file("a.flock")}, "gain, share, raw"},
		{[]string{"-score", "gain", file("a.flock")}, "-against METHOD"},
		{[]string{"-score", "gain", "-format", "json", file("a.flock")}, "-against METHOD"},
		{[]string{"-score", "raw", "-format", "csv", file("a.flock")}, "-format json"},
		{[]string{"-score", "raw", "-rope", "-1", file("a.flock")}, "at least 0"},
		{[]string{"-score", "raw", "-family", "dphi", file("a.flock")}, "a setting that is varied: K"},
		{[]string{"-rope", "0.1", file("a.flock")}, "-score gain, share or raw"},
		{nil, "got none"},
		{[]string{file("missing")}, "no such file"},
		{[]string{file("empty")}, "is empty"},
		{[]string{file("other")}, "is no file of results"},
		{[]string{"-format", "word", file("a.flock")}, "markdown, latex, html, csv, json"},
		{[]string{"-measure", "beauty", file("a.flock")}, "accuracy, ari"},
		{[]string{"-against", "nobody", file("a.flock")}, "ifca and clove"},
		{[]string{"-columns", "dphi", file("a.flock")}, "a setting that is varied: K"},
		{[]string{"-plan", file("other"), file("a.jsonl")}, "line 1"},
	} {
		code, _, errs := invoke(t, append([]string{"report"}, tt.args...)...)
		if code != exitInput || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: code %d, %s; want %q", tt.args, code, errs, tt.want)
		}
	}
	if code, _, errs := invoke(t, "report", file("cut.jsonl")); code != exitFailed ||
		!strings.Contains(errs, "1 record damaged") {
		t.Errorf("of a line that is cut off: code %d, %s", code, errs)
	}
}
