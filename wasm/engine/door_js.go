package engine

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// door is what messages come in by. It is shut while Go computes.
type door struct {
	bell  js.Value // a MessagePort
	rings chan struct{}
}

func newDoor() door {
	d := door{rings: make(chan struct{}, 1)}
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", guard.FuncOf(func(js.Value, []js.Value) any {
		d.rings <- struct{}{}
		return nil
	}))
	d.bell = channel.Get("port2")
	return d
}

// open lets in what waits: a message to oneself comes after all of that, in some
// 30 µs. A timer would take milliseconds.
func (d door) open() {
	d.bell.Call("postMessage", nil)
	<-d.rings
}
