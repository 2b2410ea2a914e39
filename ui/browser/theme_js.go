package browser

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"flockscope/sim/draw/scene"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// The look of the page follows the user's preferences for the page and for the
// system, on screen and in print.

// The media queries of the system's preferences.
const (
	prefersDark   = "(prefers-color-scheme: dark)"
	prefersStill  = "(prefers-reduced-motion: reduce)"
	forcedColours = "(forced-colors: active)"
)

// listenToTheme follows the system's preferences, the canvases' sizes and printing,
// which uses dark on white.
func (b *browser) listenToTheme() {
	b.applyTheme()
	b.sizes = js.Global().Get("ResizeObserver").New(guard.FuncOf(func(js.Value, []js.Value) any {
		if b.measure() {
			b.Change(host.Figures)
		}
		b.placeTour()
		return nil
	}))
	still := b.app.Player.ReducedMotion // as the link says
	changed := guard.FuncOf(func(js.Value, []js.Value) any {
		b.do(page.SetReducedMotion{On: still || matches(prefersStill)})
		return nil
	})
	for _, query := range [...]string{prefersDark, prefersStill, forcedColours} {
		js.Global().Call("matchMedia", query).Call("addEventListener", "change", changed)
	}
	b.do(page.SetReducedMotion{On: still || matches(prefersStill)})
	for event, printing := range map[string]bool{"beforeprint": true, "afterprint": false} {
		js.Global().Call("addEventListener", event, guard.FuncOf(func(js.Value, []js.Value) any {
			b.printing = printing
			b.applyTheme()
			b.markStale(host.Figures)
			b.draw(math.Inf(1))
			return nil
		}))
	}
}

// applyTheme applies the present theme to the document and to the palette.
func (b *browser) applyTheme() {
	theme := b.app.Theme
	switch {
	case b.printing || theme == page.Projector:
		theme = "light"
	case theme == "" && matches(prefersDark):
		theme = "dark"
	case theme == "":
		theme = "light"
	}
	text := "normal"
	if b.scale() > 1 {
		text = "large"
	}
	if b.html().GetAttribute("data-text") != text {
		b.html().SetAttribute("data-text", text)
	}
	forced := !b.printing && matches(forcedColours)
	if theme == b.theme && forced == b.app.ForcedColours {
		return
	}
	b.theme = theme
	b.do(page.ForcedColours{On: forced})
	b.html().SetAttribute("data-theme", theme)
	colours := scene.Light.Palette()
	if theme == "dark" {
		colours = scene.Dark.Palette()
	}
	if forced {
		colours = b.forcedPalette()
	}
	list := make([]any, len(colours))
	for i, c := range colours {
		list[i] = c
	}
	b.palette = js.ValueOf(list)
}

// scale is the factor by which everything is enlarged: for a projector, so that its
// smallest letters can be read from far away; see data-text in assets/style.css.
func (b *browser) scale() float64 {
	if b.app.Theme == page.Projector && !b.printing {
		return 1.5
	}
	return 1
}

// forcedPalette returns the palette of the system's own colours.
func (b *browser) forcedPalette() []string {
	probe := b.document.Call("createElement", "i")
	b.html().Underlying().Call("append", probe)
	system := func(name string) string {
		probe.Get("style").Set("color", name)
		return hex(js.Global().Call("getComputedStyle", probe).Get("color").String())
	}
	ink, paper := system("CanvasText"), system("Canvas")
	probe.Call("remove")
	grey := scene.ForcedGrey
	if matches(prefersDark) {
		grey = scene.ForcedGreyDark
	}
	return scene.Forced(ink, paper, grey)
}

// hex turns a computed colour, "rgb(255, 0, 127)", into #ff007f.
func hex(computed string) string {
	digits := []byte("#")
	for i, channel := range strings.FieldsFunc(computed, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, err := strconv.Atoi(channel); err == nil && i < 3 {
			digits = append(digits, "0123456789abcdef"[v>>4&15], "0123456789abcdef"[v&15])
		}
	}
	return string(digits)
}
