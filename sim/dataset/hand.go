package dataset

import (
	"math"

	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// hand is how one sample is written: the habits of its writer and random variation.
type hand struct {
	shape  glyph
	habit  [maxPoints]point // the writer's shift of each point, in heights
	wobble float64          // shift of each point of this sample, in heights
	bend   [6]float64       // quadratic distortion of the plane
	width  float64          // relative width
	slant  float64          // x to the right for each y upwards
	turn   float64          // degrees, clockwise
	size   float64          // of the larger side, in pixels
	centre point            // centre of mass of the ink, in pixels
	radius float64          // radius of the pen, in pixels
	press  float64          // how much thicker a stroke ends than it begins
	rim    float64          // width of the blurred edge, in pixels
	ink    float64          // brightness of the strokes before they saturate
}

const (
	maxPoints  = 24 // points of all strokes of a glyph, or of a part of a garment
	maxStrokes = 3  // strokes of a glyph
	curveSteps = 5  // straight lines that a point gives to a curve
	maxCurve   = maxPoints*curveSteps + 1

	lag   = 0.7  // correlation of the shifts of neighbouring points
	grain = 0.05 // noise of the ink
)

// drawDigit draws sample i. Habits come from streams of the writer, variation from the stream of
// the sample.
func drawDigit(dst []uint8, seed uint64, i, class, writer int) {
	var h hand
	var habit, now rng.Stream
	now.Reset(seed, digitPurpose, i, sampleStream)
	habit.Reset(seed, digitPurpose, writer, writerStreams)
	h.general(&habit, &now)
	habit.Reset(seed, digitPurpose, writer, writerStreams+1+class)
	h.choose(glyphs[class], &habit, &now)

	var c canvas
	h.write(&c, &now)
	c.quantize(dst)
}

// general sets the common properties of a writer's digits. The constants are chosen so that means and spreads of slant,
// width, thickness and ink, and the learning curve of a network, are close to those of MNIST.
func (h *hand) general(habit, now *rng.Stream) {
	h.slant = 0.12 + float64(0.2*habit.Normal()) + float64(0.07*now.Normal())
	h.turn = max(-15, min(15, float64(2.5*habit.Normal())+float64(4*now.Normal())))
	h.width = max(0.6, min(1.5, 1.05+float64(0.12*habit.Normal())+float64(0.1*now.Normal())))
	h.radius = max(0.7, min(2.1, 1.26+float64(0.28*habit.Normal())+float64(0.12*now.Normal())))
	h.press = max(-0.5, min(0.5, float64(0.2*habit.Normal())+float64(0.15*now.Normal())))
	h.wobble = float64(0.034 * float64(habit.Uniform(0.6, 1.4)*now.Uniform(0.5, 1.7)))
	for k := range h.bend {
		h.bend[k] = float64(0.08 * now.Normal())
	}
	h.size = 19.4 + float64(0.3*now.Normal())
	// MNIST puts the centre of mass somewhere in the pixel below and to the right of the middle. This code does the
	// same: it distinguishes the directions of digits such as 0 and 8 when images are rotated by 90°.
	h.centre = point{side/2 + now.Float64(), side/2 + now.Float64()}
	h.rim = now.Uniform(0.9, 1.5)
	h.ink = now.Uniform(0.95, 1.2)
}

// choose draws the glyph, most often the writer's favourite, and the writer's deviations from it.
func (h *hand) choose(shapes []glyph, habit, now *rng.Stream) {
	favourite := habit.IntN(len(shapes))
	if other := now.IntN(len(shapes)); now.Float64() < 0.2 {
		favourite = other
	}
	h.shape = shapes[favourite]
	var drift point
	for k := range h.habit {
		drift.x = float64(lag*drift.x) + float64(0.045*habit.Normal())
		drift.y = float64(lag*drift.y) + float64(0.045*habit.Normal())
		h.habit[k] = drift
	}
}

// write draws the glyph and centres its ink.
func (h *hand) write(c *canvas, now *rng.Stream) {
	var curve [maxCurve]point
	var ends [maxStrokes]int // ends of the strokes in curve
	n := h.strokeCurve(curve[:], ends[:], now)
	fit(curve[:n], ends[:len(h.shape)], h.size-2*h.radius, h.centre)

	from := 0
	for _, to := range ends[:len(h.shape)] {
		perStep := h.press / float64(to-1-from)
		for k := from; k+1 < to; k++ {
			thick := 1 - float64(h.press/2) + float64(perStep*float64(k-from))
			c.line(curve[k], curve[k+1], float64(h.radius*thick), float64(h.radius*(thick+perStep)), h.rim)
		}
		from = to
	}
	for i, v := range c {
		if v > 0 {
			c[i] = float64(h.ink*v) + float64(float64(grain*v)*now.Normal())
		}
	}
}

// strokeCurve fills curve with the strokes as the pen moves, in heights, and ends with the end of each stroke in it. It
// returns the last end.
func (h *hand) strokeCurve(curve []point, ends []int, now *rng.Stream) int {
	var points [maxPoints]point
	sin, cos := exact.SinCosDegrees(h.turn)
	var drift point // the shift is correlated along the stroke
	at, n := 0, 0
	for s, stroke := range h.shape {
		for k, p := range stroke {
			if k > 0 && p == stroke[k-1] {
				points[k] = points[k-1] // the corner stays a corner
			} else {
				drift.x = float64(lag*drift.x) + float64(h.wobble*now.Normal())
				drift.y = float64(lag*drift.y) + float64(h.wobble*now.Normal())
				points[k] = h.place(point{p.x + h.habit[at].x + drift.x, p.y + h.habit[at].y + drift.y}, sin, cos)
			}
			at++
		}
		n += smooth(curve[n:], points[:len(stroke)])
		ends[s] = n
	}
	return n
}

// place distorts, slants and rotates a point about the middle of the glyph.
func (h *hand) place(p point, sin, cos float64) point {
	x, y := float64((p.x-0.33)*h.width), p.y-0.5
	b := &h.bend
	u, v := 2*x, 2*y
	x += float64(b[0]*float64(u*u)) + float64(b[1]*float64(v*v)) + float64(b[2]*float64(u*v))
	y += float64(b[3]*float64(u*u)) + float64(b[4]*float64(v*v)) + float64(b[5]*float64(u*v))
	x -= float64(h.slant * y)
	return point{float64(x*cos) - float64(y*sin), float64(x*sin) + float64(y*cos)}
}

// fit scales strokes so that the larger side of their box becomes size, and
// moves the centre of their mass to centre, as MNIST does.
func fit(curve []point, ends []int, size float64, centre point) {
	low, high := curve[0], curve[0]
	for _, p := range curve {
		low.x, low.y = min(low.x, p.x), min(low.y, p.y)
		high.x, high.y = max(high.x, p.x), max(high.y, p.y)
	}
	var mass, mx, my float64
	from := 0
	for _, to := range ends {
		for k := from; k+1 < to; k++ {
			a, b := curve[k], curve[k+1]
			dx, dy := b.x-a.x, b.y-a.y
			length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			mass += length
			mx += float64(length * (a.x + b.x) / 2)
			my += float64(length * (a.y + b.y) / 2)
		}
		from = to
	}
	mx, my = mx/mass, my/mass
	scale := size / max(high.x-low.x, high.y-low.y)
	for k, p := range curve {
		curve[k] = point{centre.x + float64((p.x-mx)*scale), centre.y + float64((p.y-my)*scale)}
	}
}
