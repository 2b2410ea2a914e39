package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// openArena hands files to the arena's page and opens it; see assets/handover.js.
func (b *browser) openArena(e host.OpenArena) {
	var files []any
	for _, f := range e.Files {
		bytes := js.Global().Get("Uint8Array").New(len(f.Data))
		js.CopyBytesToJS(bytes, f.Data)
		files = append(files, map[string]any{"name": f.Name, "data": bytes})
	}
	var failed js.Func
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		failed.Release()
		b.do(page.ArenaFailed{})
		return nil
	})
	b.boot.Call("arena", files, e.Address).Call("catch", failed)
}
