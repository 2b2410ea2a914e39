package chart

import "math"

// Hit is an area for hit tests: a client's mark, or [Handle]. It is a disc of radius R, stretched
// by Half to the left and to the right.
type Hit struct {
	X, Y, R float32
	Half    float32
	Client  int
}

// Handle is the Client of the hit that drags the angle of the data.
const Handle = -2

// NoClient is the result of [Hits.Nearest] if nothing is within reach.
const NoClient = -1

// Hits are the areas of one figure.
type Hits []Hit

// Nearest returns the client whose mark is nearest to (x, y), with its edge at most reach away,
// or Nobody. A finger needs a reach of about 22. Inside the handle, the handle comes first,
// because it is drawn on top.
func (h Hits) Nearest(x, y, reach float32) int {
	client, least, centre := NoClient, reach, float32(math.Inf(1))
	for i := range h {
		aside := max(float32(math.Abs(float64(h[i].X-x)))-h[i].Half, 0)
		d := float32(math.Hypot(float64(aside), float64(h[i].Y-y)))
		rim := max(d-h[i].R, 0)
		if rim == 0 && h[i].Client == Handle {
			return Handle
		}
		if rim < least || (rim == least && d < centre) {
			client, least, centre = h[i].Client, rim, d
		}
	}
	return client
}

// Within appends the clients whose marks lie in a rectangle: small marks with their centre, marks
// as wide or as high as the figure with any part.
func (h Hits) Within(dst []int, x0, y0, x1, y1 float32) []int {
	const small = 10
	x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
	for i := range h {
		tall := max(h[i].R-small, 0)
		if h[i].Client >= 0 && h[i].X+h[i].Half >= x0 && h[i].X-h[i].Half <= x1 && h[i].Y+tall >= y0 &&
			h[i].Y-tall <= y1 {
			dst = append(dst, h[i].Client)
		}
	}
	return dst
}

// Reset removes all areas. Like Add and AddBar it does nothing to nil.
func (h *Hits) Reset() {
	if h != nil {
		*h = (*h)[:0]
	}
}

// Add adds a disc.
func (h *Hits) Add(x, y, r float32, client int) {
	if h != nil {
		*h = append(*h, Hit{X: x, Y: y, R: r, Client: client})
	}
}

// AddBar adds an area from x0 to x1 that is 2r high.
func (h *Hits) AddBar(x0, x1, y, r float32, client int) {
	if h != nil {
		*h = append(*h, Hit{X: (x0 + x1) / 2, Y: y, R: r, Half: max((x1-x0)/2-r, 0), Client: client})
	}
}
