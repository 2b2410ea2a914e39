package dataset

import "math"

// fill adds the area inside a closed line to the canvas, as the share of each
// pixel that it covers. The line may cross itself; what it goes round twice the
// same way is inside.
//
// Every edge covers what lies to its right, downwards as plus and upwards as
// minus, so the sum over edges is the area inside. A pixel first gets what an
// edge adds at it beyond the pixel to its left; one sweep then adds up the rows.
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

// edge adds what the edge from a to b gives to each pixel beyond its left
// neighbour.
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
		// The middle of this piece stands for all of it: within a row the
		// edge moves little, and the rim of a garment is blurred anyway.
		x := a.x + float64(slope*(float64((y0+y1)/2)-a.y))
		x = max(0, min(side, x))
		j := int(x)
		share := float64(sign * (y1 - y0))
		right := float64(share * (x - float64(j))) // of pixel j, to the left of x
		if j < side {
			gain[i*side+j] += share - right
		}
		if j+1 < side {
			gain[i*side+j+1] += right
		}
	}
}
