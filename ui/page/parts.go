package page

import (
	"slices"
)

// Lacks reports whether a part is left out. A name that is none of the parts'
// is a figure's, or nobody's.
func (a *State) Lacks(name string) bool {
	if slices.Contains(a.Frame.Hide, name) {
		return true
	}
	i := slices.IndexFunc(Parts, func(p Part) bool { return p.Name == name })
	return i >= 0 && Parts[i].Control && a.Frame.Chosen && !slices.Contains(a.Frame.Controls, name) &&
		(name != "hero" || len(a.Heroes()) == 0)
}

// Without are the classes of what the page goes without, for the style sheet:
// the parts themselves, and places that are empty when all their parts are gone.
func (a *State) Without() []string {
	var out []string
	lacks := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !a.Lacks(name) })
	}
	for _, p := range Parts {
		if a.Lacks(p.Name) {
			out = append(out, "without-"+p.Name)
		}
	}
	if lacks("title", "lessons", "settings", "undo", "share", "export", "theme") {
		out = append(out, "no-top")
	}
	if lacks("data", "story") {
		out = append(out, "no-side")
	}
	if lacks("map", "below") {
		out = append(out, "no-lanes")
	}
	if lacks("rewind", "back", "play", "step", "round", "scrub", "speed") {
		out = append(out, "no-transport")
	}
	if a.Frame.Chosen && len(a.Heroes()) > 0 {
		out = append(out, "with-hero")
	}
	return out
}
