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

// An accessLog writes one line per request: time, method, path without the query, status,
// bytes of the body, seconds. A nil one writes nothing.
type accessLog struct {
	lines     *log.Logger
	addresses bool // log the client's address as well
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

// withLog returns a handler that sets the common headers of every answer, answers 500 when
// the inner handler panics, and writes the log.
func withLog(handler http.Handler, headers map[string]string, l *accessLog) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, counted := time.Now(), &statusWriter{ResponseWriter: w}
		set := func() {
			for name, value := range headers {
				w.Header().Set(name, value)
			}
		}
		method, path := r.Method, r.URL.Path
		defer func() {
			problem, partial := recover(), counted.status != 0
			if problem != nil {
				log.Printf("panic: %v\n%s", problem, debug.Stack()) // net/http would log the address
				if !partial {
					clear(w.Header())
					set()
					http.Error(counted, "Internal error. The log of the server has the details.", http.StatusInternalServerError)
				}
			}
			if method == http.MethodHead {
				counted.size = 0 // net/http sends no body
			}
			l.add(method, path, counted.status, counted.size, time.Since(began), r.RemoteAddr)
			if problem != nil && partial {
				panic(http.ErrAbortHandler) // the client must not take it for a whole answer
			}
		}()
		set()
		handler.ServeHTTP(counted, r)
	})
}

// A statusWriter records the status and size of an answer.
type statusWriter struct {
	http.ResponseWriter
	status, size int
}

// Unwrap lets a WebSocket take over the connection.
func (c *statusWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *statusWriter) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *statusWriter) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.size += n
	return n, err
}
