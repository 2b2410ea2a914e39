//go:build !js

package main

import (
	"context"
	"sync"
	"time"
)

// A limiter allows each client a number of requests per period.
type limiter struct {
	limit  int
	period time.Duration
	now    func() time.Time

	mu      sync.Mutex
	current int64          // number of the current period
	count   map[string]int // requests of each client in the period
}

func newLimiter(limit int, period time.Duration) *limiter {
	return &limiter{limit: limit, period: period, now: time.Now}
}

// maxClients bounds how many clients of a period are counted one by one. All others share
// one count.
const maxClients = 1 << 16

// Allow counts one request of a client and reports whether it is allowed.
func (l *limiter) Allow(_ context.Context, client string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if present := l.now().UnixNano() / int64(l.period); present != l.current || l.count == nil {
		l.current, l.count = present, map[string]int{}
	}
	if _, known := l.count[client]; !known && len(l.count) >= maxClients {
		client = "everyone else"
	}
	l.count[client]++
	return l.count[client] <= l.limit, nil
}

// limiters allows a request if each of them does.
type limiters []*limiter

// Allow counts one request of a client with each limiter, up to the first that refuses.
func (all limiters) Allow(ctx context.Context, client string) (bool, error) {
	for _, l := range all {
		if ok, err := l.Allow(ctx, client); !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}
