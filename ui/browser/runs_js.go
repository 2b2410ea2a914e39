package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// Storage of long runs in the browser; see assets/runs.js, which is loaded on demand.

// storedRuns returns the list of stored runs that assets/runs.js keeps beside them, which takes no time to read.
func storedRuns() (list string) {
	defer func() { _ = recover() }() // a frame without an origin has no storage
	if kept := storage().Call("getItem", "flockscope.runs"); kept.Truthy() {
		list = kept.String()
	}
	return list
}

// runs calls a function of assets/runs.js, with undefined if it cannot be loaded.
func (b *browser) runs(call func(runs js.Value)) {
	var loaded js.Func
	loaded = guard.FuncOf(func(js.Value, []js.Value) any {
		loaded.Release()
		call(js.Global().Get("flockscopeRuns"))
		return nil
	})
	b.boot.Call("runs").Call("then", loaded, loaded)
}

func (b *browser) storeRun(key string, data []byte) {
	b.runs(func(runs js.Value) {
		if runs.Truthy() {
			bytes := js.Global().Get("Uint8Array").New(len(data))
			js.CopyBytesToJS(bytes, data)
			runs.Call("store", key, bytes)
		}
	})
}

func (b *browser) recallRun(key string) {
	b.runs(func(runs js.Value) {
		if !runs.Truthy() {
			b.do(page.RunRecalled{Key: key})
			return
		}
		var told js.Func
		told = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			told.Release()
			m := page.RunRecalled{Key: key}
			if args[0].Truthy() {
				m.Data = make([]byte, args[0].Get("byteLength").Int())
				js.CopyBytesToGo(m.Data, args[0])
			}
			b.do(m)
			return nil
		})
		runs.Call("recall", key, told)
	})
}
