package chart

import (
	"math"
	"slices"
)

// extent is a rectangle in the map's own coordinates.
type extent struct{ x0, x1, y0, y1 float32 }

func (e extent) join(f extent) extent {
	return extent{min(e.x0, f.x0), max(e.x1, f.x1), min(e.y0, f.y0), max(e.y1, f.y1)}
}

// wider returns e with air of a share of its size on each side.
func (e extent) wider(share float32) extent {
	air := share * e.size()
	return extent{e.x0 - air, e.x1 + air, e.y0 - air, e.y1 + air}
}

// towards returns the extent a share of the way from e to f.
func (e extent) towards(f extent, share float32) extent {
	return extent{e.x0 + (f.x0-e.x0)*share, e.x1 + (f.x1-e.x1)*share, e.y0 + (f.y0-e.y0)*share, e.y1 +
		(f.y1-e.y1)*share}
}

func (e extent) size() float32 { return max(e.x1-e.x0, e.y1-e.y0) }

// quantile sorts values and returns the one that a share q of them stays below.
func quantile(values []float32, q float64) float32 {
	slices.Sort(values)
	return values[int(q*float64(len(values)-1))]
}

// nice rounds up to a number that reads well: 1, 1.5, 2, 3, 4, 5, 6, 8 or 10
// times a power of ten.
func nice(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if v <= m*unit*1.0001 {
			return m * unit
		}
	}
	return 10 * unit
}

// whole keeps pictures on whole pixels.
func whole(v float32) float32 { return float32(int(v)) }
