//go:build !js

package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"time"
)

// An accessLog writes one line for each request: when, method, path, status, bytes
// of the body, seconds. What stands behind the "?" is left out. A nil one writes
// nothing.
type accessLog struct {
	lines     *log.Logger
	addresses bool // also who asked
}

func newAccessLog(w io.Writer, addresses bool) *accessLog {
	return &accessLog{log.New(w, "", 0), addresses}
}

func (l *accessLog) add(method, path string, status, size int, took time.Duration, address string) {
	if l == nil {
		return
	}
	if len(path) > 200 {
		path = path[:200] + "…"
	}
	now := time.Now().UTC().Format(time.RFC3339)
	line := fmt.Sprintf("%s %s %q %d %d %.3f", now, method, path, status, size, took.Seconds())
	if l.addresses {
		host, _, _ := net.SplitHostPort(address)
		line += " " + host
	}
	l.lines.Print(line)
}

// outermost returns a handler that gives every answer its headers, answers 500
// when the one within panics, and writes the log.
func outermost(handler http.Handler, headers map[string]string, l *accessLog) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, counted := time.Now(), &counter{ResponseWriter: w}
		set := func() {
			for name, value := range headers {
				w.Header().Set(name, value)
			}
		}
		method, path := r.Method, r.URL.Path
		defer func() {
			problem, partial := recover(), counted.status != 0
			if problem != nil {
				log.Printf("panic: %v\n%s", problem, debug.Stack()) // net/http's own message has the address
				if !partial {
					clear(w.Header())
					set()
					http.Error(counted, "Something went wrong here.", http.StatusInternalServerError)
				}
			}
			if method == http.MethodHead {
				counted.size = 0 // net/http sends no body
			}
			l.add(method, path, counted.status, counted.size, time.Since(began), r.RemoteAddr)
			if problem != nil && partial {
				panic(http.ErrAbortHandler) // so that nobody takes it for a whole answer
			}
		}()
		set()
		handler.ServeHTTP(counted, r)
	})
}

// A counter notes what an answer is.
type counter struct {
	http.ResponseWriter
	status, size int
}

func (c *counter) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *counter) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.size += n
	return n, err
}
