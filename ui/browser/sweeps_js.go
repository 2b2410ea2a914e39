package browser

import (
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// Storage of sweeps in the browser; see assets/sweeps.js, which is loaded on demand.

// sweepRunning is the key under which a tab stores the sweep that it computes.
const sweepRunning = "flockscope.sweep"

// resumeSweep continues the sweep that the tab was computing before a reload.
func (b *browser) resumeSweep() {
	defer func() { _ = recover() }() // a frame without an origin has no storage
	kept := js.Global().Get("Reflect").Call("get", js.Global(), "sessionStorage").Call("getItem", sweepRunning)
	if kept.Truthy() {
		b.recallSweep()
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
	b.boot.Call("sweeps").Call("then", loaded, failed)
}

func (b *browser) notKept(name string) {
	why := "This browser stores nothing for this page, so results are lost when it is closed: save them first."
	if name == "QuotaExceededError" {
		why = "The browser's storage is full, so results from now on are lost when the page is closed: save " +
			"them first."
	}
	b.do(page.RecordsNotKept{Why: why})
}

// storageFailed is called with the name of an error.
func (b *browser) storageFailed() js.Func {
	if !b.onStorageFailed.Truthy() {
		b.onStorageFailed = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			b.notKept(args[0].String())
			return nil
		})
	}
	return b.onStorageFailed
}

func (b *browser) recallSweep() {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			return
		}
		var told js.Func
		told = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			told.Release()
			b.do(page.SweepRecalled{Plan: args[0].String(), Engine: args[1].Int(), Running: args[2].Bool()})
			return nil
		})
		s.Call("recall", told)
	})
}

func (b *browser) claimSweep(plan string, engine int) {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			b.do(page.SweepClaimed{})
			return
		}
		var claimed js.Func
		claimed = guard.FuncOf(func(js.Value, []js.Value) any {
			claimed.Release()
			b.do(page.SweepClaimed{})
			return nil
		})
		s.Call("claim", plan, engine, claimed, b.storageFailed())
	})
}

func (b *browser) releaseSweep() {
	b.sweeps(func(s js.Value) {
		if !s.IsUndefined() {
			s.Call("release")
		}
	})
}

func (b *browser) loadRecords(cells string) {
	b.sweeps(func(s js.Value) {
		if s.IsUndefined() {
			b.do(page.RecordsLoaded{Lines: ""})
			return
		}
		var loaded js.Func
		loaded = guard.FuncOf(func(_ js.Value, args []js.Value) any {
			loaded.Release()
			b.do(page.RecordsLoaded{Lines: args[0].String()})
			return nil
		})
		s.Call("load", cells, loaded)
	})
}

func (b *browser) keepRecords(lines string) {
	if s := js.Global().Get("flockscopeSweeps"); s.Truthy() {
		s.Call("keep", lines, b.storageFailed())
	}
}
