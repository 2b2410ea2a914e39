package browser

import (
	"strings"
	"syscall/js"

	"flockscope/ui/jobs"
	"flockscope/ui/guard"
)

// The background workers of the page.

// setWorkers brings the number of workers to n, which is 0 or starts from 0: they
// come one after the other, so that a slow machine is not overrun.
func (b *browser) SetWorkers(n int) {
	for _, s := range b.pool.workers[min(n, len(b.pool.workers)):] {
		s.Call("close")
	}
	b.pool.workers = b.pool.workers[:min(n, len(b.pool.workers))]
	b.pool.wanted = n
	b.nextWorker()
}

func (b *browser) nextWorker() {
	if n := len(b.pool.workers); n < b.pool.wanted && b.app.Jobs.Available() {
		b.startWorker(n)
	}
}

func (b *browser) startWorker(n int) {
	c := &b.pool
	var worker js.Value
	gone := func() bool { return n >= len(c.workers) || !c.workers[n].Equal(worker) }
	worker = c.host.Call("startEngine",
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it posted something
			if !gone() {
				message := make([]byte, args[0].Get("byteLength").Int())
				js.CopyBytesToGo(message, args[0])
				b.app.Jobs.Receive(n, message)
			}
			return nil
		}),
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it is lost
			if !gone() {
				b.loseWorker(n, endOf(args))
			}
			return nil
		}),
		guard.FuncOf(func(js.Value, []js.Value) any { // it has started
			switch {
			case gone():
			case worker.Get("how").String() == "main thread":
				b.loseWorker(n, jobs.Broke) // it would be in the page's way
			default:
				b.app.Jobs.Ready(n)
				b.nextWorker()
			}
			return nil
		}))
	c.workers = append(c.workers[:n], worker)
	for _, message := range b.app.EngineMessages(false) {
		b.SendWorker(n, message)
	}
}

// endOf reads how a program ended, as assets/engine.js has it.
func endOf(args []js.Value) jobs.End {
	if strings.Contains(problemOf(args).String(), "it ran out of memory") {
		return jobs.Full
	}
	return jobs.Broke
}

// loseWorker goes on without a worker and those that came after it.
func (b *browser) loseWorker(n int, end jobs.End) {
	c := &b.pool
	for i := len(c.workers) - 1; i >= n; i-- {
		c.workers[i].Call("close")
		c.workers = c.workers[:i]
		if i > n {
			b.app.Jobs.Lost(i, jobs.Called)
		} else {
			b.app.Jobs.Lost(i, end)
		}
	}
	b.nextWorker()
}

func (b *browser) SendWorker(n int, message []byte) {
	if n >= len(b.pool.workers) {
		return
	}
	bytes := js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(bytes, message)
	b.pool.workers[n].Call("post", bytes, []any{bytes.Get("buffer")})
}

// wake calls for workers' work after so many ms: one alarm at a time, the next one
// replaces it.
func (b *browser) Wake(ms float64) {
	if !b.pool.ring.Truthy() {
		b.pool.ring = guard.FuncOf(func(js.Value, []js.Value) any {
			b.app.Jobs.Dispatch()
			return nil
		}).Value
	}
	js.Global().Call("clearTimeout", b.pool.alarm)
	b.pool.alarm = js.Global().Call("setTimeout", b.pool.ring, ms+1)
}
