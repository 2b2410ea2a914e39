package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"flockscope/sim/lab/arena"
)

// arenaDir is the folder of the arena's page, whose program and records are fetched by it alone.
const arenaDir = "arena/"

// arenaRecords is where the published records of the arena are in the project, if there are any.
const arenaRecords = "sim/lab/papers/" + arena.RecordsFile

// addArena adds the arena's page, and the published records.
func addArena(site files, root string) error {
	for _, name := range []string{"index.html", "arena.css", "arena.js"} {
		content, err := os.ReadFile(filepath.Join(root, "wasm", "arena", "page", name))
		if err != nil {
			return err
		}
		site[arenaDir+name] = content
	}
	records, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(arenaRecords)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	site[arenaDir+arena.RecordsFile] = records
	return err
}
