package browser

import (
	"strconv"
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
	"honnef.co/go/js/dom/v2"

	"flockscope/sim/experiment"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
	"flockscope/ui/shell"
)

// browser connects the page with a document.
type browser struct {
	app      *shell.App
	painter  *page.Painter
	canvases []*canvas
	palette  js.Value
	theme    string // "light" or "dark", as shown
	lang     string // asked for: "en" or "zh"
	printing bool   // the page is being printed
	opens    [len(openers)]bool

	window   dom.Window
	document js.Value
	renderer *domrender.JSRenderer
	env      *vugu.BuildEnv
	root     *shell.Root
	memo     shell.Memo

	schedule
	answers         int  // messages of engines
	settled         bool // a run was complete
	times           []float64
	opened          bool     // the poster is gone
	posterUntil     float64  // when it goes even if there is no run yet, in ms; see hasContent
	counted         string   // the round on the counter
	revealed        string   // the tabs as last brought into view
	boot            js.Value // see assets/boot.js
	engines         programs
	workers         programs // for jobs
	timer           js.Value // of the next page.Wake
	onWake          js.Func
	parent          parentWindow
	asleep          bool     // nobody can see the page
	fetcher         *fetcher // nil while nothing is loaded from an address
	bytes           js.Value // Uint8Array that display lists travel in
	bytesLen        int      // its length
	dragging        *canvas
	press           press        // in it
	touch           touchGesture // on a slider
	sizes           js.Value     // a ResizeObserver of the canvases
	onStorageFailed js.Func      // is told when sweeps cannot be kept
}

// Mount runs the page over the object boot (see assets/boot.js) and returns
// when the program should end, which is never. vectors says whether networks train
// at full speed.
func Mount(boot js.Value, schema *experiment.Schema, vectors bool) {
	window := dom.GetWindow()
	b := &browser{window: window, document: js.Global().Get("document")}
	b.app = &shell.App{State: page.New(schema, window.Location().Search()+window.Location().Hash()),
		Do: b.do}
	b.painter = page.NewPainter(b.app.State)
	b.boot = boot
	guard.OnPanic = func(problem string) { b.post(page.Post{"type": "error", "about": "page", "message": problem}) }
	b.onWake = guard.FuncOf(func(js.Value, []js.Value) any { b.do(page.DispatchJobs{}); return nil })
	b.makeTimers()

	renderer, err := domrender.New("#app")
	if err != nil {
		panic(err)
	}
	b.renderer = renderer
	if b.env, err = vugu.NewBuildEnv(renderer.EventEnv()); err != nil {
		panic(err)
	}
	b.root = &shell.Root{App: b.app}
	b.listen()
	b.listenToTheme()
	b.listenToLessons()
	b.bytes = js.Global().Get("Uint8Array").New(0)
	begin := page.Begin{NoSIMD: !vectors, Licences: boot.Get("licences").String()}
	if n := js.Global().Get("navigator").Get("hardwareConcurrency"); guard.TypeOf(n) == js.TypeNumber {
		begin.Processors = n.Int()
	}
	const phone = "(pointer: coarse) and (max-device-width: 600px), (pointer: coarse) and (max-device-height: 600px)"
	begin.Phone = js.Global().Call("matchMedia", phone).Get("matches").Bool()
	begin.StoredRuns = storedRuns()
	at := js.Global().Get("location")
	begin.Home = at.Get("origin").String() + at.Get("pathname").String()
	b.listenToNetwork()
	b.do(begin)
	b.exposeState()
	b.listenToParent()
	b.watchVisibility()
	b.warnConsole()
	b.resumeSweep()
	b.posterUntil = b.now() + posterTime
	js.Global().Call("setTimeout", b.onAlarm, posterTime+1)
	if window.Location().Hash() != "" {
		b.Change(host.Link) // an old link, whose state stands where servers never see it
	}
	// Vugu wakes this loop after every event that a component handled.
	for renderer.EventWait() {
		b.Change(host.Shell)
	}
}

// warnConsole writes the unknown settings of the link to the console.
func (b *browser) warnConsole() {
	for _, text := range b.app.ConsoleWarnings {
		js.Global().Get("console").Call("warn", "Flockscope: "+text+".")
	}
}

func matches(query string) bool {
	return js.Global().Call("matchMedia", query).Get("matches").Bool()
}

