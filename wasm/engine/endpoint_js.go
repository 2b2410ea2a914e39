package engine

import (
	"io"
	"runtime"
	"syscall/js"
	"unsafe"

	"flockscope/sim/engine"
)

// On the line between an engine and a shard parcels travel as assets/line.js has
// them, and the user's files as a Uint8Array.

var uint8Array = js.Global().Get("Uint8Array")

func bytesOf(b []byte) js.Value {
	array := uint8Array.New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// isFiles tells files from a parcel.
func isFiles(message js.Value) bool { return message.InstanceOf(uint8Array) }

// endpoint is one end of the line. Its functions are given addresses in Go's memory,
// all of them on the heap, where nothing moves.
type endpoint struct {
	near bool // parcels lie in memory that both ends share

	postFunc, stateFunc, openFunc, smallFunc, leftFunc, readFunc, announceFunc js.Value // functions of assets/line.js

	received []byte   // the small things of the last parcel
	table    []uint32 // addresses and lengths of the lists of one
}

func newEndpoint(line js.Value) *endpoint {
	return &endpoint{near: line.Get("near").Bool(), postFunc: line.Get("post"), stateFunc: line.Get("state"),
		openFunc:  line.Get("open"),
		smallFunc: line.Get("small"), leftFunc: line.Get("left"), readFunc: line.Get("read"), announceFunc: line.Get("letter")}
}

// A state is what a mailbox has for those who look.
type state int

const (
	pending state = iota - 1 // something, as a message, which has to be let in
	empty
	ready // a parcel
)

func (m *endpoint) state() state { return state(m.stateFunc.Invoke().Int()) }

// announce says that a message is under way that is no parcel.
func (m *endpoint) announce() { m.announceFunc.Invoke() }

// address returns where b begins.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// post sends a parcel.
func (m *endpoint) post(p engine.Message) {
	m.table = m.table[:0]
	for _, b := range p.Long {
		m.table = append(m.table, uint32(address(b)), uint32(len(b)))
	}
	table := uintptr(unsafe.Pointer(unsafe.SliceData(m.table)))
	m.postFunc.Invoke(address(p.Small), len(p.Small), table, len(p.Long))
	runtime.KeepAlive(p)
}

// receive opens the oldest parcel. It is good until the next is opened or posted.
func (m *endpoint) receive() engine.Incoming {
	n := m.openFunc.Invoke().Int()
	m.received = append(m.received[:0], make([]byte, n)...)
	m.smallFunc.Invoke(address(m.received))
	return engine.Incoming{Small: m.received, Long: m}
}

// Len implements [engine.Reader].
func (m *endpoint) Len() int { return m.leftFunc.Invoke().Int() }

// Read implements [engine.Reader].
func (m *endpoint) Read(dst []byte) (int, error) {
	n := m.readFunc.Invoke(address(dst), len(dst)).Int()
	if n == 0 && len(dst) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
