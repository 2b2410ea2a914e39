package trace

import "hash/fnv"

// Run collects everything about one run. Tracks has one entry a lane.
type Run struct {
	Header *Header
	Tracks []Track
}

// Track is the history of one lane. Frames[t] is the state after t rounds;
// while a run is under way there are fewer than Rounds+1 of them.
type Track struct {
	Frames  []Frame
	Summary *Summary // nil until the run has ended
}

// NewRun returns an empty run under h.
func NewRun(h *Header) *Run { return &Run{Header: h, Tracks: make([]Track, len(h.Lanes))} }

// Finished returns the number of rounds that every lane has behind it, −1
// before the start is known.
func (r *Run) Finished() int {
	least := r.Header.Rounds
	for i := range r.Tracks {
		least = min(least, len(r.Tracks[i].Frames)-1)
	}
	return least
}

// Done reports whether every lane has its summary.
func (r *Run) Done() bool {
	for i := range r.Tracks {
		if r.Tracks[i].Summary == nil {
			return false
		}
	}
	return true
}

// Settled returns the first round from which every later frame has ARI 1,
// or −1. The start, round 0, does not count: nothing was found yet.
func Settled(ari []float64) int {
	settled := -1
	for t := len(ari) - 1; t >= 1 && ari[t] == 1; t-- {
		settled = t
	}
	return settled
}

// Hash accumulates the fingerprint of a lane.
type Hash struct {
	sum     uint64
	started bool
	buffer  []byte
}

// Add mixes in the bytes of f.
func (h *Hash) Add(f *Frame) {
	if !h.started {
		h.sum, h.started = fnvOffset, true
	}
	h.buffer = AppendFrame(h.buffer[:0], f)
	for _, b := range h.buffer {
		h.sum = (h.sum ^ uint64(b)) * fnvPrime
	}
}

// Sum returns the fingerprint so far.
func (h *Hash) Sum() uint64 { return h.sum }

// FNV-1a of 64 bits, written out so that hashing a frame allocates nothing.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Combine returns one fingerprint for a whole run: the hash of its lanes'.
func Combine(lanes []uint64) uint64 {
	h := fnv.New64a()
	e := encoder{}
	for _, v := range lanes {
		e.u64(v)
	}
	h.Write(e.b)
	return h.Sum64()
}
