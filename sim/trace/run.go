package trace

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
)

// Run is one run. Tracks has one entry per lane.
type Run struct {
	Header *Header
	Tracks []Track
}

// Track is the history of one lane. Frames[t] is the state after t rounds; while a run is in
// progress there are fewer than Rounds+1 of them.
type Track struct {
	Frames  []Frame
	Summary *Summary // nil until the run has ended
}

// NewRun returns an empty run under h.
func NewRun(h *Header) *Run { return &Run{Header: h, Tracks: make([]Track, len(h.Lanes))} }

// Finished returns the number of rounds that all lanes have finished, −1 if some lane has no frame
// yet.
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

// Settled returns the first round from which every later frame has ARI 1, or −1. The start, round
// 0, does not count, nor do rounds before every client has replied (see [Replied]), for which the
// caller sets another number.
func Settled(ari []float64) int {
	settled := -1
	for t := len(ari) - 1; t >= 1 && ari[t] == 1; t-- {
		settled = t
	}
	return settled
}

// Hash accumulates the fingerprint of a lane. The zero Hash is ready.
type Hash struct {
	sum         uint64
	loss, worst float64 // of the last frame that has them
	buffer      []byte
}

// Add adds the bytes of f, without its notes, eight at a time:
//
//	h ← (h ⊕ word) · p,   h ← h ⊕ (h ≫ 32)
//
// which is FNV-1a with wider steps, and a shift by which the upper bits of a word reach the lower
// bits of the sum. The last word is padded with zeros. A frame without losses counts as if it had
// the losses of the frame before: earlier versions repeated them.
func (h *Hash) Add(f *Frame) {
	if !math.IsNaN(f.Loss) || f.Events.Has(Evaluated) {
		h.loss, h.worst = f.Loss, f.Worst
	}
	h.buffer = appendResult(h.buffer[:0], f, h.loss, h.worst)
	for len(h.buffer)%8 != 0 {
		h.buffer = append(h.buffer, 0)
	}
	sum := h.sum ^ fnvOffset
	for b := h.buffer; len(b) >= 8; b = b[8:] {
		sum = (sum ^ binary.LittleEndian.Uint64(b)) * fnvPrime
		sum ^= sum >> 32
	}
	h.sum = sum
}

// Digest returns a hash of the bits of numbers, two at a time, by the rule of [Hash.Add].
func Digest(values []float32) uint64 {
	sum := uint64(fnvOffset)
	for ; len(values) >= 2; values = values[2:] {
		word := uint64(math.Float32bits(values[0])) | uint64(math.Float32bits(values[1]))<<32
		sum = (sum ^ word) * fnvPrime
		sum ^= sum >> 32
	}
	if len(values) > 0 {
		sum = (sum ^ uint64(math.Float32bits(values[0]))) * fnvPrime
		sum ^= sum >> 32
	}
	return sum
}

// Sum returns the fingerprint so far.
func (h *Hash) Sum() uint64 { return h.sum }

// The constants of FNV of 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Result returns the short form of a run's fingerprint, for people to compare.
func Result(lanes []uint64) string {
	sum := Combine(lanes)
	return fmt.Sprintf("%04X-%04X", sum>>48, sum>>32&0xFFFF)
}

// Combine returns the fingerprint of a run: a hash of the fingerprints of its lanes.
func Combine(lanes []uint64) uint64 {
	h := fnv.New64a()
	e := encoder{}
	for _, v := range lanes {
		e.u64(v)
	}
	h.Write(e.b)
	return h.Sum64()
}
