package sweep

import "flockscope/sim/trace"

// Run is how one run ended.
type Run struct {
	Truth  bool // the groups are known, so that a clustering is right or wrong
	Graded bool // models answer right or wrong
	Lanes  []Outcome
}

// Outcome is how one lane ended: the numbers of its last finite frame. Where
// [Run] says that there are none, ARI, Misplaced and Accuracy are zero and
// Settled is −1.
type Outcome struct {
	ARI         float64
	Misplaced   int     // clients
	Loss        float64 // NaN where models were not evaluated in that frame
	Accuracy    float64
	Val, Test   float64 // HCFL's; 0 without test clients
	Settled     int     // first round from which the clustering stays right; −1 if there is none
	Diverged    int     // round in which the lane diverged; −1 if it did not
	Fingerprint uint64
}

// Witness is a sink of the engine that keeps the end of a run and lets the rest
// go. Breathe, if set, is called after every round.
type Witness struct {
	Run     Run
	Breathe func()
}

// Begin implements the engine's Sink.
func (w *Witness) Begin(h *trace.Header) {
	w.Run = Run{Truth: h.HasTruth(), Lanes: make([]Outcome, len(h.Lanes))}
}

// Frame implements the engine's Sink.
func (w *Witness) Frame(_ int, f *trace.Frame) {
	w.Run.Graded = w.Run.Graded || len(f.Confusion) > 0
}

// Round implements the engine's Sink.
func (w *Witness) Round(int) {
	if w.Breathe != nil {
		w.Breathe()
	}
}

// End implements the engine's Sink.
func (w *Witness) End(lane int, s *trace.Summary) {
	w.Run.Lanes[lane] = Outcome{ARI: s.ARI, Misplaced: s.Misplaced, Loss: s.Loss, Accuracy: s.Accuracy, Val: s.Val,
		Test:    s.Test,
		Settled: s.Settled, Diverged: s.Diverged, Fingerprint: s.Fingerprint}
}
