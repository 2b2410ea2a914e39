package browser

import (
	"strings"
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/i18n"
)

// applyLang has the page speak the language that the link asks for, else the one
// that the browser prefers, as soon as its table is here.
func (b *browser) applyLang() {
	lang := b.app.Lang
	if lang == "" {
		lang = "en"
		if strings.HasPrefix(js.Global().Get("navigator").Get("language").String(), "zh") {
			lang = "zh"
		}
	}
	if lang == b.lang {
		return
	}
	b.lang = lang
	if lang == "en" {
		b.speak(nil, "en")
		return
	}
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		if b.lang == lang {
			b.speak(i18n.New("zh-Hans", args[0].String()), "zh-Hans")
			b.Change(host.Shell | host.Figures | host.Previews)
		}
		release()
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		b.app.Notify("The Chinese texts could not be loaded. Check the connection and try again.")
		release()
		return nil
	})
	b.pool.host.Call("words", lang).Call("then", done, failed)
}

// speak changes the language of what is rendered from now on.
func (b *browser) speak(l *i18n.Locale, tag string) {
	b.app.Locale = l
	b.html().SetAttribute("lang", tag)
}
