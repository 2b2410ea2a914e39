package page

import "slices"

// MaxUndoSteps is how many steps can be taken back.
const MaxUndoSteps = 100

// slidePause is for how long, in ms, a slider stands still between two moves that are two
// steps.
const slidePause = 1000

// History is the steps that can be taken back and repeated. T is what a step brings back.
// The zero value is empty.
type History[T any] struct {
	past, future []T // newest last
	dragged      string
	lastSlider   string  // that was moved last
	lastSlide    float64 // and when, in ms
}

// Push makes what is there now a step to go back to.
func (h *History[T]) Push(now T) {
	if h.past = append(h.past, now); len(h.past) > MaxUndoSteps {
		h.past = h.past[1:]
	}
	h.future = nil
}

// Change notes that a setting is about to change from what is there now, unless the new
// value is the same. While done is false more changes of it follow, as in a drag:
// together they are one step. A change without a key is a step of its own.
func (h *History[T]) Change(key string, now T, same, done bool) {
	if !same && (key != h.dragged || key == "") {
		h.Push(now)
	}
	h.dragged, h.lastSlider = key, ""
	if done {
		h.dragged = ""
	}
}

// BeginSlide comes before a change by a slider, and Slid after it. Keys move a slider bit by
// bit, and end a drag each: if they come one upon the other they are one step, too.
func (h *History[T]) BeginSlide(key string, at float64) {
	if h.dragged == "" && h.lastSlider == key && at-h.lastSlide < slidePause {
		h.dragged = key
	}
}

// EndSlide notes which slider was moved, and when.
func (h *History[T]) EndSlide(key string, at float64) { h.lastSlider, h.lastSlide = key, at }

// Dragged is the key of the setting on the move, "" for none.
func (h *History[T]) Dragged() string { return h.dragged }

// EndDrag makes the next change a step, whatever it is of.
func (h *History[T]) EndDrag() { h.dragged = "" }

// CanUndo and CanRedo say whether there is something to take back or to repeat.
func (h *History[T]) CanUndo() bool { return len(h.past) > 0 }

// CanRedo says whether an undo can be taken back.
func (h *History[T]) CanRedo() bool { return len(h.future) > 0 }

// Undo returns what the last step was made from, and keeps what is there now for Redo; ok
// is false where there is none.
func (h *History[T]) Undo(now T) (then T, ok bool) { return h.move(&h.past, &h.future, now) }

// Redo returns what the last Undo has left.
func (h *History[T]) Redo(now T) (then T, ok bool) { return h.move(&h.future, &h.past, now) }

func (h *History[T]) move(from, to *[]T, now T) (then T, ok bool) {
	last := len(*from) - 1
	if last < 0 {
		return then, false
	}
	then = (*from)[last]
	*from, *to = (*from)[:last], append(*to, now)
	h.dragged, h.lastSlider = "", ""
	return then, true
}

// Previous is what Undo would lead to.
func (h *History[T]) Previous() (then T, ok bool) {
	if len(h.past) == 0 {
		return then, false
	}
	return h.past[len(h.past)-1], true
}

// Trim asks about the steps to go back to, the newest first, and forgets the first that is
// not to be kept with all before it.
func (h *History[T]) Trim(keep func(step T) bool) {
	for i, step := range slices.Backward(h.past) {
		if !keep(step) {
			h.past = slices.Delete(h.past, 0, i+1)
			return
		}
	}
}
