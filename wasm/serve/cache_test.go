//go:build !js

package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestCache(t *testing.T) {
	c := newCache(1 << 20)
	if _, ok := c.Get("a"); ok {
		t.Error("an empty cache holds something")
	}
	c.Put("a", []byte("first"))
	c.Put("a", []byte("second"))
	c.Put("b", nil)
	c.Put("large", make([]byte, 1<<20))
	for key, want := range map[string]string{"a": "first", "b": ""} {
		if got, ok := c.Get(key); !ok || string(got) != want {
			t.Errorf("Get(%s) = %q, %v, want %q", key, got, ok, want)
		}
	}
	if _, ok := c.Get("large"); ok {
		t.Error("what has no room is kept")
	}
}

// The cache stays within its size and drops the least recently used entries.
func TestCacheSize(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 1000)
	c := newCache(10 * 1300)
	c.Put("wanted", body)
	for n := range 100 {
		c.Put(fmt.Sprint("other ", n), body)
		if _, ok := c.Get("wanted"); !ok {
			t.Fatalf("after %d others, what is always asked for is gone", n)
		}
		checkSize(t, c)
	}
	if _, ok := c.Get("other 1"); ok {
		t.Error("what was long forgotten is still there")
	}
	if _, ok := c.Get("other 99"); !ok {
		t.Error("what came last is not there")
	}
}

// checkSize compares the size that a cache records with the size of its entries.
func checkSize(t *testing.T, c *cache) {
	t.Helper()
	used := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		used += e.Value.(*entry).size()
	}
	if used != c.used || used > c.size || len(c.entries) != c.order.Len() {
		t.Fatalf("of %d bytes %d are used, it says %d, by %d or %d entries",
			c.size, used, c.used, len(c.entries), c.order.Len())
	}
}

// Concurrent calls return what was put, and the recorded size stays right. Without its mutex
// the cache panics or miscounts.
func TestCacheConcurrent(t *testing.T) {
	c := newCache(20 * 1300)
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 1000 {
				key := fmt.Sprint("key ", (i+w)%40)
				want := strings.Repeat(key, 100)
				if got, ok := c.Get(key); ok && string(got) != want {
					t.Errorf("Get(%s) is another one's", key)
					return
				}
				c.Put(key, []byte(want))
			}
		})
	}
	all.Wait()
	checkSize(t, c)
}
