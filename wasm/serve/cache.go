//go:build !js

package main

import (
	"container/list"
	"sync"
)

// A cache keeps drawn pictures, so that each is drawn once. When there is no more
// room, the one goes that was not asked for the longest. Package web keys it by
// what a picture shows: nothing in it depends on who asked, at which host or how.
type cache struct {
	room int // bytes

	mu      sync.Mutex
	used    int
	entries map[string]*list.Element // of *entry
	order   *list.List               // the one asked for last comes first
}

type entry struct {
	key  string
	body []byte
}

// size is about what an entry takes, in bytes.
func (e *entry) size() int { return 2*len(e.key) + len(e.body) + 200 }

func newCache(room int) *cache {
	return &cache{room: room, entries: map[string]*list.Element{}, order: list.New()}
}

// Get returns what is kept under a key, which the caller must not change.
func (c *cache) Get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).body, true
}

// Put keeps a body under a key, unless something is kept there already.
func (c *cache) Put(key string, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry{key, body}
	if e.size() > c.room || c.entries[key] != nil {
		return
	}
	c.used += e.size()
	c.entries[key] = c.order.PushFront(e)
	for c.used > c.room {
		oldest := c.order.Remove(c.order.Back()).(*entry)
		delete(c.entries, oldest.key)
		c.used -= oldest.size()
	}
}
