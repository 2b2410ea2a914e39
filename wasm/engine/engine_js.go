package engine

import (
	"syscall/js"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/textfile"
	"flockscope/ui/guard"
)

// frameTime is how long a run may keep its thread before messages come in, and its
// rounds go out: a frame, as nobody sees more pictures than that. Most runs of a
// slider are over before.
const frameTime = 16 * time.Millisecond

// busyFrameTime is how long rounds are kept while shards are at work: whoever takes them in
// needs one of the processors at which they are.
const busyFrameTime = 3 * frameTime

// memoryLimit is the memory that a run may take in a worker. WebAssembly of today ends
// at 4 GB; the rest is for garbage, messages and what the browser itself needs.
const memoryLimit = 1500 << 20

// Main serves the page behind the host object (see assets/engine.js) and
// returns when the program should end, which is never.
func Main(host js.Value) {
	catalog.MemoryLimit = memoryLimit
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
		b.lastYield = time.Now() // whatever came with it is in
		b.lastPost = b.lastYield
		receive(message)
	}
}

// browser is the Host in a worker, or on the page's own thread.
type browser struct {
	host      js.Value
	array     js.Value // Uint8Array
	loop      eventLoop
	lastYield time.Time     // when messages came in last
	lastPost  time.Time     // when rounds went out last
	postEvery time.Duration // how long they are kept
	shards    shardPool
}

func newBrowser(host js.Value) *browser {
	return &browser{host: host, array: js.Global().Get("Uint8Array"), loop: newEventLoop(), lastYield: time.Now(),
		lastPost: time.Now(), postEvery: frameTime}
}

func (b *browser) Post(message []byte) {
	bytes := b.array.New(len(message))
	js.CopyBytesToJS(bytes, message)
	b.host.Call("post", bytes, []any{bytes.Get("buffer")})
}

func (b *browser) Yield() bool {
	b.yieldEvery(frameTime)
	if time.Since(b.lastPost) < b.postEvery {
		return false
	}
	b.lastPost = time.Now()
	return true
}

// yieldEvery lets messages in, unless that was done within so long.
func (b *browser) yieldEvery(every time.Duration) {
	if time.Since(b.lastYield) >= every {
		b.loop.yield()
		b.lastYield = time.Now()
	}
}
