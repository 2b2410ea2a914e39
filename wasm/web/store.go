package web

import "context"

// A Store keeps texts under ids, for good. It is asked by many goroutines at
// once.
type Store interface {
	// Get returns the text under an id, "" when there is none.
	Get(ctx context.Context, id string) (string, error)
	// Put keeps a text under an id.
	Put(ctx context.Context, id, text string) error
}

// A Limiter says whether one more request of a client may be served now.
type Limiter interface {
	Allow(ctx context.Context, client string) (bool, error)
}
