package browser

import (
	"syscall/js"

	"flockscope/ui/page"
)

// searchKey handles keys in the search box of the list of methods to add: down and up go to
// the entries, and Enter adds the first entry found. It reports whether it used the key.
func (b *browser) searchKey(target js.Value, key string) bool {
	if key != "Enter" {
		return (key == "ArrowDown" || key == "ArrowUp") && b.menuKey(target, key)
	}
	if found := b.app.FoundMethods(); b.app.SearchText != "" && len(found) > 0 {
		b.do(page.AddLane{Algorithm: found[0].Name})
	}
	return true
}

// enterMenu moves the focus into the search box of the list that opened, but not after a
// touch, since that would show the on-screen keyboard.
func (b *browser) enterMenu() {
	if e := b.first(".menu input"); e != nil && (matches("(hover: hover)") ||
		b.first("#add-lane:focus-visible") != nil) {
		e.Underlying().Call("focus")
	}
}

// menuKey handles keys in the list of methods to add, as in any menu: down and up open it
// from its button, and move between its entries, in a circle; Home and End go to the first
// and the last; a letter goes into the search box. It reports whether it used the key.
func (b *browser) menuKey(target js.Value, key string) bool {
	opener := target.Get("id").String() == "add-lane"
	if !opener && !target.Call("closest", ".menu").Truthy() {
		return false
	}
	switch {
	case key == "ArrowDown" || key == "ArrowUp":
	case !opener && (key == "Home" || key == "End"):
	case !opener && len(key) == 1 && key != " ":
		b.first(".menu input").Underlying().Call("focus") // which gets the letter
		fallthrough
	default:
		return false
	}
	if !b.app.Adding {
		b.do(page.ToggleAdding{})
		b.render() // the next key may come before the next frame
	}
	entries := b.all(".menu button")
	if len(entries) == 0 {
		return true
	}
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
