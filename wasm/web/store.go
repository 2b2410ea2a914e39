package web

import "context"

// A Store keeps texts under ids. It is asked by many goroutines at once.
type Store interface {
	// Get returns the text under an id, "" when there is none. It is called
	// when somebody opens the link.
	Get(ctx context.Context, id string) (string, error)
	// Put stores a text under an id where there is none yet, and returns the
	// text that was there before, "" when there was none. Of several calls at
	// once with the same id only one should see "".
	Put(ctx context.Context, id, text string) (before string, err error)
}

// A Limiter says whether one more request of a client may be served now.
type Limiter interface {
	Allow(ctx context.Context, client string) (bool, error)
}

// A Cache holds answers by key, as many as it likes. It is asked by many
// goroutines at once.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, body []byte)
}
