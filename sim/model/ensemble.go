package model

import (
	"math"
	"slices"

	"flockscope/sim/kernel"
)

// Several models can predict together: [Network.Blend] adds up their weighted predictions, and
// LossOf and ConfusionOf evaluate the sum. A prediction is one row of Outputs() numbers per sample:
// class probabilities of a classifier, otherwise the outputs themselves.

// Blend adds the predictions under params, each times the weight of the sample, to dst. Samples of
// weight 0 are skipped.
func (n *Network) Blend(dst, weights, params []float32, b Batch) {
	if b.N == 0 || slices.Max(weights) == 0 {
		return
	}
	width := n.Outputs()
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		out := n.forward(params, piece)
		if n.task == Classification {
			for i := range piece.N {
				probabilities(out[i*width : (i+1)*width])
			}
		}
		for i := range piece.N {
			kernel.Axpy(dst[(low+i)*width:(low+i+1)*width], weights[low+i], out[i*width:(i+1)*width])
		}
	}
}

// probabilities turns a row of logits into their softmax.
func probabilities(row []float32) {
	largest, sum := row[argmax(row)], float32(0)
	for c, x := range row {
		row[c] = kernel.Exp(x - largest)
		sum += row[c]
	}
	kernel.Scale(row, 1/sum)
}

// LossOf returns the mean loss of predictions over the batch, 0 for an empty one.
// A probability of 0 counts as the smallest above it.
func (n *Network) LossOf(predictions []float32, b Batch) float64 {
	width, sum := n.Outputs(), 0.0
	for i := range b.N {
		row := predictions[i*width : (i+1)*width]
		if n.task == Classification {
			sum -= float64(kernel.Log(max(row[int(b.Y[i])], math.SmallestNonzeroFloat32)))
			continue
		}
		want := b.Y[i : i+1]
		if n.task == Reconstruction {
			want = b.X[i*width : (i+1)*width]
		}
		off := 0.0
		for j, v := range row {
			e := float64(v) - float64(want[j])
			off += float64(e * e)
		}
		sum += off / float64(width)
	}
	return sum / float64(max(b.N, 1))
}

// ConfusionOf is [Network.Confusion] for predictions.
func (n *Network) ConfusionOf(dst []uint16, predictions []float32, b Batch) {
	clear(dst)
	width := n.Outputs()
	for i, y := range b.Y[:b.N] {
		dst[int(y)*width+argmax(predictions[i*width:(i+1)*width])]++
	}
}
