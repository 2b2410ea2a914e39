package engine

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// eventLoop lets the browser's event loop run. No event is handled while Go computes.
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

// yield lets all waiting events be handled: it sends a message to itself and returns when that arrives, after them, in
// about 30 µs. A timer would take milliseconds.
func (d eventLoop) yield() {
	d.port.Call("postMessage", nil)
	<-d.back
}
