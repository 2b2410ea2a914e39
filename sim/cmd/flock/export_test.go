package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flockscope/sim/ingest"
)

// TestExportFile: the file holds what run.json lists, as NumPy's format has it, and the
// fingerprint of the run.
func TestExportFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.npz")
	const query = "data=linreg&T=3&C=5&algos=fedavg,ifca:a"
	var out, errs bytes.Buffer
	if code := flock(context.Background(), []string{"export", "-o", path, query}, &out, &errs); code != 0 ||
		!strings.HasPrefix(out.String(), path+": ") || errs.Len() > 0 {
		t.Fatalf("export: code %d, %q, %q", code, &out, &errs)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	members := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if members[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	var m manifest
	if err := json.Unmarshal(members["run.json"], &m); err != nil {
		t.Fatal(err)
	}
	if len(members) != len(m.Arrays)+2 || m.Clients != 5 || m.Rounds != 3 || m.Groups != 3 || m.Batch != 10 ||
		len(m.Lanes) != 2 || m.Lanes[1].Lane != "ifca:a" || m.Lanes[1].Models != 3 {
		t.Errorf("%d members, run.json %+v", len(members), m)
	}
	for _, a := range m.Arrays {
		size := 1
		for _, n := range a.Shape {
			size *= n
		}
		text := members[a.Name+".npy"]
		length := 10 + int(binary.LittleEndian.Uint16(text[8:]))
		header := string(text[10:length])
		each := map[string]int{"<f4": 4, "<i4": 4, "<f8": 8}[a.Type]
		if string(text[:8]) != "\x93NUMPY\x01\x00" || length%64 != 0 || !strings.HasSuffix(header, "\n") ||
			len(text) != length+each*size ||
			!strings.HasPrefix(header, fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,", a.Type,
				a.Shape[0])) {
			t.Errorf("%s: %d bytes, header %q, want %d numbers %s", a.Name, len(text), header, size, a.Type)
		}
		if !strings.Contains(string(members["README.txt"]), "\n"+a.Name+", ") {
			t.Errorf("README.txt does not speak of %s", a.Name)
		}
	}
	out.Reset()
	if code := flock(context.Background(), []string{"run", query}, &out, &errs); code != 0 ||
		!strings.Contains(out.String(), m.Lanes[0].Fingerprint) || !strings.Contains(out.String(), m.Query) {
		t.Errorf("run of the same query, code %d, has neither fingerprint %s nor query %s", code,
			m.Lanes[0].Fingerprint, m.Query)
	}

	if m.Settings["sd"] != "1" || m.Settings["data"] != "" || m.Lanes[1].Settings["K"] != "3" || m.Lanes[1].Settings["divide"] != "cluster" {
		t.Errorf("run.json has the settings %v, and of the second lane %v", m.Settings, m.Lanes[1].Settings)
	}
	all := filepath.Join(t.TempDir(), "all.npz")
	out.Reset()
	if code := flock(context.Background(), []string{"export", "-rounds", "-o", all, query}, &out, &errs); code != 0 ||
		!strings.HasPrefix(out.String(), fmt.Sprintf("%s: %d arrays; ", all, len(m.Arrays)+2)) {
		t.Errorf("export -rounds: code %d, %q, %q, want two arrays more than %d", code, &out, &errs, len(m.Arrays))
	}

	// Nothing is overwritten, and nothing is left behind that is not whole.
	before, _ := os.ReadFile(path)
	errs.Reset()
	if code := flock(context.Background(), []string{"export", "-o", path, query}, &out, &errs); code != 2 ||
		errs.String() != "flock: "+path+" exists already; name another file with -o\n" {
		t.Errorf("export to a file that is there: code %d, %q", code, &errs)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("export changed a file that was there")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, tt := range []struct {
		ctx  context.Context
		args []string
		code int
		errs string
	}{
		{context.Background(), []string{"data=csv"}, 2, "flock: data=csv needs a file"},
		{context.Background(), []string{"data=pairs8&C=400&T=5000&b=200&algos=fedavg"}, 2, "flock: the run is too large to export: its samples take more than 2 GB"},
		{context.Background(), []string{"-o", filepath.Join(path, "x"), query}, 2, "flock: open "},
		{stopped, []string{query}, 130, "flock: stopped"},
	} {
		fresh := filepath.Join(t.TempDir(), "fresh.npz")
		errs.Reset()
		if code := flock(tt.ctx, append([]string{"export", "-o", fresh}, tt.args...), &out, &errs); code != tt.code ||
			!strings.HasPrefix(errs.String(), tt.errs) {
			t.Errorf("export %v: code %d, %q, want %d, %q", tt.args, code, &errs, tt.code, tt.errs)
		}
		if _, err := os.Stat(fresh); !os.IsNotExist(err) {
			t.Errorf("export %v left %s behind", tt.args, ingest.Title(fresh))
		}
	}
}
