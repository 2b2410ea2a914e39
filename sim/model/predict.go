package model

// Predict sets dst to the outputs, one row of Outputs() numbers per sample.
func (n *Network) Predict(dst, params []float32, b Batch) {
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		copy(dst[low*n.Outputs():], n.forward(params, piece))
	}
}

// Correct returns how many samples of the batch are classified correctly. The predicted class has
// the largest logit; of equal logits, the first.
func (n *Network) Correct(params []float32, b Batch) int {
	correct, classes := 0, n.Outputs()
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		out := n.forward(params, piece)
		for i, y := range piece.Y {
			if argmax(out[i*classes:(i+1)*classes]) == int(y) {
				correct++
			}
		}
	}
	return correct
}

// CorrectOf is Correct for given predictions.
func (n *Network) CorrectOf(predictions []float32, b Batch) (correct int) {
	classes := n.Outputs()
	for i, y := range b.Y[:b.N] {
		if argmax(predictions[i*classes:(i+1)*classes]) == int(y) {
			correct++
		}
	}
	return correct
}

// Confusion sets dst, classes × classes, to the number of samples of each class
// (row) that are predicted as each class (column). It returns the mean loss, as
// [Network.Loss] does, which comes from the same logits.
func (n *Network) Confusion(dst []uint16, params []float32, b Batch) float64 {
	clear(dst)
	sum, classes := 0.0, n.Outputs()
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		out := n.forward(params, piece)
		for i, y := range piece.Y {
			dst[int(y)*classes+argmax(out[i*classes:(i+1)*classes])]++
		}
		sum += n.score(nil, out, piece)
	}
	return sum / float64(max(b.N, 1))
}

// argmax returns the place of the largest value, the first of equals.
func argmax(values []float32) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}
