package engine

import (
	"slices"
	"sync"

	"flockscope/sim/model"
)

// shelf holds samples that were drawn before they are needed, by somebody who had
// nothing else to do.
type shelf struct {
	mu      sync.Mutex
	batches []drawnBatch
}

// drawnBatch is one client's samples of a round, or room for some.
type drawnBatch struct {
	model.Batch
	client, round int // whose they are; nobodys once they are taken
}

const (
	// broad is how many numbers a shelf has room for: 16 MB.
	broad = 4 << 20
	// nobodys stands in for a client.
	nobodys = -1
)

// put lays a client's samples of a round on the shelf, in exchange for memory. It
// changes nothing and reports false if the shelf is full. What is left of rounds
// before the last is thrown away: that one may still be at play.
func (s *shelf) put(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.batches, func(d drawnBatch) bool { return d.client == nobodys || d.round < round-1 || d.round > round })
	if at < 0 {
		if (len(s.batches)+1)*len(b.X) > broad {
			return false
		}
		at = len(s.batches)
		s.batches = append(s.batches, drawnBatch{})
	}
	d := &s.batches[at]
	d.client, d.round = client, round
	*b, d.Batch = d.Batch, *b
	return true
}

// take is the way back. It reports whether a client's samples of a round were there.
func (s *shelf) take(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.batches, func(d drawnBatch) bool { return d.client == client && d.round == round })
	if at < 0 {
		return false
	}
	d := &s.batches[at]
	d.client = nobodys
	*b, d.Batch = d.Batch, *b
	return true
}
