package raster

import (
	"image"
	"math"

	"flockscope/sim/draw/scene"
)

// An outline is a row of corners as x, y pairs.
type outline []float32

// roundCorners is the number of corners of a circle: enough for the sizes of previews.
const roundCorners = 48

func (o *outline) corners(v []float32) { *o = append((*o)[:0], v...) }

func (o *outline) mark(s scene.Shape, x, y, r float32) {
	if s == scene.Circle {
		o.ellipse(x, y, r, r, 0)
		return
	}
	*o = (*o)[:0]
	for i, v := range s.Outline() {
		*o = append(*o, [2]float32{x, y}[i%2]+r*v)
	}
}

// ellipse makes an ellipse whose first axis is turned by angle, in radians
// clockwise as seen.
func (o *outline) ellipse(x, y, rx, ry, angle float32) {
	*o = (*o)[:0]
	sin, cos := math.Sincos(float64(angle))
	for i := range roundCorners {
		s, c := math.Sincos(2 * math.Pi * float64(i) / roundCorners)
		a, b := c*float64(rx), s*float64(ry)
		*o = append(*o, x+float32(cos*a-sin*b), y+float32(sin*a+cos*b))
	}
}

// stroke returns the area that a pen of a width covers along the outline, as shapes of
// the same orientation: one bar per side and one disc per corner.
func (o outline) stroke(width float32, gaps []float32, closed bool) []outline {
	path := o
	if closed {
		path = append(path[:len(path):len(path)], path[0], path[1])
	}
	if len(gaps) == 0 {
		return bars(nil, path, width)
	}
	var shapes []outline
	for _, piece := range dashed(path, gaps) {
		shapes = bars(shapes, piece, width)
	}
	return shapes
}

func bars(shapes []outline, path outline, width float32) []outline {
	r := width / 2
	for i := 0; i+3 < len(path); i += 2 {
		x0, y0, x1, y1 := path[i], path[i+1], path[i+2], path[i+3]
		length := hypot(x1-x0, y1-y0)
		if length == 0 {
			continue
		}
		nx, ny := (y1-y0)/length*r, (x0-x1)/length*r
		shapes = append(shapes, outline{x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny})
		if i > 0 && r > 0.5 {
			var disc outline
			disc.ellipse(x0, y0, r, r, 0)
			shapes = append(shapes, disc)
		}
	}
	return shapes
}

// dashed splits a path into dashes by a pattern of dashes and gaps.
func dashed(path outline, gaps []float32) []outline {
	var pieces []outline
	var piece outline
	at, left, on := 0, gaps[0], true
	for i := 0; i+3 < len(path); i += 2 {
		x, y := path[i], path[i+1]
		rest := hypot(path[i+2]-x, path[i+3]-y)
		if rest == 0 {
			continue
		}
		dx, dy := (path[i+2]-x)/rest, (path[i+3]-y)/rest
		if on && piece == nil {
			piece = outline{x, y}
		}
		for rest > 0 {
			step := min(left, rest)
			x, y, rest, left = x+dx*step, y+dy*step, rest-step, left-step
			if on {
				piece = append(piece, x, y)
			}
			if left > 0 {
				continue
			}
			if at, on = (at+1)%len(gaps), !on; on {
				piece = outline{x, y}
			} else {
				pieces, piece = append(pieces, piece), nil
			}
			left = gaps[at]
		}
	}
	if len(piece) > 2 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// bounds returns the pixels that shapes may touch.
func bounds(shapes []outline) image.Rectangle {
	const far = 1 << 20
	x0, y0, x1, y1 := float32(far), float32(far), float32(-far), float32(-far)
	for _, s := range shapes {
		for i := 0; i+1 < len(s); i += 2 {
			x0, x1 = min(x0, s[i]), max(x1, s[i])
			y0, y1 = min(y0, s[i+1]), max(y1, s[i+1])
		}
	}
	if !(x0 <= x1 && y0 <= y1 && x0 > -far && y0 > -far && x1 < far && y1 < far) {
		return image.Rectangle{} // empty, or with NaN or infinite numbers
	}
	return image.Rect(int(math.Floor(float64(x0))), int(math.Floor(float64(y0))),
		int(math.Ceil(float64(x1))), int(math.Ceil(float64(y1))))
}

func hypot(x, y float32) float32 { return float32(math.Hypot(float64(x), float64(y))) }
