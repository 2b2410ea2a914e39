package model

// Predict sets dst to the outputs, a row of Outputs() numbers a sample.
func (n *Network) Predict(dst, params []float32, b Batch) {
	for low := 0; low < b.N; low += pieceRows {
		piece := b.part(low, min(low+pieceRows, b.N))
		copy(dst[low*n.Outputs():], n.forward(params, piece))
	}
}

// Correct returns how many samples of the batch are put into their class: the
// one with the largest logit, the first of equals.
func (n *Network) Correct(params []float32, b Batch) int {
	correct := 0
	for y, found := range n.classify(params, b) {
		if y == found {
			correct++
		}
	}
	return correct
}

// Confusion sets dst, classes × classes, to the number of samples of each class
// (row) that are put into each class (column).
func (n *Network) Confusion(dst []uint16, params []float32, b Batch) {
	clear(dst)
	for y, found := range n.classify(params, b) {
		dst[y*n.Outputs()+found]++
	}
}

// classify yields the class of each sample and the class it is put into.
func (n *Network) classify(params []float32, b Batch) func(yield func(y, found int) bool) {
	return func(yield func(y, found int) bool) {
		classes := n.Outputs()
		for low := 0; low < b.N; low += pieceRows {
			piece := b.part(low, min(low+pieceRows, b.N))
			out := n.forward(params, piece)
			for i, y := range piece.Y {
				if !yield(int(y), argmax(out[i*classes:(i+1)*classes])) {
					return
				}
			}
		}
	}
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
