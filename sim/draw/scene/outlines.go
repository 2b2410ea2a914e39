package scene

import (
	"strconv"
	"strings"
)

// Outlines are what the letters of a font look like, by character, so that a picture
// needs no font where it is shown or printed.
type Outlines map[rune]glyph

// glyph is a character in a regular and a bold face: how wide it is, in thousandths of
// the font size, and commands of an SVG path that lead from its origin to that of the next.
type glyph struct {
	width [2]int
	path  [2]string
}

// em is the font size in which glyphs are drawn.
const em = 1000

// ReadOutlines reads a file of outlines: a line a character, as
// wasm/glyphs writes it.
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

// text returns how wide a text is, in CSS pixels, and its path; false if it has a
// character without an outline.
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
