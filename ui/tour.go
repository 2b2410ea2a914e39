package ui

import (
	"flockscope/sim/experiment"
	"flockscope/ui/host"
)

// Stop is one page of the tour of the page.
type Stop struct {
	Title, Text string
	At          string          // selectors of what it is about; the first that can be seen is framed
	On, Off     func(a *App)    // on arriving and on leaving, nil for nothing
	Try         string          // something to try, "" for nothing
	Done        func(*App) bool // whether it was tried
}

// Stops are the tour.
var Stops = []Stop{
	{Title: "Shape and colour", At: ".lanes .map",
		Text: "Each mark is a client. Its shape is the group that it really comes from, which no method is told. Its colour is the model that it was given. Where the clustering is right, one shape has one colour; a hollow mark is in the wrong place."},
	{Title: "Round by round", At: ".transport",
		Text: "Play, take a single round, or drag along the line. The flag stands where everything is right and stays right.",
		Try:  "Go to another round.",
		On:   func(a *App) { a.Tour.round = a.Round }, Done: func(a *App) bool { return a.Round != a.Tour.round }},
	{Title: "How different are they?", At: ".settings [data-slide], .hero .control, .data",
		Text: "Every setting starts the whole run anew, at once, and the round you look at stays the same. You cannot break anything: there is undo.",
		Try:  "Move a slider.",
		On:   func(a *App) { a.Tour.config = a.Config }, Done: func(a *App) bool { return a.Config.String() != a.Tour.config.String() }},
	{Title: "Two methods, the same clients", At: ".lanes .lane-head, .switch",
		Text: "Each lane runs one method, on the same samples and from the same start. Its name is a menu with all others; beside it are how it stands and, open now, what it can have for itself.",
		On:   func(a *App) { a.Tuning = 0 }, Off: func(a *App) { a.Tuning = -1 }},
	{Title: "What the method looks at", At: ".lane .below, .tabs",
		Text: "Below a map are the losses of every client on every model, who moved, and more. Point at a client anywhere, and it is marked everywhere."},
	{Title: "What just happened", At: ".story, .lanes .map",
		Text: "The round in words, what it cost, and the client in the light."},
	{Title: "All rounds at once", At: ".curves, .tabs",
		Text: "How right, how good and how expensive each lane has become. Drag in it to go to a round; add a lane to compare one more."},
	{Title: "Where next?", At: "#lessons, .tools",
		Text: "Lessons have a question, a run and something to do. The link holds exactly this run and round. The question mark explains every word."},
}

// Tour is where the tour stands.
type Tour struct {
	on     bool
	At     int
	tried  bool
	Asked  bool // the card wants the focus
	round  int
	config experiment.Config
}

// Touring reports whether the tour is under way.
func (a *App) Touring() bool { return a.Tour.on }

// StartTour begins the tour of the page.
func (a *App) StartTour() {
	a.Sheet, a.Playing, a.Drawer = "", false, false
	a.Tour = Tour{on: true}
	a.arrive()
}

// TourTo goes to a stop; past the last one the tour ends.
func (a *App) TourTo(n int) {
	if off := Stops[a.Tour.At].Off; off != nil {
		off(a)
	}
	if n < 0 || n >= len(Stops) {
		a.Tour = Tour{}
		a.Host.Change(host.Shell)
		return
	}
	a.Tour.At = n
	a.arrive()
}

// EndTour ends it.
func (a *App) EndTour() { a.TourTo(-1) }

func (a *App) arrive() {
	a.Tour.tried, a.Tour.Asked = false, true
	if on := Stops[a.Tour.At].On; on != nil {
		on(a)
	}
	a.Host.Change(host.Shell)
}

// Tried reports whether what a stop has to try was tried.
func (a *App) Tried() bool {
	s := &Stops[a.Tour.At]
	a.Tour.tried = a.Tour.tried || s.Done != nil && s.Done(a)
	return a.Tour.tried
}

// TriedWords says so.
func (a *App) TriedWords() string {
	if a.Tried() {
		return "Done."
	}
	return ""
}

// TourKey acts on a key in the tour's card.
func (a *App) TourKey(key string) bool {
	switch key {
	case "Escape":
		a.EndTour()
	case "ArrowRight":
		a.TourTo(a.Tour.At + 1)
	case "ArrowLeft":
		a.TourTo(max(a.Tour.At-1, 0))
	default:
		return false
	}
	return true
}
