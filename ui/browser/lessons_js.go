package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// marksKey is the storage key of the answers and steps in lessons.
const marksKey = "flockscope.lessons"

// listenToLessons stores marks and the history. Frames and private windows may forbid
// both; then marks last as long as the page, and Back leaves it.
func (b *browser) listenToLessons() {
	func() {
		defer func() { _ = recover() }()
		if b.app.Frame.KeepsMarks {
			return
		}
		if kept, ok := guard.Text(storage().Call("getItem", marksKey), 1<<20); ok {
			b.do(page.MarksLoaded{Marks: kept})
		}
	}()
	listen(js.Global(), "popstate", false, func(*dom.BasicEvent) {
		b.do(page.HistoryReturn{Query: b.link()})
		if b.window.Location().Hash() != "" {
			b.Change(host.Link) // state from a pasted #…, as in old links
		}
	})
}

// keepMarks stores the answers and steps in lessons.
func (b *browser) keepMarks(marks string) {
	defer func() { _ = recover() }()
	storage().Call("setItem", marksKey, marks)
}

// enterHistory makes what is on screen an entry of the history.
func (b *browser) enterHistory() {
	defer func() { _ = recover() }()
	b.linkPending = false
	js.Global().Get("history").Call("pushState", nil, "", "?"+b.app.Query())
}

// storage returns localStorage. In a frame without an origin even reading that property
// throws, and Go can recover from a call that throws, not from a property.
func storage() js.Value {
	return js.Global().Get("Reflect").Call("get", js.Global(), "localStorage")
}

// focusLesson moves the focus to the title of a lesson that has just started.
func (b *browser) focusLesson() {
	if !b.app.Lessons.Progress.WantsFocus {
		return
	}
	if e := b.byID("lesson-title"); e != nil {
		b.do(page.CardFocused{})
		e.Underlying().Call("focus")
	}
}
