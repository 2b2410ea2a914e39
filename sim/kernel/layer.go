package kernel

// AddBias adds the bias[cols] to each row of x[rows×cols].
func AddBias(x, bias []float32, rows, cols int) {
	must(len(x), size(rows, cols))
	must(len(bias), cols)
	active.addBias(x, bias, rows, cols)
}

// AddBiasPlanes adds bias[i] to all of row i of x[rows×cols]: the bias of a
// convolution, whose rows are planes of pixels.
func AddBiasPlanes(x, bias []float32, rows, cols int) {
	must(len(x), size(rows, cols))
	must(len(bias), rows)
	active.addBiasPlanes(x, bias, rows, cols)
}

// SumRows adds the rows of x[rows×cols], one after the other, to dst[cols]: the
// gradient of what AddBias added.
func SumRows(dst, x []float32, rows, cols int) {
	must(len(x), size(rows, cols))
	must(len(dst), cols)
	active.sumRows(dst, x, rows, cols)
}

// SumPlanes adds the sum of row i of x[rows×cols] to dst[i]: the gradient of what
// AddBiasPlanes added, one image after the other. Lane l of eight sums the
// elements l, l+8, l+16, … in float32, and the lanes are added as a tree: l and
// l+4, then l and l+2, then the last two.
func SumPlanes(dst, x []float32, rows, cols int) {
	must(len(x), size(rows, cols))
	must(len(dst), rows)
	active.sumPlanes(dst, x, rows, cols)
}

// Relu sets negative elements, and −0, to 0.
func Relu(x []float32) { active.relu(x) }

// ReluBack sets d, the gradient by the output y of Relu, to the gradient by
// its input: to 0 where y ≤ 0.
func ReluBack(d, y []float32) {
	must(len(y), len(d))
	active.reluBack(d, y)
}

// Sigmoid sets x to 1/(1 + Exp(−x)).
func Sigmoid(x []float32) { active.sigmoid(x) }

// SigmoidBack sets d, the gradient by the output y of Sigmoid, to the gradient
// by its input: d·(y·(1−y)).
func SigmoidBack(d, y []float32) {
	must(len(y), len(d))
	active.sigmoidBack(d, y)
}
