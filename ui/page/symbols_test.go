package page_test

import (
	"strings"
	"testing"

	. "flockscope/ui/page"
)

// A symbol has its size in this run and its meaning in each method.
func TestSymbolWords(t *testing.T) {
	a, p := ready(t, "algos=cflgp,clove&t=3")
	if a.Phases.SymbolWords() == "" || len(a.Phases.SymbolClasses()) > 0 {
		t.Errorf("before any symbol: %q, %q", a.Phases.SymbolWords(), a.Phases.SymbolClasses())
	}
	a.Do(PointSymbol{Symbol: "θ"})
	if len(a.Phases.SymbolClasses()) > 0 {
		t.Error("outside a round a figure is lit")
	}
	a.Do(PressKey{Key: ".", Shift: false})
	p.Answer()
	for _, tt := range []struct {
		lane        int
		sign, words string
		seen        string
	}{
		{0, "θ", "θ: parameters of a model. 2 numbers, no unit.", "seen seen-data"},
		{0, "g", "g: memory of a client’s gradients of one model. One number per compared parameter, no unit.", "seen seen-map"},
		{1, "g", "g: update of a client. 2 numbers.", ""},
		{1, "L", "L: loss of a model on samples of a client, or of all models. A number, or 3 numbers, in squares of the unit of y.", "seen seen-losses"},
		{1, "c", "c: model of a client. Its number; on the page its colour and letter.", "seen seen-map"},
		{0, "i", "i: client. Its number, 1 to 12.", "seen seen-map"},
		{0, "?", "Point at a symbol for its meaning.", ""},
	} {
		a.Lane = tt.lane
		a.Do(PointSymbol{Symbol: tt.sign})
		if got, seen := a.Phases.SymbolWords(), strings.Join(a.Phases.SymbolClasses(), " "); got != tt.words ||
			seen != tt.seen {
			t.Errorf("lane %d: %q, %q", tt.lane, got, seen)
		}
	}
}
