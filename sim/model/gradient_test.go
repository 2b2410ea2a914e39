package model

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestNetworkLoss compares losses with their definition in float64.
func TestNetworkLoss(t *testing.T) {
	for _, n := range small(t) {
		for seed := range 5 {
			for _, rows := range []int{1, 3, 64, 200} {
				if rows > 3 && n.Inputs() > 100 && seed > 0 {
					continue // the definition is slow
				}
				params, b := draw(n, seed, rows)
				each := make([]float64, rows)
				want := reference(n, wide(params), b, each)
				bound := addends(n, 0) * unit * max(want, 1)
				if got := n.Loss(params, b); !(math.Abs(got-want) <= bound) {
					t.Errorf("%s: seed %d: Loss of %d samples = %v, want %v", describe(n), seed, rows, got, want)
				}
				got := make([]float32, rows)
				n.Losses(got, params, b)
				for i, want := range each {
					if !(math.Abs(float64(got[i])-want) <= addends(n, 0)*unit*max(want, 1)) {
						t.Errorf("%s: seed %d: Losses[%d] = %v, want %v", describe(n), seed, i, got[i], want)
					}
				}
			}
		}
	}
}

// TestNetworkGradient compares random coordinates of every segment with central
// differences of the loss as the definition has it, in float64.
//
// The step is so small that the difference is off by less than 1e-6, unless a
// rectifier or a maximum switches within it. That shows in the second
// difference, and such coordinates are passed over: they must be few.
func TestNetworkGradient(t *testing.T) {
	const step = 0x1p-24
	checked, kinks := 0, 0
	for _, n := range small(t) {
		for seed := range 3 {
			for _, rows := range []int{1, 2, 5} {
				params, b := draw(n, seed, rows)
				got := make([]float32, n.Size())
				for i := range got {
					got[i] = float32(math.NaN()) // Gradient overwrites
				}
				n.Gradient(got, params, b)
				at := wide(params)
				reference := func(n *Network, params []float64, b Batch, losses []float64) float64 {
					return referenceIn(n, params, b, losses, true)
				}
				if n.drops || rows < 5 && n.Modal() {
					continue // see TestDropout; few samples have a variance near 0
				}
				here := reference(n, at, b, nil)
				pick := stream(seed, rows, 1)
				for _, segment := range n.Segments() {
					if strings.HasSuffix(segment.Name, ".mean") || strings.HasSuffix(segment.Name, ".variance") {
						continue // see TestStatistics
					}
					largest := 0.0
					for _, g := range scaleOf(n, segment, got) {
						largest = max(largest, math.Abs(float64(g)))
					}
					for range min(4, segment.Len()) {
						i := segment.Lo + pick.IntN(segment.Len())
						centre := at[i]
						at[i] = centre + step
						up := reference(n, at, b, nil)
						at[i] = centre - step
						down := reference(n, at, b, nil)
						at[i] = centre
						checked++
						if math.Abs(up+down-2*here) > 1e-13*max(1, here) {
							kinks++
							continue
						}
						want := (up - down) / (2 * step)
						if !(math.Abs(float64(got[i])-want) <= addends(n, rows)*unit*largest+1e-6) {
							t.Errorf("%s: seed %d, %d samples: gradient of %s[%d] = %v, want the central difference %v",
								describe(n), seed, rows, segment.Name, i-segment.Lo, got[i], want)
						}
					}
				}
			}
		}
	}
	if kinks > checked/50 {
		t.Errorf("%d of %d coordinates were passed over, want at most 2%%", kinks, checked)
	}
}

// TestGradientReturnsLoss: to the bit, also in batches that are cut.
func TestGradientReturnsLoss(t *testing.T) {
	for _, n := range plain(t) {
		for _, rows := range []int{0, 1, 7, pieceRows, pieceRows + 1} {
			params, b := draw(n, 1, rows)
			want := n.Loss(params, b)
			if got := n.Gradient(make([]float32, n.Size()), params, b); got != want {
				t.Errorf("%s: Gradient of %d samples returns %v, want the loss %v", describe(n), rows, got, want)
			}
		}
	}
}

