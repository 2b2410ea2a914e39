package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// patienceForLinks is how long a person waits for a short link, in ms. What
// allows the clipboard to be written, a click, wears off after a few seconds.
const patienceForLinks = 2500

// shorten asks the server for a short link to what is on screen and hands it
// to done. Where the server keeps no links, does not answer in time or refuses,
// done gets the long link, which works everywhere.
func (b *browser) shorten(done func(link string)) {
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
			if id, ok := guard.Text(args[0].Get("id"), longest); ok {
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
		request["signal"] = signal.Call("timeout", patienceForLinks)
	}
	js.Global().Call("fetch", server.Get("content"), request).Call("then", arrived).Call("then", read).Call("catch",
		failed)
}
