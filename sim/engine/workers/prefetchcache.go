package workers

import (
	"slices"
	"sync"

	"flockscope/sim/model"
)

// prefetchCache holds samples that idle workers have drawn in advance.
type prefetchCache struct {
	mu      sync.Mutex
	batches []drawnBatch
}

// drawnBatch is one client's samples of a round, or free memory for later samples.
type drawnBatch struct {
	model.Batch
	client, round int // client is NoClient once the samples are taken
}

const (
	// cacheLimit is the most numbers in a cache: 16 MB.
	cacheLimit = 4 << 20
	// NoClient means no client, or no model.
	NoClient = -1
)

// put moves a client's samples of a round into the cache, and gives b unused memory in exchange. It returns false if
// the cache is full. Samples of rounds before the previous one are dropped; the previous one may still be in progress.
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

// take moves a client's samples of a round out of the cache, and reports whether they were there.
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
