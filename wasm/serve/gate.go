//go:build !js

package main

import (
	"bytes"
	"container/list"
	"errors"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A gate accepts connections for an http.Server and looks after what that does
// not: a connection whose reader stops reading is closed, there are never more
// than most connections, and answers that net/http writes by itself, such as
// "400 Bad Request", have the headers that all answers have.
type gate struct {
	net.Listener
	most     int               // connections open at once; a new one closes the one that is idle the longest
	patience time.Duration     // for a reader, with each piece of an answer
	headers  map[string]string // of every answer
	log      *accessLog        // of answers by net/http, nil for none

	mu    sync.Mutex
	order list.List // of *conn; the one that is new or last got a piece comes first
}

// pieceSize is what a reader has to read in the gate's time, in bytes.
const pieceSize = 16 << 10

// sendBuffer is what the system holds of answers that a reader does not fetch, in
// bytes of each connection. Left alone, the system may take megabytes.
const sendBuffer = 256 << 10

// Accept waits for a connection.
func (g *gate) Accept() (net.Conn, error) {
	accepted, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := accepted.(interface{ SetWriteBuffer(int) error }); ok {
		tcp.SetWriteBuffer(sendBuffer)
	}
	c := &conn{Conn: accepted, gate: g}
	g.mu.Lock()
	c.place = g.order.PushFront(c)
	var idlest *conn
	if g.order.Len() > g.most {
		idlest = g.order.Back().Value.(*conn)
	}
	g.mu.Unlock()
	if idlest != nil {
		idlest.discard()
		idlest.Close()
	}
	return c, nil
}

// moved notes that a connection sent something.
func (g *gate) moved(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.order.MoveToFront(c.place)
}

// left forgets a connection.
func (g *gate) left(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.order.Remove(c.place)
}

// A conn hides that a TCP connection can send a file by itself (io.ReaderFrom):
// that is one write without an end.
type conn struct {
	net.Conn
	gate  *gate
	place *list.Element // in the gate's order
}

func (c *conn) Write(p []byte) (n int, err error) {
	if status, ok := bare(p); ok {
		if _, err := c.send(c.gate.dress(p)); err != nil {
			return 0, err
		}
		c.gate.log.add("-", "-", status, len(p), 0, c.RemoteAddr().String())
		return len(p), nil
	}
	return c.send(p)
}

func (c *conn) send(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		var sent int
		c.SetWriteDeadline(time.Now().Add(c.gate.patience))
		sent, err = c.Conn.Write(p[:min(len(p), pieceSize)])
		if n, p = n+sent, p[sent:]; sent > 0 {
			c.gate.moved(c)
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.discard()
	}
	return n, err
}

// discard makes the system forget what it still holds for the reader when the
// connection is closed.
func (c *conn) discard() {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		tcp.SetLinger(0)
	}
}

// CloseWrite is what an http.Server calls before it hangs up on a client that
// still sends.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func (c *conn) Close() error {
	c.gate.left(c)
	return c.Conn.Close()
}

// bare reports whether what is written is the head of an answer without our
// headers, which only net/http writes, and its status. It does so when it cannot
// read a request (400, 431, 501, 505) or fulfil its Expect header (417).
func bare(p []byte) (status int, ok bool) {
	if !bytes.HasPrefix(p, []byte("HTTP/1.")) || len(p) < len("HTTP/1.1 400") {
		return 0, false
	}
	head, _, whole := bytes.Cut(p, []byte("\r\n\r\n"))
	if !whole || bytes.Contains(head, []byte("\r\nX-Content-Type-Options: ")) {
		return 0, false
	}
	status, err := strconv.Atoi(string(p[9:12]))
	return status, err == nil && status >= 400
}

// dress returns an answer with the headers added.
func (g *gate) dress(p []byte) []byte {
	line, rest, _ := bytes.Cut(p, []byte("\r\n"))
	out := append(bytes.Clone(line), "\r\n"...)
	for _, name := range slices.Sorted(maps.Keys(g.headers)) {
		out = append(out, name+": "+g.headers[name]+"\r\n"...)
	}
	return append(out, rest...)
}
