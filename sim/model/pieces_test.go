package model

import (
	"fmt"
	"math"
	"testing"
)

// TestPieces: what is computed of a batch that passes in pieces is what its samples
// give one by one, and the loss of one model's predictions is its loss.
func TestPieces(t *testing.T) {
	const rows = 2*pieceRows + 44
	for _, n := range small(t) {
		if len(n.statistics) > 0 {
			continue // a piece is a batch of its own
		}
		for seed := range 3 {
			params, b := draw(n, seed, rows)
			s, width := stream(seed, 0, 1), n.Outputs()
			weights := make([]float32, rows)
			for i := range weights {
				weights[i] = float32(s.Float64())
			}
			relative := addends(n, rows) * unit
			check := func(what string, got, want []float32, size float64) {
				t.Helper()
				for j := range want {
					if !(math.Abs(float64(got[j])-float64(want[j])) <= relative*size) {
						t.Fatalf("%s, seed %d: %s[%d] = %v, want %v within %.1g", describe(n), seed, what, j, got[j],
							want[j], relative*size)
					}
				}
			}

			gradient, predicted := make([]float32, n.Size()), make([]float32, rows*width)
			features, confusion := make([]float32, rows*n.Width()), make([]uint16, width*width)
			loss := n.Weighted(gradient, params, b, weights)
			n.Blend(predicted, weights, params, b)
			judged := n.LossOf(predicted, b)
			n.Features(features, params, b)
			if n.Task() == Classification {
				n.ConfusionOf(confusion, predicted, b)
			}

			sum, one := make([]float64, n.Size()), make([]float32, n.Size())
			var wantLoss, wantJudged, size float64
			wantPredicted, wantFeatures, wantConfusion := make([]float32, rows*width), make([]float32,
				rows*n.Width()), make([]uint16, width*width)
			for i := range rows {
				sample := b.part(i, i+1)
				wantLoss += n.Weighted(one, params, sample, weights[i:i+1]) / rows
				for j, g := range one {
					sum[j] += float64(g) / rows
				}
				size += norm(one) / rows
				row := wantPredicted[i*width : (i+1)*width]
				n.Blend(row, weights[i:i+1], params, sample)
				wantJudged += n.LossOf(row, sample) / rows
				n.Features(wantFeatures[i*n.Width():(i+1)*n.Width()], params, sample)
				if n.Task() == Classification {
					cell := make([]uint16, width*width)
					n.ConfusionOf(cell, row, sample)
					for k, v := range cell {
						wantConfusion[k] += v
					}
				}
			}
			want := make([]float32, n.Size())
			for j, v := range sum {
				want[j] = float32(v)
			}
			check("gradient", gradient, want, max(size, 1))
			check("losses", []float32{float32(loss), float32(judged)},
				[]float32{float32(wantLoss), float32(wantJudged)}, max(wantLoss, wantJudged, 1))
			alone, ones := make([]float32, rows*width), make([]float32, rows)
			for i := range ones {
				ones[i] = 1
			}
			n.Blend(alone, ones, params, b)
			wantAlone := n.Loss(params, b)
			check("loss of one model's predictions", []float32{float32(n.LossOf(alone, b))},
				[]float32{float32(wantAlone)}, max(wantAlone, 1))
			check("predictions", predicted, wantPredicted, 1)
			check("features", features, wantFeatures, 1)
			if fmt.Sprint(confusion) != fmt.Sprint(wantConfusion) {
				t.Errorf("%s, seed %d: confusion %v, want %v", describe(n), seed, confusion, wantConfusion)
			}
			if allocs := testing.AllocsPerRun(3, func() {
				n.Weighted(gradient, params, b, weights)
				n.Blend(predicted, weights, params, b)
				n.LossOf(predicted, b)
				n.Features(features, params, b)
			}); allocs > 0 {
				t.Errorf("%s: %v allocations", describe(n), allocs)
			}
		}
	}
}
