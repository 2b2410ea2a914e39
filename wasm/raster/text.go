package raster

import (
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"flockscope/sim/draw/scene"
)

// The Go fonts, which come with their own free licence.
var (
	regular = sync.OnceValue(func() *sfnt.Font { return parse(goregular.TTF) })
	bold    = sync.OnceValue(func() *sfnt.Font { return parse(gobold.TTF) })
)

func parse(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("raster: the Go font: " + err.Error())
	}
	return f
}

// plainer replaces characters that the Go fonts do not have.
var plainer = strings.NewReplacer("⁰", "0", "¹", "1")

// Draws reports whether text may contain a character.
func Draws(r rune) bool {
	for _, r := range plainer.Replace(string(r)) {
		for _, f := range []*sfnt.Font{regular(), bold()} {
			if g, err := f.GlyphIndex(nil, r); err != nil || g == 0 {
				return false
			}
		}
	}
	return true
}

// text paints one line of text.
func (p *painter) text(op *scene.Op) {
	f := regular()
	if op.Bold {
		f = bold()
	}
	x, y, size := op.Values[0], op.Values[1], op.Values[2]
	scale := fixed.Int26_6(size * 64)
	words := plainer.Replace(op.Text)
	var glyphs sfnt.Buffer
	width := float32(0)
	if op.Anchor != scene.Start {
		for _, r := range words {
			width += advance(f, &glyphs, r, scale)
		}
	}
	x -= width * float32(op.Anchor) / 2
	for _, r := range words {
		p.glyph(f, &glyphs, r, scale, x, y, op.Fill)
		x += advance(f, &glyphs, r, scale)
	}
}

func advance(f *sfnt.Font, b *sfnt.Buffer, r rune, scale fixed.Int26_6) float32 {
	g, err := f.GlyphIndex(b, r)
	if err != nil {
		return 0
	}
	a, err := f.GlyphAdvance(b, g, scale, font.HintingNone)
	if err != nil {
		return 0
	}
	return float32(a) / 64
}

// glyph paints one character whose origin is at (x, y).
func (p *painter) glyph(f *sfnt.Font, b *sfnt.Buffer, r rune, scale fixed.Int26_6, x, y float32, c scene.Colour) {
	g, err := f.GlyphIndex(b, r)
	if err != nil {
		return
	}
	segments, err := f.LoadGlyph(b, g, scale, nil)
	if err != nil || len(segments) == 0 {
		return
	}
	at := func(q fixed.Point26_6) (float32, float32) { return x + float32(q.X)/64, y + float32(q.Y)/64 }
	extent := segments.Bounds()
	x0, y0 := at(extent.Min)
	x1, y1 := at(extent.Max)
	box := bounds([]outline{{x0, y0, x1, y1}}).Intersect(p.clips[len(p.clips)-1])
	if box.Empty() {
		return
	}
	x, y = x-float32(box.Min.X), y-float32(box.Min.Y)
	p.cover.Reset(box.Dx(), box.Dy())
	for i, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p.cover.ClosePath()
			}
			p.cover.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			p.cover.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			p.cover.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			p.cover.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	p.cover.ClosePath()
	p.blend(box, c)
}
