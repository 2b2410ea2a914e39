//go:build !js

package main

import (
	"context"
	"sync"
	"time"
)

// A limiter lets each client through so many times a period.
type limiter struct {
	most   int
	period time.Duration
	now    func() time.Time

	mu    sync.Mutex
	begun int64          // number of the present period
	count map[string]int // in it
}

func newLimiter(most int, period time.Duration) *limiter {
	return &limiter{most: most, period: period, now: time.Now}
}

// mostClients is how many clients of a period are told apart. Further ones
// share one count.
const mostClients = 1 << 16

// Allow counts one request of a client.
func (l *limiter) Allow(_ context.Context, client string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if present := l.now().UnixNano() / int64(l.period); present != l.begun || l.count == nil {
		l.begun, l.count = present, map[string]int{}
	}
	if _, known := l.count[client]; !known && len(l.count) >= mostClients {
		client = "everyone else"
	}
	l.count[client]++
	return l.count[client] <= l.most, nil
}

// A limiters lets through what each of its limiters does.
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
