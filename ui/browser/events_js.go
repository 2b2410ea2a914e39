package browser

import (
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/sim/param"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// listen attaches the listeners of the whole page. Clicks on buttons go through
// Vugu; frequent events (drags, pointer moves, keys) are handled here, since Vugu
// copies every event in full.
func (b *browser) listen() {
	listen(b.document, "contextrestored", true, b.repaint) // it does not bubble
	b.on("input", b.onInput)
	b.on("change", b.onChange)
	b.on("keydown", b.onKey)
	b.on("pointerdown", b.onPointerDown)
	b.on("mousedown", b.onMouseDown)
	b.on("click", b.onClick)
	b.on("pointermove", b.onPointerMove)
	b.on("pointerup", b.onPointerUp)
	b.on("pointerup", b.returnKeys)
	b.on("pointerup", b.endTouch)
	b.on("pointercancel", b.onPointerUp)
	b.on("pointercancel", b.endTouch)
	b.on("pointerleave", func(*dom.BasicEvent) {
		b.do(page.HoverClient{Client: -1})
		b.do(page.HoverRound{Round: 0})
		b.readCurves(nil, nil)
	})
	b.on("focusin", func(ev *dom.BasicEvent) {
		b.pointSymbol(ev)
		b.do(page.FocusScrubber{On: targetOf(ev).ID() == "scrub"})
		b.readCurves(nil, nil)
		b.closeOverFocus(ev)
		b.scrollToTab(ev)
	})
	b.on("focusout", func(ev *dom.BasicEvent) {
		b.do(page.FocusScrubber{On: false})
		b.do(page.ReadCurves{Readout: progress.Readout{}})
		if b.canvasOf(ev) != nil {
			b.do(page.HoverClient{Client: -1})
		}
		if data := targetOf(ev).Underlying().Get("dataset"); data.Truthy() && data.Get("set").Truthy() {
			b.do(page.LeaveField{Key: data.Get("set").String()})
		}
	})
	listen(b.document, "scroll", true, func(*dom.BasicEvent) { b.placeTour() })
	b.listenToSheet()
	b.on("dragover", func(ev *dom.BasicEvent) {
		ev.PreventDefault()
		carried := ev.Underlying().Get("dataTransfer")
		b.do(page.DragFiles{Over: carried.Truthy() && carried.Get("types").Call("includes", "Files").Bool()})
	})
	b.on("dragleave", func(ev *dom.BasicEvent) {
		if !ev.Underlying().Get("relatedTarget").Truthy() { // it leaves the page
			b.do(page.DragFiles{Over: false})
		}
	})
	b.on("drop", func(ev *dom.BasicEvent) {
		ev.PreventDefault()
		b.do(page.DragFiles{Over: false})
		if carried := ev.Underlying().Get("dataTransfer"); carried.Truthy() {
			var done js.Func
			done = guard.FuncOf(func(_ js.Value, args []js.Value) any {
				b.openFiles(args[0])
				done.Release()
				return nil
			})
			b.boot.Call("dropped", carried).Call("then", done)
		}
	})
}

// dataOf returns the target of an event, and its data-… attributes; these are
// undefined if the target is the document, as for an event that a script dispatches.
func dataOf(ev *dom.BasicEvent) (target, data js.Value) {
	target = ev.Underlying().Get("target")
	return target, target.Get("dataset")
}

// onInput follows sliders while they move.
func (b *browser) onInput(ev *dom.BasicEvent) {
	target, data := dataOf(ev)
	if !data.Truthy() || b.isScrolling(target) {
		return
	}
	b.typedIn(data)
	if key := data.Get("slide"); key.Truthy() {
		b.slide(key.String(), target.Get("value").String(), false)
	}
	if key := data.Get("set"); key.Truthy() && target.Get("tagName").String() == "INPUT" {
		b.do(page.TypeSetting{Key: key.String(), Text: target.Get("value").String()})
	}
	if which := data.Get("sweep"); which.Truthy() && target.Get("tagName").String() == "INPUT" {
		b.do(page.EditSweepField{Field: which.String(), Text: target.Get("value").String()})
	}
	if data.Get("find").Truthy() {
		b.do(page.SearchMethods{Text: target.Get("value").String()})
	}
	if data.Get("address").Truthy() {
		b.do(page.TypeFileAddress{Text: target.Get("value").String()})
	}
	if data.Get("scrub").Truthy() {
		if t, err := strconv.Atoi(target.Get("value").String()); err == nil {
			b.do(page.Seek{Round: t})
		}
	}
}

// typedIn notes which field shows something other than was rendered.
func (b *browser) typedIn(data js.Value) {
	for _, key := range [...]string{"slide", "set", "sweep", "scrub"} {
		if name := data.Get(key); name.Truthy() {
			b.memo.Typed = append(b.memo.Typed, name.String())
			return
		}
	}
	b.memo.Chosen = true
}

func (b *browser) slide(key, position string, done bool) {
	name := key
	if _, n, ok := page.CutLane(key); ok {
		name = n
	}
	if f, ok := b.app.Schema.Field(name); ok {
		b.do(page.SlideSetting{Key: key, Text: param.FromPosition(f, position), Done: done})
	}
}

// onChange applies what was typed, chosen or released.
func (b *browser) onChange(ev *dom.BasicEvent) {
	b.memo.Chosen = true
	target, data := dataOf(ev)
	if !data.Truthy() {
		return
	}
	value := target.Get("value")
	switch {
	case data.Get("slide").Truthy():
		b.slide(data.Get("slide").String(), value.String(), true)
	case data.Get("picture").Truthy():
		b.do(page.ChoosePicture{Value: value.String()})
	case data.Get("role").Truthy():
		b.do(page.ChooseRole{Key: data.Get("role").String(), Role: value.String()})
	case data.Get("set").Truthy():
		b.do(page.ChangeSetting{Key: data.Get("set").String(), Text: value.String(), Done: true})
	case data.Get("sweep").Truthy():
		b.do(page.EditSweepField{Field: data.Get("sweep").String(), Text: value.String()})
		b.Change(host.Shell)
	case data.Get("algorithm").Truthy():
		if lane, err := strconv.Atoi(data.Get("algorithm").String()); err == nil {
			b.do(page.ChangeLane{Lane: lane, Algorithm: value.String()})
		}
	case data.Get("curve").Truthy():
		for _, m := range b.app.MoreMetrics() {
			if m.Key() == value.String() {
				b.do(page.ShowMetric{Metric: m})
			}
		}
	case data.Get("speed").Truthy():
		text := value.String()
		for _, s := range page.Speeds {
			if page.SpeedText(s) == text {
				b.do(page.SetSpeed{Speed: s})
			}
		}
	case data.Get("pick").Truthy():
		// A list of its own: emptying the field empties the field's list.
		b.openFiles(js.Global().Get("Array").Call("from", target.Get("files")))
		target.Set("value", "") // the same files again are a new choice
	}
}

// nameOf returns the name of a file, with its folders if it was opened with them.
func nameOf(file js.Value) string {
	for _, name := range [...]string{"path", "webkitRelativePath"} {
		if path := file.Get(name); path.Truthy() {
			return path.String()
		}
	}
	return file.Get("name").String()
}

// openFiles reads a list of files and sends them together. Of a folder, hidden files are left out.
func (b *browser) openFiles(list js.Value) {
	var chosen []wire.NamedFile
	var buffers []any
	size := 0
	for i := range list.Length() {
		file := list.Index(i)
		name := nameOf(file)
		if strings.Contains(name, "/.") {
			continue
		}
		chosen, buffers = append(chosen, wire.NamedFile{Name: name}), append(buffers, file)
		size += file.Get("size").Int()
	}
	if len(chosen) == 0 || !b.do(page.ReadFiles{Names: page.ListNames(chosen), Size: size}) {
		return
	}
	for i, file := range buffers {
		buffers[i] = file.(js.Value).Call("arrayBuffer")
	}
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		for i := range chosen {
			bytes := js.Global().Get("Uint8Array").New(args[0].Index(i))
			chosen[i].Data = make([]byte, bytes.Length())
			js.CopyBytesToGo(chosen[i].Data, bytes)
		}
		b.do(page.OpenFiles{Files: chosen})
		release()
		return nil
	})
	failed = guard.FuncOf(func(js.Value, []js.Value) any {
		b.do(page.ReadFailed{Names: page.ListNames(chosen)})
		release()
		return nil
	})
	js.Global().Get("Promise").Call("all", buffers).Call("then", done, failed)
}

