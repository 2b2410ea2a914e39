package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart/clientmap"
	. "flockscope/ui/page"
)

// A link has the viewpoint of maps; an invalid value means flat maps.
func TestMap3DWord(t *testing.T) {
	for _, tt := range []struct {
		word  string
		solid bool
		from  clientmap.Orbit
		again string
	}{
		{"3d", true, clientmap.DefaultOrbit, "3d"},
		{"3d.250.10", true, clientmap.Orbit{Turn: 250, Tilt: 10}, "3d.250.10"},
		{"3d.0.90", true, clientmap.Orbit{Turn: 0, Tilt: 90}, "3d.0.90"},
		{"3d.30.35", true, clientmap.DefaultOrbit, "3d"},
		{"3d.007.010", true, clientmap.Orbit{Turn: 7, Tilt: 10}, "3d.7.10"},
		{"3d.360.10", false, clientmap.DefaultOrbit, ""},
		{"3d.250.91", false, clientmap.DefaultOrbit, ""},
		{"3d.-5.10", false, clientmap.DefaultOrbit, ""},
		{"3d.250", false, clientmap.DefaultOrbit, ""},
		{"3d.1.2.3", false, clientmap.DefaultOrbit, ""},
		{"3d250.10", false, clientmap.DefaultOrbit, ""},
		{"3dd", false, clientmap.DefaultOrbit, ""},
		{".250.10", false, clientmap.DefaultOrbit, ""},
		{"2d", false, clientmap.DefaultOrbit, ""},
		{"", false, clientmap.DefaultOrbit, ""},
	} {
		a := New(catalog.Schema(), "?map="+tt.word)
		if a.Map3D != tt.solid || a.Orbit != tt.from {
			t.Errorf("map=%s: solid %v, %v; want %v, %v", tt.word, a.Map3D, a.Orbit, tt.solid, tt.from)
		}
		if got := a.Schema.ReadLink("?" + a.Link()).Page().Get("map"); got != tt.again {
			t.Errorf("map=%s is %q again, want %q", tt.word, got, tt.again)
		}
	}
}

// A link opens maps in three dimensions, and the page's link says so as long as they are.
func TestMap3DLink(t *testing.T) {
	a := New(catalog.Schema(), "?map=3d")
	if !a.Map3D || !strings.HasSuffix(a.Link(), "&map=3d") {
		t.Errorf("map=3d is lost: %s", a.Link())
	}
	a.Update(0, ToggleMap3D{})
	if strings.Contains(a.Link(), "map=") {
		t.Errorf("flat maps are named: %s", a.Link())
	}
}

// Arrow keys turn a map in three dimensions, and it keeps its viewpoint.
func TestPressMapKey(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,fedavg")
	if a.Do(PressMapKey{Lane: 0, Key: "ArrowRight"}) {
		t.Error("a flat map turns")
	}
	a.Do(ToggleMap3D{})
	if a.Do(PressMapKey{Lane: 1, Key: "ArrowRight"}) {
		t.Error("a map of nobody's comparison turns")
	}
	for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "ArrowUp"} {
		if !a.Do(PressMapKey{Lane: 0, Key: key}) {
			t.Errorf("%s does not turn the map", key)
		}
	}
	if want := clientmap.DefaultOrbit.Turned(5, -5); a.Orbit != want {
		t.Errorf("the map is %v, want %v", a.Orbit, want)
	}
	if a.Do(PressMapKey{Lane: 0, Key: "Enter"}) {
		t.Error("Enter turns the map")
	}
	a.Do(TogglePlay{})
	a.Tick(40)
	if want := clientmap.DefaultOrbit.Turned(5, -5); a.Orbit != want {
		t.Errorf("playing turned the map: %v", a.Orbit)
	}
}
