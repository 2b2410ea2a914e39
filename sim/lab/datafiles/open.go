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

	"flockscope/sim/dataset"
	"flockscope/sim/workload"
)

func init() { dataset.ReadPickles() }

// Expand puts the files of a data set in the place of the folder that holds them.
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
	var files []dataset.File
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, dataset.MaxFileBytes+1))
		f.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, dataset.File{Name: path, Data: data})
	}
	return workload.OpenFiles(files)
}

// OpenHashed reads files and their hash; nil and "" for none.
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
		fmt.Fprintf(h, "\n%d %s\n", n, filepath.Base(name)) // a name may say what a file holds
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// Titles are the names of files without their folders, with commas between them.
func Titles(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = dataset.Title(path)
	}
	return strings.Join(names, ", ")
}
