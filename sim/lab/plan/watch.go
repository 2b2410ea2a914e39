package plan

import (
	"math"
	"slices"

	"flockscope/sim/trace"
)

// Sink is the part of the engine's sink that receives a run in progress.
type Sink interface {
	Begin(h *trace.Header)
	Frame(lane int, f *trace.Frame)
	Round(t int)
	End(lane int, s *trace.Summary)
}

// Measure returns the result of the cell, or the error of run. run plays the cell's run. If a budget ends in a round
// after which models were not evaluated, runTo plays the lane again up to that round and evaluates them. yield, unless
// nil, is called after every round.
func (c *Cell) Measure(yield func(), run func(Sink) error,
	runTo func(lane, round int, to Sink) error) (Record, error) {
	w := c.Watch()
	w.Yield = yield
	if err := run(w); err != nil {
		return Record{}, err
	}
	for i := range w.lanes {
		if l := &w.lanes[i]; c.Floats > 0 && math.IsNaN(l.last.Loss) {
			if err := runTo(i, l.round, late{w}); err != nil {
				return Record{}, err
			}
		}
	}
	return w.Record(), nil
}

// Watch is a sink of the engine that measures the run of a cell. It does not evaluate models at the end of a budget:
// see [Cell.Measure].
type Watch struct {
	Yield func() // if set, is called after every round

	cell   *Cell
	header *trace.Header
	lanes  []watched
	prints []uint64
	record Record
}

// watched is the history of a lane so far.
type watched struct {
	classifies bool
	weakest    float64
	clients    []float32     // accuracies of the clients in the last evaluation
	last       trace.Metrics // of the last finite frame within the budget
	round      int
	ari        []float64 // ARI of every round within the budget, 0 before all clients have replied
	heard      trace.Replied
	partial    bool // not all clients take part
	end        trace.Summary
	past       past
}

// Watch returns the sink for the cell's run.
func (c *Cell) Watch() *Watch { return &Watch{cell: c, record: c.record()} }

// Begin implements the engine's Sink.
func (w *Watch) Begin(h *trace.Header) {
	w.header, w.lanes = h, make([]watched, len(h.Lanes))
	w.record.Lanes = make([]Lane, len(h.Lanes))
}

// Frame implements the engine's Sink.
func (w *Watch) Frame(lane int, f *trace.Frame) {
	l := &w.lanes[lane]
	l.classifies = l.classifies || len(f.Confusion) > 0
	l.partial = l.partial || f.Events.Has(trace.Partial)
	if w.cell.Floats > 0 && (f.Down+f.Up > w.cell.Floats || f.Events.Has(trace.Diverged)) {
		return
	}
	l.noteClients(w.header, f)
	l.past.add(f, l.classifies, w.header.Lanes[lane].Size)
	if w.cell.Floats > 0 { // otherwise the summary has the rest
		ari := f.ARI
		if !l.heard.Complete(f) {
			ari = 0
		}
		l.last, l.round, l.ari = f.Metrics, f.Round, append(l.ari, ari)
	}
}

// noteClients records the honest clients' accuracies if the models were evaluated after the frame.
func (l *watched) noteClients(h *trace.Header, f *trace.Frame) {
	if len(f.Confusion) > 0 {
		l.clients = h.HonestValues(l.clients[:0], f.Accuracies)
		l.weakest = float64(slices.Min(l.clients))
	}
}

// Round implements the engine's Sink.
func (w *Watch) Round(int) {
	if w.Yield != nil {
		w.Yield()
	}
}

// End implements the engine's Sink.
func (w *Watch) End(lane int, s *trace.Summary) {
	w.lanes[lane].end = *s
	if w.prints = append(w.prints, s.Fingerprint); len(w.prints) == len(w.header.Lanes) {
		w.record.Fingerprint = trace.Result(w.prints)
	}
}

// Record returns the result, once the run has ended.
func (w *Watch) Record() Record {
	for i := range w.lanes {
		w.finish(i)
	}
	return w.record
}

// finish records the end of a lane.
func (w *Watch) finish(lane int) {
	l, out := &w.lanes[lane], &w.record.Lanes[lane]
	end := l.end
	if w.cell.Floats > 0 {
		end.Metrics = l.last
		end.Settled = trace.Settled(l.ari)
		if end.CostToCorrect > w.cell.Floats {
			end.FirstCorrect = -1
		}
		if end.Diverged > l.round+1 { // after the budget was spent
			end.Diverged, end.Cause = -1, ""
		}
		round := l.round
		out.Round = &round
	}
	out.Lane = w.header.Lanes[lane].ID
	judges := w.header.HasTruth() && !w.cell.Config.Unclustered(lane)
	out.Scores, out.Clients = ScoresOf(&end, judges, l.classifies, l.partial, l.weakest), l.clients
	if w.cell.Floats > 0 && math.IsNaN(end.Loss) {
		out.Loss, out.Worst, out.Accuracy, out.Weakest, out.Val, out.Test = nil, nil, nil, nil, nil, nil
	}
	if out.Accuracy == nil {
		out.Clients = nil
	}
	out.History = l.past.finish(w.header, judges, l.partial)
}

// late is the sink for a lane that is played again to evaluate the models after its last round.
type late struct{ *Watch }

func (w late) Begin(*trace.Header)     {}
func (w late) End(int, *trace.Summary) {}
func (w late) Frame(lane int, f *trace.Frame) {
	if l := &w.lanes[lane]; f.Round == l.round {
		l.noteClients(w.header, f)
		l.last.Loss, l.last.Worst = f.Loss, f.Worst
		l.last.Accuracy, l.last.Val, l.last.Test, l.last.Attack = f.Accuracy, f.Val, f.Test, f.Attack
	}
}
