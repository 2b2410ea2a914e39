package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// parentWindow is the surrounding page, if the page is in a frame.
type parentWindow struct {
	window   js.Value // undefined where the page has a window of its own
	target   string   // the target origin of messages: its own, or "*" while that is unknown
	timerSet bool     // a timer for the next messages is set
	height   int      // sent last
	onTimer  js.Func
}

// framed reports whether the page is in a frame.
func (b *browser) framed() bool { return b.parent.window.Truthy() }

// listenToParent starts the exchange of messages with the surrounding page.
func (b *browser) listenToParent() {
	b.parent.window = js.Undefined()
	if parent := js.Global().Get("parent"); !parent.Equal(js.Global().Get("self")) {
		b.parent.window = parent
	} else {
		return
	}
	b.parent.target = "*"
	if b.app.Frame.Origin != "" {
		b.parent.target = b.app.Frame.Origin
	}
	b.parent.onTimer = guard.FuncOf(func(js.Value, []js.Value) any {
		b.parent.timerSet = false
		b.tellParent()
		return nil
	})
	js.Global().Call("addEventListener", "message", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		b.onMessage(args[0])
		return nil
	}))
	early := b.boot.Call("early")
	b.post(page.Post{"type": "ready", "version": page.ProtocolVersion, "query": b.app.Link(),
		"size": map[string]any{"width": js.Global().Get("innerWidth"), "height": js.Global().Get("innerHeight")}})
	for i := range early.Length() {
		b.onMessage(early.Index(i))
	}
}

// onMessage handles a message of the surrounding page, and ignores all others.
func (b *browser) onMessage(ev js.Value) {
	p := &b.parent
	origin, ok := guard.Text(ev.Get("origin"), maxText)
	if !ok || !ev.Get("source").Equal(p.window) || b.app.Frame.Origin != "" && origin != b.app.Frame.Origin {
		return
	}
	if origin != "null" {
		p.target = origin
	}
	data := ev.Get("data")
	if word, ok := guard.Text(data, maxText); ok {
		b.do(page.FollowSlide{Word: word})
		return
	}
	c, why := readCall(data)
	switch {
	case c.Kind == "":
	case why != "":
		b.post(page.Post{"type": "error", "about": c.Kind, "message": why})
	case c.Kind == "export":
		b.exportForParent(c)
	default:
		b.do(c)
		b.tellParent()
	}
}

// exportForParent makes a file for the surrounding page: a text as text, else bytes.
func (b *browser) exportForParent(c page.ParentCall) {
	if b.app.Export.HasOwnFiles() {
		b.post(page.Post{"type": "error", "about": c.Kind, "message": "the run is of files that stay in this page"})
		return
	}
	b.file(c.Format, c.Figure, c.Lane-1, func(f host.File, err error) {
		if err != nil {
			b.post(page.Post{"type": "error", "about": c.Kind, "message": err.Error()})
			return
		}
		p := page.Post{"type": "export", "format": c.Format, "name": f.Name, "mime": f.Type}
		if f.IsText() {
			p["text"] = string(f.Data)
		} else {
			bytes := js.Global().Get("Uint8Array").New(len(f.Data))
			js.CopyBytesToJS(bytes, f.Data)
			p["bytes"] = bytes
		}
		b.post(p)
	})
}

const (
	prefix  = "flockscope/"
	maxText = 4000 // UTF-16 units of a text in a message
)

// readCall reads a message; its kind is empty if it is not for this page, and why names
// an invalid field. The message is a structured clone, so that reading it runs no foreign
// code; it may have any type that can be cloned.
func readCall(data js.Value) (c page.ParentCall, why string) {
	if guard.TypeOf(data) != js.TypeObject {
		return c, ""
	}
	kind, ok := guard.Text(data.Get("type"), maxText)
	if !ok || len(kind) <= len(prefix) || kind[:len(prefix)] != prefix {
		return c, ""
	}
	c.Kind, c.By = kind[len(prefix):], 1
	whole := func(key string, to *int, needed bool) {
		switch v := data.Get(key); {
		case v.IsUndefined() && !needed:
		case guard.TypeOf(v) == js.TypeNumber && v.Float() == float64(int32(v.Float())):
			*to = v.Int()
		default:
			why = key + " is not a whole number"
		}
	}
	switch c.Kind {
	case "seek":
		whole("t", &c.T, true)
	case "step":
		whole("by", &c.By, false)
	case "export":
		c.Figure = "map"
		whole("lane", &c.Lane, false)
		for key, to := range map[string]*string{"format": &c.Format, "figure": &c.Figure} {
			v := data.Get(key)
			switch text, ok := guard.Text(v, maxText); {
			case ok:
				*to = text
			case !v.IsUndefined() || key == "format":
				why = key + " is not a text"
			}
		}
	case "set":
		c.Params, why = readParams(data.Get("params"))
	}
	return c, why
}

