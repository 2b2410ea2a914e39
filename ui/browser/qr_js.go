package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// drawCode draws the QR code of an address where the page has a place for one: on a lesson's
// sheet. What draws it is loaded then; where it cannot be, the address is there as text.
func (b *browser) drawCode() {
	e := b.byID("qr")
	if e == nil {
		return
	}
	address := e.GetAttribute("data-qr")
	if e.GetAttribute("data-drawn") == address {
		return
	}
	e.SetAttribute("data-drawn", address)
	var loaded, failed js.Func
	release := func() { loaded.Release(); failed.Release() }
	loaded = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		args[0].Call("generate", address).Call("toCanvas", e.Underlying())
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		release()
		return nil
	})
	b.pool.host.Call("qr").Call("then", loaded, failed)
}
