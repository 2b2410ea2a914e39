package scene

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The encoding of a list, little-endian and without padding. Every operation starts with a head,
//
//	code u8, kind u8, fill u16, stroke u16, width f32, count u16
//
// followed by count items, whose form depends on the code:
//
//	code       kind          item
//	1 mark     Shape         x y r                    f32
//	2 line     Dash          n u16, then n times x y  f32
//	3 polygon  Dash          n u16, then n times x y  f32
//	4 rect     Dash          x y width height         f32
//	5 ellipse  Dash          x y rx ry angle          f32
//	6 text     Anchor, +4    x y size f32, n u16, then n bytes of UTF-8
//	           when bold
//	7 clip     0             x y width height         f32
//	8 unclip   0             nothing
//	9 fade     0             opacity                  f32
//	10 image   channels      x y width height f32, columns and rows u16,
//	                         then columns × rows × channels bytes
//
// The items of one operation are one path, filled and then outlined. Fill and stroke are Colours,
// 0 for none; a text is filled. An image of three channels is red, green and blue; one of a
// single channel goes from stroke (0) to fill (255). Its pixels are squares if they are at least
// two pixels wide, and interpolated if they are smaller. A renderer rejects unknown codes.
// assets/paint.js and svg.go are renderers.
const (
	opMark = iota + 1
	opLine
	opPolygon
	opRect
	opEllipse
	opText
	opClip
	opUnclip
	opFade
	opImage
	opEnd
)

const (
	headSize = 10 // size of a head without the count
	boldBit  = 4
)

// Op is one decoded operation with one of its items.
type Op struct {
	Code         uint8 // as in the table of the encoding
	First, Last  bool  // first or last item of its operation
	Shape        Shape
	Dash         Dash
	Fill, Stroke Colour
	Width        float32
	Values       []float32 // the item's numbers, without n; valid until the next item
	Text         string
	Anchor       Anchor
	Bold         bool
	Raster       Raster
}

// Raster is the pixels of an image, row by row, with the channels of a pixel next to each other.
type Raster struct {
	Columns, Rows, Channels int
	Pixels                  []byte
}

// Kind names the operation: "mark", "line", "polygon", "rect", "ellipse",
// "text", "clip", "unclip", "fade" or "image".
func (op *Op) Kind() string {
	return [...]string{opMark: "mark", opLine: "line", opPolygon: "polygon", opRect: "rect", opEllipse: "ellipse",
		opText: "text", opClip: "clip", opUnclip: "unclip", opFade: "fade", opImage: "image"}[op.Code]
}

// itemSize is the number of f32 in an item, except for paths.
var itemSize = [opEnd]int{opMark: 3, opRect: 4, opEllipse: 5, opText: 3, opClip: 4, opUnclip: 0, opFade: 1, opImage: 4}

// Walk decodes src and calls visit for each item. Bytes that no List has written are an error.
func Walk(src []byte, visit func(*Op)) error {
	op := Op{}
	r := reader{b: src}
	for len(r.b) > 0 && !r.short {
		head := r.take(headSize + 2)
		if r.short {
			break
		}
		code, kind := head[0], head[1]
		if code == 0 || code >= opEnd {
			return fmt.Errorf("scene: unknown operation %d", code)
		}
		op = Op{Code: code, Fill: Colour(binary.LittleEndian.Uint16(head[2:])),
			Stroke: Colour(binary.LittleEndian.Uint16(head[4:])),
			Width:  math.Float32frombits(binary.LittleEndian.Uint32(head[6:])), Values: op.Values}
		switch code {
		case opMark:
			op.Shape = Shape(kind)
		case opText:
			op.Anchor, op.Bold = Anchor(kind&^boldBit), kind&boldBit != 0
		case opImage:
			op.Raster.Channels = int(kind)
			if kind != 3 && (kind != 1 || op.Fill == Nothing || op.Stroke == Nothing) {
				return fmt.Errorf("scene: an image of %d channels without colours", kind)
			}
		default:
			op.Dash = Dash(kind)
		}
		if int(op.Shape) > Shapes || op.Dash >= dashes || op.Anchor > End || int(max(op.Fill, op.Stroke)) >= Colours {
			return fmt.Errorf("scene: operation %d: kind %d or a colour is out of range", code, kind)
		}
		count := int(binary.LittleEndian.Uint16(head[headSize:]))
		for i := range count {
			op.First, op.Last = i == 0, i == count-1
			n := itemSize[code]
			if code == opLine || code == opPolygon {
				n = 2 * r.u16()
			}
			op.Values = op.Values[:0]
			for range n {
				op.Values = append(op.Values, r.f32())
			}
			if code == opText {
				op.Text = string(r.take(r.u16()))
			}
			if p := &op.Raster; code == opImage {
				p.Columns, p.Rows = r.u16(), r.u16()
				p.Pixels = r.view(p.Columns * p.Rows * p.Channels)
			}
			if r.short {
				break
			}
			visit(&op)
		}
	}
	if r.short {
		return fmt.Errorf("scene: the bytes end inside operation %d", op.Code)
	}
	return nil
}

// Extent returns the bounding box of the item with its outline, for text estimated by
// [TextWidth]; ok is false for clips, unclips and fades.
func (op *Op) Extent() (x0, y0, x1, y1 float32, ok bool) {
	v, edge := op.Values, float32(0)
	if op.Stroke != Nothing {
		edge = op.Width / 2
	}
	switch op.Code {
	case opMark:
		r := v[2]*op.Shape.reach() + edge
		return v[0] - r, v[1] - r, v[0] + r, v[1] + r, true
	case opImage:
		return v[0], v[1], v[0] + v[2], v[1] + v[3], true
	case opRect:
		return v[0] - edge, v[1] - edge, v[0] + v[2] + edge, v[1] + v[3] + edge, true
	case opEllipse:
		sin, cos := math.Sincos(float64(v[4]))
		rx, ry := float64(v[2]), float64(v[3])
		w := float32(math.Hypot(rx*cos, ry*sin)) + edge
		h := float32(math.Hypot(rx*sin, ry*cos)) + edge
		return v[0] - w, v[1] - h, v[0] + w, v[1] + h, true
	case opText:
		w := TextWidth(op.Text, v[2], op.Bold)
		x := v[0] - w*float32(op.Anchor)/2
		return x, v[1] - 0.78*v[2], x + w, v[1] + 0.22*v[2], true
	case opLine, opPolygon:
		x0, y0, x1, y1 = v[0], v[1], v[0], v[1]
		for i := 2; i < len(v); i += 2 {
			x0, x1 = min(x0, v[i]), max(x1, v[i])
			y0, y1 = min(y0, v[i+1]), max(y1, v[i+1])
		}
		return x0 - edge, y0 - edge, x1 + edge, y1 + edge, true
	}
	return 0, 0, 0, 0, false
}

// reader reads values. Past the end it returns zeros and sets short.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.short, r.b = true, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

// view is take, but returns nil past the end: a damaged raster may claim gigabytes.
func (r *reader) view(n int) []byte {
	if len(r.b) < n {
		r.short, r.b = true, nil
		return nil
	}
	return r.take(n)
}

func (r *reader) u16() int     { return int(binary.LittleEndian.Uint16(r.take(2))) }
func (r *reader) f32() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(r.take(4))) }
