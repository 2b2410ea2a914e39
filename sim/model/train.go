package model

import "flockscope/sim/kernel"

// pieceRows bounds the rows that pass through a network at once, and so its scratch; wide networks take fewer. Cutting a
// larger batch changes no bit of its gradient: every sum continues that of the piece before. Only batch normalisation
// takes a piece for a batch.
const pieceRows = 128

// scratch is a network's working memory.
type scratch struct {
	pass   pass
	values [][]float32   // output of each layer
	back   [2][]float32  // derivatives of the backward pass, alternating
	work   []float32     // scratch of the current layer
	losses []float32     // loss of each row of the present piece
	each   []float32     // loss of each sample of the last batch, see SampleLosses
	target featureTarget // target of features for the current gradient
	sum    []float32     // sum of the heads' derivatives by the features, see Heads
	detour []float32     // derivatives by the input of a residual block, past its layers

	computed int64 // multiply-adds so far
}

// Loss returns the mean loss over the batch, 0 for an empty one.
func (n *Network) Loss(params []float32, b Batch) float64 {
	sum := 0.0
	n.growEach(b.N)
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		sum += n.score(nil, n.forward(params, piece), piece)
		copy(n.each[low:], n.losses[:piece.N])
	}
	return sum / float64(max(b.N, 1))
}

// SampleLosses returns the loss of each sample of the batch of the last call of Loss or Gradient. They are valid until
// the next call of either.
func (n *Network) SampleLosses() []float32 { return n.each }

// growEach makes room for the losses of a batch.
func (n *Network) growEach(samples int) {
	if cap(n.each) < samples {
		n.each = make([]float32, samples)
	}
	n.each = n.each[:samples]
}

// Losses sets dst[i] to the loss of sample i.
func (n *Network) Losses(dst, params []float32, b Batch) {
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		n.score(nil, n.forward(params, piece), piece)
		copy(dst[low:], n.losses[:piece.N])
	}
}

// Gradient sets dst to the gradient of the mean loss, and returns that loss.
func (n *Network) Gradient(dst, params []float32, b Batch) float64 {
	return n.gradient(0, dst, params, b)
}

// HeadGradient is the part of Gradient with respect to the head, for samples with features, and the loss. It is for
// networks that have a trunk and are not [Network.Modal]: their features are the same in training.
func (n *Network) HeadGradient(dst, head []float32, b Batch) float64 {
	return n.gradient(n.body, dst, head, b)
}

// gradient is Gradient with respect to the layers from the given one on: 0 for all, whose inputs are the samples, or the
// first of the head, whose inputs are their features.
func (n *Network) gradient(from int, dst, params []float32, b Batch) float64 {
	if b.N == 0 {
		clear(dst)
	}
	n.beginTraining(params)
	sum := 0.0
	n.growEach(b.N)
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		in := piece.X
		if from > 0 {
			in = piece.features
		}
		n.grow(piece.N)
		n.pass.training, n.pass.share = true, float32(piece.N)/float32(b.N)
		out := n.run(from, len(n.layers), params, in, piece.N)
		dOut := n.back[0][:len(out)]
		sum += n.score(dOut, out, piece)
		copy(n.each[low:], n.losses[:piece.N])
		kernel.Scale(dOut, 1/float32(b.N))
		n.reverse(from, len(n.layers), dst, params, in, piece, low > 0, false)
	}
	return sum / float64(max(b.N, 1))
}

// Weighted sets dst to the gradient of (1/N) Σ w_i ℓ_i, the losses of the samples
// under weights, and returns that loss. Weights need not sum to 1.
func (n *Network) Weighted(dst, params []float32, b Batch, weights []float32) float64 {
	if b.N == 0 {
		clear(dst)
	}
	n.beginTraining(params)
	sum := 0.0
	for low := 0; low < b.N; low += n.piece {
		piece := b.part(low, min(low+n.piece, b.N))
		n.grow(piece.N)
		n.pass.training, n.pass.share = true, float32(piece.N)/float32(b.N)
		sum = n.weighted(sum, n.run(0, len(n.layers), params, piece.X, piece.N), piece, weights[low:], b.N)
		n.reverse(0, len(n.layers), dst, params, piece.X, piece, low > 0, false)
	}
	return sum / float64(max(b.N, 1))
}

// weighted writes the derivatives of Σ w_i ℓ_i/all, over a piece, with respect to the outputs to n.back[0]. It returns sum
// plus Σ w_i ℓ_i.
func (n *Network) weighted(sum float64, out []float32, piece Batch, weights []float32, all int) float64 {
	dOut := n.back[0][:len(out)]
	n.score(dOut, out, piece)
	width := n.Outputs()
	for i, w := range weights[:piece.N] {
		sum += float64(float64(w) * float64(n.losses[i]))
		kernel.Scale(dOut[i*width:(i+1)*width], w/float32(all))
	}
	return sum
}

// beginTraining prepares for the passes of a gradient under params.
func (n *Network) beginTraining(params []float32) {
	if n.drops {
		n.pass.key = hash(params)
	}
}

// forward runs a piece through all layers, or through the head if it has features. It returns the outputs, one row per
// sample.
func (n *Network) forward(params []float32, b Batch) []float32 {
	n.pass.training = false
	n.grow(b.N)
	if b.features != nil {
		return n.run(n.body, len(n.layers), n.Head().Of(params), b.features, b.N)
	}
	return n.run(0, len(n.layers), params, b.X, b.N)
}

