package page

import (
	"strconv"
	"strings"

	"flockscope/ui/chart/clientmap"
	"flockscope/ui/host"
)

// Maps in three dimensions: all maps have them or none, and all have one viewpoint.

// map3D is the value in a link for maps in three dimensions. Turn and tilt in degrees follow it
// unless they are [clientmap.DefaultOrbit]: "3d.250.10".
const map3D = "3d"

// flat is the value in a link for maps in two dimensions.
const flat = "flat"

// mapWord returns the value in a link for maps in three dimensions.
func (l *Look) mapWord() string {
	if l.Orbit == clientmap.DefaultOrbit {
		return map3D
	}
	return map3D + "." + itoa(l.Orbit.Turn) + "." + itoa(l.Orbit.Tilt)
}

// readMapView sets the dimensions of maps and the viewpoint from the value in a link. Invalid values
// mean flat maps.
func (l *Look) readMapView(word string) {
	if from, ok := parseOrbit(word); ok {
		l.Map3D, l.Orbit = true, from
	} else {
		l.Map3D = false
	}
}

// parseOrbit parses the viewpoint from a value in a link, such as 3d or 3d.30.20, in degrees.
func parseOrbit(word string) (from clientmap.Orbit, ok bool) {
	rest, ok := strings.CutPrefix(word, map3D)
	if !ok || rest == "" {
		return clientmap.DefaultOrbit, ok
	}
	parts := strings.Split(rest, ".") // one more, since it begins with a dot
	if len(parts) != 3 || parts[0] != "" {
		return from, false
	}
	turn, errTurn := strconv.Atoi(parts[1])
	tilt, errTilt := strconv.Atoi(parts[2])
	from = clientmap.Orbit{Turn: turn, Tilt: tilt}
	return from, errTurn == nil && errTilt == nil && from == from.Turned(0, 0)
}

// FlatOnly returns why a lane's map has no third dimension, "" if it has one.
func (s *State) FlatOnly(lane int) string {
	v := s.View(lane)
	return clientmap.FlatOnly(&v)
}

// ToggleMap3D: the user switches the maps between two and three dimensions.
type ToggleMap3D struct{}

func (ToggleMap3D) update(s *State) {
	s.Map3D = !s.Map3D
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Turns reports whether a lane's map can be turned.
func (s *State) Turns(lane int) bool { return s.Map3D && s.FlatOnly(lane) == "" }

// TurnMap: the user drags a map in three dimensions by angles in degrees.
type TurnMap struct{ Turn, Tilt int }

func (m TurnMap) update(s *State) {
	if from := s.Orbit.Turned(m.Turn, m.Tilt); from != s.Orbit {
		s.Orbit = from
		s.effects.Redraw(host.Figures)
	}
}

// PressMapKey: the user presses a key on a lane's map; arrow keys turn it.
type PressMapKey struct {
	Lane int
	Key  string
}

func (m PressMapKey) update(s *State) {
	const step = 5
	if !s.Turns(m.Lane) {
		return
	}
	switch m.Key {
	case "ArrowLeft":
		TurnMap{-step, 0}.update(s)
	case "ArrowRight":
		TurnMap{step, 0}.update(s)
	case "ArrowUp":
		TurnMap{0, -step}.update(s)
	case "ArrowDown":
		TurnMap{0, step}.update(s)
	default:
		return
	}
	s.effects.Redraw(host.Shell | host.Link) // its description changes, too
	s.effects.Handled = true
}