// place returns the position of a pointer event in a canvas, in the canvas's own CSS
// pixels: for a projector these are larger than those of the window.
func place(c *canvas, ev *dom.BasicEvent) (x, y float32) {
	at := c.value.Call("getBoundingClientRect")
	e := ev.Underlying()
	scale := 1.0
	if w := at.Get("width").Float(); w > 0 {
		scale = c.value.Get("clientWidth").Float() / w
	}
	return float32(scale * (e.Get("clientX").Float() - at.Get("left").Float())),
		float32(scale * (e.Get("clientY").Float() - at.Get("top").Float()))
}

// hitDistance is how far from a mark's edge a pointer still hits it.
func hitDistance(ev *dom.BasicEvent) float32 {
	if ev.Underlying().Get("pointerType").String() == "touch" {
		return 22
	}
	return 10
}

func (b *browser) onPointerDown(ev *dom.BasicEvent) {
	b.beginTouch(ev)
	b.pointSymbol(ev)
	c := b.canvasOf(ev)
	if c == nil || isSweep(c) {
		return
	}
	x, y := place(c, ev)
	if c.kind == "curves" {
		b.dragging = c
		c.value.Call("setPointerCapture", ev.Underlying().Get("pointerId"))
		b.scrubCurves(c, x)
		return
	}
	b.beginPress(c, ev, x, y)
	if k, _ := figures.KindOf(c.kind); k.Of == chart.OfMap || k.Of == chart.OfLane {
		b.do(page.FocusLane{Lane: c.lane})
	}
}

