//go:build !js

package main

import (
	"container/list"
	"sync"
)

// A cache keeps drawn pictures in memory, bounded in bytes. When it is full, the least
// recently used picture is dropped. Package web uses the state as the key, so an entry
// depends neither on the client nor on the host.
type cache struct {
	size int // total size in bytes

	mu      sync.Mutex
	used    int
	entries map[string]*list.Element // values are *entry
	order   *list.List               // the most recently used comes first
}

type entry struct {
	key  string
	body []byte
}

// size estimates the memory of an entry, in bytes.
func (e *entry) size() int { return 2*len(e.key) + len(e.body) + 200 }

func newCache(size int) *cache {
	return &cache{size: size, entries: map[string]*list.Element{}, order: list.New()}
}

// Get returns the body under a key, which the caller must not change.
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

// Put keeps a body under a key, unless there is one already.
func (c *cache) Put(key string, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry{key, body}
	if e.size() > c.size || c.entries[key] != nil {
		return
	}
	c.used += e.size()
	c.entries[key] = c.order.PushFront(e)
	for c.used > c.size {
		oldest := c.order.Remove(c.order.Back()).(*entry)
		delete(c.entries, oldest.key)
		c.used -= oldest.size()
	}
}
