package site

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// sendWhole sends a handler's complete answer: compressed for a browser that accepts gzip,
// and without a body for a browser that has it already. Answers are pages, pictures and
// JSON of at most some ten kilobytes.
func sendWhole(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{header: w.Header(), status: http.StatusOK}
		handler.ServeHTTP(a, r)
		h := a.header
		if a.compressible() {
			h.Set("Vary", "Accept-Encoding")
			if accepts(r.Header.Get("Accept-Encoding"), "gzip") {
				h.Set("Content-Encoding", "gzip")
				a.body = gzipped(a.body.Bytes())
			}
		}
		h.Set("Content-Length", strconv.Itoa(a.body.Len()))
		if a.status == http.StatusOK && h.Get("ETag") != "" {
			r.Header.Del("Range") // part of a page is useless
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body.Bytes()))
			return
		}
		if a.status == http.StatusNoContent {
			h.Del("Content-Length")
		}
		w.WriteHeader(a.status)
		w.Write(a.body.Bytes())
	})
}

// An answer buffers what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// compressible reports whether compression may save a network packet.
// PNG is compressed already.
func (a *answer) compressible() bool {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	return a.body.Len() > 1400 && slices.Contains([]string{"text/html", "application/json", "image/svg+xml"}, kind)
}

// A gzip writer takes a megabyte, so writers are reused.
var writers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return w
}}

func gzipped(body []byte) (out bytes.Buffer) {
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&out)
	w.Write(body) // writing to a buffer never fails
	w.Close()
	return out
}
