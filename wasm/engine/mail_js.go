package engine

import (
	"io"
	"slices"
	"syscall/js"

	"flockscope/sim/engine"
)

// On the line between an engine and a shard a parcel travels as two Uint8Arrays,
// the small things and the long lists, and the user's files as one. What was
// received is kept and sent back full of something else, so that a run of a
// thousand rounds allocates no more than one of two.

var uint8Array = js.Global().Get("Uint8Array")

func bytesOf(b []byte) js.Value {
	array := uint8Array.New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// isFiles tells files from a parcel.
func isFiles(message js.Value) bool { return message.InstanceOf(uint8Array) }

// mailbox is one end of the line. What is under way both ways bounds how many
// spare arrays it comes to.
type mailbox struct {
	small  []byte
	spares []js.Value // Uint8Arrays to send long lists in
}

// post sends a parcel.
func (m *mailbox) post(port js.Value, p engine.Parcel) {
	n := 0
	for _, b := range p.Long {
		n += len(b)
	}
	small, long := bytesOf(p.Small), m.spare(n).Call("subarray", 0, n)
	at := 0
	for _, b := range p.Long {
		js.CopyBytesToJS(long.Call("subarray", at), b)
		at += len(b)
	}
	port.Call("post", []any{small, long}, []any{small.Get("buffer"), long.Get("buffer")})
}

// spare returns an array of n bytes or more: the largest of those at hand, if
// that is enough.
func (m *mailbox) spare(n int) js.Value {
	best := -1
	for i, array := range m.spares {
		if best < 0 || array.Length() > m.spares[best].Length() {
			best = i
		}
	}
	if best < 0 {
		return uint8Array.New(n)
	}
	array := m.spares[best]
	m.spares = slices.Delete(m.spares, best, best+1)
	if array.Length() < n {
		return uint8Array.New(n)
	}
	return array
}

// open opens a parcel. It is good until the next post.
func (m *mailbox) open(message js.Value) engine.Received {
	small, long := message.Index(0), message.Index(1)
	m.small = append(m.small[:0], make([]byte, small.Length())...)
	js.CopyBytesToGo(m.small, small)
	m.spares = append(m.spares, uint8Array.New(long.Get("buffer")))
	return engine.Received{Small: m.small, Long: &lists{long, 0, long.Length()}}
}

// lists reads the long lists of a parcel: an engine.Reader.
type lists struct {
	array    js.Value
	at, size int
}

func (l *lists) Len() int { return l.size - l.at }

func (l *lists) Read(dst []byte) (int, error) {
	if l.at == l.size {
		return 0, io.EOF
	}
	n := js.CopyBytesToGo(dst, l.array.Call("subarray", l.at, l.size))
	l.at += n
	return n, nil
}
