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
	round   int           // that they are for
	clients []int         // whose each batch is, nobodys for one that has been taken
	batches []model.Batch // or room for one
}

const (
	// broad is how many numbers a shelf has room for: 16 MB.
	broad = 4 << 20
	// nobodys stands in for a client.
	nobodys = -1
)

// put lays a client's samples of a round on the shelf, in exchange for memory. It
// changes nothing and reports false if the shelf is full. What is left of another
// round is thrown away.
func (s *shelf) put(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.round != round {
		s.round = round
		for i := range s.clients {
			s.clients[i] = nobodys
		}
	}
	at := slices.Index(s.clients, nobodys)
	if at < 0 {
		if (len(s.batches)+1)*len(b.X) > broad {
			return false
		}
		at = len(s.batches)
		s.clients, s.batches = append(s.clients, nobodys), append(s.batches, model.Batch{})
	}
	s.clients[at] = client
	*b, s.batches[at] = s.batches[at], *b
	return true
}

// take is the way back. It reports whether a client's samples of a round were there.
func (s *shelf) take(b *model.Batch, client, round int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.Index(s.clients, client)
	if s.round != round || at < 0 {
		return false
	}
	s.clients[at] = nobodys
	*b, s.batches[at] = s.batches[at], *b
	return true
}
