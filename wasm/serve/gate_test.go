//go:build !js

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A wire is a connection that notes what is done to it.
type wire struct {
	net.Conn
	done   []string
	pieces []int
	fails  error // what Write returns from the second piece on
}

func (w *wire) note(format string, args ...any) {
	w.done = append(w.done, fmt.Sprintf(format, args...))
}
func (w *wire) SetWriteBuffer(size int) error { w.note("buffer %d", size); return nil }
func (w *wire) SetLinger(seconds int) error   { w.note("linger %d", seconds); return nil }
func (w *wire) Close() error                  { w.note("close"); return nil }
func (w *wire) CloseWrite() error             { w.note("close write"); return errors.New("half closed") }
func (w *wire) RemoteAddr() net.Addr          { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }
func (w *wire) SetWriteDeadline(at time.Time) error {
	w.note("deadline %v", time.Until(at).Round(time.Hour))
	return nil
}

func (w *wire) Write(p []byte) (int, error) {
	if w.fails != nil && len(w.pieces) > 0 {
		return 5, w.fails
	}
	w.pieces = append(w.pieces, len(p))
	return len(p), nil
}

// wires is a listener that hands them out, one by one.
type wires struct {
	net.Listener
	left []net.Conn
}

func (l *wires) Accept() (net.Conn, error) {
	if len(l.left) == 0 {
		return nil, errors.New("no more")
	}
	c := l.left[0]
	l.left = l.left[1:]
	return c, nil
}

// accepted returns a gate for at most three connections, and as many of them as asked for.
func accepted(t *testing.T, n int) (*gate, []*wire, []net.Conn) {
	t.Helper()
	var all []*wire
	l := &wires{}
	for range n {
		w := &wire{}
		all, l.left = append(all, w), append(l.left, w)
	}
	g := &gate{Listener: l, most: 3, patience: 5 * time.Hour, headers: map[string]string{"B-Second": "2", "A-First": "1"}}
	var out []net.Conn
	for range n {
		c, err := g.Accept()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if _, err := g.Accept(); err == nil {
		t.Fatal("the listener has another connection")
	}
	return g, all, out
}

// The connection that sent nothing for the longest makes room for a new one, and what the
// system holds for it is forgotten.
func TestGateRoom(t *testing.T) {
	g, w, c := accepted(t, 3)
	if got := fmt.Sprint(w[0].done, w[2].done); got != "[buffer 262144] [buffer 262144]" {
		t.Errorf("connections that were accepted: %s", got)
	}
	c[0].Write([]byte("x")) // so the second one is the idlest
	last := &wire{}
	g.Listener.(*wires).left = []net.Conn{last}
	if _, err := g.Accept(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w[1].done, ", "); got != "buffer 262144, linger 0, close" {
		t.Errorf("the idlest: %s", got)
	}
	for i, other := range []*wire{w[0], w[2], last} {
		if slices.Contains(other.done, "close") {
			t.Errorf("connection %d of those that stay: %q", i, other.done)
		}
	}
	c[2].Close()
	if g.order.Len() != 2 {
		t.Errorf("%d connections are open, want 2", g.order.Len())
	}
}

// An answer goes out in pieces, each with a time of its own. Where one takes too long the
// rest is forgotten; other errors leave the connection as it is.
func TestGatePieces(t *testing.T) {
	const long = 2*pieceSize + 1
	_, w, c := accepted(t, 1)
	if n, err := c[0].Write(make([]byte, long)); n != long || err != nil {
		t.Errorf("Write = %d, %v, want %d", n, err, long)
	}
	if !slices.Equal(w[0].pieces, []int{pieceSize, pieceSize, 1}) {
		t.Errorf("it goes out as %d", w[0].pieces)
	}
	if want := "buffer 262144, deadline 5h0m0s, deadline 5h0m0s, deadline 5h0m0s"; strings.Join(w[0].done, ", ") != want {
		t.Errorf("meanwhile: %q, want %s", w[0].done, want)
	}
	for _, tt := range []struct {
		err     error
		lingers bool
	}{{os.ErrDeadlineExceeded, true}, {fmt.Errorf("write: %w", os.ErrDeadlineExceeded), true}, {net.ErrClosed, false}} {
		_, w, c := accepted(t, 1)
		w[0].fails = tt.err
		n, err := c[0].Write(make([]byte, long))
		if n != pieceSize+5 || !errors.Is(err, tt.err) {
			t.Errorf("Write = %d, %v, want %d, %v", n, err, pieceSize+5, tt.err)
		}
		if slices.Contains(w[0].done, "linger 0") != tt.lingers {
			t.Errorf("after %v: %q", tt.err, w[0].done)
		}
	}
}

// Answers of net/http get the headers, in order, behind the first line.
func TestGateDresses(t *testing.T) {
	_, w, c := accepted(t, 1)
	var sent bytes.Buffer
	w[0].Conn = nil
	answer := "HTTP/1.1 431 Too Large\r\nConnection: close\r\n\r\nbody"
	if n, err := c[0].Write([]byte(answer)); n != len(answer) || err != nil {
		t.Errorf("Write = %d, %v", n, err)
	}
	sent.Write(c[0].(*conn).gate.dress([]byte(answer)))
	want := "HTTP/1.1 431 Too Large\r\nA-First: 1\r\nB-Second: 2\r\nConnection: close\r\n\r\nbody"
	if sent.String() != want || !slices.Equal(w[0].pieces, []int{len(want)}) {
		t.Errorf("it is %q, in pieces of %d", sent.String(), w[0].pieces)
	}
	for text, status := range map[string]int{
		"HTTP/1.1 400 Bad Request\r\n\r\n":                                  400,
		"HTTP/1.0 501 Not Implemented\r\nA: b\r\n\r\nHTTP":                  501,
		"HTTP/1.1 399 Odd\r\n\r\n":                                          0,
		"HTTP/1.1 200 OK\r\n\r\n":                                           0,
		"HTTP/1.1 400 Bad Request\r\n":                                      0,
		"HTTP/1.1 400\r\n\r\n":                                              400,
		"HTTP/1.1 40":                                                       0,
		"HTTP/2.0 400 Bad Request\r\n\r\n":                                  0,
		"HTTP/1.1 4x0 Bad Request\r\n\r\n":                                  0,
		"a piece of a file\r\n\r\n":                                         0,
		"HTTP/1.1 404 Not Found\r\nX-Content-Type-Options: nosniff\r\n\r\n": 0,
	} {
		if got, ok := bare([]byte(text)); ok != (status > 0) || ok && got != status {
			t.Errorf("bare(%q) = %d, %v, want %d", text, got, ok, status)
		}
	}
}

// The server hangs up in halves where the connection can, and says what went wrong.
func TestGateCloseWrite(t *testing.T) {
	_, w, c := accepted(t, 1)
	if err := c[0].(*conn).CloseWrite(); err == nil || !slices.Contains(w[0].done, "close write") {
		t.Errorf("CloseWrite = %v after %q", err, w[0].done)
	}
	plain := &conn{Conn: struct{ net.Conn }{}, gate: &gate{}}
	if err := plain.CloseWrite(); err != nil {
		t.Errorf("CloseWrite = %v where there is none", err)
	}
	plain.discard() // does nothing
}
