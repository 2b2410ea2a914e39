package main

import (
	"bytes"
	"testing"
)

func TestSize(t *testing.T) {
	size, err := gzipped(bytes.Repeat([]byte("the same again, "), 10000))
	if err != nil || size < 100 || size > 2000 {
		t.Errorf("gzipped = %d, %v, want some hundred bytes", size, err)
	}
	for size, ok := range map[int]bool{0: true, maxBytes: true, maxBytes + 1: false} {
		if err := checkSize(size); (err == nil) != ok {
			t.Errorf("checkSize(%d) = %v, want ok %v", size, err, ok)
		}
	}
}

// Without a site there is nothing to make a table of.
func TestBuildNeedsSite(t *testing.T) {
	if err := build(t.TempDir(), t.TempDir()); err == nil {
		t.Error("build = nil, want an error")
	}
}
