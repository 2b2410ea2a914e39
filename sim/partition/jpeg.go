package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// The quantisation of JPEG at quality 50, of brightness and of colour, row by row (ITU-T T.81, annex K).
var (
	brightSteps = [64]uint8{
		16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
	}
	colourSteps = [64]uint8{
		17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	}
)

// blocks is JPEG's loss: cosines of 8 × 8 pixels, each rounded to a multiple of its step.
type blocks struct {
	cosine [8][8]float32 // by frequency and position
	step   [64]float32
}

func newBlocks(steps *[64]uint8, quality int) *blocks {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	b := &blocks{}
	for i, step := range steps {
		b.step[i] = float32(max(1, min(255, (int(step)*scale+50)/100)))
	}
	for u := range 8 {
		for x := range 8 {
			_, cos := exact.SinCosDegrees(normalizedAngle(float64((2*x+1)*u) * 11.25))
			if u == 0 {
				cos = math.Sqrt(.5)
			}
			b.cosine[u][x] = float32(cos / 2)
		}
	}
	return b
}

// pass rounds a plane of numbers from −128 to 127, block by block.
func (b *blocks) pass(plane []float32, height, width int) {
	var block, turned [64]float32
	for top := 0; top < height; top += 8 {
		for left := 0; left < width; left += 8 {
			for i := range block {
				block[i] = plane[min(top+i/8, height-1)*width+min(left+i%8, width-1)]
			}
			b.toCosines(&turned, &block)
			b.toCosines(&block, &turned)
			for i, step := range b.step {
				block[i] = float32(step * whole(block[i]/step))
			}
			b.fromCosines(&turned, &block)
			b.fromCosines(&block, &turned)
			for i, x := range block {
				if y, x2 := top+i/8, left+i%8; y < height && x2 < width {
					plane[y*width+x2] = x
				}
			}
		}
	}
}

// whole rounds to a whole number.
func whole(x float32) float32 { return float32(math.Floor(float64(x) + .5)) }

// toCosines transforms the rows of a block, and writes them as columns.
func (b *blocks) toCosines(dst, src *[64]float32) {
	for y := range 8 {
		row := src[8*y : 8*y+8]
		for u := range 8 {
			sum := float32(0)
			for x, c := range b.cosine[u] {
				sum += float32(c * row[x])
			}
			dst[8*u+y] = sum
		}
	}
}

// fromCosines is its inverse.
func (b *blocks) fromCosines(dst, src *[64]float32) {
	for y := range 8 {
		row := src[8*y : 8*y+8]
		for x := range 8 {
			sum := float32(0)
			for u, v := range row {
				sum += float32(v * b.cosine[u][x])
			}
			dst[8*x+y] = sum
		}
	}
}

// jpeg is what JPEG compression of quality 25 to 7 leaves of an image, and of colour images, whose colours have half the
// resolution, of quality 80 to 40.
func jpeg(shape dataset.Shape, level int) corrupter {
	quality := constant(shape, level, [5]int{25, 18, 15, 10, 7}, [5]int{80, 65, 58, 50, 40})
	bright, hue := newBlocks(&brightSteps, quality), newBlocks(&colourSteps, quality)
	h, w, n := shape.Height, shape.Width, shape.Channels
	h2, w2 := (h+1)/2, (w+1)/2
	memory := lend(h*w + 2*h2*w2)
	return func(dst, raw []float32, _ rng.Stream) {
		work := memory.take()
		defer memory.give(work)
		light := (*work)[:h*w]
		if n != 3 {
			for k := range n { // each channel is grey
				for at := range light {
					light[at] = float32(255*raw[at*n+k]) - 128
				}
				bright.pass(light, h, w)
				for at, x := range light {
					dst[at*n+k] = clip((x + 128) / 255)
				}
			}
			return
		}
		blue, red := (*work)[h*w:][:h2*w2], (*work)[h*w+h2*w2:]
		for at := range light {
			light[at] = whole(float32(255*luminance(raw[3*at:3*at+3]))) - 128
		}
		for at := range blue {
			blue[at], red[at] = 0, 0
			for corner := range 4 {
				from := min(at/w2*2+corner/2, h-1)*w + min(at%w2*2+corner%2, w-1)
				pixel := raw[3*from : 3*from+3]
				y := luminance(pixel)
				blue[at] += float32(255 * .564334 / 4 * (pixel[2] - y))
				red[at] += float32(255 * .713267 / 4 * (pixel[0] - y))
			}
			blue[at], red[at] = whole(blue[at]), whole(red[at])
		}
		bright.pass(light, h, w)
		hue.pass(blue, h2, w2)
		hue.pass(red, h2, w2)
		for at, y := range light {
			half := at/w/2*w2 + at%w/2
			b, r := blue[half], red[half]
			green := -float32(.344136*b) - float32(.714136*r)
			for k, x := range [3]float32{float32(1.402 * r), green, float32(1.772 * b)} {
				dst[3*at+k] = clip((y + 128 + x) / 255)
			}
		}
	}
}
