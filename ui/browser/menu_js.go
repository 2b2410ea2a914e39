package browser

import "syscall/js"

// menuKey is the keyboard of the list of lanes to add, as in any menu: down and up
// open it from its button, and go from entry to entry and around; Home and End go
// to the first and the last. It reports whether the key was of use.
func (b *browser) menuKey(target js.Value, key string) bool {
	opener := target.Get("id").String() == "add-lane"
	if !opener && !target.Call("closest", ".menu").Truthy() {
		return false
	}
	switch {
	case key == "ArrowDown" || key == "ArrowUp":
	case !opener && (key == "Home" || key == "End"):
	default:
		return false
	}
	if !b.app.Adding {
		b.app.ToggleAdding()
		b.render() // the next key may come before the next picture
	}
	entries := b.all(".menu button")
	at, last := -1, len(entries)-1
	for i, e := range entries {
		if e.Underlying().Equal(target) {
			at = i
		}
	}
	switch {
	case key == "Home" || key == "ArrowDown" && at == last:
		at = 0
	case key == "End" || key == "ArrowUp" && at <= 0:
		at = last
	case key == "ArrowDown":
		at++
	default:
		at--
	}
	entries[at].Underlying().Call("focus")
	return true
}