// onMouseDown opens, with Shift, the run of a slider's curve that is nearest to
// the pointer. The slider itself must not receive the event.
func (b *browser) onMouseDown(ev *dom.BasicEvent) {
	target, data := dataOf(ev)
	if !ev.Underlying().Get("shiftKey").Truthy() || !data.Truthy() || !data.Get("slide").Truthy() {
		return
	}
	s, n := b.app.Jobs.Preview(data.Get("slide").String())
	if s == nil || s.Batch == nil {
		return
	}
	ev.PreventDefault()
	c := &canvas{value: target, box: chart.Box{W: float32(target.Get("clientWidth").Float()),
		H: float32(target.Get("clientHeight").Float())}}
	x, y := place(c, ev)
	if job, ok := b.painter.Figure("scent", n).(*sweeps.Preview).RunAt(c.box, x, y); ok {
		b.do(page.OpenPreviewRun{Key: s.Key, Job: job})
	}
}

func (b *browser) scrubCurves(c *canvas, x float32) {
	v := b.app.View(0)
	b.do(page.Seek{Round: b.painter.Figure("curves", 0).(*progress.Curves).RoundAt(&v, c.box, x)})
}

func (b *browser) onPointerMove(ev *dom.BasicEvent) {
	b.moveTouch(ev)
	if c := b.dragging; c != nil {
		x, y := place(c, ev)
		switch {
		case c.kind == "curves":
			b.scrubCurves(c, x)
		case b.press.client == chart.Handle:
			b.dragAngle(c, x, y, false)
		default:
			b.drag(c, x, y)
		}
		return
	}
	b.hoverTimeline(ev)
	b.pointSymbol(ev)
	c := b.canvasOf(ev)
	b.readCurves(c, ev)
	if c == nil {
		b.do(page.HoverClient{Client: -1})
		return
	}
	x, y := place(c, ev)
	client := c.hits.Nearest(x, y, hitDistance(ev))
	if isSweep(c) {
		c.value.Get("style").Set("cursor", "pointer")
		b.do(page.HoverCell{Cell: client})
		return
	}
	cursor := "default"
	switch {
	case isMap(c.kind) && client < 0 && b.app.Turns(c.lane):
		cursor = "grab"
	case client == chart.Handle:
		cursor = "grab"
	case client >= 0:
		cursor = "pointer"
	case c.kind == "curves":
		cursor = "col-resize"
	case len(c.hits) > 0:
		cursor = "crosshair"
	}
	c.value.Get("style").Set("cursor", cursor)
	b.do(page.HoverClient{Client: max(client, -1)})
}

