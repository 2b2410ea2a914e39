package sweep

import (
	"encoding/binary"
	"errors"
	"math"

	"flockscope/sim/trace"
)

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
	Misplaced   int // clients
	Loss        float64
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
	w.Run.Lanes[lane] = Outcome{ARI: s.ARI, Misplaced: s.Misplaced, Loss: s.Loss, Accuracy: s.Accuracy, Val: s.Val, Test: s.Test,
		Settled: s.Settled, Diverged: s.Diverged, Fingerprint: s.Fingerprint}
}

// outcomeSize is the number of bytes of an outcome.
const outcomeSize = 8*8 + 8

// AppendRun appends the bytes of r to dst: two flags, then the lanes.
func AppendRun(dst []byte, r *Run) []byte {
	flags := byte(0)
	if r.Truth {
		flags |= 1
	}
	if r.Graded {
		flags |= 2
	}
	dst = append(dst, flags)
	for _, o := range r.Lanes {
		for _, v := range [...]float64{o.ARI, o.Loss, o.Accuracy, o.Val, o.Test} {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
		for _, v := range [...]int{o.Misplaced, o.Settled, o.Diverged} {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(int64(v)))
		}
		dst = binary.LittleEndian.AppendUint64(dst, o.Fingerprint)
	}
	return dst
}

// DecodeRun reads what AppendRun wrote.
func DecodeRun(src []byte) (*Run, error) {
	if len(src) == 0 || (len(src)-1)%outcomeSize != 0 {
		return nil, errors.New("sweep: the bytes are no run")
	}
	r := &Run{Truth: src[0]&1 != 0, Graded: src[0]&2 != 0, Lanes: make([]Outcome, (len(src)-1)/outcomeSize)}
	word := func(lane, n int) uint64 { return binary.LittleEndian.Uint64(src[1+lane*outcomeSize+8*n:]) }
	for i := range r.Lanes {
		float := func(n int) float64 { return math.Float64frombits(word(i, n)) }
		whole := func(n int) int { return int(int64(word(i, n))) }
		r.Lanes[i] = Outcome{ARI: float(0), Loss: float(1), Accuracy: float(2), Val: float(3), Test: float(4),
			Misplaced: whole(5), Settled: whole(6), Diverged: whole(7), Fingerprint: word(i, 8)}
	}
	return r, nil
}
