package dataset

import "math"

// point is a place on paper: x to the right, y down.
type point struct{ x, y float64 }

// canvas is a grey image of side × side pixels from 0 to 1.
type canvas [sideSize]float64

// line draws a line from a to b, in pixels, whose radius changes from ra to rb. Brightness falls
// from 1 to 0 over a rim of the given width, half of it inside the radius. A pixel keeps its value
// if that is brighter.
func (c *canvas) line(a, b point, ra, rb, rim float64) {
	reach := max(ra, rb) + float64(rim/2)
	left, right := span(min(a.x, b.x)-reach, max(a.x, b.x)+reach)
	top, bottom := span(min(a.y, b.y)-reach, max(a.y, b.y)+reach)
	dx, dy := b.x-a.x, b.y-a.y
	perLength := 0.0
	if square := float64(dx*dx) + float64(dy*dy); square > 0 {
		perLength = 1 / square
	}
	for i := top; i < bottom; i++ {
		py := float64(i) + 0.5 - a.y
		for j := left; j < right; j++ {
			px := float64(j) + 0.5 - a.x
			// The nearest point, as a fraction of the way from a to b.
			t := (float64(px*dx) + float64(py*dy)) * perLength
			t = max(0, min(1, t))
			ex, ey := px-float64(t*dx), py-float64(t*dy)
			square := float64(ex*ex) + float64(ey*ey)
			if square >= reach*reach {
				continue
			}
			v := (ra+float64(t*(rb-ra))-math.Sqrt(square))/rim + 0.5
			if at := i*side + j; v > c[at] {
				c[at] = min(1, v)
			}
		}
	}
}

// span returns low and high for the pixels low to high−1 that an interval touches.
func span(from, to float64) (low, high int) {
	return int(max(0, min(side, from))), int(max(0, min(side, to+1)))
}

// smooth writes a curve along the given points to dst and returns how many points it has, at most
// curveSteps for each one given: parabolas that touch the lines between the points in their
// middles, a quadratic B-spline. The curve is smoother than its control points. It passes through
// corners: points that are listed twice.
func smooth(dst, along []point) int {
	n, last := 0, len(along)-1
	start := along[0]
	for i := 1; i <= last; i++ {
		control, end := along[i], along[i]
		if i < last && along[i] != along[i+1] {
			end = point{(along[i].x + along[i+1].x) / 2, (along[i].y + along[i+1].y) / 2}
		}
		if start == end {
			continue // after a corner
		}
		for k := range curveSteps {
			t := float64(k) / curveSteps
			dst[n] = point{parabola(start.x, control.x, end.x, t), parabola(start.y, control.y, end.y, t)}
			n++
		}
		start = end
	}
	dst[n] = start
	return n + 1
}

// parabola is the quadratic Bézier curve with control points a, b and c, at t.
func parabola(a, b, c, t float64) float64 {
	return a + float64(t*(2*(b-a)+float64(t*(a-2*b+c))))
}

// quantize writes the canvas to dst, with 255 for 1.
func (c *canvas) quantize(dst []uint8) {
	for i, v := range c {
		dst[i] = uint8(float64(255*max(0, min(1, v))) + 0.5)
	}
}
