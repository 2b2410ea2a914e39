package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
)

// A coding is one compressed form that a browser may accept.
type coding struct {
	suffix string // of the sibling file, as static servers expect it
	level  int
	encode func(content []byte, level int) ([]byte, error)
}

func codings(release bool) []coding {
	level := 5
	if release {
		level = 11
	}
	return []coding{
		{".br", level, brotliBytes},
		{".gz", gzip.BestCompression, gzipBytes},
	}
}

// compress returns the site together with a compressed sibling of every file
// that this makes smaller. Results are cached in a directory by content, and those that
// this build did not use are removed.
func compress(site files, cache string, release bool) (files, error) {
	packed, kept := maps.Clone(site), files{}
	var (
		mu    sync.Mutex
		first error
		all   sync.WaitGroup
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for _, name := range slices.Sorted(maps.Keys(site)) {
		if isCompressed(name) {
			continue
		}
		content := site[name]
		for _, c := range codings(release) {
			all.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				key := fmt.Sprintf("%x-%d%s", sha256.Sum256(content), c.level, c.suffix)
				small, err := os.ReadFile(filepath.Join(cache, key))
				if err != nil {
					small, err = c.encode(content, c.level)
				}
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					first = cmp.Or(first, fmt.Errorf("compressing %s: %w", name, err))
					return
				}
				kept[key] = small
				if len(small) < len(content) {
					packed[name+c.suffix] = small
				}
			})
		}
	}
	if all.Wait(); first != nil {
		return nil, first
	}
	return packed, mirror(cache, kept)
}

// isCompressed reports whether the format of a file is compressed already.
func isCompressed(name string) bool {
	switch path.Ext(name) {
	case ".gz", ".br", ".png", ".jpg", ".webp", ".woff2", ".zip":
		return true
	}
	return false
}

// brotliWindow is the base-2 logarithm of the distance over which brotli finds repeated
// bytes: 16 MB, the most that browsers must support, and more than the program has.
const brotliWindow = 24

func brotliBytes(content []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	w := brotli.NewWriterOptions(&buf, brotli.WriterOptions{Quality: level, LGWin: brotliWindow})
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err := w.Close()
	return buf.Bytes(), err
}

func gzipBytes(content []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return buf.Bytes(), err
}
