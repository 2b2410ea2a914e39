package page

import "slices"

// MaxUndoSteps is the maximum number of steps that undo keeps.
const MaxUndoSteps = 100

// slidePause is the pause, in ms, after which a move of the same slider is a new step.
const slidePause = 1000

// History has the steps for undo and redo. T is the state that a step restores. The zero value is
// empty.
type History[T any] struct {
	past, future []T // newest last
	dragged      string
	lastSlider   string  // the slider that was moved last
	lastSlide    float64 // and when, in ms
}

// Push makes the present state a step of undo.
func (h *History[T]) Push(now T) {
	if h.past = append(h.past, now); len(h.past) > MaxUndoSteps {
		h.past = h.past[1:]
	}
	h.future = nil
}

// Change records that a setting is about to change from the present state, unless the new value is
// the same. While done is false, more changes of the setting follow, as in a drag: together they are
// one step. A change without a key is a step of its own.
func (h *History[T]) Change(key string, now T, same, done bool) {
	if !same && (key != h.dragged || key == "") {
		h.Push(now)
	}
	h.dragged, h.lastSlider = key, ""
	if done {
		h.dragged = ""
	}
}

// BeginSlide comes before a change by a slider, and EndSlide after it. Arrow keys move a slider in
// small steps and each ends a drag; in quick succession they are one step.
func (h *History[T]) BeginSlide(key string, at float64) {
	if h.dragged == "" && h.lastSlider == key && at-h.lastSlide < slidePause {
		h.dragged = key
	}
}

// EndSlide records which slider was moved, and when.
func (h *History[T]) EndSlide(key string, at float64) { h.lastSlider, h.lastSlide = key, at }

// Dragged returns the key of the setting that is being dragged, "" for none.
func (h *History[T]) Dragged() string { return h.dragged }

// EndDrag makes the next change a new step.
func (h *History[T]) EndDrag() { h.dragged = "" }

// CanUndo reports whether there is a step to undo.
func (h *History[T]) CanUndo() bool { return len(h.past) > 0 }

// CanRedo reports whether there is an undo to repeat.
func (h *History[T]) CanRedo() bool { return len(h.future) > 0 }

// Undo returns the state before the last step, and keeps the present one for Redo; ok is false if
// there is none.
func (h *History[T]) Undo(now T) (then T, ok bool) { return h.move(&h.past, &h.future, now) }

// Redo returns the state before the last Undo.
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

// Previous returns the state that Undo would restore.
func (h *History[T]) Previous() (then T, ok bool) {
	if len(h.past) == 0 {
		return then, false
	}
	return h.past[len(h.past)-1], true
}

// Trim calls keep for the steps of undo, newest first, and drops the first one refused together with
// all older ones.
func (h *History[T]) Trim(keep func(step T) bool) {
	for i, step := range slices.Backward(h.past) {
		if !keep(step) {
			h.past = slices.Delete(h.past, 0, i+1)
			return
		}
	}
}
