//go:build !js

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A script is a listener whose connections are recorded instead of sent.
type script struct {
	net.Listener
	accept func() (net.Conn, error)
}

func (s script) Accept() (net.Conn, error) { return s.accept() }

// recorder is a connection that records calls. It accepts room bytes, and then its writes
// fail with broken.
type recorder struct {
	net.Conn
	room   int
	broken error

	mu      sync.Mutex
	did     []string // calls, other than writes
	wrote   bytes.Buffer
	largest int // the most bytes of one write
	waits   []time.Duration
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.did = append(r.did, fmt.Sprintf(format, args...))
}

func (r *recorder) SetWriteBuffer(bytes int) error { r.note("buffer %d", bytes); return nil }
func (r *recorder) SetLinger(seconds int) error    { r.note("linger %d", seconds); return nil }
func (r *recorder) Close() error                   { r.note("close"); return nil }
func (r *recorder) RemoteAddr() net.Addr           { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }
func (r *recorder) SetWriteDeadline(at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits = append(r.waits, time.Until(at))
	return nil
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.largest = max(r.largest, len(p))
	n, err := len(p), error(nil)
	if r.broken != nil && r.wrote.Len()+n > r.room {
		n, err = r.room-r.wrote.Len(), r.broken
	}
	r.wrote.Write(p[:n])
	return n, err
}

// halfClosing is a recorder that can close one direction.
type halfClosing struct{ *recorder }

var errHalf = errors.New("half closed")

func (halfClosing) CloseWrite() error { return errHalf }

