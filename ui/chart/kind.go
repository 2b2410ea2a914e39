package chart

// Kind describes a kind of figure, for tabs, links, descriptions and tests.
type Kind struct {
	Name  string // in links and in the style sheet: "map"
	Title string // on its tab: "Map"
	Hint  string // how to read it, shown where there is room
	Of    Scope
	Many  bool // there are several at a time, with numbers, as for lanes
	// Shows reports whether a run has the data of the figure; nil for any run.
	Shows func(v *View) bool
	New   func() Figure
}

// Scope is the part of a run that one figure shows.
type Scope uint8

// The scopes.
const (
	OfData  Scope = iota // the data of all clients
	OfMap                // a lane: the map, which is always there
	OfLane               // a lane, below its map: one of several
	OfLanes              // all lanes, over the rounds
	NoTab                // part of another control; it has no tab
)

// FigureID names a figure on the page.
type FigureID struct {
	Kind string
	Lane int
}

// Available reports whether the shown run has the data of the figure.
func (k *Kind) Available(v *View) bool { return k.Shows == nil || v.Run != nil && k.Shows(v) }
