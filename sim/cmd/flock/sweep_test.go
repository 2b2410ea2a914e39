//go:build !js

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestSweep(t *testing.T) {
	paths := files(t, map[string]string{"good.csv": samples(true)})
	tests := []struct {
		name      string
		args      []string
		code      int
		out, errs string // something of each
	}{
		{"a table", []string{"-vary", "dphi=5,20", "-seeds", "2", "T=3&algos=ifca"}, 0, "dphi  lane  n  ari", ""},
		{"two settings", []string{"T=3&algos=ifca", "-vary", "dphi=5,20", "-vary", "b=5:10:*2", "-seeds=1"}, 0, "dphi  b   lane  n  ari", ""},
		{"CSV", []string{"-csv", "-vary", "dphi=5,20", "-seeds", "1", "T=3&algos=ifca"}, 0, "dphi,seed,lane,", ""},
		{"JSON", []string{"-json", "-vary", "dphi=5,20", "-seeds", "1", "T=3&algos=ifca"}, 0, `{"base":"data=linreg&T=3&algos=ifca"`, ""},
		{"a file", []string{"-vary", "K=1,2", "-seeds", "1", "-data", paths["good.csv"], "T=3&algos=ifca"}, 0, "K  lane", "flock: note: Defaults that fit this file: K=2."},
		{"values that do not fit", []string{"-vary", "K=3,20", "-seeds", "1", "T=3&algos=ifca"}, 0, "K   lane", "flock: K=20 is left out"},
		{"nothing to vary", []string{"T=3"}, 2, "", "say what to vary"},
		{"no such setting", []string{"-vary", "colour=1,2"}, 2, "", "there is no setting colour"},
		{"no seeds", []string{"-vary", "dphi=5", "-seeds", "0"}, 2, "", `-seeds: got "0", want a whole number from 1 to 1000000`},
		{"no file", []string{"-vary", "K=1,2", "-seeds", "1", "data=csv&T=3&algos=ifca"}, 2, "", "data=csv needs a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := flock(context.Background(), append([]string{"sweep"}, tt.args...), &out,
				&errs); code != tt.code {
				t.Errorf("got code %d, want %d (%s)", code, tt.code, &errs)
			}
			if !strings.HasPrefix(out.String(), tt.out) || tt.out == "" && out.Len() > 0 {
				t.Errorf("got %q, want it to begin with %q", &out, tt.out)
			}
			if !strings.Contains(errs.String(), tt.errs) || tt.errs == "" && errs.Len() > 0 {
				t.Errorf("got errors %q, want %q", &errs, tt.errs)
			}
		})
	}
}

// An interrupt ends a sweep at once and prints what is there.
func TestSweepStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := flock(ctx, []string{"sweep", "-vary", "dphi=5,20", "T=3&algos=ifca"}, &out, &errs); code != 130 {
		t.Errorf("got code %d, want 130 (%s)", code, &errs)
	}
	if !strings.HasPrefix(out.String(), "dphi") {
		t.Errorf("got %q, want a table", &out)
	}
}
