package page

import (
	"strconv"
	"strings"

	"flockscope/ui/chart/clientmap"
	"flockscope/ui/host"
)

// Maps in three dimensions: all of them or none, seen from one side.

// map3D is the word of a link for maps in three dimensions. Where they are seen
// from follows it in degrees, around and above, unless that is [clientmap.Aside]:
// "3d.250.10".
const map3D = "3d"

// flat is the word for maps that are not.
const flat = "flat"

// mapWord is what a link says of the maps while they have three dimensions.
func (l *Look) mapWord() string {
	if l.Orbit == clientmap.DefaultOrbit {
		return map3D
	}
	return map3D + "." + itoa(l.Orbit.Turn) + "." + itoa(l.Orbit.Tilt)
}

// readMapView lifts the maps or lays them flat, as the word of a link says. One that
// is not valid leaves them flat.
func (l *Look) readMapView(word string) {
	if from, ok := orbitOf(word); ok {
		l.Map3D, l.Orbit = true, from
	} else {
		l.Map3D = false
	}
}

// orbitOf reads from where a word of a link says that such maps are seen, such as 3d
// or 3d.30.20, in degrees.
func orbitOf(word string) (from clientmap.Orbit, ok bool) {
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

// FlatOnly says why a lane's map has no third dimension, "" where it has.
func (s *State) FlatOnly(lane int) string {
	v := s.View(lane)
	return clientmap.FlatOnly(&v)
}

// ToggleMap3D lifts the maps into three dimensions, or lays them flat.
type ToggleMap3D struct{}

func (ToggleMap3D) update(s *State) {
	s.Map3D = !s.Map3D
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Turns reports whether a lane's map can be turned.
func (s *State) Turns(lane int) bool { return s.Map3D && s.FlatOnly(lane) == "" }

// Turn goes around the maps and above them, by degrees.
type TurnMap struct{ Turn, Tilt int }

func (m TurnMap) update(s *State) {
	if from := s.Orbit.Turned(m.Turn, m.Tilt); from != s.Orbit {
		s.Orbit = from
		s.effects.Redraw(host.Figures)
	}
}

// PressMapKey turns a lane's map by an arrow.
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
	s.effects.Redraw(host.Shell | host.Link) // its description, too
	s.effects.Handled = true
}
