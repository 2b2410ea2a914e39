package browser

import (
	"fmt"
	"syscall/js"

	"flockscope/sim/trace"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// address is the link to what is on screen, for a window of its own.
func (b *browser) address() string {
	at := js.Global().Get("location")
	return at.Get("origin").String() + at.Get("pathname").String() + "?" + b.app.Link()
}

// writeAddress keeps the address bar in step, without filling the history.
func (b *browser) writeAddress() {
	// Some frames forbid it; the link can still be copied.
	defer func() { _ = recover() }()
	js.Global().Get("history").Call("replaceState", nil, "", "?"+b.app.Query())
}

// share copies a link, a short one where the server keeps some.
func (b *browser) share() {
	b.writeAddress()
	b.shortLink(b.copyLink)
}

// copyLink copies a link through the clipboard where the browser allows it,
// else by the old command, else by showing it for the person to copy.
func (b *browser) copyLink(link string) {
	b.toClipboard(link, func(ok bool) {
		copied := page.LinkCopied{}
		if !ok {
			copied.ByHand = link
		}
		b.do(copied)
	})
}

// toClipboard copies a text in a way that the browser allows, and reports whether it did.
func (b *browser) toClipboard(text string, copied func(ok bool)) {
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		copied(b.copyByCommand(text))
		return
	}
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = guard.FuncOf(func(js.Value, []js.Value) any { copied(true); release(); return nil })
	failed = guard.FuncOf(func(js.Value, []js.Value) any { copied(b.copyByCommand(text)); release(); return nil })
	clipboard.Call("writeText", text).Call("then", done, failed)
}

func (b *browser) copyByCommand(text string) bool {
	document := b.document
	area := document.Call("createElement", "textarea")
	area.Set("value", text)
	// Inside a modal dialog, nothing outside it can be selected.
	at := document.Call("querySelector", "dialog[open]")
	if !at.Truthy() {
		at = document.Get("body")
	}
	at.Call("append", area)
	area.Call("select")
	ok := document.Call("execCommand", "copy").Bool()
	area.Call("remove")
	return ok
}

// exposeState shows the page's state to tests and to the console.
func (b *browser) exposeState() {
	b.times = make([]float64, 0, 4096)
	object := js.Global().Get("Object").New()
	object.Set("state", guard.FuncOf(func(js.Value, []js.Value) any {
		return js.Global().Get("JSON").Call("stringify", b.state())
	}))
	// Times of animation frames since the last call, for measurements.
	object.Set("frames", guard.FuncOf(func(js.Value, []js.Value) any {
		out := make([]any, len(b.times))
		for i, t := range b.times {
			out[i] = t
		}
		b.times = b.times[:0]
		return js.ValueOf(out)
	}))
	js.Global().Set("flockscope", object)
}

// fields returns an object of keys, each before its value. A literal of a map compiles to three times as many bytes.
func fields(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// state returns the values that tests look at.
func (b *browser) state() map[string]any {
	a := b.app
	s := fields(
		"engine", a.EngineMode, "engines", a.Engines, "answers", b.answers, "asleep", b.asleep, "problem", a.Problem.String(),
		"query", a.Query(), "config", a.Config.String(), "round", a.Round, "shown", a.Shown(),
		"rounds", a.Rounds(), "playing", a.Player.Playing, "lane", a.Lane, "selected", a.Selected,
		"chosen", page.ClientsText(a.SelectedClients()), "hover", a.Hover, "reading", fields("on", a.Readout.On, "round", a.Readout.Round, "lane", a.Readout.Lane),
		"theme", b.theme, "tab", a.Tab, "copied", a.Export.LinkStatus, "link", a.Export.LinkText, "done", a.Run != nil &&
			a.Run.Done() && !a.Runs.Busy(),
		"fingerprint", "", "lanes", []any{}, "notices", []any{}, "file", a.Files.Words().String(),
		"canUndo", a.Settings.CanUndo(), "phase", a.Phases.At, "phases", a.Phases.Names(),
		"stopped", a.Runs.Stopped(), "metric", a.ShownMetric().String(), "took", a.Runs.RunTime(),
		"answered", a.Runs.AnswerTime(), "behind", b.dirty&host.Shell != 0 && !b.asleep,
	)
	if lanes := a.Fingerprints(); lanes != nil {
		s["fingerprint"] = fmt.Sprintf("%016x", trace.Combine(lanes))
	}
	notices := []any{}
	for _, n := range a.AllNotices() {
		notices = append(notices, n.Text.String())
	}
	s["notices"] = notices
	previews := []any{}
	for _, p := range a.Jobs.Previews() {
		if t := p.Batch; t != nil {
			done, of := t.Table.Done()
			previews = append(previews, fields("key", p.Key, "auto", p.Auto, "done", done, "of", of,
				"busy", t.Busy(), "around", p.OtherSettings()))
		}
	}
	s["previews"], s["workers"], s["sheet"] = previews, a.Jobs.Workers(), a.Sheet
	s["pinned"], s["changed"] = a.Pinned.IsPinned(), a.Pinned.DescribeChanges()
	if t := a.Jobs.Sweep.Batch; t != nil {
		done, of := t.Table.Done()
		s["sweep"] = fields("done", done, "of", of, "busy", t.Busy(), "light", a.Jobs.CellWords())
	}
	if a.Run == nil {
		return s
	}
	s["runQuery"], s["clients"], s["truth"] = a.Run.Header.Query, a.Run.Header.Clients, a.Run.Header.HasTruth()
	lanes := []any{}
	for i := range a.Config.Lanes() {
		n := a.LaneOfRun(i)
		if n < 0 {
			continue
		}
		lane := fields("id", a.Run.Header.Lanes[n].ID, "score", a.Score(i), "story", a.Story(i),
			"fingerprint", "", "settled", -1)
		if f := a.ShownFrame(n); f != nil {
			lane["ari"], lane["misplaced"], lane["loss"], lane["clusters"] = f.ARI, f.Misplaced, f.Loss, f.Clusters // may be NaN
			lane["accuracy"] = a.Accuracy(n)
		}
		if sum := a.Run.Tracks[n].Summary; sum != nil {
			lane["fingerprint"], lane["settled"], lane["finalARI"] = fmt.Sprintf("%016x", sum.Fingerprint), sum.Settled,
				sum.ARI
		}
		lanes = append(lanes, lane)
	}
	s["lanes"] = lanes
	return s
}
