package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/page"
)

// pointSymbol follows the pointer, a finger or the focus over the symbols of
// formulas. Where the pointer is on none, the symbol with the keyboard focus counts.
func (b *browser) pointSymbol(ev *dom.BasicEvent) {
	if b.app.Phases.At == 0 {
		return
	}
	sign := b.symbolAt(ev)
	if sign == "" || ev.Type() == "focusin" {
		pressed := sign != "" // the focus came by a press, which has been heard of
		if e := js.Global().Get("document").Call("querySelector", "[data-sign]:focus-visible"); e.Truthy() {
			sign = e.Call("getAttribute", "data-sign").String()
		} else if pressed {
			return
		}
	}
	if sign != b.app.Phases.Symbol {
		b.lightSymbol(sign)
		b.do(page.PointSymbol{Symbol: sign})
	}
}

// symbolAt returns the symbol under a pointer, "" for none. A finger cannot hit
// subscripts: the first tap selects their base, and the second one the subscript.
func (b *browser) symbolAt(ev *dom.BasicEvent) string {
	const symbol = "[data-sign]"
	sign := func(e js.Value) string { return e.Call("getAttribute", "data-sign").String() }
	target := ev.Underlying().Get("target")
	if !target.Get("closest").Truthy() {
		return "" // the document itself
	}
	at := target.Call("closest", symbol)
	if !at.Truthy() {
		return ""
	}
	if ev.Underlying().Get("pointerType").String() == "touch" {
		if outer := at.Get("parentElement").Call("closest", symbol); outer.Truthy() &&
			sign(outer) != b.app.Phases.Symbol {
			at = outer
		}
	}
	return sign(at)
}

// lightSymbol highlights all occurrences of a symbol by a rule at the end of the style
// sheet: changing the formulas would create them anew, without the focus.
func (b *browser) lightSymbol(sign string) {
	sheet := js.Global().Get("document").Get("styleSheets").Index(0)
	if b.app.Phases.Symbol != "" {
		sheet.Call("deleteRule", sheet.Get("cssRules").Length()-1)
	}
	if sign != "" {
		sheet.Call("insertRule", `[data-sign="`+sign+`"]{background:var(--line)}`, sheet.Get("cssRules").Length())
	}
}
