package page_test

import (
	"slices"
	"strings"
	"testing"

	. "flockscope/ui/page"
)

// A selection of one or several clients grows, shrinks and is cleared.
func TestMultiSelection(t *testing.T) {
	a, p := ready(t, "t=14&sel=3,5-6")
	p.Finish()
	if a.Selected != -1 || !slices.Equal(a.Multiple, []int{2, 4, 5}) {
		t.Fatalf("the link selects %d, %v", a.Selected, a.Multiple)
	}
	if c := a.Card(); c.Head != "3 of 12 clients selected" || len(c.Rows) != 3 ||
		c.Rows[0] != "2 clients of group 2; 1 client of group 1." || !strings.Contains(c.Rows[1], " misplaced") {
		t.Errorf("the card says %q, %q", c.Head, c.Rows)
	}
	if !strings.HasSuffix(a.Describe("map", 0), " 3 of 12 clients selected.") ||
		!strings.Contains(a.Link(), "&sel=3,5-6") {
		t.Errorf("%q, %q", a.Describe("map", 0), a.Link())
	}
	if a.Followed() != 2 {
		t.Errorf("client %d is followed, want the first selected one", a.Followed())
	}
	a.Do(ToggleClient{Client: 4})
	a.Do(ToggleClient{Client: 5})
	if a.Selected != 2 || a.Multiple != nil || a.Card().Head != "Client 3, group 1 (circle)" {
		t.Errorf("of three one is left: %d, %v, %q", a.Selected, a.Multiple, a.Card().Head)
	}
	a.Do(ToggleClient{Client: 11})
	a.Do(SelectWhileDragging{Clients: []int{7, 7, 11, 0}})
	if !slices.Equal(a.Multiple, []int{0, 7, 11}) {
		t.Errorf("the brush catches %v", a.Multiple)
	}
	a.Do(HoverClient{Client: 3})
	if !strings.HasPrefix(a.Card().Head, "Client 4,") {
		t.Errorf("pointing at client 4 tells of %q", a.Card().Head)
	}
	a.Do(HoverClient{Client: -1})
	set(t, a, "C", "9")
	p.Finish()
	if !slices.Equal(a.Multiple, []int{0, 7}) {
		t.Errorf("of nine clients %v are selected", a.Multiple)
	}
	a.Do(SelectClient{Client: 7})
	if a.Selected != 7 || a.Multiple != nil {
		t.Errorf("a click on one of several selects %d, %v", a.Selected, a.Multiple)
	}
	a.Do(SelectClients{Clients: []int{1, 2}})
	if !a.Do(PressKey{Key: "Escape"}) || a.Multiple != nil || a.Selected != -1 || a.Do(PressKey{Key: "Escape"}) {
		t.Errorf("Escape leaves %d, %v", a.Selected, a.Multiple)
	}
}
