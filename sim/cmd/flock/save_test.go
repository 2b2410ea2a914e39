//go:build !js

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/runfile"
)

// TestSave: run -save writes the run file of the run, which can be read again, and leaves none behind otherwise.
func TestSave(t *testing.T) {
	const query = "data=shapes&n=80&net=lenet&exam=4&C=4&b=4&probe=4&T=2&algos=cflgp,ifca"
	path := filepath.Join(t.TempDir(), "shapes.run")
	code, out, errs := invoke(t, "run", "-save", path, query)
	if code != exitOK || strings.Count(out, "\n") != 2*(2+1)+1 {
		t.Fatalf("exit code %d, %q, and the lines\n%s", code, errs, out)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := catalog.Schema().Parse(query)
	want, err := engine.Record(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, runfile.Write(want)) {
		t.Error("the file is not that of the run")
	}
	if _, err := runfile.Read(got); err != nil {
		t.Error(err)
	}
	if code, _, errs := invoke(t, "run", "-save", path, query); code != exitInput || !strings.Contains(errs, "-save") {
		t.Errorf("over an older file: exit code %d, %q", code, errs)
	}
	refused := filepath.Join(t.TempDir(), "none.run")
	if code, _, _ := invoke(t, "run", "-save", refused, "data=csv"); code != exitInput {
		t.Errorf("without its data: exit code %d", code)
	}
	if _, err := os.Stat(refused); !os.IsNotExist(err) {
		t.Error("a refused run leaves a file")
	}
}