// TestGradientOfPieces: the gradient of a batch that is cut is the mean of its
// samples' gradients, and where it is cut changes nothing.
func TestGradientOfPieces(t *testing.T) {
	const rows = 2*pieceRows + 7
	for _, n := range small(t) {
		if len(n.statistics) > 0 {
			continue // a piece is a batch of its own
		}
		params, b := draw(n, 2, rows)
		got, one := make([]float32, n.Size()), make([]float32, n.Size())
		n.Gradient(got, params, b)
		want := make([]float64, n.Size())
		for i := range rows {
			n.Gradient(one, params, b.part(i, i+1))
			for j, g := range one {
				want[j] += float64(g) / rows
			}
		}
		near(t, n, "gradient of a large batch", got, want, rows)
		piece := n.piece
		for _, cut := range []int{1, 50, rows} {
			other := make([]float32, n.Size())
			n.piece = cut
			if n.Gradient(other, params, b); !slices.Equal(other, got) {
				t.Errorf("%s: gradient in pieces of %d differs from the one in pieces of %d", describe(n), cut, piece)
			}
		}
		n.piece = piece
	}
}

// TestPermutedSamples: their order changes no more than rounding.
func TestPermutedSamples(t *testing.T) {
	for _, n := range small(t) {
		for seed := range 5 {
			const rows = 33
			params, b := draw(n, seed, rows)
			var shuffled Batch
			shuffled.Resize(rows, n.Inputs())
			order, s := make([]int, rows), stream(seed, 0, 2)
			for i := range order {
				j := s.IntN(i + 1)
				order[i], order[j] = order[j], i
			}
			for i, from := range order {
				copy(shuffled.X[i*n.Inputs():(i+1)*n.Inputs()], b.part(from, from+1).X)
				shuffled.Y[i] = b.Y[from]
			}
			got, want := make([]float32, n.Size()), make([]float32, n.Size())
			n.Gradient(want, params, b)
			n.Gradient(got, params, shuffled)
			near(t, n, "gradient of permuted samples", got, wide(want), rows)
			if a, b := n.Loss(params, b), n.Loss(params, shuffled); !(math.Abs(a-b) <= 1e-14*rows*max(a, 1)) {
				t.Errorf("%s: seed %d: Loss of permuted samples = %v, want %v", describe(n), seed, b, a)
			}
		}
	}
}

// TestNoStaleScratch: what a network computed before leaves no trace, and equal
// networks agree to the bit.
func TestNoStaleScratch(t *testing.T) {
	for _, n := range small(t) {
		for seed := range 3 {
			params, b := draw(n, seed, 9)
			want := make([]float32, n.Size())
			loss := n.Fresh().Gradient(want, params, b)
			for _, before := range []int{1, 200, 8, 31} {
				_, other := draw(n, seed+50, before)
				got := make([]float32, n.Size())
				n.Gradient(got, params, other)
				n.Loss(params, other)
				if l := n.Gradient(got, params, b); l != loss || !slices.Equal(got, want) {
					t.Errorf("%s: seed %d: gradient after a batch of %d differs from a fresh network's", describe(n),
						seed, before)
				}
			}
		}
	}
}

// scaleOf returns the part of a gradient whose size bounds rounding errors in a segment: the segment, or with
// normalisations the whole, since constants in front of them have a gradient of 0 as a sum of others.
func scaleOf(n *Network, s Segment, gradient []float32) []float32 {
	for _, l := range n.layers {
		switch l.layer.(type) {
		case *groupNorm, *batchNorm:
			return gradient
		}
	}
	return s.Of(gradient)
}

// near compares two gradients, relative to their size in each segment.
func near(t *testing.T, n *Network, what string, got []float32, want []float64, rows int) {
	t.Helper()
	for _, segment := range n.Segments() {
		bound := addends(n, rows) * unit * norm(scaleOf(n, segment, got))
		for i := segment.Lo; i < segment.Hi; i++ {
			if !(math.Abs(float64(got[i])-want[i]) <= bound) {
				t.Errorf("%s: %s: %s[%d] = %v, want %v", describe(n), what, segment.Name, i-segment.Lo, got[i], want[i])
				return
			}
		}
	}
}

// wide returns v in float64.
func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}
