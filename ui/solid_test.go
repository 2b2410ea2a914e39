package ui

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart"
)

// A link opens maps in three dimensions, and says so as long as they are.
func TestSolidLink(t *testing.T) {
	a := New(catalog.Schema(), "?map=3d")
	if !a.Solid || !strings.HasSuffix(a.Link(), "&map=3d") {
		t.Errorf("map=3d is lost: %s", a.Link())
	}
	a.ToggleSolid()
	if strings.Contains(a.Link(), "map=") {
		t.Errorf("flat maps are named: %s", a.Link())
	}
}

// Arrows turn a map that is in three dimensions, and it stays where it was put.
func TestTurnKey(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,fedavg")
	if a.TurnKey(0, "ArrowRight") {
		t.Error("a flat map turns")
	}
	a.ToggleSolid()
	if a.TurnKey(1, "ArrowRight") {
		t.Error("a map of nobody's comparison turns")
	}
	for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "ArrowUp"} {
		if !a.TurnKey(0, key) {
			t.Errorf("%s does not turn the map", key)
		}
	}
	if want := chart.Aside.By(5, -5); a.From != want {
		t.Errorf("the map is %v, want %v", a.From, want)
	}
	if a.TurnKey(0, "Enter") {
		t.Error("Enter turns the map")
	}
	a.PlayNow()
	a.Tick(40)
	if want := chart.Aside.By(5, -5); a.From != want {
		t.Errorf("playing turned the map: %v", a.From)
	}
}
