// Package glyphs holds the outlines of characters for pictures; see scene.ReadOutlines. The page
// does not import it, but loads the same text as a file for an export.
package glyphs

import _ "embed"

// Text has one line per character, written by wasm/glyphs. The outlines are those of Liberation
// Sans, whose licence is assets/third_party/liberation-sans.txt.
//
//go:embed glyphs.txt
var Text []byte
