package model

import "flockscope/sim/kernel"

// Methods with one trunk and several heads run a sample through the trunk once for all heads. A vector of such parameters
// has the trunk, then one head after the other, each of Head().Len() numbers; features are those of [Network.Features].

// Heads sets dst to the gradient of (1/N) Σ_k Σ_i w_ki ℓ_ki with respect to heads k, for samples with features. weights has
// a row for each head.
func (n *Network) Heads(dst, heads, features []float32, b Batch, weights [][]float32) {
	if b.N == 0 {
		clear(dst)
	}
	n.beginTraining(heads)
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		n.grow(piece.N)
		n.pass.training, n.pass.share = true, float32(piece.N)/float32(b.N)
		n.heads(dst, heads, n.rows(features, low, piece.N), nil, piece, weights, low, b.N)
	}
}

// TrunkAndHeads is [Network.Heads] with respect to the trunk and the heads. A network without a trunk has no use for it.
//
// The way back through the trunk is a single one, too: the derivatives of all heads by the features add up at its end.
func (n *Network) TrunkAndHeads(dst, params []float32, b Batch, weights [][]float32) {
	trunk := n.Trunk().Len()
	n.beginTraining(params)
	if b.N == 0 {
		clear(dst)
	}
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		n.grow(piece.N)
		n.pass.training, n.pass.share = true, float32(piece.N)/float32(b.N)
		features := n.run(0, n.body, params, piece.X, piece.N)
		sum := n.sum[:len(features)]
		clear(sum)
		n.heads(dst[trunk:], params[trunk:], features, sum, piece, weights, low, b.N)
		copy(n.back[0], sum)
		n.reverse(0, n.body, dst, params, piece.X, piece, low > 0, false)
	}
}

// heads adds the gradients of a piece to dst, and the derivatives by the features to sum unless that is nil. The piece has
// the samples from low of a batch of all.
func (n *Network) heads(dst, heads, features, sum []float32, piece Batch, weights [][]float32, low, all int) {
	size := n.Head().Len()
	for k, w := range weights {
		to, head := dst[k*size:(k+1)*size], heads[k*size:(k+1)*size]
		n.weighted(0, n.run(n.body, len(n.layers), head, features, piece.N), piece, w[low:], all)
		back := n.reverse(n.body, len(n.layers), to, head, features, piece, low > 0, sum != nil)
		if sum != nil {
			kernel.Axpy(sum, 1, back)
		}
	}
}

// rows returns rows of features.
func (n *Network) rows(features []float32, low, rows int) []float32 {
	return features[low*n.Width() : (low+rows)*n.Width()]
}
