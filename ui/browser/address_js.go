package browser

import (
	"syscall/js"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// fetcher loads files from addresses, one after another.
type fetcher struct {
	browser   *browser
	addresses []string
	files     []wire.NamedFile
	abort     js.Value // an AbortController
	reader    js.Value
	parts     []js.Value // of the present file
	got, of   int        // bytes of it
	loaded    int        // bytes of those before it
	refused   bool       // by the policy of this site
	over      bool
	funcs     []js.Func
}

// fetch loads the files at addresses and opens them together. It cancels an earlier
// fetch.
func (b *browser) fetch(addresses []string) {
	if b.fetcher != nil {
		b.fetcher.quit()
	}
	if len(addresses) == 0 {
		return
	}
	f := &fetcher{browser: b, addresses: addresses, abort: js.Global().Get("AbortController").New()}
	b.fetcher = f
	// Only this event tells apart a refusal by the page's own policy and a server
	// that does not respond.
	f.listen("securitypolicyviolation", func(args []js.Value) {
		if args[0].Get("effectiveDirective").String() == "connect-src" {
			f.refused = true
		}
	})
	f.next()
}

func (f *fetcher) fn(do func(args []js.Value)) js.Func {
	out := guard.FuncOf(func(_ js.Value, args []js.Value) any {
		if !f.over {
			do(args)
		}
		return nil
	})
	f.funcs = append(f.funcs, out)
	return out
}

func (f *fetcher) listen(kind string, do func(args []js.Value)) {
	js.Global().Get("document").Call("addEventListener", kind, f.fn(do),
		map[string]any{"signal": f.abort.Get("signal")})
}

// next starts the next file, or opens the files when all are loaded.
func (f *fetcher) next() {
	if len(f.files) == len(f.addresses) {
		f.browser.app.Files.EndFetch()
		fetched := f.files
		f.finish()
		f.browser.do(page.OpenFiles{Files: fetched})
		return
	}
	address := f.addresses[len(f.files)]
	f.parts, f.got, f.of = nil, 0, 0
	js.Global().Call("fetch", address, map[string]any{
		"mode": "cors", "credentials": "omit", "referrerPolicy": "no-referrer", "signal": f.abort.Get("signal"),
	}).Call("then", f.fn(func(args []js.Value) { f.open(address, args[0]) }),
		f.fn(func([]js.Value) {
			// The event of a refusal may follow a moment after the failure.
			js.Global().Call("setTimeout", f.fn(func([]js.Value) {
				if f.refused {
					f.fail(page.ForbiddenMessage(address))
				} else {
					f.fail(page.UnreachableMessage(address))
				}
			}), 50)
		}))
}

// open reads the headers of the response.
func (f *fetcher) open(address string, response js.Value) {
	if !response.Get("ok").Bool() {
		f.fail(page.StatusMessage(address, response.Get("status").Int()))
		return
	}
	// The length of a compressed response is its compressed length.
	if headers := response.Get("headers"); headers.Call("get", "Content-Encoding").IsNull() {
		if length := js.Global().Call("Number", headers.Call("get", "Content-Length")).Float(); length > 0 {
			f.of = int(min(length, 2*page.MaxFiles))
		}
	}
	if f.large(address, f.of) {
		return
	}
	body := response.Get("body")
	if !body.Truthy() { // as with status 204
		f.keep(address)
		return
	}
	f.reader = body.Call("getReader")
	var read js.Func
	lost := f.fn(func([]js.Value) { f.fail(page.UnreachableMessage(address)) })
	read = f.fn(func(args []js.Value) {
		if args[0].Get("done").Bool() {
			f.keep(address)
			return
		}
		part := args[0].Get("value")
		f.parts = append(f.parts, part)
		f.got += part.Length()
		if f.large(address, f.got) {
			return
		}
		f.browser.do(page.FetchProgress{Address: address, Bytes: f.got, Of: f.of})
		f.reader.Call("read").Call("then", read, lost)
	})
	f.reader.Call("read").Call("then", read, lost)
}

// large fails if the files together are too large.
func (f *fetcher) large(address string, bytes int) bool {
	if f.loaded+bytes <= page.MaxFiles {
		return false
	}
	f.fail(say.Messagef("%s is too large: the most is %s in all", page.FileName(address), page.FormatMegabytes(page.MaxFiles)))
	return true
}

// keep takes the present file as complete.
func (f *fetcher) keep(address string) {
	data := make([]byte, f.got)
	at := 0
	for _, part := range f.parts {
		at += js.CopyBytesToGo(data[at:], part)
	}
	f.loaded += len(data)
	f.files = append(f.files, wire.NamedFile{Name: page.FileName(address), Data: data})
	f.next()
}

func (f *fetcher) fail(why say.Message) {
	f.quit()
	f.browser.do(page.FetchFailed{Why: why})
}

// quit aborts the request.
func (f *fetcher) quit() {
	f.finish()
	f.abort.Call("abort")
}

// finish ends the fetch: later events have no effect. The functions are released
// after the browser's last chance to call them.
func (f *fetcher) finish() {
	f.over = true
	if f.browser.fetcher == f {
		f.browser.fetcher = nil
	}
	var release js.Func
	release = guard.FuncOf(func(js.Value, []js.Value) any {
		for _, fn := range f.funcs {
			fn.Release()
		}
		release.Release()
		return nil
	})
	js.Global().Call("setTimeout", release, 1000)
}
