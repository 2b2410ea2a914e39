package dataset

import (
	"math"
	"testing"
)

func (c *canvas) sum() (sum float64) {
	for _, v := range c {
		sum += v
	}
	return sum
}

// TestFill: what is filled is the area inside.
func TestFill(t *testing.T) {
	tests := []struct {
		name    string
		outline []point
		want    float64
	}{
		{"square on pixels", []point{{4, 5}, {10, 5}, {10, 11}, {4, 11}}, 36},
		{"the other way round", []point{{4, 11}, {10, 11}, {10, 5}, {4, 5}}, 36},
		{"square between pixels", []point{{4.3, 5.2}, {10.3, 5.2}, {10.3, 11.2}, {4.3, 11.2}}, 36},
		{"less than a pixel", []point{{4.25, 5.25}, {4.75, 5.25}, {4.75, 5.75}, {4.25, 5.75}}, 0.25},
		{"triangle", []point{{2, 2}, {20, 4}, {6, 25}}, 0.5 * (18*23 - 2*4)},
		{"twice around", []point{{4, 5}, {10, 5}, {10, 11}, {4, 11}, {4, 5}, {10, 5}, {10, 11}, {4, 11}}, 36},
		{"half outside on the left", []point{{-6, 5}, {6, 5}, {6, 11}, {-6, 11}}, 36},
		{"half outside on the right", []point{{22, 5}, {34, 5}, {34, 11}, {22, 11}}, 36},
		{"half outside above and below", []point{{4, -20}, {10, -20}, {10, 50}, {4, 50}}, 6 * 28},
		{"all", []point{{-5, -5}, {40, -5}, {40, 40}, {-5, 40}}, 28 * 28},
		{"outside", []point{{30, 30}, {40, 30}, {40, 40}}, 0},
		{"a line", []point{{4, 5}, {20, 5}}, 0},
	}
	for _, tt := range tests {
		var c canvas
		c.fill(tt.outline)
		if got := c.sum(); math.Abs(got-tt.want) > 1e-9*max(1, tt.want) {
			t.Errorf("%s: fill(%v) covers %v pixels, want %v", tt.name, tt.outline, got, tt.want)
		}
	}
}

// TestLine: a stroke covers what its outline encloses, two half discs and a box
// between them, but for the pixel grid.
func TestLine(t *testing.T) {
	for _, radius := range []float64{1, 1.5, 2} {
		for _, b := range []point{{20, 14}, {14, 20}, {18, 19}, {8, 8}} {
			a := point{8, 8}
			var c canvas
			c.line(a, b, radius, radius, 1)
			length := math.Hypot(b.x-a.x, b.y-a.y)
			want := 2*radius*length + math.Pi*radius*radius
			if got := c.sum(); math.Abs(got-want) > 0.15*want {
				t.Errorf("line(%v, %v, radius %v) covers %v pixels, want about %v", a, b, radius, got, want)
			}
		}
	}
}

// TestLineKeepsBrighter: lines of one pen over each other are no brighter than
// one, and the order does not matter.
func TestLineKeepsBrighter(t *testing.T) {
	var once, twice, back canvas
	once.line(point{5, 5}, point{20, 17}, 1.2, 1.6, 1.1)
	for range 2 {
		twice.line(point{5, 5}, point{20, 17}, 1.2, 1.6, 1.1)
	}
	if once != twice {
		t.Error("a line drawn twice differs from one drawn once")
	}
	once.line(point{9, 20}, point{15, 3}, 1, 1, 1.1)
	back.line(point{9, 20}, point{15, 3}, 1, 1, 1.1)
	back.line(point{5, 5}, point{20, 17}, 1.2, 1.6, 1.1)
	if once != back {
		t.Error("two lines differ in the other order")
	}
}

func TestSmooth(t *testing.T) {
	tests := []struct {
		name  string
		along []point
		reach []point // points that the curve passes, in this order
		n     int
	}{
		{"two points", []point{{0, 0}, {1, 2}}, []point{{0, 0}, {1, 2}}, curveSteps + 1},
		{"a bow", []point{{0, 0}, {1, 0}, {1, 1}}, []point{{0, 0}, {1, 0.5}, {1, 1}}, 2*curveSteps + 1},
		{"a corner", []point{{0, 0}, {1, 0}, {1, 0}, {1, 1}}, []point{{0, 0}, {1, 0}, {1, 1}}, 3*curveSteps + 1},
		{"corners at both ends", []point{{0, 0}, {0, 0}, {1, 1}, {1, 1}}, []point{{0, 0}, {1, 1}}, 2*curveSteps + 1},
	}
	for _, tt := range tests {
		var curve [maxCurve]point
		n := smooth(curve[:], tt.along)
		next := 0
		for _, p := range curve[:n] {
			if next < len(tt.reach) && math.Hypot(p.x-tt.reach[next].x, p.y-tt.reach[next].y) < 1e-12 {
				next++
			}
		}
		if n != tt.n || next != len(tt.reach) {
			t.Errorf("%s: smooth(%v) = %v, want %d points by way of %v", tt.name, tt.along, curve[:n], tt.n, tt.reach)
		}
	}
}

// TestForms holds the tables of glyphs and cuts to what the drawing code has
// room for.
func TestForms(t *testing.T) {
	for class, shapes := range glyphs {
		if len(shapes) < 2 {
			t.Errorf("digit %d has %d glyphs, want 2 at least", class, len(shapes))
		}
		for k, shape := range shapes {
			n := 0
			for _, stroke := range shape {
				n += len(stroke)
				checkPoints(t, stroke, 0, 0.8, "digit %d, glyph %d", class, k)
			}
			if len(shape) > maxStrokes || n > maxPoints {
				t.Errorf("digit %d, glyph %d: %d strokes of %d points, want %d and %d at most", class, k, len(shape), n,
					maxStrokes, maxPoints)
			}
		}
	}
	for class, ways := range cuts {
		if len(ways) < 2 {
			t.Errorf("%s has %d cuts, want 2 at least", GarmentNames[class], len(ways))
		}
		for k, way := range ways {
			for _, p := range way.parts {
				if len(p.at) > maxPoints {
					t.Errorf("%s, cut %d: %d points, want %d at most", GarmentNames[class], k, len(p.at), maxPoints)
				}
				high := 1.0
				if way.mirrored {
					high = 0.6
				}
				checkPoints(t, p.at, 0, high, "%s, cut %d", GarmentNames[class], k)
			}
		}
	}
}

func checkPoints(t *testing.T, points []point, low, high float64, format string, args ...any) {
	t.Helper()
	if len(points) < 2 {
		t.Errorf(format+": a stroke of %d points, want 2 at least", append(args, len(points))...)
	}
	for _, p := range points {
		if p.x < low || p.x > high || p.y < -0.1 || p.y > 1 {
			t.Errorf(format+": point %v, want x from %v to %v and y from 0 to 1", append(args, p, low, high)...)
		}
	}
}
