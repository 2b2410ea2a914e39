package browser

// drawCode draws the QR code of an address on a lesson's sheet. Its library is loaded on
// demand; if that fails, the address is there as text.
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
