package page

import (
	"fmt"
	"testing"
)

// counter has a number, and its history.
type counter struct {
	History[int]
	now int
}

func (p *counter) set(key string, value int, done bool) {
	p.Change(key, p.now, value == p.now, done)
	p.now = value
}

func (p *counter) undo() bool {
	then, ok := p.Undo(p.now)
	if ok {
		p.now = then
	}
	return ok
}

// undone returns all numbers that undo leads to.
func (p *counter) undone() (out []int) {
	for p.undo() {
		out = append(out, p.now)
	}
	return out
}

func TestUndoSteps(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(p *counter)
		want []int
	}{
		"nothing":              {func(*counter) {}, nil},
		"two settings":         {func(p *counter) { p.set("a", 1, true); p.set("b", 2, true) }, []int{1, 0}},
		"one setting twice":    {func(p *counter) { p.set("a", 1, true); p.set("a", 2, true) }, []int{1, 0}},
		"a drag":               {func(p *counter) { p.set("a", 1, false); p.set("a", 2, false); p.set("a", 3, true) }, []int{0}},
		"a drag of another":    {func(p *counter) { p.set("a", 1, false); p.set("b", 2, false) }, []int{1, 0}},
		"the same value":       {func(p *counter) { p.set("a", 0, true) }, nil},
		"without a key":        {func(p *counter) { p.set("", 1, false); p.set("", 2, false) }, []int{1, 0}},
		"an end between drags": {func(p *counter) { p.set("a", 1, false); p.EndDrag(); p.set("a", 2, false) }, []int{1, 0}},
		"keys on a slider": {func(p *counter) {
			for i, at := range []float64{0, 300, 900, 2000} { // the last after a pause
				p.BeginSlide("a", at)
				p.set("a", i+1, true)
				p.EndSlide("a", at)
			}
		}, []int{3, 0}},
		"trimmed": {func(p *counter) {
			for i := range 5 {
				p.set("a", i+1, true)
			}
			p.Trim(func(step int) bool { return step > 2 })
		}, []int{4, 3}},
		"many": {func(p *counter) {
			for i := range MaxUndoSteps + 5 {
				p.set("a", i+1, true)
			}
			p.Trim(func(step int) bool { return step >= MaxUndoSteps })
		}, []int{MaxUndoSteps + 4, MaxUndoSteps + 3, MaxUndoSteps + 2, MaxUndoSteps + 1, MaxUndoSteps}},
	} {
		p := &counter{}
		tt.do(p)
		if got := p.undone(); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: undoing leads to %v, want %v", name, got, tt.want)
		}
	}
}

func TestRedo(t *testing.T) {
	p := &counter{}
	p.set("a", 1, true)
	p.set("a", 2, true)
	p.undo()
	if last, ok := p.Previous(); !ok || last != 0 || !p.CanUndo() || !p.CanRedo() {
		t.Errorf("after an undo, the last step is %d, %v", last, ok)
	}
	if then, ok := p.Redo(p.now); !ok || then != 2 {
		t.Errorf("redone is %d, %v", then, ok)
	}
	p.now = 2
	p.undo()
	p.set("a", 9, true) // another way
	if _, ok := p.Redo(p.now); ok || p.CanRedo() {
		t.Error("what was left for another change comes back")
	}
}
