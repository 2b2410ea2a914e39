package engine

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// eventLoop is what messages come in by. It is shut while Go computes.
type eventLoop struct {
	port js.Value // a MessagePort
	back chan struct{}
}

func newEventLoop() eventLoop {
	d := eventLoop{back: make(chan struct{}, 1)}
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", guard.FuncOf(func(js.Value, []js.Value) any {
		d.back <- struct{}{}
		return nil
	}))
	d.port = channel.Get("port2")
	return d
}

// yield lets in what waits: a message to oneself comes after all of that, in some
// 30 µs. A timer would take milliseconds.
func (d eventLoop) yield() {
	d.port.Call("postMessage", nil)
	<-d.back
}