// dragAngle turns the first true line to the pointer.
func (b *browser) dragAngle(c *canvas, x, y float32, done bool) {
	if gap, ok := b.painter.DraggedGap(c.box, x, y, done); ok {
		b.do(page.ChangeSetting{Key: "dphi", Text: gap, Done: done})
	}
}

// hoverTimeline shows the events at the pointer on the timeline, which lies below the
// scrubber.
func (b *browser) hoverTimeline(ev *dom.BasicEvent) {
	round := 0
	if t := targetOf(ev); t != nil && t.ID() == "scrub" || b.canvasOf(ev) != nil && b.canvasOf(ev).kind == "timeline" {
		for _, c := range b.canvases {
			if c.kind == "timeline" {
				x, _ := place(c, ev)
				v := b.app.View(b.app.Lane)
				round, _ = b.painter.Figure("timeline", 0).(*progress.Timeline).EventAt(&v, c.box, x)
			}
		}
	}
	b.do(page.HoverRound{Round: round})
}

// readCurves shows the values of the curves at the pointer, or, while it is elsewhere and
// the curves have the focus, at the round shown.
func (b *browser) readCurves(c *canvas, ev *dom.BasicEvent) {
	if c != nil && c.kind == "curves" {
		v, figure := b.app.View(0), b.painter.Figure("curves", 0).(*progress.Curves)
		x, y := place(c, ev)
		round := figure.RoundAt(&v, c.box, x)
		lane := figure.LaneAt(&v, c.box, round, y)
		b.do(page.ReadCurves{Readout: progress.Readout{On: true, Round: round, Lane: lane}})
		return
	}
	active := b.document.Get("activeElement")
	if active.Truthy() && active.Get("dataset").Get("figure").Equal(js.ValueOf("curves")) {
		if b.app.Readout.Round >= 0 || !b.app.Readout.On {
			b.do(page.ReadCurves{Readout: progress.Readout{On: true, Round: -1, Lane: -1}})
		}
		return
	}
	b.do(page.ReadCurves{Readout: progress.Readout{}})
}

func (b *browser) onPointerUp(ev *dom.BasicEvent) {
	c := b.dragging
	if c == nil {
		return
	}
	b.dragging = nil
	switch {
	case c.kind == "curves":
	case b.press.client == chart.Handle:
		x, y := place(c, ev)
		b.dragAngle(c, x, y, true)
	default:
		b.endPress(ev.Type() == "pointerup")
	}
}

