package browser

// drawCode draws the QR code of an address where the page has a place for one: on a lesson's
// sheet. What draws it is loaded then; where it cannot be, the address is there as text.
func (b *browser) drawCode() {
	e := b.byID("qr")
	if e == nil {
		return
	}
	if address := e.GetAttribute("data-qr"); e.GetAttribute("data-drawn") != address {
		e.SetAttribute("data-drawn", address)
		b.boot.Call("qr", e.Underlying(), address)
	}
}
