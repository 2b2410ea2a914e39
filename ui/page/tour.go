package page

// TourStop is one stop of the tour of the page.
type TourStop struct {
	Title, Text string
	// Selectors are CSS selectors of its subject; the first visible element is framed.
	Selectors string

	Arrive, Leave func(t *Tour, p *State)      // called on arriving and leaving, nil for nothing
	Try           string                       // a task for the user, "" for none
	Done          func(t *Tour, p *State) bool // whether the task is done
}

// TourStops are the stops of the tour.
var TourStops = []TourStop{
	{Title: "The data", Selectors: ".side .data, .lanes .map",
		Text: "The samples of all clients; those of one client are black. No client shows its samples to the server: it sends numbers computed from them."},
	{Title: "How different are they?", Selectors: ".side .hero",
		Text: "Each change of a setting computes the whole run again, and you stay at the same round. You can " +
			"undo every change.",
		Try:    "Move a slider.",
		Arrive: func(t *Tour, p *State) { t.settings = p.Config.String() }, Done: func(t *Tour, p *State) bool {
			return p.Config.String() != t.settings
		}},
	{Title: "Who has found the groups?", Selectors: "#headline, .lanes .verdict",
		Text: "The headline says what the methods have achieved. Below the name of each method stand its verdict, and the cause in numbers of this run."},
	{Title: "Two methods, the same clients", Selectors: ".lanes .lane-head",
		Text: "Both methods have the same samples and start models. The name of a method is a menu of all " +
			"methods; beside it are its score and its own settings, which are open now.",
		Arrive: func(_ *Tour, p *State) { p.SettingsLane = 0 }, Leave: func(_ *Tour, p *State) { p.SettingsLane = -1 }},
	{Title: "One round, six phases", Selectors: ".steps",
		Text:   "Watch the round, or show one phase: what each method does in it, and the numbers of one client. The formulas are behind \"How exactly\".",
		Try:    "Show a phase.",
		Arrive: func(t *Tour, p *State) { t.phase = p.Phases.At }, Done: func(t *Tour, p *State) bool {
			return p.Phases.At != t.phase
		}},
	{Title: "The server and its clients", Selectors: ".lanes .map",
		Text: "Above the dotted line is what the server has: its models, and where it sees the clients. Below it are the clients. Only numbers cross the line."},
	{Title: "Shape and colour", Selectors: ".lanes .map",
		Text: "Each mark is a client. Its shape is its true group, which no method knows. Its colour is its model. Where the clustering is right, each shape has one colour; a hollow mark is a misplaced client."},
	{Title: "Round by round", Selectors: ".time",
		Text: "Play, step by one round, or drag the slider. The flag marks the round from which all clients " +
			"are in the right place to the end.",
		Try:    "Go to another round.",
		Arrive: func(t *Tour, p *State) { t.round = p.Round }, Done: func(t *Tour, p *State) bool {
			return p.Round != t.round
		}},
	{Title: "All rounds at once", Selectors: ".curves, .tabs",
		Text: "Accuracy and cost of each method, round by round. Drag to go to a round; add a method to compare it."},
	{Title: "A round for a room", Selectors: "#lecture, .tools",
		Text: "A lecture shows this round in eight steps, from the question to the verdicts, in large letters. Space leads on."},
	{Title: "Where next?", Selectors: "#lessons, .tools",
		Text: "Each lesson has a question, a run and something to do. The link leads to exactly this run and round. The question mark explains every term."},
}

// Tour is the state of the tour.
type Tour struct {
	On         bool
	Stop       int  // index in TourStops
	WantsFocus bool // the card's title should get the focus

	tryDone      bool
	round, phase int // at the arrival
	settings     string
}

// Start starts the tour.
func (t *Tour) Start(p *State) {
	*t = Tour{On: true}
	t.arrive(p)
}

// GoTo goes to a stop; before the first or after the last one the tour ends.
func (t *Tour) GoTo(n int, p *State) {
	if off := TourStops[t.Stop].Leave; off != nil {
		off(t, p)
	}
	if n < 0 || n >= len(TourStops) {
		*t = Tour{}
		return
	}
	t.Stop = n
	t.arrive(p)
}

func (t *Tour) arrive(p *State) {
	t.tryDone, t.WantsFocus = false, true
	if on := TourStops[t.Stop].Arrive; on != nil {
		on(t, p)
	}
}

// TryDone reports whether the user has done the task of the stop.
func (t *Tour) TryDone(p *State) bool {
	done := TourStops[t.Stop].Done
	t.tryDone = t.tryDone || done != nil && done(t, p)
	return t.tryDone
}