// run runs rows of inputs of layer from through the layers before layer to, and returns the outputs of the last one. params
// begins with the parameters of layer from.
func (n *Network) run(from, to int, params, in []float32, rows int) []float32 {
	p := &n.pass
	p.rows, p.out = rows, in
	for i := from; i < to; i++ {
		l := n.layers[i]
		p.params, p.work = n.part(from, i).Of(params), n.work[:l.scratch()]
		p.in, p.out = p.out, n.values[i][:rows*l.outputs()]
		if s, ok := l.layer.(*skip); ok {
			p.skipped = n.input(i-s.back, from, in, rows)
		}
		l.forward(p)
		l.activation.forward(p.out)
		n.computed += int64(rows * l.multiplyAdds())
	}
	return p.out
}

// input returns the inputs of layer i in a pass that begins with the inputs in of layer from.
func (n *Network) input(i, from int, in []float32, rows int) []float32 {
	if i == from {
		return in
	}
	return n.values[i-1][:rows*n.layers[i-1].outputs()]
}

// part returns the parameters of layer i in a vector that begins with those of layer from.
func (n *Network) part(from, i int) Segment {
	base, s := n.layerSegments[from].Lo, n.layerSegments[i]
	return Segment{s.Name, s.Lo - base, s.Hi - base}
}

// score writes each row's loss to n.losses, and its derivatives by the outputs
// to dOut unless that is nil. It returns the sum of the losses.
func (n *Network) score(dOut, out []float32, b Batch) float64 {
	losses := n.losses[:b.N]
	switch n.task {
	case Classification:
		kernel.SoftmaxCross(losses, dOut, out, b.Y, b.N, n.Outputs())
	case Regression:
		kernel.Squared(losses, dOut, out, b.Y, b.N, n.Outputs())
	case Reconstruction:
		kernel.Squared(losses, dOut, out, b.X, b.N, n.Outputs())
	}
	sum := 0.0
	for _, l := range losses {
		sum += float64(l)
	}
	return sum
}

// reverse is the way back of run, with in of run, from the derivatives by its outputs in n.back[0]. It sets dst to the
// gradients of a piece; with again it adds them to dst. It returns the derivatives by in if they are wanted; they are valid
// until n.back is used again.
func (n *Network) reverse(from, to int, dst, params, in []float32, b Batch, again, wanted bool) []float32 {
	p, turn, block := &n.pass, 0, -1
	p.rows, p.accumulate = b.N, again
	for i := to - 1; i >= from; i-- {
		l, part := n.layers[i], n.part(from, i)
		p.params, p.dParams, p.work = part.Of(params), part.Of(dst), n.work[:l.scratch()]
		p.out, p.dOut = n.values[i][:b.N*l.outputs()], n.back[turn][:b.N*l.outputs()]
		if i == n.body-1 && n.target.targets != nil {
			n.target.draw(p.dOut, p.out, b, l.outputs(), n.task == Classification)
		}
		p.in, p.dIn = n.input(i, from, in, b.N), nil
		n.computed += int64(b.N * l.multiplyAdds())
		if i > from || wanted {
			p.dIn = n.back[1-turn][:len(p.in)]
			n.computed += int64(b.N * l.multiplyAdds())
		}
		if s, ok := l.layer.(*skip); ok {
			block = i - s.back
			p.skipped = n.input(block, from, in, b.N)
			p.dSkipped = n.detour[:len(p.skipped)]
		}
		l.activation.backward(p.dOut, p.out)
		l.backward(p)
		if i == block && p.dIn != nil {
			kernel.Axpy(p.dIn, 1, n.detour[:len(p.dIn)])
		}
		turn = 1 - turn
	}
	return p.dIn
}

// grow allocates scratch for a piece of the given rows.
func (n *Network) grow(rows int) {
	if rows <= len(n.losses) {
		return
	}
	n.losses = make([]float32, rows)
	n.values = make([][]float32, len(n.layers))
	for i, l := range n.layers {
		n.values[i] = make([]float32, rows*l.outputs())
	}
	widest, skipped, work := n.widths()
	n.detour = make([]float32, rows*skipped)
	n.back = [2][]float32{make([]float32, rows*widest), make([]float32, rows*widest)}
	n.work = make([]float32, work)
	if n.body > 0 {
		n.sum = make([]float32, rows*n.Width())
	}
}

// widths returns the size of the largest output of a layer, of the largest input of a residual block, 0 without one, and
// of the scratch of a layer.
func (n *Network) widths() (widest, skipped, work int) {
	for _, l := range n.layers {
		widest, work = max(widest, l.outputs()), max(work, l.scratch())
		if s, ok := l.layer.(*skip); ok {
			skipped = max(skipped, s.source().Size())
		}
	}
	return widest, skipped, work
}

// perRow is the number of floats of scratch for one row.
func (n *Network) perRow() int {
	widest, skipped, _ := n.widths()
	sum := 1 + 2*max(widest, n.inputs) + skipped
	for _, l := range n.layers {
		sum += l.outputs()
	}
	if n.body > 0 {
		sum += n.Width()
	}
	return sum
}

// Bytes is the scratch memory of the network for batches of some rows.
func (n *Network) Bytes(rows int) int64 {
	_, _, work := n.widths()
	return 4 * (int64(min(rows, n.piece))*int64(n.perRow()) + int64(work))
}
