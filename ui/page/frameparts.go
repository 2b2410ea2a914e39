package page

import (
	"slices"

	"flockscope/ui/chart/figures"
)

// FramePart is a named part of the page that a frame can hide with hide=NAME. Its element has
// data-part="NAME", and the style sheet hides it by the class without-NAME; a test compares the
// three. Figures with a tab have their own names.
type FramePart struct {
	Name    string
	Control bool   // a control: controls=LIST shows only the listed ones
	What    string // description for the frame builder
}

// FrameParts are all parts, in the order of the page.
var FrameParts = []FramePart{
	{"title", false, "the name of the page"},
	{"lessons", true, "list of lessons"},
	{"lecture", true, "lecture"},
	{"settings", true, "all settings"},
	{"undo", true, "undo and redo"},
	{"share", true, "copy link"},
	{"export", true, "export"},
	{"theme", true, "light or dark"},
	{"rewind", true, "back to the start"},
	{"back", true, "one round back"},
	{"play", true, "play and pause"},
	{"step", true, "one round forward"},
	{"round", false, "number of the round"},
	{"scrub", true, "timeline"},
	{"progress", false, "how far a run is"},
	{"phases", true, "phases of the round"},
	{"speed", true, "speed"},
	{"tabs", true, "figures to choose from"},
	{"hero", true, "the settings beside the data"},
	{"scent", false, "previews along sliders"},
	{"data", false, "data"},
	{"key", false, "what the marks mean"},
	{"story", false, "verdicts and causes"},
	{"client", false, "the client in focus"},
	{"map", false, "the pictures of the methods"},
	{"below", false, "more figures"},
	{"lanes", true, "choosing and changing methods"},
	{"curves", false, "curves"},
	{"metrics", true, "metric of the curves"},
	{"sweep", true, "comparing with other runs"},
	{"tables", true, "the numbers behind figures"},
	{"caption", false, "one line of what happened"},
	{"open", true, "link to the whole page"},
}

// formerParts are names in old links of parts that the page no longer has.
var formerParts = []string{"switch", "cost"}

// IsPart reports whether hide= accepts a name.
func IsPart(name string) bool {
	_, figure := figures.KindOf(name)
	return figure || slices.Contains(formerParts, name) ||
		slices.ContainsFunc(FrameParts, func(p FramePart) bool { return p.Name == name })
}

// Hides reports whether the frame hides a part or a figure.
func (s *State) Hides(name string) bool {
	if slices.Contains(s.Frame.Hide, name) {
		return true
	}
	i := slices.IndexFunc(FrameParts, func(p FramePart) bool { return p.Name == name })
	return i >= 0 && FrameParts[i].Control && s.Frame.Chosen && !slices.Contains(s.Frame.Controls, name) &&
		(name != "hero" || len(s.MainSettings()) == 0)
}

// HiddenClasses returns the classes of hidden parts for the style sheet, and those of areas whose
// parts are all hidden.
func (s *State) HiddenClasses() []string {
	var out []string
	lacks := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !s.Hides(name) })
	}
	for _, p := range FrameParts {
		if s.Hides(p.Name) {
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
	if s.Frame.Chosen && len(s.MainSettings()) > 0 {
		out = append(out, "with-hero")
	}
	return out
}
