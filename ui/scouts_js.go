package ui

import (
	"strings"
	"syscall/js"

	"flockscope/ui/guard"
)

// The scouts of the page, each in a worker of its own.

// setScouts brings the number of scouts to n, which is 0 or starts from 0: they
// come one after the other, so that a slow machine is not overrun.
func (b *browser) SetWorkers(n int) {
	for _, s := range b.crew.scouts[min(n, len(b.crew.scouts)):] {
		s.Call("close")
	}
	b.crew.scouts = b.crew.scouts[:min(n, len(b.crew.scouts))]
	b.crew.wanted = n
	b.nextScout()
}

func (b *browser) nextScout() {
	if n := len(b.crew.scouts); n < b.crew.wanted && b.app.MayTry() {
		b.startScout(n)
	}
}

func (b *browser) startScout(n int) {
	c := &b.crew
	var scout js.Value
	gone := func() bool { return n >= len(c.scouts) || !c.scouts[n].Equal(scout) }
	scout = c.host.Call("startEngine",
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it posted something
			if !gone() {
				message := make([]byte, args[0].Get("byteLength").Int())
				js.CopyBytesToGo(message, args[0])
				b.app.ReceiveScout(n, message)
			}
			return nil
		}),
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it is lost
			if !gone() {
				b.loseScout(n, endOf(args[0].String()))
			}
			return nil
		}),
		guard.FuncOf(func(js.Value, []js.Value) any { // it has started
			switch {
			case gone():
			case scout.Get("how").String() == "main thread":
				b.loseScout(n, Broke) // it would be in the page's way
			default:
				b.app.ScoutReady(n)
				b.nextScout()
			}
			return nil
		}))
	c.scouts = append(c.scouts[:n], scout)
	for _, message := range b.app.fileMessages(false) {
		b.SendWorker(n, message)
	}
}

// endOf reads how a program ended, as assets/engine.js has it.
func endOf(why string) End {
	if strings.Contains(why, "it ran out of memory") {
		return Full
	}
	return Broke
}

// loseScout goes on without a scout and those that came after it.
func (b *browser) loseScout(n int, end End) {
	c := &b.crew
	for i := len(c.scouts) - 1; i >= n; i-- {
		c.scouts[i].Call("close")
		c.scouts = c.scouts[:i]
		if i > n {
			b.app.ScoutLost(i, Called)
		} else {
			b.app.ScoutLost(i, end)
		}
	}
	b.nextScout()
}

func (b *browser) SendWorker(n int, message []byte) {
	if n >= len(b.crew.scouts) {
		return
	}
	bytes := js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(bytes, message)
	b.crew.scouts[n].Call("post", bytes, []any{bytes.Get("buffer")})
}

// wake calls for scouts' work after so many ms: one alarm at a time, the next one
// replaces it.
func (b *browser) Wake(ms float64) {
	if !b.crew.ring.Truthy() {
		b.crew.ring = guard.FuncOf(func(js.Value, []js.Value) any {
			b.app.Dispatch()
			return nil
		}).Value
	}
	js.Global().Call("clearTimeout", b.crew.alarm)
	b.crew.alarm = js.Global().Call("setTimeout", b.crew.ring, ms+1)
}
