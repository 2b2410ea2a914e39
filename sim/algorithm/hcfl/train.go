package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
)

// train appends the update of the trunk, if it is common, and of the heads of the active clusters: each head with its γ
// on the trunk that was sent (equation 6), then the trunk with all γ, on the trained heads (equation 7).
func (w *clientWork) train(dst []float32) []float32 {
	size := w.at.Model().Size()
	head := size - w.low
	from := len(dst)
	dst = slices.Grow(dst, w.low+len(w.active)*head)[:from+w.low+len(w.active)*head]
	trunk, heads := dst[from:from+w.low], dst[from+w.low:]

	whole := w.at.Scratch(wholeSlot, size)
	for a, k := range w.active {
		update := heads[a*head : (a+1)*head]
		if w.omega[a] == 0 { // the client does not use this cluster
			clear(update)
			continue
		}
		w.training = a
		w.at.Update(whole, w.at.Params(k), w.trainHead)
		copy(update, whole[w.low:])
	}
	if w.low == 0 {
		w.protect(heads, head)
		return dst
	}
	// A gradient uses the models before the round; with local training, the trunk is trained after its heads.
	w.trained = heads
	w.after = 0
	if w.at.Protocol().Epochs > 0 {
		w.after = 1
	}
	w.at.Update(whole, w.at.Params(w.active[0]), w.trainTrunk)
	copy(trunk, whole[:w.low])
	w.at.Protect(trunk)
	w.protect(heads, head)
	return dst
}

// protect clips, noises and quantizes the updates of the trained heads.
func (w *clientWork) protect(heads []float32, head int) {
	for a := range w.active {
		if w.omega[a] != 0 {
			w.at.Protect(heads[a*head : (a+1)*head])
		}
	}
}

// responsibilities returns γ of a batch, one row per cluster: looked up by the samples' indices, or computed with the
// client's weights where samples are fresh.
func (w *clientWork) responsibilities(b model.Batch, samples []int32) [][]float32 {
	scratch := w.at.Scratch(method.PieceSlot, len(w.active)*b.N)
	if _, whole := w.weigh.(leastLoss); samples == nil && (whole || w.assigned >= 0) {
		// All of a client's samples belong to its cluster, whatever the samples of a batch would choose.
		w.pieces = w.pieces[:0]
		for a, v := range w.omega {
			piece := scratch[a*b.N : (a+1)*b.N]
			for j := range piece {
				piece[j] = v
			}
			w.pieces = append(w.pieces, piece)
		}
		return w.pieces
	}
	if samples == nil {
		w.pieces = w.affinities(w.pieces, scratch, b)
		omega := w.at.Scratch(method.WeightSlot, len(w.active)) // weigh sets omega, but the M-step is over: use a copy
		copy(omega, w.prior)
		w.weigh.weigh(w.pieces, omega, nil, w.score[:len(w.active):cap(w.score)])
		return w.pieces
	}
	w.pieces = w.pieces[:0]
	for a, row := range w.gamma {
		piece := scratch[a*b.N : (a+1)*b.N]
		for i, j := range samples {
			piece[i] = row[j]
		}
		w.pieces = append(w.pieces, piece)
	}
	return w.pieces
}

// head computes the gradient of (1/N) Σ γ_jk ℓ_jk with respect to the head in training.
func (w *clientWork) head(dst, params []float32, b model.Batch, samples []int32) {
	gamma := w.responsibilities(b, samples)[w.training]
	w.at.Model().Weighted(dst, params, b, gamma)
	clear(dst[:w.low])
}

// trunk computes the gradient of (1/N) Σ_k Σ_j γ_jk ℓ_jk with respect to the trunk.
func (w *clientWork) trunk(dst, params []float32, b model.Batch, samples []int32) {
	gamma := w.responsibilities(b, samples)
	head := len(params) - w.low
	mixed, part := w.at.Scratch(mixedSlot, len(params)), w.at.Scratch(partSlot, len(params))
	clear(dst)
	copy(mixed, params[:w.low])
	for a, k := range w.active {
		if w.omega[a] == 0 {
			continue
		}
		copy(mixed[w.low:], w.at.Params(k)[w.low:])
		kernel.Axpy(mixed[w.low:], -w.after, w.trained[a*head:(a+1)*head])
		w.at.Model().Weighted(part, mixed, b, gamma[a])
		kernel.Axpy(dst[:w.low], 1, part[:w.low])
	}
}
