package clientmap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCloudHoldsItsClients: an ellipse contains all clients within a tolerance of a tenth of
// its size, if two standard deviations do. It exceeds neither these nor, by much, its
// outermost client on any side.
func TestCloudHoldsItsClients(t *testing.T) {
	const r = 4
	held := 0
	for seed := range uint64(400) {
		g := rand.New(rand.NewPCG(seed, 1))
		n := 1 + g.IntN(40)
		gap, flat := 200*g.Float64()*float64(seed%2), float64(seed%3)*5 // between two groups; across them
		stray := 150 * g.Float64() * float64(seed%5/4)                  // of one client
		m := Map{positions: make([]position, n)}
		labels := make([]uint16, n)
		for i := range m.positions {
			m.positions[i].x = float32(300 + gap*float64(i%2) + 8*g.NormFloat64())
			m.positions[i].y = float32(200 + gap*float64(i%2)/2 + flat*g.NormFloat64())
		}
		m.positions[0].x += float32(stray)
		c := m.cloudsOf(nil, labels)[0]
		along, across, _ := c.axes()
		x, y, rx, ry, angle := c.ellipse(r)
		sin, cos := math.Sincos(float64(angle))
		turn := func(dx, dy float64) [2]float64 { return [2]float64{cos*dx + sin*dy, cos*dy - sin*dx} }
		middle, half := turn(float64(x)-c.x, float64(y)-c.y), [2]float64{float64(rx), float64(ry)}
		deviation := [2]float64{along, across}
		var box [2]span
		var far, usual float64 // the client farthest out, of the ellipse and of one that holds two deviations, too
		for _, s := range m.positions {
			at := turn(float64(s.x)-c.x, float64(s.y)-c.y)
			var in, within [2]float64
			for axis, u := range at {
				box[axis] = span{min(box[axis].lo, u), max(box[axis].hi, u)}
				in[axis] = (u - middle[axis]) / half[axis]
				within[axis] = u / max(half[axis], 2*deviation[axis])
			}
			far, usual = max(far, math.Hypot(in[0], in[1])), max(usual, math.Hypot(within[0], within[1]))
		}
		for axis, m := range middle {
			if half[axis] <= r+cloudMargin {
				continue
			}
			all := box[axis].scaled(1.5)
			for side, reach := range []float64{m + half[axis], half[axis] - m} {
				if most := min(2*deviation[axis], []float64{all.hi, -all.lo}[side]+r+cloudMargin); reach > most+1e-3 {
					t.Errorf("seed %d: on axis %d, side %d, the ellipse reaches to %.1f, with a deviation of %.1f and clients from %.1f to %.1f",
						seed, axis, side, reach, deviation[axis], box[axis].lo, box[axis].hi)
				}
			}
		}
		if usual > 1 {
			continue
		}
		if held++; far > 1.1 {
			t.Errorf("seed %d: a client of %d is outside, at %.2f, and two standard deviations would hold it", seed,
				n, far)
		}
	}
	if held < 50 {
		t.Errorf("two standard deviations hold all clients of %d clouds of 400", held)
	}
}
