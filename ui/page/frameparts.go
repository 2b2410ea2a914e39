package page

import (
	"slices"

	"flockscope/ui/chart/figures"
)

// A Part is a piece of the page that has a name, so that who puts the page
// into a frame can leave it out: hide=NAME. It stands in the page as
// data-part="NAME"; the style sheet hides it by the class without-NAME, and a
// test holds the three together. Figures with a tab go by their own names.
type Part struct {
	Name    string
	Control bool   // something to act with: controls=LIST shows the listed ones alone
	What    string // for those who choose
}

// Parts are all there are, in the order of the page.
var Parts = []Part{
	{"title", false, "the name of the page"},
	{"lessons", true, "list of lessons"},
	{"settings", true, "all settings"},
	{"undo", true, "undo and redo"},
	{"share", true, "copy link"},
	{"export", true, "take away"},
	{"theme", true, "light or dark"},
	{"rewind", true, "back to the start"},
	{"back", true, "one round back"},
	{"play", true, "play and pause"},
	{"step", true, "one round forward"},
	{"round", false, "number of the round"},
	{"scrub", true, "timeline"},
	{"progress", false, "how far a run is"},
	{"phases", true, "phases of the round"},
	{"speed", true, "pace"},
	{"tabs", true, "figures to choose from"},
	{"switch", true, "lanes to choose from"},
	{"hero", true, "the first setting"},
	{"scent", false, "previews along sliders"},
	{"data", false, "data"},
	{"story", false, "what happened"},
	{"client", false, "the client in focus"},
	{"cost", false, "what it cost"},
	{"map", false, "maps"},
	{"below", false, "figures below the maps"},
	{"lanes", true, "choosing and changing algorithms"},
	{"curves", false, "curves"},
	{"metrics", true, "metric of the curves"},
	{"sweep", true, "comparing with other runs"},
	{"tables", true, "the numbers behind figures"},
	{"caption", false, "one line of what happened"},
	{"open", true, "link to the whole page"},
}

// IsPart reports whether a name can stand in hide=.
func IsPart(name string) bool {
	_, figure := figures.KindOf(name)
	return figure || slices.ContainsFunc(Parts, func(p Part) bool { return p.Name == name })
}
