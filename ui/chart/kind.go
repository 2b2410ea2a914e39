package chart

// Kind is a kind of figure. Tabs, links, descriptions and tests go by the list of them.
type Kind struct {
	Name  string // in links and in the style sheet: "map"
	Title string // on its tab: "Map"
	Hint  string // how to read it, where there is room to say so
	Of    Scope
	Many  bool // there are several at a time, told apart by a number: those of lanes, and more
	// Shows reports whether a run has what the figure shows; nil for any run.
	Shows func(v *View) bool
	New   func() Figure
}

// Scope is what one figure is of.
type Scope uint8

// The scopes.
const (
	OfData  Scope = iota // the data of all clients
	OfMap                // a lane: the map, which is always there
	OfLane               // a lane, below its map: one of several
	OfLanes              // all lanes over the rounds
	Apart                // part of something else: it has no tab
)

// Spot is where a figure stands.
type Spot struct {
	Kind string
	Lane int
}

// In reports whether the run on view has what the figure shows.
func (k *Kind) In(v *View) bool { return k.Shows == nil || v.Run != nil && k.Shows(v) }
