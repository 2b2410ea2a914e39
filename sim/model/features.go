package model

// Width is the number of features of a sample: the inputs of the head. They are the sample itself
// if the network is all head.
func (n *Network) Width() int {
	if n.body == 0 {
		return n.inputs
	}
	return n.layers[n.body-1].outputs()
}

// Features sets dst to the features of the samples, one row of Width() numbers each. Of params it reads the trunk alone.
func (n *Network) Features(dst, params []float32, b Batch) {
	width := n.Width()
	for low := 0; low < b.N; low += pieceRows {
		piece := b.part(low, min(low+pieceRows, b.N))
		n.grow(piece.N)
		copy(dst[low*width:], n.run(0, n.body, params, piece.X, piece.N))
	}
}
