package model

import (
	"math"
	"slices"
	"testing"
)

// TestToward compares the gradient with central differences of its definition in
// float64, with one class whose target is at infinity.
func TestToward(t *testing.T) {
	const step, lambda, rows = 0x1p-24, 0.75, 5
	checked, kinks := 0, 0
	for _, n := range plain(t) {
		if n.body == 0 {
			continue
		}
		width := n.Width()
		for seed := range 3 {
			params, b := draw(n, seed, rows)
			classes := 1
			if n.Task() == Classification {
				classes = n.Outputs()
			}
			targets, s := make([]float32, classes*width), stream(seed, 0, 9)
			for j := range targets {
				targets[j] = float32(s.Normal())
			}
			if classes > 1 {
				targets[width] = Infinity()
			}
			objective := func(params []float64) float64 {
				total := reference(n, params, b, nil)
				for i, out := range referenceOutputs(n, params, b, n.body, false) {
					c := 0
					if classes > 1 {
						c = int(b.Y[i])
					}
					if p := targets[c*width : (c+1)*width]; !Unknown(p) {
						for j, z := range out {
							total += lambda / float64(rows*width) * (z - float64(p[j])) * (z - float64(p[j]))
						}
					}
				}
				return total
			}
			got, at := make([]float32, n.Size()), wide(params)
			loss, here := n.Toward(got, params, b, targets, lambda), objective(at)
			if math.Abs(loss-here) > 1e-5*(1+here) {
				t.Errorf("%s: seed %d: Toward returns %v, want %v", describe(n), seed, loss, here)
			}
			pick := stream(seed, 1, 9)
			for range 40 {
				i := pick.IntN(n.Size())
				centre := at[i]
				at[i] = centre + step
				up := objective(at)
				at[i] = centre - step
				down := objective(at)
				at[i] = centre
				checked++
				if math.Abs(up+down-2*here) > 1e-13*max(1, here) {
					kinks++
					continue
				}
				if want := (up - down) / (2 * step); math.Abs(float64(got[i])-want) > 1e-4*(1+math.Abs(want)) {
					t.Errorf("%s: seed %d: gradient[%d] = %v, want the central difference %v", describe(n), seed, i,
						got[i], want)
				}
			}

			// Nothing of it stays: the plain gradient is what it was.
			plain, want := make([]float32, n.Size()), make([]float32, n.Size())
			n.Gradient(plain, params, b)
			n.Fresh().Gradient(want, params, b)
			if !slices.Equal(plain, want) {
				t.Errorf("%s: seed %d: the gradient after Toward differs from a fresh network's", describe(n), seed)
			}
		}
	}
	if kinks > checked/20 || checked == 0 {
		t.Errorf("%d of %d coordinates were passed over, want at most 5%%", kinks, checked)
	}
}
