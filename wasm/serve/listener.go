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

// A boundedListener accepts connections for an http.Server and adds what that lacks: a
// connection whose client stops reading is closed, there are never more than maxConns
// connections, and answers that net/http writes by itself, such as "400 Bad Request", get
// the common headers.
type boundedListener struct {
	net.Listener
	maxConns     int               // maximum open connections; a new one closes the one that is idle the longest
	writeTimeout time.Duration     // time in which a client must read a piece of an answer
	headers      map[string]string // headers of every answer
	log          *accessLog        // for answers by net/http; nil for none

	mu    sync.Mutex
	order list.List // values are *conn, the most recently active first
}

// pieceSize is how much a client must read within writeTimeout, in bytes.
const pieceSize = 16 << 10

// sendBuffer is the size of the system's send buffer per connection, in bytes. Without a limit the system may buffer
// megabytes for a client that does not read.
const sendBuffer = 256 << 10

// Accept waits for a connection.
func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := accepted.(interface{ SetWriteBuffer(int) error }); ok {
		tcp.SetWriteBuffer(sendBuffer)
	}
	c := &conn{Conn: accepted, listener: l}
	l.mu.Lock()
	c.place = l.order.PushFront(c)
	var idlest *conn
	if l.order.Len() > l.maxConns {
		idlest = l.order.Back().Value.(*conn)
	}
	l.mu.Unlock()
	if idlest != nil {
		idlest.discard()
		idlest.Close()
	}
	return c, nil
}

// touch makes a connection the most recently active one.
func (l *boundedListener) touch(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.order.MoveToFront(c.place)
}

// remove forgets a connection.
func (l *boundedListener) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.order.Remove(c.place)
}

// A conn hides that a TCP connection can send a file by itself (io.ReaderFrom): that is a
// single write, which no timeout could bound.
type conn struct {
	net.Conn
	listener *boundedListener
	place    *list.Element // position in the listener's order
}

func (c *conn) Write(p []byte) (n int, err error) {
	if status, ok := isBareError(p); ok {
		if _, err := c.send(c.listener.addHeaders(p)); err != nil {
			return 0, err
		}
		c.listener.log.add("-", "-", status, len(p), 0, c.RemoteAddr().String())
		return len(p), nil
	}
	return c.send(p)
}

func (c *conn) send(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		var sent int
		c.SetWriteDeadline(time.Now().Add(c.listener.writeTimeout))
		sent, err = c.Conn.Write(p[:min(len(p), pieceSize)])
		if n, p = n+sent, p[sent:]; sent > 0 {
			c.listener.touch(c)
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.discard()
	}
	return n, err
}

// discard makes the system drop unsent bytes when the connection is closed.
func (c *conn) discard() {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		tcp.SetLinger(0)
	}
}

// CloseWrite is called by an http.Server before it closes the connection of a client that
// is still sending.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func (c *conn) Close() error {
	c.listener.remove(c)
	return c.Conn.Close()
}

// isBareError reports whether p is the head of an answer without the common headers, and its
// status. Only net/http writes such answers, when it cannot read a request (400, 431, 501,
// 505) or fulfil its Expect header (417).
func isBareError(p []byte) (status int, ok bool) {
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

// addHeaders returns an answer with the common headers added.
func (l *boundedListener) addHeaders(p []byte) []byte {
	line, rest, _ := bytes.Cut(p, []byte("\r\n"))
	out := append(bytes.Clone(line), "\r\n"...)
	for _, name := range slices.Sorted(maps.Keys(l.headers)) {
		out = append(out, name+": "+l.headers[name]+"\r\n"...)
	}
	return append(out, rest...)
}
