package engine

import (
	"io"
	"runtime"
	"syscall/js"
	"unsafe"

	"flockscope/sim/engine"
)

// Between an engine and a shard assets/line.js sends messages; the user's files are sent as a
// Uint8Array.

var uint8Array = js.Global().Get("Uint8Array")

func bytesOf(b []byte) js.Value {
	array := uint8Array.New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// isFiles reports whether a message has files.
func isFiles(message js.Value) bool { return message.InstanceOf(uint8Array) }

// endpoint is one end of a connection (see assets/line.js). Its functions receive addresses in Go's memory, all of them
// on the heap, where nothing moves.
type endpoint struct {
	near bool // messages are in shared memory

	postFunc, stateFunc, openFunc, smallFunc, leftFunc, readFunc, announceFunc js.Value // functions of assets/line.js

	received []byte   // small values of the last message
	table    []uint32 // addresses and lengths of a message's lists
}

func newEndpoint(line js.Value) *endpoint {
	return &endpoint{near: line.Get("near").Bool(), postFunc: line.Get("post"), stateFunc: line.Get("state"),
		openFunc:  line.Get("open"),
		smallFunc: line.Get("small"), leftFunc: line.Get("left"), readFunc: line.Get("read"),
		announceFunc: line.Get("announce")}
}

// A state says whether a message can be received.
type state int

const (
	pending state = iota - 1 // a message is arriving by postMessage; yield to receive it
	empty
	ready // a message is available
)

func (m *endpoint) state() state { return state(m.stateFunc.Invoke().Int()) }

// announce tells the line that another value is being sent by postMessage.
func (m *endpoint) announce() { m.announceFunc.Invoke() }

// address returns the address of b.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// post sends a message.
func (m *endpoint) post(p engine.Message) {
	m.table = m.table[:0]
	for _, b := range p.Long {
		m.table = append(m.table, uint32(address(b)), uint32(len(b)))
	}
	table := uintptr(unsafe.Pointer(unsafe.SliceData(m.table)))
	m.postFunc.Invoke(address(p.Small), len(p.Small), table, len(p.Long))
	runtime.KeepAlive(p)
}

// receive returns the oldest message. It is valid until the next call of receive or post.
func (m *endpoint) receive() engine.Incoming {
	n := m.openFunc.Invoke().Int()
	m.received = append(m.received[:0], make([]byte, n)...)
	m.smallFunc.Invoke(address(m.received))
	return engine.Incoming{Small: m.received, Long: m}
}

// Len implements [engine.LongReader].
func (m *endpoint) Len() int { return m.leftFunc.Invoke().Int() }

// Read implements [engine.LongReader].
func (m *endpoint) Read(dst []byte) (int, error) {
	n := m.readFunc.Invoke(address(dst), len(dst)).Int()
	if n == 0 && len(dst) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