// readParams reads an object of strings, numbers and booleans.
func readParams(object js.Value) (params [][2]string, why string) {
	if !guard.IsPlain(object) {
		return nil, "params is not an object such as {dphi: 8}"
	}
	keys := js.Global().Get("Object").Call("keys", object)
	const most = 100
	if keys.Length() > most {
		return nil, "params has too many keys"
	}
	for i := range keys.Length() {
		key, ok := guard.Text(keys.Index(i), maxText)
		if !ok {
			return nil, "params has too long a text"
		}
		v := object.Get(key)
		text := ""
		switch guard.TypeOf(v) {
		case js.TypeString:
			if text, ok = guard.Text(v, maxText); !ok {
				return nil, "params has too long a text"
			}
		case js.TypeNumber:
			text = js.Global().Get("String").Invoke(v).String()
		case js.TypeBoolean:
			text = map[bool]string{true: "1", false: "0"}[v.Bool()]
		case js.TypeNull: // as usual
		default:
			return nil, "params." + page.Truncate(key) + " is not a text, a number or a truth value"
		}
		params = append(params, [2]string{key, text})
	}
	return params, ""
}

// post sends a message to the surrounding page only.
func (b *browser) post(p page.Post) {
	if !b.framed() {
		return
	}
	p["type"] = prefix + p["type"].(string)
	if b.app.Frame.ID != "" {
		p["id"] = b.app.Frame.ID
	}
	// The origin that the frame's author named may not be that of the surrounding page:
	// then the browser logs it and sends nothing. If it is not an origin, such as
	// https://a:99999, the call throws.
	defer func() {
		if problem := recover(); problem != nil {
			text := "Flockscope: the page around cannot be told anything at " + b.parent.target + "."
			js.Global().Get("console").Call("warn", text)
		}
	}()
	b.parent.window.Call("postMessage", js.ValueOf(map[string]any(p)), b.parent.target)
}

// tellParent sends the surrounding page what has changed.
func (b *browser) tellParent() {
	if !b.framed() || b.parent.timerSet {
		return
	}
	b.do(page.ReportToParent{})
}

// postHeight sends the surrounding page the height at which nothing in the frame
// scrolls.
func (b *browser) postHeight() {
	if !b.framed() {
		return
	}
	stage := js.Global().Get("document").Call("querySelector", ".stage")
	if !stage.Truthy() {
		return
	}
	height := js.Global().Get("innerHeight").Int() + stage.Get("scrollHeight").Int() - stage.Get("clientHeight").Int()
	if height != b.parent.height {
		b.parent.height = height
		b.post(page.Post{"type": "height", "px": height})
	}
}

// returnFocus returns the focus to the surrounding page: directly, since few pages listen,
// and with a message for one that wants to place it.
func (b *browser) returnFocus(back bool) {
	if active := js.Global().Get("document").Get("activeElement"); active.Truthy() {
		active.Call("blur")
	}
	b.parent.window.Call("focus")
	direction := "forward"
	if back {
		direction = "backward"
	}
	b.post(page.Post{"type": "focus-exit", "direction": direction})
}

// returnKeys returns the keyboard to the surrounding page after a press of the pointer,
// where the frame's author wants no shortcuts in it.
func (b *browser) returnKeys(ev *dom.BasicEvent) {
	if !b.framed() || !b.app.Frame.NoKeys {
		return
	}
	active := js.Global().Get("document").Get("activeElement")
	if !active.Truthy() || active.Call("matches", "input[type=text], select, dialog *").Bool() {
		return // a text field
	}
	active.Call("blur")
	b.parent.window.Call("focus")
}
