package browser

import (
	"cmp"
	"syscall/js"

	"flockscope/sim/say"
	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// applyLang sets the page's language, that of the link or else that of the browser, as
// soon as its table is loaded.
func (b *browser) applyLang() {
	lang := b.app.Lang
	if lang == "" {
		lang = cmp.Or(say.LanguageOf(js.Global().Get("navigator").Get("language").String()), "en")
	}
	if lang == b.lang {
		return
	}
	b.lang = lang
	if lang == "en" {
		b.setLanguage("en", "", nil)
		return
	}
	b.fetchText(lang, func(table string) {
		if b.lang == lang {
			b.setLanguage("zh-Hans", "zh-Hans", say.ReadTable(table))
			b.do(page.LanguageChanged{})
		}
	}, func() {
		b.do(page.ChineseFailed{})
	})
}

// fetchText fetches assets/NAME.txt.
func (b *browser) fetchText(name string, arrived func(text string), missing func()) {
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		arrived(args[0].String())
		release()
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		missing()
		release()
		return nil
	})
	b.boot.Call("words", name).Call("then", done, failed)
}

// setLanguage changes the language of what is rendered from now on.
func (b *browser) setLanguage(lang, tag string, table say.Table) {
	say.Use(tag, table)
	b.html().SetAttribute("lang", lang)
}
