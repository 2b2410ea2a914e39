//go:build !js

package main

import (
	"context"
	"sync"
	"time"
)

// A limiter lets each client through so many times a minute.
type limiter struct {
	most int
	now  func() time.Time

	mu     sync.Mutex
	minute int64
	count  map[string]int // in this minute
}

func newLimiter(most int) *limiter { return &limiter{most: most, now: time.Now} }

// mostClients is how many clients of a minute are told apart. Further ones
// share one count.
const mostClients = 1 << 16

// Allow counts one request of a client.
func (l *limiter) Allow(_ context.Context, client string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if minute := l.now().Unix() / 60; minute != l.minute || l.count == nil {
		l.minute, l.count = minute, map[string]int{}
	}
	if _, known := l.count[client]; !known && len(l.count) >= mostClients {
		client = "everyone else"
	}
	l.count[client]++
	return l.count[client] <= l.most, nil
}
