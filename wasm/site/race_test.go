package site

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A file under its version has that content while builds follow each other, or is not there.
func TestVersionRace(t *testing.T) {
	dir := writeTree(t)
	s := Open(dir)
	handler := Handler(dir)
	name := filepath.Join(dir, "assets", "boot.js")
	if err := os.Remove(name + ".gz"); err != nil {
		t.Fatal(err)
	}
	contents := []string{"boot a", "boot number b"}
	build := func(i int) string {
		next := filepath.Join(t.TempDir(), "boot.js")
		if err := os.WriteFile(next, []byte(contents[i]), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, name); err != nil {
			t.Fatal(err)
		}
		return s.Version()
	}
	versions := []string{build(0), build(1)}
	var busy sync.WaitGroup
	ended := make(chan struct{})
	for range 2 {
		busy.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-ended:
					return
				default:
				}
				answer := get(handler, "GET", "/v/"+versions[i%2]+"/assets/boot.js")
				body, err := io.ReadAll(answer.Body)
				if err != nil || answer.StatusCode == http.StatusOK && !strings.Contains(string(body), contents[i%2]) {
					t.Errorf("%s: %q, %v", versions[i%2], body, err)
					return
				}
			}
		})
	}
	for i := range 200 {
		build(i % 2)
	}
	close(ended)
	busy.Wait()
}
