package e2e

import (
	"compress/gzip"
	"encoding/json"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// publishedRun is a run whose fingerprint stands on a page of results.
type publishedRun struct{ query, fingerprint string }

var bookLink = regexp.MustCompile(`\]\(\.\./\?([^ )]*) "fingerprint ([0-9A-F]{4}-[0-9A-F]{4})`)

// publishedInBook returns the runs on drawn samples that the book's numbers link to.
func publishedInBook(t *testing.T) (out []publishedRun) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "sim", "lab", "papers", "results", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages of the book: %q, %v", pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range bookLink.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[1], "data=samples") {
				out = append(out, publishedRun{html.UnescapeString(m[1]), m[2]})
			}
		}
	}
	return out
}

// publishedInArena returns the arena's runs on drawn samples.
func publishedInArena(t *testing.T) (out []publishedRun) {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "sim", "lab", "papers", "arena-records.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(unzipped)
	for {
		var r struct {
			Query, Fingerprint, Data, Error string
		}
		if err := lines.Decode(&r); err == io.EOF {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Data == "" && r.Error == "" && strings.Contains(r.Query, "data=") {
			out = append(out, publishedRun{r.Query, r.Fingerprint})
		}
	}
}

// Ten numbers of the book and ten of the arena, far apart from each other, come out in every browser as they are published.
func TestPublishedNumbers(t *testing.T) {
	var runs []publishedRun
	for _, all := range [][]publishedRun{publishedInBook(t), publishedInArena(t)} {
		n := 10
		if testing.Short() {
			n = 1
		}
		if len(all) < n {
			t.Fatalf("%d runs are published", len(all))
		}
		for i := range n {
			runs = append(runs, all[(2*i+1)*len(all)/(2*n)])
		}
	}
	if slices.Contains(runs, publishedRun{}) {
		t.Fatalf("a run has no query: %v", runs)
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, r := range runs {
			got := prints(p.Run("?" + r.query))
			if !strings.HasSuffix(got, "result "+r.fingerprint) {
				t.Errorf("%s: %s, and %s is published", r.query, got, r.fingerprint)
			}
		}
	})
}
