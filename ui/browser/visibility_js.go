package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// watchVisibility pauses the page while it is not visible: its window is hidden, or the
// frame is scrolled away. Browsers slow down such a page, but not its workers.
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

// setAsleep pauses or resumes the page. Changes meanwhile are drawn when it resumes.
func (b *browser) setAsleep(asleep bool) {
	if b.asleep == asleep {
		return
	}
	b.asleep = asleep
	if b.framed() {
		b.do(page.PauseEngines{On: asleep})
		// The Tab key must not reach it either.
		js.Global().Get("document").Get("body").Set("inert", asleep)
	}
	if !asleep {
		b.do(page.Resume{})
		b.Change(0)
	}
}
