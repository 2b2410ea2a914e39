package dataset

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// Parameters of the channel model.
const (
	antennas    = 8    // in a line, half a wavelength apart
	carriers    = 8    // frequencies at which the channel is measured
	scatterers  = 3    // reflecting objects
	rays        = 3    // paths by each scatterer
	sector      = 15.0 // maximum angle between a scatterer and the middle of its sector, in degrees
	angleSpread = 8.0  // maximum angle between a ray and its scatterer, in degrees
	maxDelay    = 0.5  // largest delay of a scatterer; 1 is the unambiguous range of the carriers
)

// ChannelPower is the mean square of the numbers of each channel, before it is rounded to bytes: |h|² is 1 for each of the
// complex h, which are stored as their two parts divided by 6.
const ChannelPower = 1.0 / (2 * 6 * 6)

// Channels returns n synthetic radio channels from users to a base station, 1 × 128 × 1, equally many in each
// environment: the real and the imaginary parts of the signal at 8 antennas and 8 frequencies, 0.5 + h/6, where |h|² is
// 1 on average. An environment is a class. The scatterers of all environments are the same but for a rotation by gap
// degrees from one environment to the next.
//
// A user is reached by a few rays from each scatterer, and
//
//	h(m, k) = Σ gₚ · exp(iπ·m·sin φₚ) · exp(−2πi·k·τₚ)
//
// for antenna m and carrier k, with angles φₚ and delays τₚ about the scatterer's and complex normal gains gₚ that are
// weaker for longer delays. So users of one environment share a few directions, with different gains. This is far
// simpler than the channel models that such studies use, COST 2100 and QuaDRiGa: it has no distances, no movement and
// no line of sight, and cannot reproduce their numbers.
func Channels(seed uint64, n, environments int, gap float64) *Set {
	s := &Set{Name: "Radio channels", Shape: Shape{1, 2 * antennas * carriers, 1}, PictureShape: Shape{carriers, antennas, 1},
		Picture: angleDelayImage,
		Classes: environments, Train: n - n/7,
		Label: balanced[uint8](n, environments, seed, channelPurpose, classStream)}
	street := newScattererLayout(seed)
	var middle []float64
	for e := range environments {
		middle = append(middle, gap*(float64(e)-float64(float64(environments-1)/2)))
		s.ClassNames = append(s.ClassNames, strings.Replace(strconv.FormatFloat(middle[e], 'g', 4, 64), "-", "−",
			1)+"°")
	}
	s.Rows = newLazyPixels(s.Shape, n, func(dst []uint8, i int) { street.channel(dst, seed, i, middle[s.Label[i]]) })
	return s
}

// scattererLayout is the position and strength of each scatterer.
type scattererLayout [scatterers]struct{ angle, delay, strength float64 }

func newScattererLayout(seed uint64) *scattererLayout {
	var st scattererLayout
	var s rng.Stream
	s.Reset(seed, channelPurpose, 0, scattererStream)
	for j := range st {
		// the scatterers divide the sector evenly
		at := &st[j]
		at.angle = float64(sector * (float64(2*(float64(j)+s.Float64())/scatterers) - 1))
		at.delay = maxDelay * s.Float64()
		at.strength = math.Sqrt(exact.Exp(-2*at.delay) / rays)
	}
	return &st
}

// phasor is a complex number whose products are rounded one by one.
type phasor struct{ re, im float64 }

func (p phasor) times(q phasor) phasor {
	return phasor{float64(p.re*q.re) - float64(p.im*q.im), float64(p.re*q.im) + float64(p.im*q.re)}
}

// unitPhasor is exp(iπ·x) for |x| ≤ 1.
func unitPhasor(x float64) phasor {
	sin, cos := exact.SinCosDegrees(float64(180 * x))
	return phasor{cos, sin}
}

// channel draws channel i in the environment whose sector has the given middle.
func (st *scattererLayout) channel(dst []uint8, seed uint64, i int, middle float64) {
	var s rng.Stream
	s.Reset(seed, channelPurpose, i, sampleStream)
	var h [antennas][carriers]phasor
	for _, at := range st {
		for range rays {
			sin, _ := exact.SinCosDegrees(middle + at.angle + s.Uniform(-angleSpread, angleSpread))
			along := unitPhasor(sin)
			down := unitPhasor(-at.delay - float64(0.05*s.Float64()))
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
			dst[at], dst[at+1] = quantizeSigned(float64(v.re*scale)), quantizeSigned(float64(v.im*scale))
		}
	}
}

// quantizeSigned returns a number as a byte, with 128 for 0.
func quantizeSigned(v float64) uint8 { return uint8(min(max(v+128, 0), 255)) }

// angleDelayImage draws the absolute values of the Fourier transform of a channel: directions from
// left to right, delays from top to bottom.
func angleDelayImage(dst []uint8, row []float32) {
	for d := range carriers {
		for a := range antennas {
			along, down := unitPhasor(1-float64(2*(float64(a)+0.5)/antennas)), unitPhasor(float64(d)/carriers)
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
