package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/guard"
	"flockscope/ui/page"
)

// marksKey is where the browser keeps what was answered and done in lessons.
const marksKey = "flockscope.lessons"

// listenToLessons keeps marks and history. Frames and private windows may forbid
// both; then marks live as long as the page, and Back leaves it.
func (b *browser) listenToLessons() {
	func() {
		defer func() { _ = recover() }()
		if kept, ok := guard.Text(storage().Call("getItem", marksKey), 1<<20); ok {
			b.do(page.MarksLoaded{Marks: kept})
		}
	}()
	listen(js.Global(), "popstate", false, func(*dom.BasicEvent) {
		b.do(page.HistoryReturn{Query: b.window.Location().Search()})
	})
}

// keepMarks keeps what was answered and done in lessons.
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

// storage is where the browser keeps texts. In a frame without an origin even a
// look at it throws, which Go can catch of a call and not of a property.
func storage() js.Value {
	return js.Global().Get("Reflect").Call("get", js.Global(), "localStorage")
}

// focusLesson puts the focus on the title of a lesson that has just begun.
func (b *browser) focusLesson() {
	if !b.app.Lessons.Progress.WantsFocus {
		return
	}
	if e := b.byID("lesson-title"); e != nil {
		b.do(page.CardFocused{})
		e.Underlying().Call("focus")
	}
}
