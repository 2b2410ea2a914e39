package model

import (
	"math"
	"slices"
	"testing"
)

// headsOf returns parameters with three heads on the trunk of params, and the models that they make.
func headsOf(n *Network, params []float32) (joint []float32, models [][]float32) {
	s := stream(9, 0, 0)
	joint = slices.Clone(n.Trunk().Of(params))
	for range 3 {
		m := slices.Clone(params)
		for i := range n.Head().Of(m) {
			n.Head().Of(m)[i] += float32(0.1 * s.Normal())
		}
		joint, models = append(joint, n.Head().Of(m)...), append(models, m)
	}
	return joint, models
}

// withTrunk returns the small networks that have a trunk.
func withTrunk(t testing.TB) []*Network {
	return slices.DeleteFunc(small(t), func(n *Network) bool { return n.Trunk().Len() == 0 })
}

// TestHeadGradient compares the gradient of a head on features, and the loss, with those of the whole model, to the bit.
func TestHeadGradient(t *testing.T) {
	for _, n := range withTrunk(t) {
		if n.Modal() {
			continue // features are those of predictions
		}
		for _, rows := range []int{0, 1, 9, pieceRows + 3} {
			params, b := draw(n, 3, rows)
			features := make([]float32, rows*n.Width())
			n.Features(features, params, b)
			all, head := make([]float32, n.Size()), make([]float32, n.Head().Len())
			head[0] = float32(math.NaN()) // overwritten
			want, got := n.Gradient(all, params, b), n.HeadGradient(head, n.Head().Of(params), b.WithFeatures(features))
			if got != want || !slices.Equal(head, n.Head().Of(all)) {
				t.Errorf("%s: %d samples: the loss is %v, of the whole model %v, or gradients differ", describe(n), rows, got, want)
			}
		}
	}
}

// TestHeads compares gradients of heads on features with those of whole models, to the bit, and the trunk's
// gradient with the sum of those of the models.
func TestHeads(t *testing.T) {
	for _, n := range withTrunk(t) {
		if n.Modal() {
			continue // features are those of predictions
		}
		for _, rows := range []int{0, 1, 9, pieceRows + 3} {
			params, b := draw(n, 3, rows)
			joint, models := headsOf(n, params)
			trunk, head := n.Trunk().Len(), n.Head().Len()
			features := make([]float32, rows*n.Width())
			n.Features(features, joint, b)
			weights := make([][]float32, len(models))
			pick := stream(4, rows, 0)
			for k := range weights {
				for range rows {
					weights[k] = append(weights[k], float32(pick.Float64()))
				}
			}

			onFeatures, all := make([]float32, 3*head), make([]float32, len(joint))
			for i := range all {
				all[i] = float32(math.NaN()) // overwritten
			}
			copy(onFeatures, all)
			n.Heads(onFeatures, joint[trunk:], features, b, weights)
			n.TrunkAndHeads(all, joint, b, weights)
			if !slices.Equal(all[trunk:], onFeatures) {
				t.Errorf("%s: %d samples: gradients of heads differ with the trunk's", describe(n), rows)
			}
			want, one := make([]float64, trunk), make([]float32, n.Size())
			for k, m := range models {
				n.Weighted(one, m, b, weights[k])
				if got := onFeatures[k*head : (k+1)*head]; !slices.Equal(got, n.Head().Of(one)) {
					t.Errorf("%s: %d samples: gradient of head %d differs from the model's", describe(n), rows, k)
				}
				for j := range want {
					want[j] += float64(one[j])
				}
			}
			largest := 0.0
			for _, g := range want {
				largest = max(largest, math.Abs(g))
			}
			for j, g := range want {
				if off := math.Abs(float64(all[j]) - g); !(off <= 3*addends(n, rows)*unit*largest) {
					t.Fatalf("%s: %d samples: gradient of the trunk[%d] = %v, want %v", describe(n), rows, j, all[j], g)
				}
			}
		}
	}
}

// With features all but gradients are the same as without, to the last bit.
func TestWithFeatures(t *testing.T) {
	for _, n := range withTrunk(t) {
		for _, rows := range []int{1, 9, pieceRows + 3} {
			params, b := draw(n, 3, rows)
			joint, models := headsOf(n, params)
			features := make([]float32, rows*n.Width())
			n.Features(features, joint, b)
			with := b.WithFeatures(features)
			for k, m := range models {
				if got, want := n.Loss(m, with), n.Loss(m, b); got != want {
					t.Errorf("%s: %d samples: loss of head %d = %v, want %v", describe(n), rows, k, got, want)
				}
				for name, f := range map[string]func(dst []float32, b Batch){
					"Losses": func(dst []float32, b Batch) { n.Losses(dst[:rows], m, b) },
					"Blend":  func(dst []float32, b Batch) { n.Blend(dst, slices.Repeat([]float32{1}, rows), m, b) },
				} {
					got, want := make([]float32, rows*n.Outputs()), make([]float32, rows*n.Outputs())
					f(got, with)
					if f(want, b); !slices.Equal(got, want) {
						t.Errorf("%s: %d samples: %s of head %d = %v, want %v", describe(n), rows, name, k, got, want)
					}
				}
			}
		}
	}
}

// TestTrunkGradient compares coordinates of the trunk's gradient with central differences of Σ_k Σ_i w_ki ℓ_ki/N by the
// definition in float64.
func TestTrunkGradient(t *testing.T) {
	const rows, step = 4, 0x1p-24
	checked, kinks := 0, 0
	for _, n := range withTrunk(t) {
		if n.Modal() {
			continue // see TestNetworkGradient
		}
		params, b := draw(n, 5, rows)
		joint, models := headsOf(n, params)
		weights := [][]float32{{1, 0.5, 0, 0.25}, {0, 0.25, 1, 0.5}, {0, 0.25, 0, 0.25}}
		got := make([]float32, len(joint))
		n.TrunkAndHeads(got, joint, b, weights)
		mixed := func(j int, off float64) (sum float64) {
			losses := make([]float64, rows)
			for k, m := range models {
				at := wide(m)
				at[j] += off
				reference(n, at, b, losses)
				for i, l := range losses {
					sum += float64(weights[k][i]) * l / rows
				}
			}
			return sum
		}
		largest := 0.0
		for _, g := range got[:n.Trunk().Len()] {
			largest = max(largest, math.Abs(float64(g)))
		}
		pick := stream(5, 0, 1)
		for range 12 {
			j := pick.IntN(n.Trunk().Len())
			here, up, down := mixed(j, 0), mixed(j, step), mixed(j, -step)
			if checked++; math.Abs(up+down-2*here) > 1e-13*max(1, here) {
				kinks++ // of a rectifier or a maximum, see TestNetworkGradient
				continue
			}
			want := (up - down) / (2 * step)
			if !(math.Abs(float64(got[j])-want) <= 3*addends(n, rows)*unit*largest+1e-6) {
				t.Errorf("%s: gradient of the trunk[%d] = %v, want the central difference %v", describe(n), j, got[j], want)
			}
		}
	}
	if kinks > checked/10 {
		t.Errorf("%d of %d coordinates were passed over, want at most 10%%", kinks, checked)
	}
}
