// Package site serves the built site over HTTP: its files from the directory that
// wasm/build wrote, and everything that package web answers. It also lists the files
// (see [Table]) for the server at the edge, which has no directory. It uses the native
// net/http and is not part of the program in the browser.
//
//	site.go   serves files; table.go lists them
//	whole.go  compresses complete answers
package site

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"flockscope/wasm/web"
)

// Policy is the Content-Security-Policy of every answer; a page's also has the address of the server beside 'self'.
const Policy = web.Policy

// A Site is a built site in a directory. It follows the directory: after a new
// build, it serves what that build wrote.
type Site struct {
	dir string

	mu    sync.Mutex
	stamp string // stamp of the directory when table and page were made
	table *Table
	page  *web.Page
}

// Open returns the site in a directory. The directory may still be empty.
func Open(dir string) *Site { return &Site{dir: dir} }

// Handler serves the site in a directory, without short links.
func Handler(dir string) http.Handler {
	s := Open(dir)
	return s.Handler(&web.Server{Schema: web.Schema, Page: s.Page})
}

// Handler serves the site's files, and other paths by server.
func (s *Site) Handler(server http.Handler) http.Handler {
	server = sendWhole(server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isRoute(r.URL.Path) {
			server.ServeHTTP(w, r)
			return
		}
		s.serveFile(w, r)
	})
}

// Page returns the page of the present build.
func (s *Site) Page() (*web.Page, error) {
	_, page, err := s.current()
	return page, err
}

// Version names the present build by its content, "" when there is none.
func (s *Site) Version() string {
	table, _, err := s.current()
	if err != nil {
		return ""
	}
	return table.Version
}

// current returns the table and the page of the present build.
func (s *Site) current() (*Table, *web.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stamp, err := stampOf(s.dir)
	if err != nil {
		return nil, nil, err
	}
	if s.table != nil && stamp == s.stamp {
		return s.table, s.page, nil
	}
	table, err := Read(os.DirFS(s.dir))
	if err != nil {
		return nil, nil, err
	}
	page, err := web.NewPage(table.Page, table.LinkScript)
	if err != nil {
		return nil, nil, err
	}
	s.stamp, s.table, s.page = stamp, table, page
	return table, page, nil
}

// stampOf returns a text that changes whenever a build changes a file.
func stampOf(dir string) (string, error) {
	stamp := ""
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stamp += fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), " ")
		return nil
	})
	return stamp, err
}

// serveFile answers with a file of the site, or with the page for missing ones.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range web.Headers {
		h.Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET and HEAD are allowed here.", http.StatusMethodNotAllowed)
		return
	}
	table, _, err := s.current()
	if err != nil {
		http.Error(w, "The site is not there. Whoever runs this server can build it with make build.",
			http.StatusInternalServerError)
		return
	}
	name, versioned := table.Find(r.URL.Path)
	missing := func() {
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, table.Missing)
	}
	file, ok := table.Files[name]
	if !ok {
		missing()
		return
	}
	coding := file.pick(r.Header.Get("Accept-Encoding"))
	content, err := os.Open(filepath.Join(s.dir, filepath.FromSlash(name)) + Codings[coding])
	if err != nil {
		http.Error(w, "This file cannot be read.", http.StatusInternalServerError)
		return
	}
	defer content.Close()
	info, err := content.Stat()
	if err != nil {
		http.Error(w, "This file cannot be read.", http.StatusInternalServerError)
		return
	}
	// The site may have been built between reading the table and the file. Browsers keep the
	// content of an address with a version, so it must not be that of another version.
	if now, _, err := s.current(); versioned && (err != nil || now != table) {
		missing()
		return
	}
	h.Set("Content-Type", file.Type)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", file.etag(coding))
	if versioned {
		h.Set("Cache-Control", foreverCache)
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
		h.Set("Content-Length", fmt.Sprint(info.Size()))
	}
	// Part of a compressed file is useless.
	r.Header.Del("Range")
	http.ServeContent(w, r, "", info.ModTime(), content)
}
