//go:build !js

package main

import (
	"bytes"
	"container/list"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A cache repeats answers that allow it by CDN-Cache-Control, as Cloudflare's
// does in front of the Worker: a preview is drawn once. What was not asked for
// the longest goes first when there is no more room.
type cache struct {
	handler http.Handler
	version func() string // of the site; another one makes every answer another
	room    int           // bytes
	now     func() time.Time

	mu      sync.Mutex
	used    int
	entries map[string]*list.Element // of *kept, by what was asked
	order   *list.List               // the newest first
}

// A kept answer.
type kept struct {
	key    string
	until  time.Time
	header http.Header
	body   []byte
}

func newCache(handler http.Handler, version func() string, room int) *cache {
	return &cache{handler: handler, version: version, room: room, now: time.Now,
		entries: map[string]*list.Element{}, order: list.New()}
}

func (c *cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		c.handler.ServeHTTP(w, r)
		return
	}
	key := strings.Join([]string{c.version(), r.Host, r.URL.RequestURI()}, "\n")
	if k := c.find(key); k != nil {
		maps.Copy(w.Header(), k.header)
		w.Write(k.body)
		return
	}
	copied := &copier{ResponseWriter: w, status: http.StatusOK}
	c.handler.ServeHTTP(copied, r)
	seconds, err := strconv.Atoi(strings.TrimPrefix(w.Header().Get("CDN-Cache-Control"), "max-age="))
	if err == nil && copied.status == http.StatusOK {
		c.keep(&kept{key, c.now().Add(time.Duration(seconds) * time.Second), w.Header().Clone(), copied.body.Bytes()})
	}
}

func (c *cache) find(key string) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return nil
	}
	k := e.Value.(*kept)
	if c.now().After(k.until) {
		c.drop(e)
		return nil
	}
	c.order.MoveToFront(e)
	return k
}

func (c *cache) keep(k *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.size() > c.room || c.entries[k.key] != nil {
		return
	}
	c.used += k.size()
	c.entries[k.key] = c.order.PushFront(k)
	for c.used > c.room {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	k := c.order.Remove(e).(*kept)
	delete(c.entries, k.key)
	c.used -= k.size()
}

// size is about what an answer takes.
func (k *kept) size() int { return len(k.key) + len(k.body) + 1024 }

// A copier passes an answer on and keeps a copy of its body, if it is one of
// those that say they may be kept.
type copier struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (c *copier) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *copier) Write(p []byte) (int, error) {
	if c.Header().Get("CDN-Cache-Control") != "" {
		c.body.Write(p)
	}
	return c.ResponseWriter.Write(p)
}
