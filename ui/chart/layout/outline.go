package layout

import (
	"math"
	"slices"
)

// Outline computes soft outlines around points. It keeps its buffers.
type Outline struct {
	points, hull [][2]float32
	path         []float32
}

// Reset removes all points.
func (o *Outline) Reset() { o.points = o.points[:0] }

// Add adds a point.
func (o *Outline) Add(x, y float32) { o.points = append(o.points, [2]float32{x, y}) }

// Around returns the outline of all discs of radius r around the points, without dents, as x, y pairs.
func (o *Outline) Around(r float32) []float32 {
	o.findHull()
	o.path = o.path[:0]
	n := len(o.hull)
	for i, at := range o.hull {
		from, to := 0.0, 2*math.Pi
		if n > 1 {
			from = normal(o.hull[(i+n-1)%n], at)
			to = from + math.Mod(normal(at, o.hull[(i+1)%n])-from+4*math.Pi, 2*math.Pi)
		}
		steps := math.Ceil((to-from)/0.4) + 1
		for s := range int(steps) {
			sin, cos := math.Sincos(from + (to-from)*float64(s)/max(steps-1, 1))
			o.path = append(o.path, at[0]+r*float32(cos), at[1]+r*float32(sin))
		}
	}
	return o.path
}

// normal returns the direction to the right of the way from a to b.
func normal(a, b [2]float32) float64 {
	return math.Atan2(float64(a[0]-b[0]), float64(b[1]-a[1]))
}

// findHull computes the convex hull by Andrew's monotone chain.
func (o *Outline) findHull() {
	slices.SortFunc(o.points, func(a, b [2]float32) int {
		switch {
		case a[0] < b[0] || a[0] == b[0] && a[1] < b[1]:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	o.points = slices.Compact(o.points)
	o.hull = o.hull[:0]
	for range 2 {
		base := len(o.hull)
		for _, p := range o.points {
			for len(o.hull) > base+1 && !turnsLeft(o.hull[len(o.hull)-2], o.hull[len(o.hull)-1], p) {
				o.hull = o.hull[:len(o.hull)-1]
			}
			o.hull = append(o.hull, p)
		}
		if len(o.points) > 1 {
			o.hull = o.hull[:len(o.hull)-1] // the first of the other chain
		}
		slices.Reverse(o.points)
	}
	if len(o.points) == 1 {
		o.hull = o.hull[:1]
	}
}

func turnsLeft(a, b, c [2]float32) bool {
	return (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0
}
