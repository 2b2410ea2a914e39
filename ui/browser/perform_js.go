package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// do sends a message to the page and performs its effects. It reports whether a key was
// used.
func (b *browser) do(m page.Message) (handled bool) { return b.doAt(b.now(), m) }

// doAt is do at the time of an animation frame.
func (b *browser) doAt(now float64, m page.Message) (handled bool) {
	effects := b.app.Update(now, m)
	if effects.Changes != 0 {
		b.Change(effects.Changes)
	}
	for _, e := range effects.List {
		b.perform(e)
	}
	return effects.Handled
}

// perform performs one effect.
func (b *browser) perform(e host.Effect) {
	switch e := e.(type) {
	case host.Send:
		b.engines.send(e.Engine, e.Message)
	case host.StartEngine:
		b.startEngine(e.Engine)
	case host.CloseEngines:
		b.engines.close(e.From)
	case host.SendWorker:
		b.workers.send(e.Worker, e.Message)
	case host.StartWorker:
		b.startWorker(e.Worker)
	case host.CloseWorkers:
		b.workers.close(e.From)
	case host.Wake:
		b.wake(e.After)
	case host.Fetch:
		b.fetch(e.Addresses)
	case host.LoadReader:
		b.loadReader()
	case host.LoadGuide:
		b.fetchText(e.File, func(content string) { b.do(page.GuideLoaded{File: e.File, Content: content}) },
			func() { b.do(page.GuideFailed{File: e.File}) })
	case host.OpenArena:
		b.openArena(e)
	case host.Share:
		b.share()
	case host.Export:
		b.export(e.Format, e.How)
	case host.Copy:
		b.copy(e.Text)
	case host.Save:
		b.save(e.File)
	case host.Print:
		js.Global().Call("print")
	case host.EnterHistory:
		b.enterHistory()
	case host.KeepMarks:
		b.keepMarks(e.Marks)
	case host.StoreRun:
		b.storeRun(e.Key, e.Data)
	case host.RecallRun:
		b.recallRun(e.Key)
	case host.Post:
		b.post(e.Fields)
	case host.ReportLater:
		b.parent.timerSet = true
		js.Global().Call("setTimeout", b.parent.onTimer, e.After)
	case host.RecallSweep:
		b.recallSweep()
	case host.ClaimSweep:
		b.claimSweep(e.Plan, e.Engine)
	case host.ReleaseSweep:
		b.releaseSweep()
	case host.LoadRecords:
		b.loadRecords(e.Cells)
	case host.KeepRecords:
		b.keepRecords(e.Lines)
	}
}

// now returns the time of animation frames.
func (b *browser) now() float64 { return js.Global().Get("performance").Call("now").Float() }

// programs are engines that run in workers, by number; see assets/boot.js.
type programs []js.Value

func (p programs) send(n int, message []byte) {
	if n >= len(p) {
		return
	}
	bytes := js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(bytes, message)
	p[n].Call("post", bytes, []any{bytes.Get("buffer")})
}

// close ends the programs from a number on.
func (p *programs) close(from int) {
	for _, program := range (*p)[min(from, len(*p)):] {
		program.Call("close")
	}
	*p = (*p)[:min(from, len(*p))]
}

// start starts a program with a number in place of it and those after it. While it has its
// number, its messages, its end and its start are reported.
func (p *programs) start(boot js.Value, n int, posted func(message []byte), lost func(args []js.Value),
	started func()) {
	var program js.Value
	told := func(f func(args []js.Value)) js.Func {
		return guard.FuncOf(func(_ js.Value, args []js.Value) any {
			if n < len(*p) && (*p)[n].Equal(program) {
				f(args)
			}
			return nil
		})
	}
	p.close(n)
	program = boot.Call("startEngine",
		told(func(args []js.Value) {
			message := make([]byte, args[0].Get("byteLength").Int())
			js.CopyBytesToGo(message, args[0])
			posted(message)
		}),
		told(lost),
		told(func([]js.Value) { started() }))
	*p = append(*p, program)
}

// how returns the kind of worker of a program.
func (p programs) how(n int) string { return p[n].Get("how").String() }
