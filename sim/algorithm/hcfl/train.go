package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
)

// train appends the update of the trunk, if it is common, and of the heads of the active clusters. In each step each head
// follows its γ (equation 6) and the trunk all γ (equation 7), both from where the step began. With headsFirst the heads
// are trained in all local epochs, on the trunk that was sent, and then the trunk, on the trained heads.
//
// Trunk and heads are one vector, and the trunk sees the sum of what the heads ask of the features: so a step costs that of
// one model and of K heads, not of K models.
func (w *clientWork) train(dst []float32) []float32 {
	head := w.at.Model().Size() - w.low
	w.used = w.used[:0]
	joint := append(w.at.Scratch(jointSlot, w.low+len(w.active)*head)[:0], w.at.Params(w.active[0])[:w.low]...)
	for a, k := range w.active {
		if w.omega[a] != 0 { // the client uses this cluster
			w.used = append(w.used, a)
			joint = append(joint, w.at.Params(k)[w.low:]...)
		}
	}
	update := w.at.Scratch(updateSlot, len(joint))
	from := len(dst)
	dst = slices.Grow(dst, w.low+len(w.active)*head)[:from+w.low+len(w.active)*head]
	trunk, heads := dst[from:from+w.low], dst[from+w.low:]
	clear(heads)

	apart := w.headsFirst && w.at.Protocol().Epochs > 0
	if w.low > 0 && !apart {
		w.at.Update(update, joint, w.trainBoth)
	} else {
		w.at.Update(update[w.low:], joint[w.low:], w.trainHeads)
	}
	for n, a := range w.used {
		copy(heads[a*head:(a+1)*head], update[w.low+n*head:])
	}
	if w.low > 0 && apart {
		kernel.Axpy(joint[w.low:], -1, update[w.low:])
		w.at.Update(update, joint, w.trainTrunk)
	}
	copy(trunk, update)
	if w.low > 0 {
		w.at.Protect(trunk)
	}
	for _, a := range w.used {
		w.at.Protect(heads[a*head : (a+1)*head])
	}
	return dst
}

// both computes the gradient of (1/N) Σ_k Σ_j γ_jk ℓ_jk with respect to the trunk and the heads that the client uses.
func (w *clientWork) both(dst, joint []float32, b model.Batch, samples []int32) {
	w.at.Network().TrunkAndHeads(dst, joint, b, w.responsibilities(b, samples, nil))
}

// trunk is both for the trunk alone.
func (w *clientWork) trunk(dst, joint []float32, b model.Batch, samples []int32) {
	w.both(dst, joint, b, samples)
	clear(dst[w.low:])
}

// heads is both for the heads alone, or for whole models.
func (w *clientWork) heads(dst, heads []float32, b model.Batch, samples []int32) {
	if w.low > 0 {
		features := w.batchFeatures(b, samples)
		w.at.Network().Heads(dst, heads, features, b, w.responsibilities(b, samples, features))
		return
	}
	size := w.at.Model().Size()
	for n, g := range w.responsibilities(b, samples, nil) {
		w.at.Model().Weighted(dst[n*size:(n+1)*size], heads[n*size:(n+1)*size], b, g)
	}
}

// batchFeatures returns the features of a batch under the trunk that was sent: copied by the samples' indices, or computed
// where samples are fresh.
func (w *clientWork) batchFeatures(b model.Batch, samples []int32) []float32 {
	if samples == nil {
		return w.sentFeatures(batchSlot, b)
	}
	width := w.at.Network().Width()
	out := w.at.Scratch(batchSlot, b.N*width)
	for i, j := range samples {
		copy(out[i*width:(i+1)*width], w.features[int(j)*width:])
	}
	return out
}

// responsibilities returns γ of a batch, one row per cluster that the client uses: looked up by the samples' indices, or
// computed with the client's weights where samples are fresh. features are those of batchFeatures; nil if they are not known.
func (w *clientWork) responsibilities(b model.Batch, samples []int32, features []float32) [][]float32 {
	scratch := w.at.Scratch(method.PieceSlot, len(w.active)*b.N)
	_, one := w.weigh.(leastLoss)
	first := w.at.Protocol().Epochs == 0 && b.N <= len(w.gamma[0]) // the batch is the first of the samples with γ
	w.pieces = w.pieces[:0]
	switch {
	case samples == nil && (one || w.assigned >= 0):
		// All of a client's samples belong to its cluster, whatever the samples of a batch would choose.
		for _, a := range w.used {
			piece := scratch[a*b.N : (a+1)*b.N]
			for j := range piece {
				piece[j] = w.omega[a]
			}
			w.pieces = append(w.pieces, piece)
		}
	case samples == nil && first:
		for _, a := range w.used {
			w.pieces = append(w.pieces, w.gamma[a][:b.N])
		}
	case samples == nil:
		if w.low > 0 && features == nil {
			features = w.sentFeatures(batchSlot, b)
		}
		w.pieces = w.affinities(w.pieces, scratch, b, features)
		omega := w.at.Scratch(method.WeightSlot, len(w.active)) // weigh sets omega, but the M-step is over: use a copy
		copy(omega, w.prior)
		w.weigh.weigh(w.pieces, omega, nil, w.score[:len(w.active):cap(w.score)])
		for n, a := range w.used {
			w.pieces[n] = w.pieces[a]
		}
		w.pieces = w.pieces[:len(w.used)]
	default:
		for _, a := range w.used {
			piece := scratch[a*b.N : (a+1)*b.N]
			for i, j := range samples {
				piece[i] = w.gamma[a][j]
			}
			w.pieces = append(w.pieces, piece)
		}
	}
	return w.pieces
}
