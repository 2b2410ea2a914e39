// Package glyphs holds the outlines of letters that pictures are lettered with; see
// scene.ReadOutlines. The page does not import it: it loads the same text as a file when
// a picture is taken away.
package glyphs

import _ "embed"

// Text is a line a character, as wasm/glyphs writes it. The outlines are those of
// Liberation Sans, whose licence is assets/third_party/liberation-sans.txt.
//
//go:embed glyphs.txt
var Text []byte
