//go:build !js

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"flockscope/wasm/web"
)

// Links to runs that would fill the memory are made without generating their samples, even
// many at once.
func TestHeavyLinks(t *testing.T) {
	s := newServer(t.TempDir(), filepath.Join(t.TempDir(), "links.db"), "")
	defer s.close()
	post := func(query string) int {
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, httptest.NewRequest("POST", "/api/links", strings.NewReader(query)))
		return w.Code
	}
	post("data=digits") // what is made once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	const posts = 24
	for i := range posts {
		all.Go(func() {
			query := fmt.Sprintf("data=digits&n=100000&C=2000&sd=%d", i)
			if got := post(query); got != http.StatusCreated && got != http.StatusOK {
				t.Errorf("%s: status %d", query, got)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > posts<<20 {
		t.Errorf("%d checks took %d MB, want less than one each", posts, took>>20)
	}
}

// Links full of unknown settings take little time, though each is compared with all known
// ones: every page request can contain them, and no rate limit counts these.
func TestUnknownSettings(t *testing.T) {
	web.ReadState(web.Schema(), "x=1") // what is made once
	for _, text := range []string{strings.Repeat("x=1&", 4000), strings.Repeat("raet=1&", 2300)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, problems := web.ReadState(web.Schema(), text); len(problems) == 0 {
			t.Errorf("%.20s… is taken", text)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%.20s… takes %d MB, want less than 32", text, took>>20)
		}
	}
}
