package browser

import "syscall/js"

// revealTabs scrolls the selected tab into view in every row of tabs that overflows,
// when the selection or the row has changed. Only the row scrolls: scrollIntoView
// would scroll the page as well.
func (b *browser) revealTabs() {
	state := b.app.ShownTab() + b.app.Sheet + b.app.Topic
	for lane := range b.app.Config.Lanes() {
		for _, k := range b.app.FiguresBelow(lane) {
			state += " " + k.Name
		}
	}
	if state == b.revealed {
		return
	}
	b.revealed = state
	for _, e := range b.all(".tabs .tab.on, .lane figcaption .tab.on, .topics .tab.on") {
		tab := e.Underlying()
		row := tab.Get("parentElement")
		at, frame := tab.Call("getBoundingClientRect"), row.Call("getBoundingClientRect")
		row.Set("scrollLeft", row.Get("scrollLeft").Float()+(middle(at)-middle(frame))/b.scale())
	}
}

// middle returns the horizontal centre of a DOMRect.
func middle(r js.Value) float64 { return (r.Get("left").Float() + r.Get("right").Float()) / 2 }
