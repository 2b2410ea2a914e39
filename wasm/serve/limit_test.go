//go:build !js

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	now := time.Unix(6000, 0)
	l := newLimiter(3, time.Minute)
	l.now = func() time.Time { return now }
	allow := func(client string) bool {
		ok, err := l.Allow(context.Background(), client)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	for i := range 5 {
		if got, want := allow("a"), i < 3; got != want {
			t.Errorf("request %d is allowed: %v, want %v", i, got, want)
		}
	}
	if !allow("b") {
		t.Error("somebody else is not allowed")
	}
	now = now.Add(59 * time.Second)
	if allow("a") {
		t.Error("in the same minute it is allowed again")
	}
	now = now.Add(time.Second)
	if !allow("a") {
		t.Error("a minute later nothing is allowed")
	}
	for i := range maxClients + 10 {
		allow(fmt.Sprint("client ", i))
	}
	if len(l.count) > maxClients+1 {
		t.Errorf("%d clients are remembered", len(l.count))
	}
	if allow("yet another") {
		t.Error("a crowd shares no count")
	}
}

// Several limits hold together: per minute and per day.
func TestLimiters(t *testing.T) {
	now := time.Unix(86400*20000, 0)
	minute, day := newLimiter(2, time.Minute), newLimiter(5, 24*time.Hour)
	both := limiters{minute, day}
	minute.now = func() time.Time { return now }
	day.now = minute.now
	passed := 0
	for range 10 * 60 {
		if ok, _ := both.Allow(context.Background(), "a"); ok {
			passed++
		}
		now = now.Add(time.Second)
	}
	if passed != 5 {
		t.Errorf("in ten minutes %d requests pass, want 5", passed)
	}
	now = now.Add(24 * time.Hour)
	if ok, _ := both.Allow(context.Background(), "a"); !ok {
		t.Error("a day later nothing passes")
	}
}

// Of many concurrent requests exactly as many as the limit are allowed. Without its mutex
// the limiter allows more, or the map panics.
func TestLimiterConcurrent(t *testing.T) {
	const most, clients, times = 100, 8, 1000
	l := newLimiter(most, time.Minute)
	now := time.Unix(6000, 0)
	l.now = func() time.Time { return now }
	var passed [clients]atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for i := range times {
				who := i % clients
				if ok, _ := l.Allow(context.Background(), fmt.Sprint(who)); ok {
					passed[who].Add(1)
				}
			}
		})
	}
	all.Wait()
	for who := range passed {
		if got := passed[who].Load(); got != most {
			t.Errorf("client %d passes %d times, want %d", who, got, most)
		}
	}
}
