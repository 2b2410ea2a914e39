package engine

import (
	"syscall/js"
	"time"

	"flockscope/sim/catalog"
	"flockscope/ui/guard"
)

// frameTime is the time after which a run yields and posts its rounds: an animation frame, since
// the page shows no more pictures. Most runs while dragging a slider end before.
const frameTime = 16 * time.Millisecond

// busyFrameTime is the time between posts while shards work: the page needs one of their processors
// to receive rounds.
const busyFrameTime = 3 * frameTime

// memoryLimit is the memory that a run may take in a worker. WebAssembly has at most 4 GB; the rest
// is for garbage, messages and the browser itself.
const memoryLimit = 1500 << 20

// Main serves the page through the host object (see assets/engine.js). It never returns. See [Serve] about the reader.
func Main(host js.Value, reader Reader) {
	catalog.MemoryLimit = memoryLimit
	b := newBrowser(host)
	receive := Serve(b, reader)
	inbox := make(chan []byte, 64)
	// set last: it tells the page that the engine is ready
	host.Set("onmessage", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		message := make([]byte, args[0].Get("byteLength").Int())
		js.CopyBytesToGo(message, args[0])
		inbox <- message
		return nil
	}))
	for message := range inbox {
		b.lastYield = time.Now() // other waiting messages have arrived as well
		b.lastPost = b.lastYield
		receive(message)
	}
}

// browser is the Host in a worker, or on the page's thread.
type browser struct {
	host      js.Value
	array     js.Value // JavaScript's Uint8Array
	loop      eventLoop
	lastYield time.Time     // time of the last yield
	lastPost  time.Time     // time of the last post
	postEvery time.Duration // time between posts
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

// yieldEvery yields unless the last yield was within a duration.
func (b *browser) yieldEvery(every time.Duration) {
	if time.Since(b.lastYield) >= every {
		b.loop.yield()
		b.lastYield = time.Now()
	}
}
