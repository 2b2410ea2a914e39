package dataset

import "math"

// fill adds the area inside a closed line to the canvas, as the fraction of each pixel that it
// covers. The line may cross itself; areas with a winding number other than 0 are inside.
//
// Every edge covers what lies to its right, downwards as plus and upwards as minus, so the sum over
// edges is the area inside. gain holds differences between neighbouring pixels; a cumulative sum
// along each row gives the coverage.
func (c *canvas) fill(outline []point) {
	var gain [sideSize + 1]float64
	for k, b := range outline {
		a := outline[(k+len(outline)-1)%len(outline)]
		edge(&gain, a, b)
	}
	for i := range side {
		sum := 0.0
		for j := range side {
			at := i*side + j
			sum += gain[at]
			c[at] = min(1, c[at]+math.Abs(sum))
		}
	}
}

// edge adds the coverage of the edge from a to b to gain.
func edge(gain *[sideSize + 1]float64, a, b point) {
	sign := 1.0
	if a.y > b.y {
		a, b, sign = b, a, -1
	}
	if a.y == b.y {
		return
	}
	slope := (b.x - a.x) / (b.y - a.y)
	top, bottom := span(a.y, b.y)
	for i := top; i < bottom; i++ {
		y0, y1 := max(a.y, float64(i)), min(b.y, float64(i+1))
		if y0 >= y1 {
			continue
		}
		// The midpoint of this piece approximates all of it: within a row the edge moves little.
		x := a.x + float64(slope*(float64((y0+y1)/2)-a.y))
		x = max(0, min(side, x))
		j := int(x)
		share := float64(sign * (y1 - y0))
		right := float64(share * (x - float64(j))) // part of pixel j to the left of x
		if j < side {
			gain[i*side+j] += share - right
		}
		if j+1 < side {
			gain[i*side+j+1] += right
		}
	}
}
