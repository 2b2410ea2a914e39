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

// turned shows images turned by an angle: every number of the picture is looked
// up in the original. The table holds positions in the original; what comes
// from outside points at the 0 behind the original's end.
type turned struct {
	angle float64
	from  kernel.Places
}

// turn makes the view of an image turned counter-clockwise about its centre by
// an angle in degrees, same size, nearest pixel, 0 outside: what torchvision's
// rotate does, with the same pixels wherever its arithmetic is exact.
func turn(shape dataset.Shape, angle float64) *turned {
	var from []uint16
	outside := shape.Size()
	for y := range shape.Height {
		for x := range shape.Width {
			sx, sy := before(shape, angle, x, y)
			// Half up. A hair more, for ties that rounding has moved.
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
	return &turned{angle, kernel.NewPlaces(from)}
}

// before returns where pixel (x, y) of the turned picture was: pixels are
// points with whole coordinates, y grows downwards.
func before(shape dataset.Shape, angle float64, x, y int) (sx, sy float64) {
	sin, cos := exact.SinCosDegrees(upright(angle))
	cx, cy := float64(float64(shape.Width-1)/2), float64(float64(shape.Height-1)/2)
	dx, dy := float64(x)-cx, float64(y)-cy
	sx = cx + (float64(dx*cos) - float64(dy*sin))
	sy = cy + (float64(dx*sin) + float64(dy*cos))
	return sx, sy
}

func inside(shape dataset.Shape, x, y int) bool {
	return x >= 0 && x < shape.Width && y >= 0 && y < shape.Height
}

// upright returns the angle between −180 (excluded) and 180 degrees that turns
// the same way. It is exact.
func upright(angle float64) float64 {
	a := math.Mod(angle, 360)
	if a > 180 {
		a -= 360
	}
	if a <= -180 {
		a += 360
	}
	return a
}

func (t *turned) Show(dst, raw []float32, _ rng.Stream) {
	kernel.Gather(dst[:t.from.Len()], raw, t.from)
}

func (t *turned) Words() say.Message { return degrees(t.angle) }

func degrees(angle float64) say.Message { return say.Message(param.FormatFloat(angle) + "°") }

// blended shows images turned like turned, with each pixel a mean of the four
// nearest of the original, weighted bilinearly.
type blended struct {
	angle  float64
	from   [][4]uint16
	weight [][4]float32
}

func blend(shape dataset.Shape, angle float64) *blended {
	b := &blended{angle: angle}
	outside := uint16(shape.Size())
	for y := range shape.Height {
		for x := range shape.Width {
			sx, sy := before(shape, angle, x, y)
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
				b.from, b.weight = append(b.from, from), append(b.weight, weight)
			}
		}
	}
	return b
}

func (b *blended) Show(dst, raw []float32, _ rng.Stream) {
	dst, weight := dst[:len(b.from)], b.weight[:len(b.from)]
	for j, at := range b.from {
		w := &weight[j]
		dst[j] = (float32(w[0]*raw[at[0]]) + float32(w[1]*raw[at[1]])) +
			(float32(w[2]*raw[at[2]]) + float32(w[3]*raw[at[3]]))
	}
}

func (b *blended) Words() say.Message { return degrees(b.angle) }
