package chart

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCloudHoldsItsClients: an ellipse holds everybody, but for a tenth of its size,
// where two standard deviations would, and is never larger than these, nor than half
// as large again as the box around its clients, which may have somebody in a corner.
func TestCloudHoldsItsClients(t *testing.T) {
	const r = 4
	held := 0
	for seed := range uint64(400) {
		g := rand.New(rand.NewPCG(seed, 1))
		n := 1 + g.IntN(40)
		gap, flat := 200*g.Float64()*float64(seed%2), float64(seed%3)*5 // between two groups; across them
		m := Map{spots: make([]spot, n)}
		labels := make([]uint16, n)
		for i := range m.spots {
			m.spots[i].x = float32(300 + gap*float64(i%2) + 8*g.NormFloat64())
			m.spots[i].y = float32(200 + gap*float64(i%2)/2 + flat*g.NormFloat64())
		}
		c := m.gather(nil, labels)[0]
		along, across, angle := c.axes()
		rx, ry := float64(within(along, c.long, r)), float64(within(across, c.wide, r))
		sin, cos := math.Sincos(float64(angle))
		var box, far [2]float64
		for _, s := range m.spots {
			dx, dy := float64(s.x)-c.x, float64(s.y)-c.y
			u, v := math.Abs(cos*dx+sin*dy), math.Abs(cos*dy-sin*dx)
			box = [2]float64{max(box[0], u), max(box[1], v)}
			far[0] = max(far[0], math.Hypot(u/rx, v/ry))
			far[1] = max(far[1], math.Hypot(u/max(rx, 2*along), v/max(ry, 2*across)))
		}
		for axis, half := range []float64{rx, ry} {
			deviation := []float64{along, across}[axis]
			if most := max(r+air, min(2*deviation, 1.5*box[axis]+r+air)); half > most+1e-3 {
				t.Errorf("seed %d: half axis %d is %.1f, with a deviation of %.1f and the farthest at %.1f", seed, axis, half, deviation, box[axis])
			}
		}
		if far[1] > 1 {
			continue
		}
		if held++; far[0] > 1.1 {
			t.Errorf("seed %d: a client of %d is outside, at %.2f, and two standard deviations would hold it", seed, n, far[0])
		}
	}
	if held < 50 {
		t.Errorf("two standard deviations hold all clients of %d clouds of 400", held)
	}
}
