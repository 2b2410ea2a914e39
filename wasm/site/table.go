package site

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"flockscope/wasm/web"
)

// A Table lists the files of a site, so that a server without the directory answers as
// this package does. At the edge it is JSON, and wasm/edge/front.mjs reads it.
type Table struct {
	Version    string            `json:"version"`    // version of the whole site, by content
	Headers    map[string]string `json:"headers"`    // headers of every answer
	Secure     map[string]string `json:"secure"`     // headers of every answer over https
	Forever    string            `json:"forever"`    // Cache-Control of files under their version
	Routes     []string          `json:"routes"`     // paths that package web answers
	Files      map[string]File   `json:"files"`      // files by path, without a leading slash
	Page       string            `json:"page"`       // index.html, with versioned addresses of files
	LinkScript string            `json:"linkScript"` // the address of assets/link.js
	Missing    string            `json:"missing"`    // the page for missing files
}

// A File is one file of a site.
type File struct {
	Type    string   `json:"type"`
	Hash    string   `json:"hash"`    // hash of the content
	Codings []string `json:"codings"` // available compressed forms, the best first
}

// Codings are the suffixes of compressed files by the name that HTTP has for
// them. "" is the file itself.
var Codings = map[string]string{"": "", "br": ".br", "gzip": ".gz"}

// foreverCache is for addresses whose content never changes, because they have its version.
const foreverCache = "public, max-age=31536000, immutable"

// types are the content types of a site's files. The system's table of types differs
// from machine to machine.
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

// Read makes the table of a built site.
func Read(site fs.FS) (*Table, error) {
	t := &Table{Headers: web.Headers, Secure: web.SecureHeaders, Forever: foreverCache, Routes: web.Routes,
		Files: map[string]File{}, Missing: web.MissingPage}
	err := fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ext := path.Ext(name); ext == ".br" || ext == ".gz" {
			if _, err := fs.Stat(site, strings.TrimSuffix(name, ext)); err == nil {
				return nil // a compressed form of another file
			}
		}
		content, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		t.Files[name] = newFile(site, name, content)
		return nil
	})
	if err != nil {
		return nil, err
	}
	page, err := fs.ReadFile(site, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no index.html; run: make build")
	}
	if err != nil {
		return nil, err
	}
	whole := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		fmt.Fprintln(whole, name, t.Files[name].Hash)
	}
	t.Version = hex.EncodeToString(whole.Sum(nil))[:16]
	t.Page = t.versioned(string(page))
	t.LinkScript = t.address("assets/link.js")
	return t, nil
}

func newFile(site fs.FS, name string, content []byte) File {
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	sum := sha256.Sum256(content)
	f := File{Type: kind, Hash: hex.EncodeToString(sum[:])[:16]}
	for _, coding := range []string{"br", "gzip"} {
		if _, err := fs.Stat(site, name+Codings[coding]); err == nil {
			f.Codings = append(f.Codings, coding)
		}
	}
	return f
}

// Addresses under /v/VERSION/ are those of a site's files with the version of the whole site in them. They never change
// their content, so a browser asks for them once. Scripts find each other by relative addresses, so the page has to
// name only the first.

// address returns the versioned address of a file.
func (t *Table) address(name string) string { return "/v/" + t.Version + "/" + name }

var reference = regexp.MustCompile(`\b(src|href|srcset)="([^"]+)"`)

// versioned returns the page with references to the site's files by version.
func (t *Table) versioned(page string) string {
	return reference.ReplaceAllStringFunc(page, func(attribute string) string {
		part := reference.FindStringSubmatch(attribute)
		if _, ok := t.Files[part[2]]; !ok {
			return attribute
		}
		return part[1] + `="` + t.address(part[2]) + `"`
	})
}

// Find returns the file that a path means, and whether the path names the present version. Files of other versions do
// not exist here: a page of an older build must not go on with parts of this one.
func (t *Table) Find(path string) (name string, versioned bool) {
	name = strings.TrimPrefix(path, "/")
	if rest, ok := strings.CutPrefix(name, "v/"); ok {
		version, file, _ := strings.Cut(rest, "/")
		if version != t.Version {
			return "", false
		}
		return file, true
	}
	return name, false
}

// etag names the content of a file in a coding.
func (f File) etag(coding string) string {
	if coding == "" {
		return `"` + f.Hash + `"`
	}
	return `"` + f.Hash + "-" + coding + `"`
}

// pick returns the best coding of a file that an Accept-Encoding header accepts.
func (f File) pick(header string) string {
	for _, coding := range f.Codings {
		if accepts(header, coding) {
			return coding
		}
	}
	return ""
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

// isRoute reports whether package web answers a path.
func isRoute(path string) bool {
	return slices.ContainsFunc(web.Routes, func(route string) bool {
		before, ok := strings.CutSuffix(route, "*")
		return path == route || ok && strings.HasPrefix(path, before)
	})
}
