package main

import (
	"path"
	"regexp"
	"strings"
)

var (
	styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	// Comments after code stay, because distinguishing them from strings needs a parser.
	scriptComment = regexp.MustCompile(`(?m)^\s*(//.*\n\s*)*`)
)

// dropComments removes from the page's scripts and style sheets comments and, in scripts, empty lines and indentation.
func dropComments(site files) {
	for name, content := range site {
		if strings.HasPrefix(name, docsDir) {
			continue
		}
		switch path.Ext(name) {
		case ".css":
			site[name] = styleComment.ReplaceAll(content, nil)
		case ".js":
			site[name] = scriptComment.ReplaceAll(content, nil)
		}
	}
}
