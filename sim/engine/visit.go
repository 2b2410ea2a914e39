package engine

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/fl"
)

// visit is one lane calling on the clients: they read their task, write their
// reply, and the last one to finish lets the lane go on. Which one that is, and
// in which order they work, changes nothing: each writes to its own place.
type visit struct {
	lane     int
	exchange *fl.Exchange
	protocol fl.Protocol
	device   fl.Device // nil for none
	round    int
	turn     int // exchange of the round, from 0
	probe    int // samples to score models on

	// observed is where the instrument keeps losses for the page, a row of
	// columns a client; nil after the first exchange of a round. The server
	// does not see it and nobody is charged for it. Where look is set all
	// clients fill it, otherwise those whose losses were asked for anyway.
	observed []float32
	look     bool
	columns  int
	personal bool // model i is client i's own: score that one alone
	home     bool // and never sent

	exam *exam // not nil: clients are examined and asked nothing else

	at    int // the next client to report
	ready int // clients before this one have done their part, where no shards are

	calls   sync.Mutex // held while some clients are called
	pending atomic.Int32
	done    chan struct{} // capacity 1
}

// exam is how well each client's model does on the samples that the client
// holds back. It belongs to the instrument: no server sees it.
type exam struct {
	label    []int // the model of each client
	loss     []float64
	accuracy []float32 // share of correct answers
	// confusion counts, for each client, samples by class (row) and answer
	// (column); nil where there are no classes.
	confusion []uint16
	classes   int
}

func newExam(clients, classes int, label []int) *exam {
	return &exam{label: label, loss: make([]float64, clients), accuracy: make([]float32, clients),
		confusion: make([]uint16, clients*classes*classes), classes: classes}
}

// sheet is client i's part of the confusion.
func (e *exam) sheet(i int) []uint16 {
	n := e.classes * e.classes
	return e.confusion[i*n : (i+1)*n]
}

// mark sets client i's accuracy from its sheet, of n samples.
func (e *exam) mark(i, n int) {
	sheet, right := e.sheet(i), 0
	for c := range e.classes {
		right += int(sheet[c*e.classes+c])
	}
	e.accuracy[i] = float32(right) / float32(max(n, 1))
}
