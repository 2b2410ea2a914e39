//go:build !js

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A search is continued from its file, comes out the same in parts, and what it has chosen is a sweep.
func TestTune(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const query = "data=digits&n=80&C=4&T=3&exam=5&net=softmax&avg=model&shift=none"
	tune := func(more ...string) []string {
		return append([]string{"tune", "-methods", "fedavg,stocfl", "-tries", "3", "-seeds", "2", query}, more...)
	}
	code, want, errs := invoke(t, tune()...)
	if code != exitOK || !strings.Contains(want, "| fedavg | 2 | lr=") || !strings.Contains(want, "| tie | ") {
		t.Fatalf("code %d, %s\n%s", code, errs, want)
	}
	cut := func(text string) string { // without the time
		before, after, _ := strings.Cut(text, "Computing time")
		_, after, _ = strings.Cut(after, "\n")
		return before + after
	}
	for _, part := range []string{"0/2", "1/2"} {
		if code, _, errs := invoke(t, tune("-shard", part, "-o", file("part.flock"))...); code != exitOK {
			t.Fatal(errs)
		}
	}
	parts, _ := filepath.Glob(file("part*"))
	if code, _, errs := invoke(t, append([]string{"merge", "-o", file("all.flock")}, parts...)...); code != exitOK {
		t.Fatal(errs)
	}
	if code, got, errs := invoke(t, tune("-o", file("all.flock"))...); code != exitOK || cut(got) != cut(want) ||
		!strings.Contains(errs, "12") {
		t.Errorf("from parts: code %d, %s\n%s\nwant\n%s", code, errs, got, want)
	}
	code, chosen, errs := invoke(t, tune("-o", file("all.flock"), "-chosen")...)
	if code != exitOK || !strings.HasPrefix(chosen, "algos=fedavg") || !strings.Contains(want, strings.TrimSpace(chosen)) {
		t.Errorf("code %d, %s: %s", code, errs, chosen)
	}
	if code, got, errs := invoke(t, "sweep", "-seeds", "1", "-vary", strings.TrimSpace(chosen), query); code != exitOK ||
		!strings.Contains(got, "stocfl") {
		t.Errorf("a sweep with what is chosen: code %d, %s\n%s", code, errs, got)
	}
	for _, tt := range []struct{ args, want string }{
		{"-methods nobody " + query, "all, or different ones of"},
		{"-methods ifca,ifca " + query, "all, or different ones of"},
		{"-tries 0 " + query, "a whole number from 1 to 1000"},
		{"-seeds 2000 " + query, "a whole number from 1 to 1000"},
		{"-vary algos=ifca " + query, "-methods"},
		{"-measure beauty " + query, "accuracy, ari"},
		{"-format json " + query, "markdown, latex, html"},
		{query + "&algos=ifca:a&ifca:a.lr=0.3", "has settings of its own"},
		{query + "&algos=fedavg&lr=0.3", "no setting to tune"},
	} {
		code, _, errs := invoke(t, append([]string{"tune"}, strings.Fields(tt.args)...)...)
		if code != exitInput || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: code %d, %s; want %q", tt.args, code, errs, tt.want)
		}
	}
}
