package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serveTree serves a small site for one test.
func serveTree(t *testing.T) http.Handler {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"index.html":         "<!doctype html>page",
		"flockscope.wasm":    "raw program",
		"flockscope.wasm.br": "br program",
		"flockscope.wasm.gz": "gz program",
		"assets/boot.js":     "boot",
		"assets/boot.js.gz":  "gz boot",
		"assets/icon.svg":    "<svg/>",
		"assets/style.css":   "body{}",
		"assets/data.bin":    "bytes",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Handler(dir)
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
		{"page", "GET", "/", "", 200, html, "", "<!doctype html>page"},
		{"page with settings", "GET", "/?engine=main", "", 200, html, "", "<!doctype html>page"},
		{"page by name", "GET", "/index.html", "", 200, html, "", "<!doctype html>page"},
		{"program", "GET", "/flockscope.wasm", "", 200, wasm, "", "raw program"},
		{"program, brotli", "GET", "/flockscope.wasm", "gzip, deflate, br, zstd", 200, wasm, "br", "br program"},
		{"program, gzip", "GET", "/flockscope.wasm", "gzip", 200, wasm, "gzip", "gz program"},
		{"brotli refused", "GET", "/flockscope.wasm", "br;q=0, gzip;q=0.5", 200, wasm, "gzip", "gz program"},
		{"all refused", "GET", "/flockscope.wasm", "br; q=0.000, gzip;q=0", 200, wasm, "", "raw program"},
		{"script without brotli", "GET", "/assets/boot.js", "br, gzip", 200, script, "gzip", "gz boot"},
		{"picture", "GET", "/assets/icon.svg", "br", 200, "image/svg+xml", "", "<svg/>"},
		{"style", "GET", "/assets/style.css", "", 200, "text/css; charset=utf-8", "", "body{}"},
		{"bytes", "GET", "/assets/data.bin", "", 200, "application/octet-stream", "", "bytes"},
		{"head", "HEAD", "/flockscope.wasm", "br", 200, wasm, "br", ""},
		{"health", "GET", "/healthz", "", 200, "text/plain; charset=utf-8", "", "ok\n"},
		{"missing", "GET", "/missing.js", "", 404, html, "", notFoundPage},
		{"directory", "GET", "/assets", "", 404, html, "", notFoundPage},
		{"directory without page", "GET", "/assets/", "", 404, html, "", notFoundPage},
		{"outside", "GET", "/../site.go", "", 404, html, "", notFoundPage},
		{"outside, hidden", "GET", "/%2e%2e/site.go", "", 404, html, "", notFoundPage},
		{"post", "POST", "/", "", 405, "text/plain; charset=utf-8", "", "This server only answers GET and HEAD.\n"},
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
			for name, want := range headers {
				if got := answer.Header.Get(name); got != want && !(tt.status == 405 && name == "Cache-Control") {
					t.Errorf("%s = %q, want %q", name, got, want)
				}
			}
		})
	}
}

// A browser that holds the current file in the same coding gets no body.
func TestNotModified(t *testing.T) {
	handler := serveTree(t)
	first := get(handler, "GET", "/flockscope.wasm", "Accept-Encoding: br")
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
			answer := get(handler, "GET", "/flockscope.wasm", "Accept-Encoding: "+tt.accept, "If-None-Match: "+tag)
			if answer.StatusCode != tt.want {
				t.Errorf("status = %d, want %d", answer.StatusCode, tt.want)
			}
		})
	}
}

// Content-Length is what travels, so that a page can show how far a load is.
func TestLength(t *testing.T) {
	answer := get(serveTree(t), "GET", "/flockscope.wasm", "Accept-Encoding: br", "Range: bytes=1-2")
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := answer.Header.Get("Content-Length"), "10"; got != want || string(body) != "br program" {
		t.Errorf("Content-Length = %s of %q, want %s and the whole file", got, body, want)
	}
}
