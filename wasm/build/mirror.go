package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// mirror makes the directory hold exactly the given files. It writes only what
// differs, so unchanged files keep their modification time, and removes
// files of earlier builds.
func mirror(dir string, want files) error {
	for name, content := range want {
		if err := writeIfChanged(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := want[filepath.ToSlash(rel)]; !ok {
			return os.Remove(path)
		}
		return nil
	})
}

// writeIfChanged writes a file by renaming a finished one into place, so that
// a reader sees the old content or the new, never a part.
func writeIfChanged(name string, content []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part := name + ".part"
	if err := os.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	return os.Rename(part, name)
}
