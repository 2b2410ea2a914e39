package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// The tables of the README say what the registries and the runs say.
func TestReadmeIsCurrent(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := rewrite(context.Background(), string(text))
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(text), "\n"), strings.Split(fresh, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("README.md, line %d, is not current (go generate ./sim/cmd/flock mends it):\n%.200s\nwant\n%.200s", i+1, was[i], is[i])
		}
	}
	if len(was) != len(is) {
		t.Errorf("README.md has %d lines, want %d", len(was), len(is))
	}
	for name := range tables {
		if !strings.Contains(fresh, "<!-- flock: "+name+" -->") {
			t.Errorf("README.md has no table of %s", name)
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, text := range []string{"<!-- flock: nothing -->\n" + docsEnd, "<!-- flock: methods -->\nno end"} {
		if _, err := rewrite(context.Background(), text); err == nil {
			t.Errorf("rewrite(%q) is content", text)
		}
	}
}
