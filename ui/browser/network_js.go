package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// listenToNetwork says when the network goes, and stops saying it when it is
// back; and when the server has another version of the site.
func (b *browser) listenToNetwork() {
	b.pool.host.Call("onReplaced", guard.FuncOf(func(js.Value, []js.Value) any {
		b.app.Replaced()
		return nil
	}))
	look := func() {
		up := js.Global().Get("navigator").Get("onLine").Bool()
		b.app.Network(up, b.pool.host.Call("keptOffline").Bool())
	}
	for _, event := range [...]string{"online", "offline"} {
		js.Global().Call("addEventListener", event, guard.FuncOf(func(js.Value, []js.Value) any {
			look()
			return nil
		}))
	}
	look()
}
