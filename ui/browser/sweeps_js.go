package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
)

// What the browser keeps of sweeps; see assets/sweeps.js, which is loaded when it is
// needed.

// sweepRunning is where a tab notes the sweep that it computes.
const sweepRunning = "flockscope.sweep"

// resumeSweep goes on with the sweep that the tab was computing when it was loaded again.
func (b *browser) resumeSweep() {
	defer func() { _ = recover() }() // a frame without an origin has no storage
	kept := js.Global().Get("Reflect").Call("get", js.Global(), "sessionStorage").Call("getItem", sweepRunning)
	if kept.Truthy() {
		b.RecallSweep()
	}
}

// sweeps calls a function of assets/sweeps.js, in the order of calls.
func (b *browser) sweeps(call func(sweeps js.Value)) {
	var loaded, failed js.Func
	release := func() { loaded.Release(); failed.Release() }
	loaded = guard.FuncOf(func(js.Value, []js.Value) any {
		release()
		call(js.Global().Get("flockscopeSweeps"))
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		release()
		b.notKept("")
		call(js.Undefined())
		return nil
	})
	b.pool.host.Call("sweeps").Call("then", loaded, failed)
}

func (b *browser) notKept(name string) {
	why := "This browser keeps nothing here, so results are lost when the page is closed: save them before."
	if name == "QuotaExceededError" {
		why = "The browser's storage is full, so results from now on are lost when the page is closed: save them before."
	}
	b.app.Jobs.NotKept(why)
}

// problem is called with the name of an error.
func (b *browser) problem() js.Func {
	if !b.keeps.Truthy() {
		b.keeps = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			b.notKept(args[0].String())
			return nil
		})
	}
	return b.keeps
}

func (b *browser) RecallSweep() {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			return
		}
		var told js.Func
		told = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			told.Release()
			b.app.Jobs.Recall(args[0].String(), args[1].Int(), args[2].Bool())
			return nil
		})
		s.Call("recall", told)
	})
}

func (b *browser) ClaimSweep(plan string, engine int) {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			b.app.Jobs.Claimed()
			return
		}
		var claimed js.Func
		claimed = guard.FuncOf(func(js.Value, []js.Value) any {
			claimed.Release()
			b.app.Jobs.Claimed()
			return nil
		})
		s.Call("claim", plan, engine, claimed, b.problem())
	})
}

func (b *browser) ReleaseSweep() {
	b.sweeps(func(s js.Value) {
		if !s.IsUndefined() {
			s.Call("release")
		}
	})
}

func (b *browser) LoadRecords(cells string) {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			b.app.Jobs.Loaded("")
			return
		}
		var loaded js.Func
		loaded = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			loaded.Release()
			b.app.Jobs.Loaded(args[0].String())
			return nil
		})
		s.Call("load", cells, loaded)
	})
}

func (b *browser) KeepRecords(lines string) {
	if s := js.Global().Get("flockscopeSweeps"); s.Truthy() {
		s.Call("keep", lines, b.problem())
	}
}
