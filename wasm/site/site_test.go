package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flockscope/wasm/web"
)

const index = `<title>Flockscope</title>
<link rel="stylesheet" href="assets/style.css"><script src="assets/boot.js" defer></script><a href="elsewhere">`

// serveTree serves a small site for one test.
func serveTree(t *testing.T) http.Handler {
	t.Helper()
	return Handler(writeTree(t))
}

func writeTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"index.html":        index,
		"kernel.wasm":       "raw program",
		"kernel.wasm.br":    "br program",
		"kernel.wasm.gz":    "gz program",
		"assets/boot.js":    "boot",
		"assets/boot.js.gz": "gz boot",
		"assets/icon.svg":   "<svg/>",
		"assets/style.css":  "body{}",
		"assets/data.bin":   "bytes",
		"assets/rows.gz":    "rows",
		"assets/link.js":    "link",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// get asks the handler; headers are "Name: value".
func get(handler http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Result()
}

func TestHandler(t *testing.T) {
	const html, script, wasm = "text/html; charset=utf-8", "text/javascript; charset=utf-8", "application/wasm"
	tests := []struct {
		name     string
		method   string
		target   string
		accept   string
		status   int
		kind     string
		encoding string
		body     string
	}{
		{"program", "GET", "/kernel.wasm", "", 200, wasm, "", "raw program"},
		{"program, brotli", "GET", "/kernel.wasm", "gzip, deflate, br, zstd", 200, wasm, "br", "br program"},
		{"program, gzip", "GET", "/kernel.wasm", "gzip", 200, wasm, "gzip", "gz program"},
		{"program, another version", "GET", "/v/0123/kernel.wasm", "br", 404, html, "", web.MissingPage},
		{"no file of a version", "GET", "/v/0123", "", 404, html, "", web.MissingPage},
		{"brotli refused", "GET", "/kernel.wasm", "br;q=0, gzip;q=0.5", 200, wasm, "gzip", "gz program"},
		{"all refused", "GET", "/kernel.wasm", "br; q=0.000, gzip;q=0", 200, wasm, "", "raw program"},
		{"script without brotli", "GET", "/assets/boot.js", "br, gzip", 200, script, "gzip", "gz boot"},
		{"picture", "GET", "/assets/icon.svg", "br", 200, "image/svg+xml", "", "<svg/>"},
		{"style", "GET", "/assets/style.css", "", 200, "text/css; charset=utf-8", "", "body{}"},
		{"bytes", "GET", "/assets/data.bin", "", 200, "application/octet-stream", "", "bytes"},
		{"compressed by itself", "GET", "/assets/rows.gz", "", 200, "application/octet-stream", "", "rows"},
		{"head", "HEAD", "/kernel.wasm", "br", 200, wasm, "br", ""},
		{"health", "GET", "/healthz", "", 200, "text/plain; charset=utf-8", "", "ok\n"},
		{"missing", "GET", "/missing.js", "", 404, html, "", web.MissingPage},
		{"form of a file", "GET", "/kernel.wasm.br", "", 404, html, "", web.MissingPage},
		{"directory", "GET", "/assets", "", 404, html, "", web.MissingPage},
		{"directory without page", "GET", "/assets/", "", 404, html, "", web.MissingPage},
		{"outside", "GET", "/../site.go", "", 404, html, "", web.MissingPage},
		{"outside, hidden", "GET", "/%2e%2e/site.go", "", 404, html, "", web.MissingPage},
		{"outside, of a version", "GET", "/v/0123/../../site.go", "", 404, html, "", web.MissingPage},
		{"post", "POST", "/kernel.wasm", "", 405, "text/plain; charset=utf-8", "", "Only GET and HEAD are allowed here.\n"},
	}
	handler := serveTree(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := get(handler, tt.method, tt.target, "Accept-Encoding: "+tt.accept)
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != tt.status || string(body) != tt.body {
				t.Errorf("%s %s = %d %q, want %d %q", tt.method, tt.target, answer.StatusCode, body, tt.status, tt.body)
			}
			if got := answer.Header.Get("Content-Type"); got != tt.kind {
				t.Errorf("Content-Type = %q, want %q", got, tt.kind)
			}
			if got := answer.Header.Get("Content-Encoding"); got != tt.encoding {
				t.Errorf("Content-Encoding = %q, want %q", got, tt.encoding)
			}
			for name, want := range web.Headers {
				if got := answer.Header.Get(name); got != want && !(tt.status == 405 && name == "Cache-Control") {
					t.Errorf("%s = %q, want %q", name, got, want)
				}
			}
		})
	}
}

// The page names its own files, and no others, by version; such an address may
// be kept for ever. A new build has a new version, and nothing under the old one.
func TestVersion(t *testing.T) {
	dir := writeTree(t)
	handler := Handler(dir)
	page := func() string {
		body, _ := io.ReadAll(get(handler, "GET", "/").Body)
		return string(body)
	}
	version := Open(dir).Version()
	before := page()
	for _, want := range []string{`href="/v/` + version + `/assets/style.css"`,
		`src="/v/` + version + `/assets/boot.js"`, `href="elsewhere"`} {
		if !strings.Contains(before, want) {
			t.Errorf("the page is %s, want %s in it", before, want)
		}
	}
	answer := get(handler, "GET", "/v/"+version+"/assets/boot.js")
	if got := answer.Header.Get("Cache-Control"); answer.StatusCode != 200 || got != foreverCache {
		t.Errorf("a file under its version has Cache-Control %q, want %q", got, foreverCache)
	}
	if err := os.WriteFile(filepath.Join(dir, "assets", "boot.js"), []byte("another boot"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after := page(); after == before || strings.Contains(after, version) {
		t.Errorf("after another build the page is still %s", after)
	}
	answer = get(handler, "GET", "/v/"+version+"/assets/boot.js")
	if got := answer.Header.Get("Cache-Control"); answer.StatusCode != 404 || got != "no-cache" {
		t.Errorf("a file under an old version: status %d, Cache-Control %q, want 404, no-cache", answer.StatusCode, got)
	}
}

// Without a site, a server says what to do.
func TestNoSite(t *testing.T) {
	handler := Handler(t.TempDir())
	for _, target := range []string{"/", "/kernel.wasm"} {
		answer := get(handler, "GET", target)
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != 500 || !strings.Contains(string(body), "make build") {
			t.Errorf("GET %s = %d %q, want 500 and what to do", target, answer.StatusCode, body)
		}
	}
}

// A browser that holds the current file in the same coding gets no body.
func TestNotModified(t *testing.T) {
	handler := serveTree(t)
	first := get(handler, "GET", "/kernel.wasm", "Accept-Encoding: br")
	tag := first.Header.Get("ETag")
	if tag == "" {
		t.Fatal("the answer has no ETag")
	}
	tests := []struct {
		name, accept string
		want         int
	}{
		{"same coding", "br", http.StatusNotModified},
		{"another coding", "gzip", http.StatusOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := get(handler, "GET", "/kernel.wasm", "Accept-Encoding: "+tt.accept, "If-None-Match: "+tag)
			if answer.StatusCode != tt.want {
				t.Errorf("status = %d, want %d", answer.StatusCode, tt.want)
			}
		})
	}
}

// Content-Length is what travels, so that a page can show how far a load is.
func TestLength(t *testing.T) {
	answer := get(serveTree(t), "GET", "/kernel.wasm", "Accept-Encoding: br", "Range: bytes=1-2")
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := answer.Header.Get("Content-Length"), "10"; got != want || string(body) != "br program" {
		t.Errorf("Content-Length = %s of %q, want %s and the whole file", got, body, want)
	}
}
