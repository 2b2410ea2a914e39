package browser

import (
	"bytes"
	"slices"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// canvas is one figure on the page.
type canvas struct {
	value js.Value
	kind  string
	lane  int
	box   chart.Box
	hits  chart.Hits
	shown painting
	stale bool // it has to be drawn again
}

// painting is the display list that a canvas shows.
type painting struct {
	list    []byte
	ground  int  // how much of the list is static; see scene.List
	kept    bool // the canvas has a copy of the static part
	palette js.Value
	box     chart.Box
	ratio   float64
}

// paint draws a display list on a canvas, unless the canvas shows it already.
func (b *browser) paint(c *canvas, list []byte, ground int, ratio float64) {
	was := &c.shown
	alike := b.fits(c, ratio)
	if alike && bytes.Equal(was.list, list) {
		return
	}
	// A copy is kept once the static part was twice the same: many pictures are drawn once only.
	same := alike && ground > 0 && was.ground == ground && bytes.Equal(was.list[:ground], list[:ground])
	stays := same && was.kept
	*was = painting{append(was.list[:0], list...), ground, same, b.palette, c.box, ratio}
	if !same {
		ground = 0
	}
	if len(list) > b.bytesLen {
		b.bytesLen = 2 * len(list)
		b.bytes = js.Global().Get("Uint8Array").New(b.bytesLen)
	}
	js.CopyBytesToJS(b.bytes, list)
	js.Global().Call("flockscopePaint", c.value, b.bytes.Call("subarray", 0, len(list)), b.palette, c.box.W, c.box.H,
		ratio, ground, stays)
}

// repaint paints everything again after the browser has lost and restored the
// contents of canvases, as after a reset of the graphics.
func (b *browser) repaint(*dom.BasicEvent) {
	for _, c := range b.canvases {
		c.shown = painting{}
	}
	b.Change(host.Figures | host.Previews)
}

// findCanvases brings the list of canvases up to date with the shell, and
// reports whether any has to be drawn anew. Vugu may turn one element into
// another, so what a canvas shows is read each time.
func (b *browser) findCanvases() (changed bool) {
	found := b.all("canvas[data-figure]")
	changed = len(found) != len(b.canvases)
	for i, e := range found {
		if i == len(b.canvases) {
			b.canvases = append(b.canvases, &canvas{})
		}
		c, value := b.canvases[i], e.Underlying()
		kind := e.GetAttribute("data-figure")
		lane, _ := strconv.Atoi(e.GetAttribute("data-lane"))
		if kind != c.kind || lane != c.lane || !value.Equal(c.value) {
			if !value.Equal(c.value) {
				b.sizes.Call("observe", value)
				c.shown = painting{}
			}
			c.value, c.kind, c.lane = value, kind, lane
			changed = true
		}
	}
	b.canvases = b.canvases[:len(found)]
	return changed
}

// measure reads the canvases' sizes, after every change of the shell and of the
// window, and reports whether one has changed.
func (b *browser) measure() (changed bool) {
	for _, c := range b.canvases {
		box := chart.Box{W: float32(c.value.Get("clientWidth").Float()),
			H: float32(c.value.Get("clientHeight").Float())}
		if box != c.box {
			c.box = box
			changed = true
		}
	}
	return changed
}

// markStale marks the canvases that the changes affect.
func (b *browser) markStale(what host.Change) {
	for _, c := range b.canvases {
		switch {
		case what&host.Previews == 0 && c.kind == "scent" && b.app.Jobs.Dragged(c.lane):
			// what lies along a slider does not change while it moves
		case what&host.Figures != 0,
			what&host.Slides != 0 && (isMap(c.kind) || b.app.Phases.At > 0 &&
				(c.kind == "data" || c.kind == "models")),
			what&host.Stream != 0 && (c.kind == "curves" || c.kind == "timeline"),
			what&host.Previews != 0 && (c.kind == "scent" || c.kind == "sweep" || c.kind == "heat"):
			c.stale = true
		}
	}
}

// isMap reports whether a figure of a kind shows a map of clients, which can turn.
func isMap(kind string) bool { return kind == "map" || kind == "stage" }

// draw draws the stale canvases one after another, until a time in ms, and reports
// whether all are drawn. A canvas whose size has changed cannot wait: it would be
// stretched.
func (b *browser) draw(until float64) bool {
	ratio := js.Global().Get("devicePixelRatio").Float() * b.scale()
	late, last := false, b.lastDrawn
	for i := range b.canvases {
		turn := (last + 1 + i) % len(b.canvases)
		c := b.canvases[turn]
		if !c.stale {
			continue
		}
		if late = late || b.now() > until; late && b.fits(c, ratio) {
			continue
		}
		c.stale = false
		if !late {
			b.lastDrawn = turn
		}
		if c.box.W < 1 || c.box.H < 1 {
			c.hits = c.hits[:0]
			continue
		}
		list := b.painter.Draw(c.kind, c.lane, c.box, &c.hits)
		b.paint(c, list, b.painter.StaticLen(), ratio)
	}
	return !slices.ContainsFunc(b.canvases, func(c *canvas) bool { return c.stale })
}

// fits reports whether the picture on a canvas has its size and the present colours.
func (b *browser) fits(c *canvas, ratio float64) bool {
	return c.shown.box == c.box && c.shown.ratio == ratio && c.shown.palette.Equal(b.palette)
}

// canvasOf returns the canvas that an event hit, nil if none.
func (b *browser) canvasOf(ev *dom.BasicEvent) *canvas {
	target := targetOf(ev)
	if target == nil {
		return nil
	}
	for _, c := range b.canvases {
		if c.value.Equal(target.Underlying()) {
			return c
		}
	}
	return nil
}
