package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// listenToNetwork shows a notice while the network is offline, and when the server has
// another version of the site.
func (b *browser) listenToNetwork() {
	b.boot.Call("onReplaced", guard.FuncOf(func(js.Value, []js.Value) any {
		b.do(page.NewVersionServed{})
		return nil
	}))
	look := func() {
		up := js.Global().Get("navigator").Get("onLine").Bool()
		b.do(page.NetworkChanged{Up: up, Kept: b.boot.Call("keptOffline").Bool()})
	}
	for _, event := range [...]string{"online", "offline"} {
		js.Global().Call("addEventListener", event, guard.FuncOf(func(js.Value, []js.Value) any {
			look()
			return nil
		}))
	}
	look()
}