// updateCounters keeps the two parts of the shell that count rounds in step with the
// figures; the rest of it may come a little later.
func (b *browser) updateCounters() {
	shown := strconv.Itoa(b.app.Shown())
	if shown == b.counted {
		return
	}
	b.counted = shown
	if e := b.byID("round"); e != nil {
		e.SetTextContent(shown)
	}
	if e := b.byID("scrub"); e != nil {
		e.Underlying().Set("value", shown)
	}
}

// render brings the shell up to date and finds the canvases in it.
func (b *browser) render() {
	b.applyTheme()
	b.applyLang()
	drawer, menu := b.keepFocus()
	rescued := b.restoreFocus()
	b.showSheet()
	page := b.env.RunBuild(b.root)
	guardHandlers(page, page.Out.Out[0])
	shell.Translate(page, b.root)
	if b.memo.Shorten(page) {
		if err := b.renderer.Render(page); err != nil {
			panic(err)
		}
	}
	b.memo.Restore()
	rescued()
	if drawer {
		b.enterDrawer()
	}
	if menu {
		b.enterMenu()
	}
	b.focusLesson()
	b.placeTour()
	b.drawCode()
	others := b.memo.Placed && b.findCanvases()
	if b.measure() || others {
		b.dirty |= host.Figures
	}
	b.revealTabs()
	b.postHeight()
	if !b.opened && b.hasContent() {
		b.removePoster()
		b.dirty |= host.Figures
	}
}

// guardHandlers makes a panic in a handler of a node or its descendants end that call only.
// Vugu makes nodes anew for each page, so none is guarded twice.
func guardHandlers(page *vugu.BuildResults, node *vugu.VGNode) {
	node = shell.BuiltNode(page, node)
	for i := range node.DOMEventHandlerSpecList {
		handler := &node.DOMEventHandlerSpecList[i]
		f := handler.Func
		handler.Func = func(ev vugu.DOMEvent) { guard.Do(func() { f(ev) }) }
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		guardHandlers(page, child)
	}
}

// posterTime is how long the poster of the first run hides the page of another run, in ms: after that, the
// settings are more useful.
const posterTime = 1000

// hasContent reports whether the page has something to show instead of the poster. Until then it is laid out
// behind the poster (style.css). Where there can be no engine, it never has.
func (b *browser) hasContent() bool {
	waits := b.now() < b.posterUntil || js.Global().Get("flockscopeFirst").Truthy()
	return b.app.Run != nil || b.app.Files.WaitsForFile() || !waits && b.app.Problem == ""
}

// removePoster removes the poster once the page has something to show.
func (b *browser) removePoster() {
	b.opened = true
	for _, id := range []string{"poster", "why"} {
		if e := b.byID(id); e != nil {
			e.Underlying().Set("hidden", true)
		}
	}
	if b.app.SweepLinked {
		b.do(page.OpenSweep{})
	}
	if b.continueFirst() {
		return
	}
	if b.app.Run != nil && b.autoplay() {
		until := 0 // it plays while it is computed, or as long as the frame's author wants
		if b.isDefaultMoment() {
			if b.app.Frame.Autoplay != "1" {
				until = b.app.Round // to where it rests
			}
			b.do(page.Seek{Round: 0})
		}
		b.do(page.StartPlaying{Until: until})
	}
}

// continueFirst continues at the round of the recorded run's player, which ran
// before the engine (see assets/first.js), and reports whether it was used.
func (b *browser) continueFirst() bool {
	first := js.Global().Get("flockscopeFirst")
	if !first.Truthy() {
		return false
	}
	at := first.Call("leave")
	if !at.Truthy() {
		return false
	}
	b.do(page.Seek{Round: at.Get("round").Int()})
	if at.Get("playing").Bool() {
		b.do(page.StartPlaying{Until: 0})
	}
	return true
}

// isDefaultMoment reports whether the address left it to the page what to show first.
func (b *browser) isDefaultMoment() bool {
	link := b.link()
	return b.app.Schema.OpenLink(link).Has("t") && !b.app.Schema.ReadLink(link).Has("t")
}

func (b *browser) link() string { return b.window.Location().Search() + b.window.Location().Hash() }

// autoplay reports whether the page may start by itself: only where the link
// gives no round, in a window of its own, and where the user does not prefer
// reduced motion. A run that takes seconds plays while it is computed; one that
// takes milliseconds stays where it opens.
func (b *browser) autoplay() bool {
	switch {
	case b.app.Frame.Autoplay == "0" || b.app.Player.ReducedMotion || b.app.Lessons.Lesson() != nil:
		return false
	case b.app.Frame.Autoplay == "1":
		return true
	}
	if b.app.Embed || b.framed() {
		return false
	}
	return b.app.Evaluated() && b.isDefaultMoment()
}
