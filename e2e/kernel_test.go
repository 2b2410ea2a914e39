package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestKernel: pages and workers compute with the vectors of kernel.wasm, and
// without them the same bits by Go's own loops.
func TestKernel(t *testing.T) {
	const query = "algos=clove,cflgp&C=24&b=20&dphi=8&T=60"
	want := native(t, query)
	missing := func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }
	damaged := func(a *httptest.ResponseRecorder) { a.Body = bytes.NewBufferString("<html>not a module") }
	tests := []struct {
		name, query string
		change      func(*httptest.ResponseRecorder)
		noise       string
		vectors     bool // are used
	}{
		{"vectors", "", nil, "", true},
		{"damaged", "", damaged, "", false},
		{"vectors, main thread", "engine=main&", nil, "", true},
		{"vectors, blob worker", "engine=blob&", nil, "", true},
		{"switched off", "simd=0&", nil, "", false},
		{"missing", "", missing, "404", false},
	}
	source, err := os.ReadFile(filepath.Join(root, "assets", "kernel.js"))
	if err != nil {
		t.Fatal(err)
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range firstStates(2, tests) {
			var bound atomic.Int32
			// kernel.js, as it is before a build makes it smaller, tells of each loop it binds.
			spied := changed("/assets/kernel.js", func(a *httptest.ResponseRecorder) {
				a.Body = bytes.NewBufferString(strings.Replace(string(source), "loop.bind(exports[name]);",
					"{ loop.bind(exports[name]); fetch('/bound').catch(() => {}); }", 1))
			})
			kernel := changed("/kernel.wasm", func(a *httptest.ResponseRecorder) {
				if tt.change != nil {
					tt.change(a)
				}
			})
			p.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch path := version.ReplaceAllString(r.URL.Path, "/"); path {
				case "/bound":
					bound.Add(1)
				case "/kernel.wasm":
					kernel.ServeHTTP(w, r)
				default:
					spied.ServeHTTP(w, r)
				}
			}))
			if tt.noise != "" {
				p.AllowProblem(tt.noise)
			}
			got := p.Run("?" + tt.query + query)
			if got.Problem != "" || prints(got) != want {
				t.Errorf("%s: state() = %+v, want the lanes %s", tt.name, got, want)
			}
			t.Logf("%s: %d loops bound, engine %s", tt.name, bound.Load(), got.Engine)
			if (bound.Load() > 0) != tt.vectors {
				t.Errorf("%s: %d loops bound, want some: %v", tt.name, bound.Load(), tt.vectors)
			}
		}
	})
}

// A browser that knows no vectors refuses the module with them: the page says once
// what that means for networks, and computes.
func TestNoVectors(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(changed("/kernel.wasm", func(a *httptest.ResponseRecorder) {
			a.Body.Bytes()[4] = 2 // a version of WebAssembly that nobody knows
		}))
		if got := p.Run("?data=linreg&T=20"); len(got.Notices) > 0 {
			t.Errorf("where no network is trained, the page says %q", got.Notices)
		}
		got := p.Run("?data=digits&C=8&T=2&each=20&algos=ifca")
		if len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "WebAssembly SIMD cannot be used here") ||
			got.Problem != "" {
			t.Errorf("without vectors the page says %q, its problem is %q", got.Notices, got.Problem)
		}
	})
}
