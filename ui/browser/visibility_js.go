package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// watchVisibility lets the page rest while nobody can see it: its window is hidden, or the
// frame is scrolled away. Browsers slow such a page down, but not its workers.
func (b *browser) watchVisibility() {
	document := js.Global().Get("document")
	inSight := true
	look := guard.FuncOf(func(js.Value, []js.Value) any {
		b.setAsleep(document.Get("hidden").Bool() || !inSight)
		return nil
	})
	document.Call("addEventListener", "visibilitychange", look)
	if b.framed() {
		sight := js.Global().Get("IntersectionObserver").New(guard.FuncOf(func(_ js.Value, args []js.Value) any {
			entries := args[0]
			inSight = entries.Index(entries.Length() - 1).Get("isIntersecting").Bool()
			look.Invoke()
			return nil
		}))
		sight.Call("observe", document.Get("documentElement"))
	}
	look.Invoke()
}

// setAsleep falls asleep, or wakes up. What changes meanwhile is drawn then.
func (b *browser) setAsleep(asleep bool) {
	if b.asleep == asleep {
		return
	}
	b.asleep = asleep
	if b.framed() {
		b.do(page.PauseEngines{On: asleep})
		// Nobody should come by with the Tab key either.
		js.Global().Get("document").Get("body").Set("inert", asleep)
	}
	if !asleep {
		b.do(page.Resume{})
		b.Change(0)
	}
}
