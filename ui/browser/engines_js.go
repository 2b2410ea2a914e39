package browser

import (
	"strings"
	"syscall/js"

	"flockscope/sim/say"
	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// startEngine starts engine n; those before it exist.
func (b *browser) startEngine(n int) {
	b.engines.start(b.boot, n,
		func(message []byte) {
			b.answers++
			b.do(page.EngineAnswered{Engine: n, How: b.engines.how(0), Message: message})
			if !b.settled && b.app.Runs.Complete() {
				b.settled = true
				b.boot.Call("settled")
			}
		},
		func(args []js.Value) {
			why := problemOf(args)
			b.do(page.EngineLost{Engine: n, OutOfMemory: isFull(why), Why: why})
		},
		func() { b.do(page.EngineStarted{Engine: n}) })
}

// startWorker starts worker n for jobs; those before it exist.
func (b *browser) startWorker(n int) {
	b.workers.start(b.boot, n,
		func(message []byte) { b.do(page.WorkerAnswered{Worker: n, Message: message}) },
		func(args []js.Value) { b.do(page.WorkerLost{Worker: n, OutOfMemory: isFull(problemOf(args))}) },
		func() { b.do(page.WorkerStarted{Worker: n, OnMainThread: b.workers.how(n) == "main thread"}) })
}

// loadReader loads the engine that can read files.
func (b *browser) loadReader() {
	var progress, loaded, failed js.Func
	answer := func(m page.Message) js.Func {
		return guard.FuncOf(func(js.Value, []js.Value) any {
			b.do(m)
			for _, f := range []js.Func{progress, loaded, failed} {
				f.Release()
			}
			return nil
		})
	}
	progress = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		b.do(page.ReaderProgress{Bytes: args[0].Int()})
		return nil
	})
	loaded, failed = answer(page.ReaderLoaded{}), answer(page.ReaderFailed{})
	b.boot.Call("loadReader", progress).Call("then", loaded, failed)
}

// problemOf says why an engine is lost: whether it had started, and the reasons.
func problemOf(args []js.Value) say.Message {
	var reasons []say.Message
	for i := range args[1].Length() {
		var words []say.Message
		for j := range args[1].Index(i).Length() {
			words = append(words, say.Message(args[1].Index(i).Index(j).String()))
		}
		reasons = append(reasons, say.JoinMessage(words, ": "))
	}
	why := say.JoinMessage(reasons, "; ")
	if args[0].Bool() {
		return say.Messagef("The engine stopped: %s. Reload the page to start again.", why)
	}
	return say.Messagef("The engine could not be started (%s). Reload the page, or open it in its own tab.", why)
}

// isFull reports whether an engine ran out of memory, as assets/engine.js says.
func isFull(why say.Message) bool { return strings.Contains(why.String(), "it ran out of memory") }

// wake sends page.Wake after some ms: one timer at a time, the next one replaces it.
func (b *browser) wake(after float64) {
	js.Global().Call("clearTimeout", b.timer)
	b.timer = js.Global().Call("setTimeout", b.onWake, after+1)
}
