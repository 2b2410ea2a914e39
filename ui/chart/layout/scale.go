package layout

import (
	"math"
	"slices"
)

// Extent is a rectangle in the coordinates of the data.
type Extent struct{ X0, X1, Y0, Y1 float32 }

// Join returns the smallest extent that contains e and f.
func (e Extent) Join(f Extent) Extent {
	return Extent{min(e.X0, f.X0), max(e.X1, f.X1), min(e.Y0, f.Y0), max(e.Y1, f.Y1)}
}

// Padded returns e with a margin on each side, as a share of its size.
func (e Extent) Padded(share float32) Extent {
	air := share * e.Size()
	return Extent{e.X0 - air, e.X1 + air, e.Y0 - air, e.Y1 + air}
}

// Interpolate returns the extent between e, at a share of 0, and f, at 1.
func (e Extent) Interpolate(f Extent, share float32) Extent {
	return Extent{e.X0 + (f.X0-e.X0)*share, e.X1 + (f.X1-e.X1)*share, e.Y0 + (f.Y0-e.Y0)*share, e.Y1 +
		(f.Y1-e.Y1)*share}
}

// Size is the longer side.
func (e Extent) Size() float32 { return max(e.X1-e.X0, e.Y1-e.Y0) }

// Quantile sorts values and returns the quantile q of them.
func Quantile(values []float32, q float64) float32 {
	slices.Sort(values)
	return values[int(q*float64(len(values)-1))]
}

// Nice rounds up to a round number: 1, 1.5, 2, 3, 4, 5, 6, 8 or 10 times a power of ten.
func Nice(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if v <= m*unit*1.0001 {
			return m * unit
		}
	}
	return 10 * unit
}

// Floor rounds down to whole pixels, on which images are sharp.
func Floor(v float32) float32 { return float32(int(v)) }
