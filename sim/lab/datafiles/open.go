// Package datafiles opens the files of samples that a person names.
//
//	open.go      files that belong together, and a hash that identifies them
//	folder.go    the files of a data set that a folder holds
//	describe.go  which set files are and whose, for reports on tables of papers
package datafiles

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"flockscope/sim/ingest"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

func init() { ingest.ReadPickles() }

// Expand replaces the folder of a data set by its files.
func Expand(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			out = append(out, path) // opening it reports what is wrong
			continue
		}
		files, err := filesIn(path)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}

// Open reads files that belong together, or a folder of them.
func Open(paths []string) (*workload.File, error) {
	paths, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	var files []ingest.File
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, ingest.MaxFileBytes+1))
		f.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, ingest.File{Name: path, Data: data})
	}
	return userfiles.Open(files)
}

// OpenHashed opens files and returns their hash as well; nil and "" for none.
func OpenHashed(paths []string) (*workload.File, string, error) {
	hash, err := Hash(paths)
	if err != nil || hash == "" {
		return nil, "", err
	}
	file, err := Open(paths)
	return file, hash, err
}

// Hash returns a hash of the contents and names of files, "" for none.
func Hash(paths []string) (string, error) {
	paths, err := Expand(paths)
	if len(paths) == 0 || err != nil {
		return "", err
	}
	h := sha256.New()
	for _, name := range paths {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		n, err := io.Copy(h, f)
		fmt.Fprintf(h, "\n%d %s\n", n, filepath.Base(name)) // the name may determine the role of a file
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// Titles returns the names of files without their folders, separated by commas.
func Titles(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = ingest.Title(path)
	}
	return strings.Join(names, ", ")
}
