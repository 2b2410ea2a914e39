// Command glyphs writes the outlines of characters for exported pictures, so that a
// viewer of the picture needs no font: those of Liberation Sans, which has the widths of
// Arial and Helvetica, regular and bold.
//
//	go run ./wasm/glyphs sim/draw/scene/glyphs/glyphs.txt
//
// A line of the file is a character, and for each face, after tabs, its width and its
// outline, in thousandths of the font size: see scene.Outlines.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:generate go run . ../../sim/draw/scene/glyphs/glyphs.txt

func main() {
	log.SetFlags(0)
	log.SetPrefix("glyphs: ")
	if len(os.Args) != 2 {
		log.Fatal("want one argument, the file to write")
	}
	text, err := table()
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(text), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// ranges are the characters: Latin, Greek, and the signs in figures.
var ranges = [][2]rune{{' ', '~'}, {0xA0, 0xFF}, {'Α', 'ω'}}

const signs = "–—‘’“”…•−∞≈≠≤≥→←↑↓√∑∂′″"

// superscripts are superscript digits. The font does not have all of them, so they are made from its normal digits.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

const (
	em          = 1000
	raisedSize  = 620
	raisedAbove = 340
)

func table() (string, error) {
	var faces []*sfnt.Font
	for _, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			return "", err
		}
		faces = append(faces, f)
	}
	var b strings.Builder
	line := func(name, r rune, size int, above fixed.Int26_6) error {
		b.WriteRune(name)
		for _, f := range faces {
			width, path, err := outline(f, r, size, above)
			if err != nil {
				return fmt.Errorf("%q: %w", r, err)
			}
			fmt.Fprintf(&b, "\t%d\t%s", width, path)
		}
		b.WriteByte('\n')
		return nil
	}
	var buffer sfnt.Buffer
	add := func(r rune) error {
		if i, err := faces[0].GlyphIndex(&buffer, r); err != nil || i == 0 || strings.ContainsRune(superscripts, r) {
			return err
		}
		return line(r, r, em, 0)
	}
	for _, span := range ranges {
		for r := span[0]; r <= span[1]; r++ {
			if err := add(r); err != nil {
				return "", err
			}
		}
	}
	for _, r := range signs {
		if err := add(r); err != nil {
			return "", err
		}
	}
	digit := '0'
	for _, r := range superscripts {
		if err := line(r, digit, raisedSize, raisedAbove); err != nil {
			return "", err
		}
		digit++
	}
	return b.String(), nil
}

// outline returns the width of a character, and its outline as the relative commands of
// an SVG path, which begins at the origin of the character and ends at that of the next.
func outline(f *sfnt.Font, r rune, size int, above fixed.Int26_6) (width int, path string, err error) {
	var buffer sfnt.Buffer
	index, err := f.GlyphIndex(&buffer, r)
	if err != nil {
		return 0, "", err
	}
	// In the numbers with 6 binary places that the font takes, a size of 1000 is as fine as
	// the file.
	ppem := fixed.Int26_6(size)
	segments, err := f.LoadGlyph(&buffer, index, ppem, nil)
	if err != nil {
		return 0, "", err
	}
	var b strings.Builder
	x, y := fixed.Int26_6(0), fixed.Int26_6(0)
	startX, startY := x, y
	open := false
	step := func(command byte, points ...fixed.Point26_6) {
		for i, p := range points {
			lead := " "
			if i == 0 {
				lead = string(command)
			}
			fmt.Fprintf(&b, "%s%d %d", lead, p.X-x, p.Y-above-y)
		}
		last := points[len(points)-1]
		x, y = last.X, last.Y-above
	}
	shut := func() {
		if open {
			b.WriteByte('z')
			x, y = startX, startY // closing a contour leads here
		}
		open = false
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			shut()
			step('m', s.Args[0])
			startX, startY, open = x, y, true
		case sfnt.SegmentOpLineTo:
			step('l', s.Args[0])
		case sfnt.SegmentOpQuadTo:
			step('q', s.Args[0], s.Args[1])
		case sfnt.SegmentOpCubeTo:
			step('c', s.Args[0], s.Args[1], s.Args[2])
		}
	}
	shut()
	advance, err := f.GlyphAdvance(&buffer, index, ppem, font.HintingNone)
	if err != nil {
		return 0, "", err
	}
	step('m', fixed.Point26_6{X: advance, Y: above})
	return int(advance), b.String(), nil
}