// onKey handles keys: those of the transport wherever no control needs them, and
// arrows that move between the clients of a focused figure.
func (b *browser) onKey(ev *dom.BasicEvent) {
	e := ev.Underlying()
	key := e.Get("key").String()
	target, data := dataOf(ev)
	if !data.Truthy() || !e.Get("key").Truthy() { // Chromium's autofill has keydown without a key
		return
	}
	command := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	shift := e.Get("shiftKey").Bool()
	tag := target.Get("tagName").String()
	typing := tag == "SELECT" || tag == "TEXTAREA" || tag == "INPUT" && target.Get("type").String() != "checkbox"

	if target.Get("type").String() == "range" && len(key) == 1 {
		typing = false // a slider takes arrows only
	}
	if b.app.Sheet != "" {
		if isSweep(b.canvasOf(ev)) && b.sweepKey(key) {
			ev.PreventDefault()
		}
		return // the rest is the dialog's own
	}
	if b.app.Lessons.Tour.On && (key == "Escape" || target.Call("closest", "#tour").Truthy()) &&
		b.do(page.TourKey{Key: key}) {
		ev.PreventDefault()
		return
	}
	if command {
		if (key == "z" || key == "Z") && !(typing && target.Get("type").String() == "text") {
			if shift {
				b.do(page.Redo{})
			} else {
				b.do(page.Undo{})
			}
			ev.PreventDefault()
		}
		return
	}
	if key == "Enter" && target.Get("id").String() == "address" {
		b.do(page.ToggleFetch{})
		ev.PreventDefault()
		return
	}
	if data.Get("find").Truthy() && b.searchKey(target, key) {
		ev.PreventDefault()
		return
	}
	if e.Get("altKey").Bool() || typing && key != "Escape" {
		return
	}
	c := b.canvasOf(ev)
	if c != nil && key == "Escape" && len(b.app.Multiple) > 0 {
		b.do(page.ClearSelection{})
		ev.PreventDefault()
		return
	}
	if c != nil && (shift && isMap(c.kind) && b.do(page.PressMapKey{Lane: c.lane, Key: key}) ||
		b.figureKey(c, key, shift)) {
		if key == "Escape" && b.framed() {
			b.returnFocus(shift)
		}
		ev.PreventDefault()
		return
	}
	if !shift && b.menuKey(target, key) {
		ev.PreventDefault()
		return
	}
	if len(key) == 1 && key != " " && target.Call("closest", ".menu").Truthy() {
		return // the search box gets the letter
	}
	if (key == " " || key == "Enter") && tag == "BUTTON" {
		return // the button's own
	}
	// In a frame the arrows are the page's around, unless a figure has the
	// focus; and all keys are, where the frame's author says so.
	moves := strings.HasPrefix(key, "Arrow") || key == "Home" || key == "End"
	if key != "Escape" && b.framed() && (b.app.Frame.NoKeys || moves && c == nil) {
		return
	}
	if b.do(page.PressKey{Key: key, Shift: shift}) {
		ev.PreventDefault()
	} else if key == "Escape" && b.framed() {
		b.returnFocus(shift)
	}
}

// figureKey goes from client to client of a focused figure, and with Shift selects those
// that it passes; on the curves it goes from lane to lane.
func (b *browser) figureKey(c *canvas, key string, shift bool) bool {
	if key == "t" {
		b.do(page.OpenTable{Kind: c.kind, Lane: c.lane})
		return true
	}
	if c.kind == "curves" && (key == "ArrowDown" || key == "ArrowUp") {
		b.do(page.ReadNextMethod{By: map[string]int{"ArrowDown": 1, "ArrowUp": -1}[key]})
		return true
	}
	if c.kind == "curves" || c.kind == "timeline" || b.app.Run == nil {
		return false
	}
	from, n := b.app.Hover, b.app.Run.Header.Clients
	switch key {
	case "ArrowRight", "ArrowDown":
		b.do(page.HoverClient{Client: (from + 1) % n})
	case "ArrowLeft", "ArrowUp":
		b.do(page.HoverClient{Client: (max(from, 0) - 1 + n) % n})
	case "Enter":
		switch {
		case from < 0:
		case shift:
			b.do(page.ToggleClient{Client: from})
		default:
			b.do(page.SelectClient{Client: from})
		}
		return true
	case "Escape":
		b.do(page.HoverClient{Client: -1})
		c.value.Call("blur")
		return true
	default:
		return false
	}
	if shift {
		b.extendSelection(from, b.app.Hover)
	}
	return true
}
