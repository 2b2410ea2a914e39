package engine

import (
	"io"
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

// mailbox is one end of the line.
type mailbox struct {
	small []byte
	spare js.Value // a Uint8Array to send long lists in; undefined for none
}

// post sends a parcel.
func (m *mailbox) post(port js.Value, p engine.Parcel) {
	n := 0
	for _, b := range p.Long {
		n += len(b)
	}
	if m.spare.IsUndefined() || m.spare.Length() < n {
		m.spare = uint8Array.New(n)
	}
	small, long := bytesOf(p.Small), m.spare.Call("subarray", 0, n)
	at := 0
	for _, b := range p.Long {
		js.CopyBytesToJS(long.Call("subarray", at), b)
		at += len(b)
	}
	m.spare = js.Undefined()
	port.Call("post", []any{small, long}, []any{small.Get("buffer"), long.Get("buffer")})
}

// open opens a parcel. It is good until the next post.
func (m *mailbox) open(message js.Value) engine.Received {
	small, long := message.Index(0), message.Index(1)
	m.small = append(m.small[:0], make([]byte, small.Length())...)
	js.CopyBytesToGo(m.small, small)
	m.spare = uint8Array.New(long.Get("buffer"))
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
