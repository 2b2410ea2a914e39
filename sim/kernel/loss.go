package kernel

// SoftmaxCross sets loss[i] to the cross entropy −ln softmax(row i)[label] of the
// logits[rows×cols], and grad, unless it is empty, to the gradient softmax − onehot of each row's
// loss, not divided by rows. Labels are the classes 0 to cols−1 as numbers; others cause a panic.
// grad may be logits itself.
//
// With e = Exp(x − max) the loss is Log(Σe) − (x[label] − max), and the softmax
// is e·(1/Σe).
func SoftmaxCross(loss, grad, logits, labels []float32, rows, cols int) {
	checkLoss(loss, grad, logits, rows, cols)
	must(len(labels), rows)
	for _, l := range labels {
		if !(l >= 0 && l < float32(cols)) || l != float32(int(l)) {
			panic("kernel: a label is not a class")
		}
	}
	active.softmaxCross(loss, grad, logits, labels, rows, cols)
}

// Squared sets loss[i] to the mean of (out − want)² over row i, and grad, unless it is empty, to
// its gradient (out − want)·(2/cols). All matrices are rows×cols except loss[rows]; grad may be out
// itself. A row's sum is over lanes as in SumPlanes.
func Squared(loss, grad, out, want []float32, rows, cols int) {
	checkLoss(loss, grad, out, rows, cols)
	must(len(want), len(out))
	if cols == 0 {
		clear(loss)
		return
	}
	active.squared(loss, grad, out, want, rows, cols)
}

func checkLoss(loss, grad, out []float32, rows, cols int) {
	must(len(loss), rows)
	must(len(out), size(rows, cols))
	if len(grad) != 0 {
		must(len(grad), len(out))
	}
}
