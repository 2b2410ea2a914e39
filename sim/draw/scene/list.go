package scene

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"flockscope/sim/say"
)

// List is a display list: the bytes of its operations, in drawing order. The zero value is an
// empty list. The encoding is in ops.go.
type List struct {
	b      []byte
	last   int     // offset of the newest operation plus 1; 0 if no items may be added to it
	static int     // length of the static part
	x, y   float32 // the origin
	bold   float32 // factor of line widths; 0 means 1
}

// Pen is the style of a line or outline. The zero value draws none.
type Pen struct {
	Colour Colour
	Width  float32 // CSS pixels
	Dash   Dash
}

// Dash is a dash pattern.
type Dash uint8

// The dash patterns. Lanes take the first four in order.
const (
	Solid Dash = iota
	Dashed
	Dotted
	DashDot
	Fine // true lines, boundaries
	dashes
)

// Dashes are the stroke and gap lengths of each pattern in CSS pixels.
// paint.js has the same table; a test compares them.
var Dashes = [dashes][]float32{Solid: nil, Dashed: {6, 3}, Dotted: {2, 2}, DashDot: {8, 2, 2, 2}, Fine: {3, 3}}

// Anchor selects the part of a text at its x coordinate.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Baseline selects the height of a text at its y coordinate.
type Baseline uint8

// The baselines.
const (
	Alphabetic Baseline = iota
	Centre              // middle of capitals and digits
	Top                 // top of the line
)

// Font is the style of a text.
type Font struct {
	Size     float32 // CSS pixels
	Bold     bool
	Anchor   Anchor
	Baseline Baseline
	Colour   Colour
}

// Reset empties the list and keeps its buffer.
func (l *List) Reset() { *l = List{b: l.b[:0]} }

// Origin moves the point (0, 0) of the following operations to (x, y) of the picture, so that
// several figures share a list.
func (l *List) Origin(x, y float32) { l.x, l.y = x, y }

// Embolden multiplies the line widths of the following operations.
func (l *List) Embolden(times float32) { l.bold = times }

// Bytes returns the operations, valid until the list changes.
func (l *List) Bytes() []byte { return l.b }

// EndStatic marks the operations so far as static: a renderer may keep them as an image while the rest
// changes. No clip and no fade may be active.
func (l *List) EndStatic() { l.static, l.last = len(l.b), 0 }

// StaticLen returns the length of the static part in bytes, 0 if there is none.
func (l *List) StaticLen() int { return l.static }

// Mark draws one mark. Consecutive marks that differ only in position and radius become one path,
// so order marks by colour and shape.
func (l *List) Mark(s Shape, x, y, r float32, fill Colour, outline Pen) {
	l.begin(opMark, uint8(s), fill, outline.Colour, outline.Width)
	l.floats(l.x+x, l.y+y, r)
}

// Line draws a polyline through x, y pairs.
func (l *List) Line(p Pen, points ...float32) {
	if len(points) < 4 {
		return
	}
	l.begin(opLine, uint8(p.Dash), Nothing, p.Colour, p.Width)
	l.path(points)
}

// Polygon fills the area inside x, y pairs.
func (l *List) Polygon(fill Colour, outline Pen, points ...float32) {
	if len(points) < 6 {
		return
	}
	l.begin(opPolygon, uint8(outline.Dash), fill, outline.Colour, outline.Width)
	l.path(points)
}

// Rect draws a rectangle from its top left corner.
func (l *List) Rect(x, y, w, h float32, fill Colour, outline Pen) {
	l.begin(opRect, uint8(outline.Dash), fill, outline.Colour, outline.Width)
	l.floats(l.x+x, l.y+y, w, h)
}

// Ellipse draws an ellipse around (x, y) whose first axis is turned by angle,
// in radians clockwise as seen.
func (l *List) Ellipse(x, y, rx, ry, angle float32, fill Colour, outline Pen) {
	l.begin(opEllipse, uint8(outline.Dash), fill, outline.Colour, outline.Width)
	l.floats(l.x+x, l.y+y, rx, ry, angle)
}

