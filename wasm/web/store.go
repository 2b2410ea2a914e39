package web

import "context"

// A Store stores texts under ids. It must be safe for concurrent use.
type Store interface {
	// Get returns the text under an id, "" when there is none. It is called when a
	// link is opened.
	Get(ctx context.Context, id string) (string, error)
	// Put stores a text under an id unless there is one already, and returns the text
	// that was there before, "" when there was none. Of several concurrent calls with the
	// same id only one should return "".
	Put(ctx context.Context, id, text string) (before string, err error)
}

// A Limiter limits the rate of requests.
type Limiter interface {
	// Allow counts one request of a client and reports whether it may be served.
	Allow(ctx context.Context, client string) (bool, error)
}

// A Cache stores bodies by key, and may drop any of them at any time. It must be safe for concurrent use.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, body []byte)
}
