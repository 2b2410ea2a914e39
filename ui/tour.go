package ui

import (
	"flockscope/sim/experiment"
	"flockscope/ui/host"
)

// stop is one page of the tour of the page.
type stop struct {
	title, text string
	at          string          // selectors of what it is about; the first that can be seen is framed
	on, off     func(a *App)    // on arriving and on leaving, nil for nothing
	try         string          // something to try, "" for nothing
	done        func(*App) bool // whether it was tried
}

// stops are the tour.
var stops = []stop{
	{title: "Shape and colour", at: ".lanes .map",
		text: "Each mark is a client. Its shape is the group that it really comes from, which no method is told. Its colour is the model that it was given. Where the clustering is right, one shape has one colour; a hollow mark is in the wrong place."},
	{title: "Round by round", at: ".transport",
		text: "Play, take a single round, or drag along the line. The flag stands where everything is right and stays right.",
		try:  "Go to another round.",
		on:   func(a *App) { a.tour.round = a.Round }, done: func(a *App) bool { return a.Round != a.tour.round }},
	{title: "How different are they?", at: ".settings [data-slide], .hero .control, .data",
		text: "Every setting starts the whole run anew, at once, and the round you look at stays the same. You cannot break anything: there is undo.",
		try:  "Move a slider.",
		on:   func(a *App) { a.tour.config = a.Config }, done: func(a *App) bool { return a.Config.String() != a.tour.config.String() }},
	{title: "Two methods, the same clients", at: ".lanes .lane-head, .switch",
		text: "Each lane runs one method, on the same samples and from the same start. Its name is a menu with all others; beside it are how it stands and, open now, what it can have for itself.",
		on:   func(a *App) { a.Tuning = 0 }, off: func(a *App) { a.Tuning = -1 }},
	{title: "What the method looks at", at: ".lane .below, .tabs",
		text: "Below a map are the losses of every client on every model, who moved, and more. Point at a client anywhere, and it is marked everywhere."},
	{title: "What just happened", at: ".story, .lanes .map",
		text: "The round in words, what it cost, and the client in the light."},
	{title: "All rounds at once", at: ".curves, .tabs",
		text: "How right, how good and how expensive each lane has become. Drag in it to go to a round; add a lane to compare one more."},
	{title: "Where next?", at: "#lessons, .tools",
		text: "Lessons have a question, a run and something to do. The link holds exactly this run and round. The question mark explains every word."},
}

// tour is where the tour stands.
type tour struct {
	on     bool
	at     int
	tried  bool
	asked  bool // the card wants the focus
	round  int
	config experiment.Config
}

// Touring reports whether the tour is under way.
func (a *App) Touring() bool { return a.tour.on }

// StartTour begins the tour of the page.
func (a *App) StartTour() {
	a.Sheet, a.Playing, a.Drawer = "", false, false
	a.tour = tour{on: true}
	a.arrive()
}

// TourTo goes to a stop; past the last one the tour ends.
func (a *App) TourTo(n int) {
	if off := stops[a.tour.at].off; off != nil {
		off(a)
	}
	if n < 0 || n >= len(stops) {
		a.tour = tour{}
		a.Host.Change(host.Shell)
		return
	}
	a.tour.at = n
	a.arrive()
}

// EndTour ends it.
func (a *App) EndTour() { a.TourTo(-1) }

func (a *App) arrive() {
	a.tour.tried, a.tour.asked = false, true
	if on := stops[a.tour.at].on; on != nil {
		on(a)
	}
	a.Host.Change(host.Shell)
}

// Tried reports whether what a stop has to try was tried.
func (a *App) Tried() bool {
	s := &stops[a.tour.at]
	a.tour.tried = a.tour.tried || s.done != nil && s.done(a)
	return a.tour.tried
}

// TriedWords says so.
func (a *App) TriedWords() string {
	if a.Tried() {
		return "Done."
	}
	return ""
}

// tourKey acts on a key in the tour's card.
func (a *App) tourKey(key string) bool {
	switch key {
	case "Escape":
		a.EndTour()
	case "ArrowRight":
		a.TourTo(a.tour.at + 1)
	case "ArrowLeft":
		a.TourTo(max(a.tour.at-1, 0))
	default:
		return false
	}
	return true
}
