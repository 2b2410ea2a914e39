package main

import (
	"bytes"
	"os/exec"
	"testing"
)

// The service worker, under node: what it keeps may be damaged, cannot be read, is gone, or
// cannot be kept anew, and the page gets its files all the same.
func TestKeptFiles(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	site := files{"index.html": []byte("1"), "assets/boot.js": []byte("boot"), "assets/sweeps.js": []byte("sweeps"),
		"flockscope.pack": []byte("packed")}
	if err := addWorker(site); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/offline.mjs")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(site[workerFile]), &errs
	if out, err := cmd.Output(); err != nil || string(out) != "done\n" {
		t.Errorf("%v: %s%s", err, out, &errs)
	}
}
