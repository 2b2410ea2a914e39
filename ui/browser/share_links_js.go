package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// linkTimeout is how long the user waits for a short link, in ms. The permission to
// write the clipboard, given by a click, expires after a few seconds.
const linkTimeout = 2500

// shortLink asks the server for a short link to what is on screen and hands it
// to done. If the server stores no links, does not reply in time or refuses, done
// gets the long link, which works everywhere.
func (b *browser) shortLink(done func(link string)) {
	long := b.address()
	server := js.Global().Get("document").Call("querySelector", "meta[name=flockscope-links]")
	if !server.Truthy() {
		done(long)
		return
	}
	var arrived, read, failed js.Func
	finish := func(link string) {
		arrived.Release()
		read.Release()
		failed.Release()
		done(link)
	}
	arrived = guard.FuncOf(func(_ js.Value, args []js.Value) any { return args[0].Call("json") })
	read = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		if guard.TypeOf(args[0]) == js.TypeObject {
			if id, ok := guard.Text(args[0].Get("id"), maxText); ok {
				finish(js.Global().Get("location").Get("origin").String() + "/s/" + id)
				return nil
			}
		}
		finish(long)
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any { finish(long); return nil })
	request := map[string]any{
		"method":  "POST",
		"body":    b.app.Link(),
		"headers": map[string]any{"Content-Type": "text/plain;charset=utf-8"},
	}
	if signal := js.Global().Get("AbortSignal"); signal.Get("timeout").Truthy() {
		request["signal"] = signal.Call("timeout", linkTimeout)
	}
	js.Global().Call("fetch", server.Get("content"), request).Call("then", arrived).Call("then", read).Call("catch",
		failed)
}
