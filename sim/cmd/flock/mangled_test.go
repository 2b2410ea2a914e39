package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/testing/randquery"
)

// TestMangledLinks: the command line and preset files read what was meant, whatever happened
// to a link on its way, and say in one line at the most what they repaired.
func TestMangledLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mangled.query")
	for _, query := range randquery.ValidLinks {
		config, _ := catalog.Schema().Parse(query)
		want := config.String() + "\n"
		for _, m := range randquery.Manglings {
			text := m.Mangle(query)
			preset := "\ufeff# a run\r\n\r\n" + text + "\r\n# the end"
			if err := os.WriteFile(path, []byte(preset), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"check", text}, {"check", "-preset", path}} {
				var out, errs bytes.Buffer
				code := flock(context.Background(), args, &out, &errs)
				quiet := errs.Len() == 0 || strings.Count(errs.String(), "\n") == 1 &&
					strings.HasPrefix(errs.String(), "flock: the link was repaired: ")
				if code != exitOK || out.String() != want || !quiet {
					t.Errorf("%s: flock %q of %q ends with %d, prints %q, says %q; want %q", m.Name, args, text, code,
						&out, &errs, want)
				}
			}
		}
	}
}
