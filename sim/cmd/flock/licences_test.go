package main

import (
	"bytes"
	"io"
	"testing"

	notice "flockscope/sim/licences"
)

func TestLicences(t *testing.T) {
	var out bytes.Buffer
	if code := flock(t.Context(), []string{"licences"}, &out, io.Discard); code != 0 || out.String() != notice.Text ||
		out.Len() == 0 {
		t.Errorf("flock licences ends with %d after %d bytes, want 0 after %d", code, out.Len(), len(notice.Text))
	}
	if code := flock(t.Context(), []string{"licences", "x"}, io.Discard, io.Discard); code != 2 {
		t.Errorf("flock licences x ends with %d, want 2", code)
	}
}
