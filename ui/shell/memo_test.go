package shell

import (
	"testing"

	"github.com/vugu/vugu"
)

// Vugu calls the handlers that it was given when it rendered a node last. What it
// is not given again must not call back into the past.
func TestMemoHandlers(t *testing.T) {
	var heard int
	button := func(i int) *vugu.VGNode {
		n := &vugu.VGNode{Type: vugu.ElementNode, Data: "button"}
		n.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: "click", Func: func(vugu.DOMEvent) {
			heard = i
		}}}
		return n
	}
	var m Memo
	first := button(1)
	given := first.DOMEventHandlerSpecList
	for i, last := 2, first; i < 5; i++ {
		now := button(i)
		if !m.same(last, now, nil, nil) {
			t.Fatal("a button is not as it was")
		}
		if given[0].Func(nil); heard != i {
			t.Errorf("a press after rendering %d calls what was there at rendering %d", i, heard)
		}
		last = now
	}
}