// Text draws s in one line, translated.
func (l *List) Text(x, y float32, f Font, s string) {
	s = say.Text(s)
	l.openText(x, y, f, len(s))
	l.b = append(l.b, s...)
}

// TextBytes is Text for numbers and names in a buffer, which are not translated.
func (l *List) TextBytes(x, y float32, f Font, s []byte) {
	l.openText(x, y, f, len(s))
	l.b = append(l.b, s...)
}

// Heights above the baseline in font sizes. They are applied here, so that canvas and SVG agree
// to the pixel.
const (
	topHeight    = 0.93
	centreHeight = 0.36
)

func (l *List) openText(x, y float32, f Font, n int) {
	switch f.Baseline {
	case Centre:
		y += centreHeight * f.Size
	case Top:
		y += topHeight * f.Size
	}
	kind := uint8(f.Anchor)
	if f.Bold {
		kind |= boldBit
	}
	l.begin(opText, kind, f.Colour, Nothing, 0)
	l.floats(l.x+x, l.y+y, f.Size)
	l.b = binary.LittleEndian.AppendUint16(l.b, uint16(n))
}

// Image draws a raster in a rectangle and returns the slice for its columns × rows × channels
// bytes, to be filled before the next operation. One channel goes from dark (0) to bright (255);
// three are red, green and blue.
func (l *List) Image(x, y, w, h float32, columns, rows, channels int, dark, bright Colour) []byte {
	if channels == 3 {
		dark, bright = Nothing, Nothing
	}
	l.begin(opImage, uint8(channels), bright, dark, 0)
	l.floats(l.x+x, l.y+y, w, h)
	l.b = binary.LittleEndian.AppendUint16(l.b, uint16(columns))
	l.b = binary.LittleEndian.AppendUint16(l.b, uint16(rows))
	n := len(l.b)
	l.b = slices.Grow(l.b, columns*rows*channels)[:n+columns*rows*channels]
	return l.b[n:]
}

// Clip hides the following operations outside a rectangle until the matching Unclip.
func (l *List) Clip(x, y, w, h float32) {
	l.last = 0
	l.begin(opClip, 0, Nothing, Nothing, 0)
	l.floats(l.x+x, l.y+y, w, h)
	l.last = 0
}

// Unclip ends the newest Clip.
func (l *List) Unclip() {
	l.last = 0
	l.begin(opUnclip, 0, Nothing, Nothing, 0)
	l.last = 0
}

// Fade sets the opacity of the following operations, 0 to 1, until the next Fade. A list starts
// at 1.
func (l *List) Fade(alpha float32) {
	l.last = 0
	l.begin(opFade, 0, Nothing, Nothing, 0)
	l.floats(alpha)
	l.last = 0
}

// begin starts an item: in the newest operation if it has the same head, else in a new one.
func (l *List) begin(code, kind uint8, fill, stroke Colour, width float32) {
	if l.bold > 0 {
		width *= l.bold
	}
	var head [headSize]byte
	head[0], head[1] = code, kind
	binary.LittleEndian.PutUint16(head[2:], uint16(fill))
	binary.LittleEndian.PutUint16(head[4:], uint16(stroke))
	binary.LittleEndian.PutUint32(head[6:], math.Float32bits(width))
	if at := l.last - 1; at >= 0 && bytes.Equal(l.b[at:at+headSize], head[:]) {
		count := l.b[at+headSize:]
		if n := binary.LittleEndian.Uint16(count); n < math.MaxUint16 {
			binary.LittleEndian.PutUint16(count, n+1)
			return
		}
	}
	l.last = len(l.b) + 1
	l.b = append(l.b, head[:]...)
	l.b = append(l.b, 1, 0)
}

func (l *List) path(points []float32) {
	points = points[:min(len(points)/2, math.MaxUint16)*2]
	l.b = binary.LittleEndian.AppendUint16(l.b, uint16(len(points)/2))
	for i := 0; i+1 < len(points); i += 2 {
		l.floats(l.x+points[i], l.y+points[i+1])
	}
}

func (l *List) floats(values ...float32) {
	for _, v := range values {
		l.b = binary.LittleEndian.AppendUint32(l.b, math.Float32bits(v))
	}
}