// through has a listener accept the connections one after the other.
func through(t *testing.T, l *boundedListener, conns ...net.Conn) (out []net.Conn) {
	t.Helper()
	l.Listener = script{accept: func() (net.Conn, error) { c := conns[0]; conns = conns[1:]; return c, nil }}
	for range len(conns) {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// At the limit of connections none is closed. One more closes the connection that has been
// idle the longest, at once, and no other.
func TestListenerMaxConns(t *testing.T) {
	l := &boundedListener{maxConns: 3, writeTimeout: time.Hour}
	var all []*recorder
	var conns []net.Conn
	add := func() {
		t.Helper()
		r := &recorder{}
		all, conns = append(all, r), append(conns, through(t, l, r)...)
	}
	state := func() (out []string) {
		for _, r := range all {
			out = append(out, strings.Join(r.did, ", "))
		}
		return out
	}
	const open, closed = "buffer 262144", "buffer 262144, linger 0, close"
	for range 3 {
		add()
	}
	if want := []string{open, open, open}; !slices.Equal(state(), want) {
		t.Errorf("of 3 connections the states are %q, want %q", state(), want)
	}
	io.WriteString(conns[0], "something")
	add()
	if want := []string{open, closed, open, open}; !slices.Equal(state(), want) {
		t.Errorf("after one more the states are %q, want %q", state(), want)
	}
	all[2].broken = io.ErrClosedPipe
	io.WriteString(conns[2], "what does not arrive")
	conns[3].Close()
	add()
	if want := []string{open, closed, open, "buffer 262144, close", open}; !slices.Equal(state(), want) {
		t.Errorf("after one went and another came the states are %q, want %q", state(), want)
	}
	add()
	if want := []string{open, closed, closed, "buffer 262144, close", open, open}; !slices.Equal(state(), want) {
		t.Errorf("where one cannot be written to and two come the states are %q, want %q", state(), want)
	}
	if got := l.order.Len(); got != 3 {
		t.Errorf("the listener knows %d connections, want 3", got)
	}
}

// An answer is sent in pieces, each with its own timeout. After a timeout unsent bytes are
// dropped; after another error they are not.
func TestListenerWrites(t *testing.T) {
	answer := bytes.Repeat([]byte("x"), 3*pieceSize+1)
	for _, tt := range []struct {
		name   string
		room   int
		broken error
		did    string
	}{
		{"whole", 0, nil, "buffer 262144"},
		{"too late", pieceSize + 100, fmt.Errorf("write: %w", os.ErrDeadlineExceeded), "buffer 262144, linger 0"},
		{"broken", 2*pieceSize + 100, io.ErrClosedPipe, "buffer 262144"},
	} {
		r := &recorder{room: tt.room, broken: tt.broken}
		n, err := through(t, &boundedListener{maxConns: 1, writeTimeout: time.Hour}, r)[0].Write(answer)
		want := len(answer)
		if tt.broken != nil {
			want = tt.room
		}
		if n != want || !errors.Is(err, tt.broken) || !bytes.Equal(r.wrote.Bytes(), answer[:want]) {
			t.Errorf("%s: Write = %d, %v, want %d, %v", tt.name, n, err, want, tt.broken)
		}
		if got := strings.Join(r.did, ", "); got != tt.did || r.largest != pieceSize {
			t.Errorf("%s: %s in pieces of %d, want %s in pieces of %d", tt.name, got, r.largest, tt.did, pieceSize)
		}
		if pieces := (want + pieceSize - 1) / pieceSize; len(r.waits) != pieces {
			t.Errorf("%s: %d deadlines for %d pieces", tt.name, len(r.waits), pieces)
		}
		for _, wait := range r.waits {
			if wait < 50*time.Minute || wait > time.Hour {
				t.Errorf("%s: a piece has %v, want an hour", tt.name, wait)
			}
		}
	}
}

// Methods that a connection lacks are not called, and errors of the listener are returned.
func TestListenerForwards(t *testing.T) {
	l := &boundedListener{maxConns: 10, writeTimeout: time.Hour, Listener: script{accept: func() (net.Conn, error) {
		return nil, net.ErrClosed
	}}}
	if c, err := l.Accept(); c != nil || !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept of a closed listener = %v, %v, want %v", c, err, net.ErrClosed)
	}
	near, far := net.Pipe()
	defer far.Close()
	conns := through(t, l, halfClosing{&recorder{}}, near)
	for i, want := range []error{errHalf, nil} {
		if err := conns[i].(*conn).CloseWrite(); !errors.Is(err, want) {
			t.Errorf("connection %d: CloseWrite = %v, want %v", i, err, want)
		}
	}
	conns[1].(*conn).discard() // a pipe has no SetLinger
	if err := conns[1].Close(); err != nil {
		t.Error(err)
	}
}

// Answers that net/http writes by itself get headers and a line in the log; others stay
// unchanged.
func TestListenerAddsHeaders(t *testing.T) {
	const head = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
	for _, tt := range []struct {
		name, answer string
		status       int // 0 where it is left alone
	}{
		{"bare", head + "\r\n400", 400},
		{"without more headers", "HTTP/1.1 431 \r\n\r\n", 431},
		{"old protocol", "HTTP/1.0 505 No\r\n\r\n", 505},
		{"as short as can be", "HTTP/1.1 400\r\n\r\n", 400},
		{"with our headers", head + "X-Content-Type-Options: nosniff\r\n\r\n", 0},
		{"our headers in the body", head + "\r\n\r\nX-Content-Type-Options: nosniff", 400},
		{"half a head", head, 0},
		{"no head", "400 Bad Request\r\n\r\n", 0},
		{"no status", "HTTP/1.1 4x0\r\n\r\n", 0},
		{"too short", "HTTP/1.1 40", 0},
		{"another protocol", "HTTP/2.0 400 No\r\n\r\n", 0},
		{"interim", "HTTP/1.1 100 Continue\r\n\r\n", 0},
		{"well", "HTTP/1.1 399 Well\r\n\r\n", 0},
	} {
		var out bytes.Buffer
		l := &boundedListener{maxConns: 1, writeTimeout: time.Hour, headers: map[string]string{"B": "2", "A": "1"},
			log: newAccessLog(&out, true)}
		r := &recorder{}
		n, err := io.WriteString(through(t, l, r)[0], tt.answer)
		want, line := tt.answer, "^$"
		if tt.status > 0 {
			first, rest, _ := strings.Cut(tt.answer, "\r\n")
			want = first + "\r\nA: 1\r\nB: 2\r\n" + rest
			line = fmt.Sprintf(`^\S+ - "-" %d %d 0\.000 192\.0\.2\.1\n$`, tt.status, len(tt.answer))
		}
		if n != len(tt.answer) || err != nil || r.wrote.String() != want {
			t.Errorf("%s: Write = %d, %v, sends %q, want %q", tt.name, n, err, &r.wrote, want)
		}
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("%s: the log is %q, want %s", tt.name, &out, line)
		}
	}
	l := &boundedListener{maxConns: 1, writeTimeout: time.Hour, log: newAccessLog(io.Discard, false)}
	r := &recorder{broken: io.ErrClosedPipe}
	if n, err := io.WriteString(through(t, l, r)[0], head+"\r\n"); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write where nothing can be sent = %d, %v, want 0, %v", n, err, io.ErrClosedPipe)
	}
}

// Connections are opened, written to and closed concurrently. Without the mutex the race
// detector reports the order.
func TestListenerConcurrent(t *testing.T) {
	l := &boundedListener{maxConns: 5, writeTimeout: time.Hour}
	l.Listener = script{accept: func() (net.Conn, error) { return &recorder{}, nil }}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 200 {
				c, _ := l.Accept()
				for range 3 {
					io.WriteString(c, "x")
				}
				c.Close()
			}
		})
	}
	all.Wait()
	if got := l.order.Len(); got != 0 {
		t.Errorf("when all have gone the listener knows %d connections", got)
	}
}
