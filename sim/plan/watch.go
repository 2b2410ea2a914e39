package plan

import (
	"slices"

	"flockscope/sim/trace"
)

// Watch is a sink of the engine that measures the run of a cell.
type Watch struct {
	Breathe func() // if set, called after every round

	cell   *Cell
	header *trace.Header
	lanes  []watched
	prints []uint64
	record Record
}

// watched is what a lane has done so far.
type watched struct {
	classifies bool
	weakest    float64
	clients    []float32     // accuracies when models were last tried
	last       trace.Metrics // of the last finite frame within the budget
	accuracy   float64
	val, test  float64 // of the last frame within the budget after which models were tried
	round      int
	ari        []float64 // of every round within the budget
}

// Watch returns the sink for the cell's run.
func (c *Cell) Watch() *Watch { return &Watch{cell: c, record: c.record()} }

// Record returns the result, once the run has ended.
func (w *Watch) Record() Record { return w.record }

// Begin implements the engine's Sink.
func (w *Watch) Begin(h *trace.Header) {
	w.header, w.lanes = h, make([]watched, len(h.Lanes))
	w.record.Lanes = make([]Lane, len(h.Lanes))
}

// Frame implements the engine's Sink.
func (w *Watch) Frame(lane int, f *trace.Frame) {
	l := &w.lanes[lane]
	tried := len(f.Confusion) > 0
	l.classifies = l.classifies || tried
	if w.cell.Floats > 0 && (f.Down+f.Up > w.cell.Floats || f.Events.Has(trace.Diverged)) {
		return
	}
	if tried {
		l.weakest = float64(slices.Min(f.Accuracies))
		l.clients = append(l.clients[:0], f.Accuracies...)
	}
	if w.cell.Floats == 0 {
		return // the summary has the rest
	}
	l.last, l.round, l.ari = f.Metrics, f.Round, append(l.ari, f.ARI)
	if tried {
		l.accuracy, l.val, l.test = f.Accuracy, f.Val, f.Test
	}
}

// Round implements the engine's Sink.
func (w *Watch) Round(int) {
	if w.Breathe != nil {
		w.Breathe()
	}
}

// End implements the engine's Sink.
func (w *Watch) End(lane int, s *trace.Summary) {
	l := &w.lanes[lane]
	end := *s
	out := &w.record.Lanes[lane]
	if w.cell.Floats > 0 {
		end.Metrics = l.last
		end.Accuracy, end.Val, end.Test = l.accuracy, l.val, l.test
		end.Settled = trace.Settled(l.ari)
		if end.Price > w.cell.Floats {
			end.Found = -1
		}
		if end.Diverged > l.round+1 { // after the budget was spent
			end.Diverged, end.Cause = -1, ""
		}
		round := l.round
		out.Round = &round
	}
	out.Lane = w.header.Lanes[lane].ID
	judges := w.header.HasTruth() && !w.cell.Config.Unclustered(lane)
	out.Scores = ScoresOf(&end, judges, l.classifies, l.weakest)
	out.Clients = l.clients
	if w.prints = append(w.prints, s.Fingerprint); len(w.prints) == len(w.header.Lanes) {
		w.record.Fingerprint = trace.Result(w.prints)
	}
}
