package dataset

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// The measures of a radio channel.
const (
	antennas   = 8    // in a line, half a wave apart
	carriers   = 8    // frequencies at which the channel is measured
	scatterers = 3    // houses that send the wave on
	rays       = 3    // ways by each of them
	sector     = 15.0 // degrees that scatterers lie left or right of the middle
	rough      = 8.0  // degrees that a ray leaves beside its scatterer
	late       = 0.5  // the largest delay of a scatterer; 1 is as long as the carriers can tell
)

// Channels draws n radio channels from users to a mast, 1 × 128 × 1, as many in
// each environment as in any other: the real and the imaginary parts of what 8
// antennas receive at 8 frequencies, 0.5 + h/6, where |h|² is 1 on average. An
// environment is a class. Its scatterers lie in a sector of its own; sectors are
// the same but for the direction of their middle, which is gap degrees from the
// next one's.
//
// A user is reached by a few rays from each scatterer, and
//
//	h(m, k) = Σ gₚ · exp(iπ·m·sin φₚ) · exp(−2πi·k·τₚ)
//
// for antenna m and carrier k, with angles φₚ and delays τₚ about the scatterer's
// and complex normal gains gₚ that are weaker the later they come. So users of one
// environment share few directions, in which each of them is different. This is a
// toy next to the channel models that such studies use, COST 2100 and QuaDRiGa: it
// knows no distances, no movement and no line of sight, and no number of theirs can
// be expected of it.
func Channels(seed uint64, n, environments int, gap float64) *Set {
	s := &Set{Name: "Radio channels", Shape: Shape{1, 2 * antennas * carriers, 1}, Sheet: Shape{carriers, antennas, 1},
		Picture: byAngle,
		Classes: environments, Train: n - n/7, Label: deal[uint8](n, environments, seed, channelPurpose, classDeal)}
	street := newStreet(seed)
	var middle []float64
	for e := range environments {
		middle = append(middle, gap*(float64(e)-float64(float64(environments-1)/2)))
		s.ClassNames = append(s.ClassNames, strings.Replace(strconv.FormatFloat(middle[e], 'g', 4, 64), "-", "−",
			1)+"°")
	}
	s.Rows = newDrawn(s.Shape, n, func(dst []uint8, i int) { street.measure(dst, seed, i, middle[s.Label[i]]) })
	return s
}

// street is where scatterers lie.
type street [scatterers]struct{ angle, delay, strength float64 }

func newStreet(seed uint64) *street {
	var st street
	var s rng.Stream
	s.Reset(seed, channelPurpose, 0, placeStream)
	for j := range st {
		// Each in a part of the sector, and of the time, of its own.
		at := &st[j]
		at.angle = float64(sector * (float64(2*(float64(j)+s.Float64())/scatterers) - 1))
		at.delay = late * s.Float64()
		at.strength = math.Sqrt(exact.Exp(-2*at.delay) / rays)
	}
	return &st
}

// phasor is a complex number whose products are rounded one by one.
type phasor struct{ re, im float64 }

func (p phasor) times(q phasor) phasor {
	return phasor{float64(p.re*q.re) - float64(p.im*q.im), float64(p.re*q.im) + float64(p.im*q.re)}
}

// turn is exp(iπ·x) for |x| ≤ 1.
func turn(x float64) phasor {
	sin, cos := exact.SinCosDegrees(float64(180 * x))
	return phasor{cos, sin}
}

// measure draws channel i in the environment that looks to an angle.
func (st *street) measure(dst []uint8, seed uint64, i int, middle float64) {
	var s rng.Stream
	s.Reset(seed, channelPurpose, i, sampleStream)
	var h [antennas][carriers]phasor
	for _, at := range st {
		for range rays {
			sin, _ := exact.SinCosDegrees(middle + at.angle + s.Uniform(-rough, rough))
			along := turn(sin)
			down := turn(-at.delay - float64(0.05*s.Float64()))
			down = down.times(down)
			gain := phasor{at.strength * s.Normal(), at.strength * s.Normal()}
			for m := range h {
				g := gain
				for k := range h[m] {
					h[m][k].re += g.re
					h[m][k].im += g.im
					g = g.times(down)
				}
				gain = gain.times(along)
			}
		}
	}
	power := 0.0
	for m := range h {
		for _, v := range h[m] {
			power += float64(v.re*v.re) + float64(v.im*v.im)
		}
	}
	scale := 255.0 / 6 / math.Sqrt(power/(antennas*carriers))
	for m := range h {
		for k, v := range h[m] {
			at := 2 * (m*carriers + k)
			dst[at], dst[at+1] = level(float64(v.re*scale)), level(float64(v.im*scale))
		}
	}
}

// level is the byte of a number of which 0 is the middle.
func level(v float64) uint8 { return uint8(min(max(v+128, 0), 255)) }

// byAngle draws how strong a channel is in directions, from left to right, and
// after delays, from top to bottom: the absolute values of its Fourier transform.
func byAngle(dst []uint8, row []float32) {
	for d := range carriers {
		for a := range antennas {
			along, down := turn(1-float64(2*(float64(a)+0.5)/antennas)), turn(float64(d)/carriers)
			down = down.times(down)
			var sum phasor
			first := phasor{1, 0}
			for m := range antennas {
				f := first
				for k := range carriers {
					at := 2 * (m*carriers + k)
					v := phasor{float64(row[at]) - 0.5, float64(row[at+1]) - 0.5}.times(f)
					sum.re += v.re
					sum.im += v.im
					f = f.times(down)
				}
				first = first.times(along)
			}
			size := math.Sqrt(float64(sum.re*sum.re) + float64(sum.im*sum.im))
			dst[d*antennas+a] = uint8(min(255, size*255*6/(antennas*carriers)))
		}
	}
}
