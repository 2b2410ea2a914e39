// Package site serves the built site over HTTP, with the headers that let it
// run under a strict policy and inside the pages of others. It uses the native
// net/http and is no part of the program in the browser.
package site

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
)

// Policy is the Content-Security-Policy of every answer. Compiling WebAssembly
// needs 'wasm-unsafe-eval'; blob: in script-src and worker-src is for the
// worker that is made from a blob inside a sandboxed frame; frame-ancestors *
// invites other pages to embed this one.
const Policy = "default-src 'none'; " +
	"script-src 'self' blob: 'wasm-unsafe-eval'; " +
	"worker-src 'self' blob:; " +
	"style-src 'self'; " +
	"img-src 'self' data: blob:; " +
	"font-src 'self'; " +
	"connect-src 'self'; " +
	"manifest-src 'self'; " +
	"frame-ancestors *; " +
	"base-uri 'none'; " +
	"form-action 'none'; " +
	"object-src 'none'"

// headers go with every answer. The two Cross-Origin headers let the page load
// inside pages that are cross-origin isolated; Access-Control-Allow-Origin lets
// it fetch its own files from inside a sandboxed frame, whose origin is null.
var headers = map[string]string{
	"Content-Security-Policy":      Policy,
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Access-Control-Allow-Origin":  "*",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "strict-origin-when-cross-origin",
	"Cache-Control":                "no-cache",
}

// types are the content types of the files a site holds. The system's table of
// types is not asked, because it differs from machine to machine.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".webmanifest": "application/manifest+json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".jpg":         "image/jpeg",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
	".wasm":        "application/wasm",
	".txt":         "text/plain; charset=utf-8",
	".md":          "text/plain; charset=utf-8",
}

// Handler serves the site in a directory as wasm/build wrote it, picking the
// compressed form that the browser accepts. GET /healthz answers "ok".
func Handler(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "This server only answers GET and HEAD.", http.StatusMethodNotAllowed)
			return
		}
		if r.URL.Path == "/healthz" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintln(w, "ok")
			return
		}
		serveFile(w, r, os.DirFS(dir))
	})
}

// serveFile answers with a file of the site, or says that there is none.
func serveFile(w http.ResponseWriter, r *http.Request, site fs.FS) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	file, suffix, err := openAccepted(site, name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		notFound(w)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		notFound(w)
		return
	}
	content, ok := file.(seeker)
	if !ok {
		http.Error(w, "This file cannot be read.", http.StatusInternalServerError)
		return
	}
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.ModTime().UnixNano(), info.Size(), suffix))
	if suffix != "" {
		h.Set("Content-Encoding", encodings[suffix])
		h.Set("Content-Length", fmt.Sprint(info.Size()))
	}
	// A part of a compressed file is of no use to anyone.
	r.Header.Del("Range")
	http.ServeContent(w, r, name, info.ModTime(), content)
}

var encodings = map[string]string{".br": "br", ".gz": "gzip"}

// openAccepted opens the smallest form of a file that the browser accepts, and
// returns the suffix of that form.
func openAccepted(site fs.FS, name, accept string) (fs.File, string, error) {
	for _, suffix := range []string{".br", ".gz"} {
		if !accepts(accept, encodings[suffix]) {
			continue
		}
		file, err := site.Open(name + suffix)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, suffix, err
		}
	}
	file, err := site.Open(name)
	return file, "", err
}

// accepts reports whether an Accept-Encoding header names a coding and does
// not refuse it with a weight of zero.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) != coding {
			continue
		}
		weight = strings.ReplaceAll(weight, " ", "")
		return strings.TrimRight(weight, "0") != "q=" && strings.TrimRight(weight, "0") != "q=0."
	}
	return false
}

type seeker interface {
	fs.File
	Seek(offset int64, whence int) (int64, error)
}

const notFoundPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Not found - Flockscope</title>
<h1>There is no such page</h1>
<p><a href="/">Open Flockscope</a></p>
</html>
`

func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, notFoundPage)
}
