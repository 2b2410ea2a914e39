package workers

import "flockscope/sim/catalog"

// Evaluation has the scores of each client's model on the client's held-out samples. They are for
// the page and the records; no server sees them.
type Evaluation struct {
	label    []int // the model of each client
	Loss     []float64
	Accuracy []float32 // fraction of correct predictions
	// Confusion counts, for each client, samples by class (row) and predicted class (column); empty
	// without classes.
	Confusion []uint16
	classes   int
	// Fooled is, for each client, the share of its samples of other classes that its model takes for the first class with
	// a backdoor's patch on them; nil unless liars put it on pictures.
	Fooled []float32
}

// NewEvaluation returns an evaluation of clients with these labels; liars may be nil.
func NewEvaluation(clients, classes int, label []int, liars *catalog.Liars) *Evaluation {
	e := &Evaluation{label: label, Loss: make([]float64, clients), Accuracy: make([]float32, clients),
		Confusion: make([]uint16, clients*classes*classes), classes: classes}
	if liars != nil && liars.Lie == catalog.Inputs {
		e.Fooled = make([]float32, clients)
	}
	return e
}

// confusionOf returns the confusion matrix of client i.
func (e *Evaluation) confusionOf(i int) []uint16 {
	n := e.classes * e.classes
	return e.Confusion[i*n : (i+1)*n]
}

// score sets client i's accuracy from its confusion matrix of n samples.
func (e *Evaluation) score(i, n int) {
	confusion, correct := e.confusionOf(i), 0
	for c := range e.classes {
		correct += int(confusion[c*e.classes+c])
	}
	e.Accuracy[i] = float32(correct) / float32(max(n, 1))
}
