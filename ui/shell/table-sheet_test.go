package shell

import (
	"strings"
	"testing"

	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/page"
)

// TestTables: every figure that can be seen has its numbers in the dialog, under
// the sentence that describes it.
func TestTables(t *testing.T) {
	a, _ := ready(t, "t=14")
	shown := []string{"map", "data", "curves", "timeline"}
	for _, k := range a.FiguresBelow(0) {
		shown = append(shown, k.Name)
	}
	for _, name := range shown {
		a.Do(page.OpenTable{Kind: name, Lane: 0})
		html := rendered(t, a)
		k, _ := figures.KindOf(name)
		v := a.View(0)
		head, _ := k.New().Table(&v)
		for _, want := range append(head, a.Describe(name, 0)) {
			if !strings.Contains(text(html), want) {
				t.Errorf("the numbers of %s do not say %q", name, want)
			}
		}
		if a.Sheet != "table" || a.SheetTitle() == "" {
			t.Errorf("the sheet is %q, called %q", a.Sheet, a.SheetTitle())
		}
	}
	a.Do(page.CloseSheet{})
	if html := rendered(t, a); strings.Contains(html, "<table") {
		t.Error("the table stays when the dialog is closed")
	}
}

// TestTableOfTheTab: the key is about what is shown.
func TestTableOfTheTab(t *testing.T) {
	a, _ := ready(t, "t=14&lane=2&view=flow")
	for tab, want := range map[string]chart.FigureID{"flow": {Kind: "flow", Lane: 1}, "map": {Kind: "map", Lane: 1},
		"curves": {Kind: "curves", Lane: 0}} {
		a.Do(page.ShowTab{Tab: tab})
		if a.Do(page.PressKey{Key: "t", Shift: false}); a.TableFigure != want {
			t.Errorf("with %s shown the key opens the numbers of %v, want %v", tab, a.TableFigure, want)
		}
	}
}
