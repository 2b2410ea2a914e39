package workers

import (
	"slices"
	"sync"

	"flockscope/sim/model"
)

// prefetchCache holds samples that were drawn before they are needed, by somebody who had
// nothing else to do.
type prefetchCache struct {
	mu      sync.Mutex
	batches []drawnBatch
}

// drawnBatch is one client's samples of a round, or room for some.
type drawnBatch struct {
	model.Batch
	client, round int // whose they are; noClient once they are taken
}

const (
	// cacheLimit is how many numbers a cache has room for: 16 MB.
	cacheLimit = 4 << 20
	// noClient stands in for a client.
	NoClient = -1
)

// put lays a client's samples of a round on the cache, in exchange for memory. It
// changes nothing and reports false if the cache is full. What is left of rounds
// before the last is thrown away: that one may still be at play.
func (s *prefetchCache) put(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.batches,
		func(d drawnBatch) bool { return d.client == NoClient || d.round < round-1 || d.round > round })
	if at < 0 {
		if (len(s.batches)+1)*len(b.X) > cacheLimit {
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
func (s *prefetchCache) take(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.batches, func(d drawnBatch) bool { return d.client == client && d.round == round })
	if at < 0 {
		return false
	}
	d := &s.batches[at]
	d.client = NoClient
	*b, d.Batch = d.Batch, *b
	return true
}
