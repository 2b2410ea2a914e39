package layout_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"flockscope/ui/chart/layout"
)

// An outline is nowhere nearer to a point than its radius, turns one way only, and touches the outermost points.
func TestOutline(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 30; n++ {
		var o layout.Outline
		o.Reset()
		points := make([][2]float64, n)
		for i := range points {
			points[i] = [2]float64{float64(random.IntN(9)) * 10, float64(random.IntN(5)) * 10} // some on one line, some equal
			o.Add(float32(points[i][0]), float32(points[i][1]))
		}
		const r = 7
		path := o.Around(r)
		turns, least := 0.0, math.Inf(1)
		for i := 0; i < len(path); i += 2 {
			at := func(j int) (x, y float64) {
				j = (i + 2*j) % len(path)
				return float64(path[j]), float64(path[j+1])
			}
			x0, y0 := at(0)
			x1, y1 := at(1)
			x2, y2 := at(2)
			turns += math.Remainder(math.Atan2(y2-y1, x2-x1)-math.Atan2(y1-y0, x1-x0), 2*math.Pi)
			for _, p := range points {
				least = min(least, math.Hypot(p[0]-x0, p[1]-y0))
			}
			if d := (x1-x0)*(y2-y1) - (x2-x1)*(y1-y0); d < -1e-2 {
				t.Fatalf("%d points: a dent of %v at %v, %v", n, d, x1, y1)
			}
		}
		if math.Abs(least-r) > 1e-3 {
			t.Errorf("%d points: the outline comes as near as %v, want %v", n, least, r)
		}
		if math.Abs(turns-2*math.Pi) > 0.1 {
			t.Errorf("%d points: the outline turns by %v", n, turns)
		}
	}
}
