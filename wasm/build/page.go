package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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

// glossaryTerm is a row of sim/GLOSSARY.md whose term is in bold: term, key, code and meaning.
var glossaryTerm = regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \|[^|]*\|[^|]*\| (.+) \|$`)

// addGlossary adds the terms in bold of the glossary to the explanations in English. The
// Chinese ones are written beside the other explanations.
func addGlossary(site files, root string) error {
	text, err := os.ReadFile(filepath.Join(root, "sim/GLOSSARY.md"))
	if err != nil {
		return err
	}
	name := "assets/" + guide.FileIn("") + ".txt"
	site[name] = append(site[name], "\n= words\n"...)
	for _, term := range glossaryTerm.FindAllSubmatch(text, -1) {
		first, size := utf8.DecodeRune(term[1])
		site[name] = fmt.Appendf(site[name], "%c%s: %s\n", unicode.ToUpper(first), term[1][size:], term[2])
	}
	return nil
}
