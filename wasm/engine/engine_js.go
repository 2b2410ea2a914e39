package engine

import (
	"syscall/js"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/textfile"
	"flockscope/ui/guard"
)

// slice is how long a run may keep its thread before messages come in, and its
// rounds go out: a frame, as nobody sees more pictures than that. Most runs of a
// slider are over before.
const slice = 16 * time.Millisecond

// stride is how long rounds are kept while shards are at work: whoever takes them in
// needs one of the processors at which they are.
const stride = 3 * slice

// room is the memory that a run may take in a worker. WebAssembly of today ends
// at 4 GB; the rest is for garbage, messages and what the browser itself needs.
const room = 1500 << 20

// Main serves the page behind the host object (see assets/engine.js) and
// returns when the program should end, which is never.
func Main(host js.Value) {
	catalog.Room = room
	textfile.Inflate = inflate
	b := newBrowser(host)
	receive := Serve(b)
	inbox := make(chan []byte, 64)
	// Set last: it tells the page that the engine is there.
	host.Set("onmessage", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		message := make([]byte, args[0].Get("byteLength").Int())
		js.CopyBytesToGo(message, args[0])
		inbox <- message
		return nil
	}))
	for message := range inbox {
		b.before = time.Now() // whatever came with it is in
		b.breathed = b.before
		receive(message)
	}
}

// browser is the Host in a worker, or on the page's own thread.
type browser struct {
	host     js.Value
	array    js.Value // Uint8Array
	door     door
	before   time.Time     // when messages came in last
	breathed time.Time     // when rounds went out last
	pace     time.Duration // how long they are kept
	pool     pool
}

func newBrowser(host js.Value) *browser {
	return &browser{host: host, array: js.Global().Get("Uint8Array"), door: newDoor(), before: time.Now(),
		breathed: time.Now(), pace: slice}
}

func (b *browser) Post(message []byte) {
	bytes := b.array.New(len(message))
	js.CopyBytesToJS(bytes, message)
	b.host.Call("post", bytes, []any{bytes.Get("buffer")})
}

func (b *browser) Breathe() bool {
	b.letIn(slice)
	if time.Since(b.breathed) < b.pace {
		return false
	}
	b.breathed = time.Now()
	return true
}

// letIn lets messages in, unless that was done within so long.
func (b *browser) letIn(every time.Duration) {
	if time.Since(b.before) >= every {
		b.door.open()
		b.before = time.Now()
	}
}
