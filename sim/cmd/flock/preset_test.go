package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPreset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lesson.query")
	text := "# Patience beats noise\ndata=linreg&dphi=5\n\nalgos=cflgp,cflgp:nomem\ncflgp:nomem.beta=1\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		code int
		out  string
		errs string // a part of it
	}{
		{"as it stands", []string{"check", "-preset", path}, 0, "data=linreg&dphi=5&algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1\n", ""},
		{"a flag changes it", []string{"check", "-preset", path, "-dphi", "8"}, 0, "data=linreg&dphi=8&algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1\n", ""},
		{"with a query", []string{"check", "-preset", path, "C=9"}, 2, "", "got a query and -preset"},
		{"missing", []string{"check", "-preset", path + ".no"}, 2, "", "no such file"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		code := flock(context.Background(), tt.args, &out, &errs)
		if code != tt.code || out.String() != tt.out || !strings.Contains(strings.ToLower(errs.String()), tt.errs) {
			t.Errorf("%s: flock %q ends with %d, prints %q, says %q; want %d, %q, %q", tt.name, tt.args, code,
				out.String(), errs.String(), tt.code, tt.out, tt.errs)
		}
	}
}
