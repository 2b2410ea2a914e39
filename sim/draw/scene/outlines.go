package scene

import (
	"strconv"
	"strings"
)

// Outlines are the outlines of a font's characters, so that a picture does not need the font.
type Outlines map[rune]glyph

// glyph is a character in a regular and a bold face: its width in thousandths of the font size,
// and SVG path commands from its origin to that of the next character.
type glyph struct {
	width [2]int
	path  [2]string
}

// em is the font size of the outlines.
const em = 1000

// ReadOutlines reads a file of outlines, with one line per character, written by wasm/glyphs.
func ReadOutlines(text string) Outlines {
	out := Outlines{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 5 {
			continue
		}
		var g glyph
		for face := range g.path {
			g.width[face], _ = strconv.Atoi(parts[2*face+1])
			g.path[face] = parts[2*face+2]
		}
		for _, r := range parts[0] {
			out[r] = g
		}
	}
	return out
}

// text returns the width of a text, in CSS pixels, and its path; ok is false if a character has no outline.
func (o Outlines) text(op *Op) (width float32, path string, ok bool) {
	face, sum := 0, 0
	if op.Bold {
		face = 1
	}
	var b strings.Builder
	for _, r := range op.Text {
		g, there := o[r]
		if !there {
			return 0, "", false
		}
		sum += g.width[face]
		b.WriteString(g.path[face])
	}
	return float32(sum) * op.Values[2] / em, b.String(), true
}
