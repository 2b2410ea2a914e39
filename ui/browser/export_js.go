package browser

import (
	"syscall/js"

	"flockscope/sim/say"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// export makes a file and saves, opens or copies it.
func (b *browser) export(format, how string) {
	if format == "link" {
		b.shortLink(b.copy)
		return
	}
	at := b.app.Export.ChosenPicture()
	b.file(format, at.Kind, at.Lane, func(f host.File, err error) {
		if err != nil {
			b.do(page.Exported{Words: page.Capitalize(say.Textf("%s.", err))})
			return
		}
		switch how {
		case "save":
			b.save(f)
		case "open":
			b.openFile(f)
		case "copy":
			b.copy(string(f.Data))
		}
	})
}

// file makes a file; a picture is made asynchronously.
func (b *browser) file(format, figure string, lane int, done func(host.File, error)) {
	if page.IsPicture(format) {
		b.picture(format, figure, lane, done)
		return
	}
	done(b.app.Export.File(format))
}

// blob returns a file as a Blob, and its address.
func (b *browser) blob(f host.File) (address string, release func()) {
	bytes := js.Global().Get("Uint8Array").New(len(f.Data))
	js.CopyBytesToJS(bytes, f.Data)
	kind := f.Type
	if f.IsText() {
		kind += ";charset=utf-8"
	}
	blob := js.Global().Get("Blob").New([]any{bytes}, map[string]any{"type": kind})
	url := js.Global().Get("URL")
	address = url.Call("createObjectURL", blob).String()
	return address, func() {
		// The browser may still be reading it.
		var later js.Func
		later = guard.FuncOf(func(js.Value, []js.Value) any {
			url.Call("revokeObjectURL",
				address)
			later.Release()
			return nil
		})
		js.Global().Call("setTimeout", later, 60000)
	}
}

// save starts a download. A sandboxed frame may forbid it silently.
func (b *browser) save(f host.File) {
	address, release := b.blob(f)
	defer release()
	link := js.Global().Get("document").Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", f.Name)
	link.Call("click")
	words := say.Textf("%s: download started.", f.Name)
	if b.framed() {
		words = say.Textf("%s: download started. If the surrounding page forbids downloads, open or copy it "+
			"instead.", f.Name)
	}
	b.do(page.Exported{Words: words})
}

// openFile shows a file in a new tab.
func (b *browser) openFile(f host.File) {
	address, release := b.blob(f)
	defer release()
	if js.Global().Call("open", address, "_blank").IsNull() {
		b.do(page.Exported{Words: "The browser does not open a tab from here. Copy it instead."})
	} else {
		b.do(page.Exported{Words: say.Textf("%s is open in a new tab.", f.Name)})
	}
}

// copy copies a text, or shows it to copy by hand.
func (b *browser) copy(text string) {
	b.toClipboard(text, func(ok bool) {
		came := page.Exported{Words: "Copied."}
		if snippet := b.byID("snippet"); !ok && snippet != nil {
			came.Words = "The browser does not allow copying: the text is selected, so press Ctrl+C."
			snippet.Underlying().Call("select")
		} else if !ok {
			came = page.Exported{ByHand: text}
		}
		b.do(came)
	})
}
