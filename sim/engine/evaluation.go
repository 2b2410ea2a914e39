package engine

// evaluation is how well each client's model does on the samples that the client
// holds back. It belongs to the instrument: no server sees it.
type evaluation struct {
	label    []int // the model of each client
	loss     []float64
	accuracy []float32 // share of correct answers
	// confusion counts, for each client, samples by class (row) and answer
	// (column); nil where there are no classes.
	confusion []uint16
	classes   int
}

func newEvaluation(clients, classes int, label []int) *evaluation {
	return &evaluation{label: label, loss: make([]float64, clients), accuracy: make([]float32, clients),
		confusion: make([]uint16, clients*classes*classes), classes: classes}
}

// confusionOf is client i's part of the confusion.
func (e *evaluation) confusionOf(i int) []uint16 {
	n := e.classes * e.classes
	return e.confusion[i*n : (i+1)*n]
}

// score sets client i's accuracy from its sheet, of n samples.
func (e *evaluation) score(i, n int) {
	sheet, right := e.confusionOf(i), 0
	for c := range e.classes {
		right += int(sheet[c*e.classes+c])
	}
	e.accuracy[i] = float32(right) / float32(max(n, 1))
}
