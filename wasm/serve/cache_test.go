//go:build !js

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// counting answers each path with how often it was asked, to be kept for as
// long as the path's first letters say.
func counting() (http.Handler, map[string]int) {
	count := map[string]int{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count[r.URL.Path]++
		switch {
		case strings.HasPrefix(r.URL.Path, "/minute"):
			w.Header().Set("CDN-Cache-Control", "max-age=60")
		case strings.HasPrefix(r.URL.Path, "/missing"):
			w.Header().Set("CDN-Cache-Control", "max-age=60")
			w.WriteHeader(http.StatusNotFound)
		}
		w.Header().Set("X-Path", r.URL.Path)
		fmt.Fprintf(w, "%d%s", count[r.URL.Path], strings.Repeat(" ", 1000))
	}), count
}

func TestCache(t *testing.T) {
	handler, count := counting()
	now, version := time.Unix(1000, 0), "a"
	c := newCache(handler, func() string { return version }, 1<<20)
	c.now = func() time.Time { return now }
	ask := func(method, target, host string) string {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, target, nil)
		r.Host = host
		c.ServeHTTP(w, r)
		if got, want := w.Header().Get("X-Path"), r.URL.Path; got != want {
			t.Errorf("%s has the header of %s", want, got)
		}
		return strings.TrimSpace(w.Body.String())
	}
	steps := []struct {
		what           string
		method, target string
		host           string
		want           string
	}{
		{"first", "GET", "/minute", "h", "1"},
		{"again", "GET", "/minute", "h", "1"},
		{"another query", "GET", "/minute?x", "h", "2"},
		{"another host", "GET", "/minute", "i", "3"},
		{"another method", "POST", "/minute", "h", "4"},
		{"first one still", "GET", "/minute", "h", "1"},
		{"not to be kept", "GET", "/now", "h", "1"},
		{"not kept", "GET", "/now", "h", "2"},
		{"missing", "GET", "/missing", "h", "1"},
		{"missing again", "GET", "/missing", "h", "2"},
	}
	for _, s := range steps {
		if got := ask(s.method, s.target, s.host); got != s.want {
			t.Errorf("%s: answer %s, want %s", s.what, got, s.want)
		}
	}
	now = now.Add(61 * time.Second)
	if got := ask("GET", "/minute", "h"); got != "5" {
		t.Errorf("after a minute: answer %s, want 5", got)
	}
	version = "b"
	if got := ask("GET", "/minute", "h"); got != "6" {
		t.Errorf("of another site: answer %s, want 6", got)
	}
	if count["/minute"] != 6 {
		t.Errorf("asked %d times, want 6", count["/minute"])
	}
}

// The cache stays within its room, and forgets what nobody asks for.
func TestCacheRoom(t *testing.T) {
	handler, _ := counting()
	c := newCache(handler, func() string { return "" }, 10*2100)
	ask := func(n int) string {
		w := httptest.NewRecorder()
		c.ServeHTTP(w, httptest.NewRequest("GET", fmt.Sprintf("/minute%d", n), nil))
		return strings.TrimSpace(w.Body.String())
	}
	for n := range 100 {
		ask(n)
		if got := ask(0); got != "1" {
			t.Fatalf("after %d others, what is always asked for is drawn for the time number %s", n, got)
		}
		if c.used > c.room || len(c.entries) != c.order.Len() {
			t.Fatalf("%d of %d bytes are used by %d or %d answers", c.used, c.room, len(c.entries), c.order.Len())
		}
	}
	if got := ask(1); got != "2" {
		t.Errorf("what was long forgotten is still there")
	}
}

func TestLimiter(t *testing.T) {
	now := time.Unix(6000, 0)
	l := newLimiter(3)
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
	now = now.Add(time.Minute)
	if !allow("a") {
		t.Error("a minute later nothing is allowed")
	}
	for i := range mostClients + 10 {
		allow(fmt.Sprint("client ", i))
	}
	if len(l.count) > mostClients+1 {
		t.Errorf("%d clients are remembered", len(l.count))
	}
	if allow("yet another") {
		t.Error("a crowd shares no count")
	}
}

func TestCheckOrigin(t *testing.T) {
	tests := []struct {
		origin string
		ok     bool
	}{
		{"", true},
		{"https://flock.example.org", true},
		{"http://localhost:8080", true},
		{"https://flock.example.org/", false},
		{"flock.example.org", false},
		{"ftp://flock.example.org", false},
		{"https://", false},
		{"https://a/b", false},
	}
	for _, tt := range tests {
		if err := checkOrigin(tt.origin); (err == nil) != tt.ok {
			t.Errorf("checkOrigin(%q) = %v, want ok %v", tt.origin, err, tt.ok)
		}
	}
}
