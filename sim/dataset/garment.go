package dataset

import (
	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// garment is the random geometry and cloth of one sample.
type garment struct {
	cut      *cut
	cloth    cloth
	contrast float64 // contrast of parts with another tone
	wobble   float64 // shift of each point, in box sizes

	width    float64 // relative width
	flare    float64 // width added from top to bottom
	lean     float64 // x to the right for each y upwards
	sin, cos float64 // sine and cosine of the rotation, clockwise
	scale    float64 // pixels for each box size
	middle   point   // middle of the cut
	centre   point   // position of the middle, in pixels
}

// sample draws the geometry.
func (t *garment) sample(s *rng.Stream) {
	t.contrast = s.Uniform(0.3, 1.4)
	t.wobble = s.Uniform(0.01, 0.04)
	t.width = max(0.7, min(1.4, 1+float64(0.16*s.Normal())))
	t.flare = float64(0.15 * s.Normal())
	t.lean = float64(0.02 * s.Normal())
	t.sin, t.cos = exact.SinCosDegrees(max(-10, min(10, float64(2*s.Normal()))))
	t.centre = point{side/2 + float64(0.6*s.Normal()), side/2 + float64(0.6*s.Normal())}

	low, high := t.cut.parts[0].at[0], t.cut.parts[0].at[0]
	for _, p := range t.cut.parts {
		for _, q := range p.at {
			low.x, low.y = min(low.x, q.x), min(low.y, q.y)
			high.x, high.y = max(high.x, q.x), max(high.y, q.y)
		}
	}
	if t.cut.mirrored {
		low.x = -high.x
	}
	t.middle = point{(low.x + high.x) / 2, (low.y + high.y) / 2}
	t.scale = s.Uniform(23, 27.5) / max((high.x-low.x)*t.width, high.y-low.y)
}

// draw draws the parts over each other.
func (t *garment) draw(c *canvas, s *rng.Stream) {
	for k := range t.cut.parts {
		p := &t.cut.parts[k]
		var mask canvas
		t.outline(&mask, p, s)
		tone := max(0, 1+float64((p.tone-1)*t.contrast))
		for i, share := range mask {
			if share > 0 {
				c[i] += float64(share * (float64(tone*t.cloth.brightness(i%side, i/side)) - c[i]))
			}
		}
	}
	for i, v := range c {
		if v > 0 {
			c[i] = v + float64(float64(t.cloth.grain*v)*s.Normal())
		}
	}
}

// outline sets mask to the area of a part, with random shifts of its points.
func (t *garment) outline(mask *canvas, p *part, s *rng.Stream) {
	var points [maxPoints]point
	for i, at := range p.at {
		if i > 0 && at == p.at[i-1] {
			points[i] = points[i-1] // the corner stays a corner
			continue
		}
		points[i] = at
		if at.x != 0 || !t.cut.mirrored { // points on the axis stay on it
			points[i].x += float64(t.wobble * s.Normal())
		}
		points[i].y += float64(t.wobble * s.Normal())
	}
	var curve [2 * maxCurve]point
	half := smooth(curve[:], points[:len(p.at)])
	n := half
	if t.cut.mirrored {
		for i := range half {
			q := curve[half-1-i]
			curve[half+i] = point{-q.x, q.y}
		}
		n = 2 * half
	}
	for i, q := range curve[:n] {
		curve[i] = t.place(q)
	}
	if p.pen == 0 {
		mask.fill(curve[:n])
		return
	}
	radius := float64(t.scale * p.pen)
	for i := 1; i < n; i++ {
		if i != half { // the two halves are separate lines
			mask.line(curve[i-1], curve[i], radius, radius, 1)
		}
	}
}

// place returns the position of a point of the cut, in pixels.
func (t *garment) place(p point) point {
	y := p.y - t.middle.y
	x := float64((p.x-t.middle.x)*(t.width+float64(t.flare*p.y))) - float64(t.lean*y)
	return point{
		t.centre.x + float64(t.scale*(float64(x*t.cos)-float64(y*t.sin))),
		t.centre.y + float64(t.scale*(float64(x*t.sin)+float64(y*t.cos))),
	}
}
