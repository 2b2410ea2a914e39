package workers

// Evaluation is how well each client's model does on the samples that the client
// holds back. It belongs to the instrument: no server sees it.
type Evaluation struct {
	label    []int // the model of each client
	Loss     []float64
	Accuracy []float32 // share of correct answers
	// confusion counts, for each client, samples by class (row) and answer
	// (column); nil where there are no classes.
	Confusion []uint16
	classes   int
}

func NewEvaluation(clients, classes int, label []int) *Evaluation {
	return &Evaluation{label: label, Loss: make([]float64, clients), Accuracy: make([]float32, clients),
		Confusion: make([]uint16, clients*classes*classes), classes: classes}
}

// confusionOf is client i's part of the confusion.
func (e *Evaluation) confusionOf(i int) []uint16 {
	n := e.classes * e.classes
	return e.Confusion[i*n : (i+1)*n]
}

// score sets client i's accuracy from its confusion, of n samples.
func (e *Evaluation) score(i, n int) {
	sheet, right := e.confusionOf(i), 0
	for c := range e.classes {
		right += int(sheet[c*e.classes+c])
	}
	e.Accuracy[i] = float32(right) / float32(max(n, 1))
}
