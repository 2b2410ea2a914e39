package raster

import (
	"image"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"

	"flockscope/sim/draw/scene"
)

// PNG writes the list as a picture of width × height pixels on paper.
func PNG(w io.Writer, l *scene.List, t scene.Theme, width, height int) error {
	p := &painter{ink: newInk(t), picture: image.NewPaletted(image.Rect(0, 0, width, height), nil)}
	p.clips = []image.Rectangle{p.picture.Rect}
	if err := scene.Walk(l.Bytes(), p.item); err != nil {
		return err
	}
	p.picture.Palette = p.ink.palette
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(w, p.picture)
}

// A player paints the items of a list.
type painter struct {
	picture *image.Paletted
	ink     *ink
	clips   []image.Rectangle // the newest last; never empty
	shape   outline           // of the item being painted
	cover   vector.Rasterizer
	mask    image.Alpha
}

func (p *painter) item(op *scene.Op) {
	v := op.Values
	switch op.Kind() {
	case "fade":
		p.ink.fade = v[0]
	case "clip":
		box := image.Rect(int(math.Floor(float64(v[0]))), int(math.Floor(float64(v[1]))),
			int(math.Ceil(float64(v[0]+v[2]))), int(math.Ceil(float64(v[1]+v[3]))))
		p.clips = append(p.clips, box.Intersect(p.clips[len(p.clips)-1]))
	case "unclip":
		p.clips = p.clips[:max(len(p.clips)-1, 1)]
	case "mark":
		p.shape.mark(op.Shape, v[0], v[1], v[2])
		p.paint(op, true)
	case "line":
		p.shape.corners(v)
		p.paint(op, false)
	case "polygon":
		p.shape.corners(v)
		p.paint(op, true)
	case "rect":
		p.shape.corners([]float32{v[0], v[1], v[0] + v[2], v[1], v[0] + v[2], v[1] + v[3], v[0], v[1] + v[3]})
		p.paint(op, true)
	case "ellipse":
		p.shape.ellipse(v[0], v[1], v[2], v[3], v[4])
		p.paint(op, true)
	case "text":
		p.text(op)
	}
}

// paint fills the shape and then draws its outline.
func (p *painter) paint(op *scene.Op, closed bool) {
	if op.Fill != scene.Nothing && closed {
		p.fill([]outline{p.shape}, op.Fill)
	}
	if op.Stroke != scene.Nothing && op.Width > 0 {
		p.fill(p.shape.stroke(op.Width, scene.Dashes[op.Dash], closed), op.Stroke)
	}
}

// fill paints the union of shapes that turn the same way.
func (p *painter) fill(shapes []outline, c scene.Colour) {
	box := bounds(shapes).Intersect(p.clips[len(p.clips)-1])
	if box.Empty() {
		return
	}
	p.cover.Reset(box.Dx(), box.Dy())
	x, y := float32(box.Min.X), float32(box.Min.Y)
	for _, s := range shapes {
		for i := 0; i+1 < len(s); i += 2 {
			if i == 0 {
				p.cover.MoveTo(s[0]-x, s[1]-y)
			} else {
				p.cover.LineTo(s[i]-x, s[i+1]-y)
			}
		}
		p.cover.ClosePath()
	}
	p.blend(box, c)
}

// blend paints what the rasterizer covers of a box.
func (p *painter) blend(box image.Rectangle, c scene.Colour) {
	size := box.Dx() * box.Dy()
	if cap(p.mask.Pix) < size {
		p.mask.Pix = make([]uint8, size)
	}
	p.mask.Pix, p.mask.Stride, p.mask.Rect = p.mask.Pix[:size], box.Dx(), image.Rect(0, 0, box.Dx(), box.Dy())
	clear(p.mask.Pix)
	p.ink.use(c)
	p.cover.Draw(&p.mask, p.mask.Rect, image.Opaque, image.Point{})
	for y := range box.Dy() {
		from := p.mask.Pix[y*box.Dx() : (y+1)*box.Dx()]
		to := p.picture.Pix[p.picture.PixOffset(box.Min.X, box.Min.Y+y):]
		for x, a := range from {
			if a != 0 {
				to[x] = p.ink.over(to[x], a)
			}
		}
	}
}
