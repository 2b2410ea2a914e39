package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// rotated shows images rotated by an angle, by a table of positions in the original. Positions
// outside point at the 0 behind its end.
type rotated struct {
	angle   float64
	sources kernel.Places
}

// rotate makes the view of an image rotated counter-clockwise about its centre by an angle in
// degrees, same size, nearest pixel, 0 outside: as torchvision's rotate, with the same pixels
// wherever its arithmetic is exact.
func rotate(shape dataset.Shape, angle float64) *rotated {
	var from []uint16
	outside := shape.Size()
	for y := range shape.Height {
		for x := range shape.Width {
			sx, sy := sourcePosition(shape, angle, x, y)
			// round half up, with a tolerance for ties that rounding has moved
			const hair = 1e-9
			ix, iy := int(math.Floor(sx+0.5+hair)), int(math.Floor(sy+0.5+hair))
			for c := range shape.Channels {
				at := outside
				if inside(shape, ix, iy) {
					at = (iy*shape.Width+ix)*shape.Channels + c
				}
				from = append(from, uint16(at))
			}
		}
	}
	return &rotated{angle, kernel.NewPlaces(from)}
}

// sourcePosition returns the position in the original of pixel (x, y) of the rotated image: pixels
// are points with whole coordinates, y grows downwards.
func sourcePosition(shape dataset.Shape, angle float64, x, y int) (sx, sy float64) {
	sin, cos := exact.SinCosDegrees(normalizedAngle(angle))
	cx, cy := float64(float64(shape.Width-1)/2), float64(float64(shape.Height-1)/2)
	dx, dy := float64(x)-cx, float64(y)-cy
	sx = cx + (float64(dx*cos) - float64(dy*sin))
	sy = cy + (float64(dx*sin) + float64(dy*cos))
	return sx, sy
}

func inside(shape dataset.Shape, x, y int) bool {
	return x >= 0 && x < shape.Width && y >= 0 && y < shape.Height
}

// normalizedAngle returns the equivalent angle in (−180, 180] degrees. It is exact.
func normalizedAngle(angle float64) float64 {
	a := math.Mod(angle, 360)
	if a > 180 {
		a -= 360
	}
	if a <= -180 {
		a += 360
	}
	return a
}

func (t *rotated) Show(dst, raw []float32, _ rng.Stream) {
	kernel.Gather(dst[:t.sources.Len()], raw, t.sources)
}

func (t *rotated) Words() say.Message { return degrees(t.angle) }

func degrees(angle float64) say.Message { return say.Message(param.FormatFloat(angle) + "°") }

// rotatedBilinear is rotated with bilinear interpolation.
type rotatedBilinear struct {
	angle   float64
	sources [][4]uint16
	weight  [][4]float32
}

func rotateBilinear(shape dataset.Shape, angle float64) *rotatedBilinear {
	b := &rotatedBilinear{angle: angle}
	outside := uint16(shape.Size())
	for y := range shape.Height {
		for x := range shape.Width {
			sx, sy := sourcePosition(shape, angle, x, y)
			fx, fy := math.Floor(sx), math.Floor(sy)
			right, below := sx-fx, sy-fy
			weight := [4]float32{
				float32((1 - right) * (1 - below)), float32(right * (1 - below)),
				float32((1 - right) * below), float32(right * below)}
			for c := range shape.Channels {
				from := [4]uint16{outside, outside, outside, outside}
				for corner := range 4 {
					ix, iy := int(fx)+corner&1, int(fy)+corner>>1
					if inside(shape, ix, iy) {
						from[corner] = uint16((iy*shape.Width+ix)*shape.Channels + c)
					}
				}
				b.sources, b.weight = append(b.sources, from), append(b.weight, weight)
			}
		}
	}
	return b
}

func (b *rotatedBilinear) Show(dst, raw []float32, _ rng.Stream) {
	dst, weight := dst[:len(b.sources)], b.weight[:len(b.sources)]
	for j, at := range b.sources {
		w := &weight[j]
		dst[j] = (float32(w[0]*raw[at[0]]) + float32(w[1]*raw[at[1]])) +
			(float32(w[2]*raw[at[2]]) + float32(w[3]*raw[at[3]]))
	}
}

func (b *rotatedBilinear) Words() say.Message { return degrees(b.angle) }
