package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/ui/guide"
)

// addPage adds index.html and all files of assets except hidden ones.
func addPage(site files, root string) error {
	var err error
	if site["index.html"], err = os.ReadFile(filepath.Join(root, "index.html")); err != nil {
		return err
	}
	assets := os.DirFS(filepath.Join(root, "assets"))
	return fs.WalkDir(assets, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != "." && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		site["assets/"+path], err = fs.ReadFile(assets, path)
		return err
	})
}

// addPictures adds a picture of each method to the explanations in each language. They are drawn here and not on the
// page, where every first visit would load the code.
func addPictures(site files) {
	var pictures []byte
	for _, m := range catalog.Schema().Algorithms {
		pictures = append(pictures, "\n= picture "+m.Name+"\n"+guide.Picture(&m)+"\n"...)
	}
	for _, lang := range []string{"", "zh"} {
		name := "assets/" + guide.FileIn(lang) + ".txt"
		site[name] = append(site[name], pictures...)
	}
}
