package ui

import (
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// onStage returns where a lane of the configuration stands in the run on screen,
// −1 while that run has no such lane: nothing stands under a borrowed name.
func (a *App) onStage(lane int) int {
	if a.Run == nil || lane < 0 || lane >= len(a.Config.Lanes()) {
		return -1
	}
	id := a.Config.Lanes()[lane].ID()
	return slices.IndexFunc(a.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
}

// frame returns the shown frame of a lane of the run on screen, nil where there
// is none.
func (a *App) frame(lane int) *trace.Frame {
	if a.Run == nil || lane < 0 || lane >= len(a.Run.Tracks) || len(a.Run.Tracks[lane].Frames) == 0 {
		return nil
	}
	frames := a.Run.Tracks[lane].Frames
	return &frames[min(a.Shown(), len(frames)-1)]
}

// NoAnswer reports that nobody knows the true groups of the run on screen, so
// that no clustering is right or wrong.
func (a *App) NoAnswer() bool { return a.Run != nil && !a.Run.Header.HasTruth() }

// Shows is the metric of the curves: the one chosen, or the loss where the
// chosen one needs to know the groups.
func (a *App) Shows() chart.Metric {
	if a.NoAnswer() && (a.Metric == chart.ARI || a.Metric == chart.Misplaced) {
		return chart.Loss
	}
	return a.Metric
}

// Algorithm returns what the schema says of a lane's algorithm.
func (a *App) Algorithm(lane int) registry.Meta {
	for _, m := range a.Schema.Algorithms {
		if m.Name == a.Config.Lanes()[lane].Algorithm {
			return m
		}
	}
	return registry.Meta{}
}

// Title is what a lane is called.
func (a *App) Title(lane int) string {
	title := a.Algorithm(lane).Title
	if label := a.Config.Lanes()[lane].Label; label != "" {
		title += " · " + label
	}
	return title
}

// Score is a lane's verdict in a few characters: "ARI 0.54 · 3 wrong".
func (a *App) Score(lane int) string {
	f := a.frame(a.onStage(lane))
	switch {
	case f == nil:
		return ""
	case f.Events.Has(trace.Diverged):
		return "diverged"
	case !a.Run.Header.HasTruth():
		return chart.Count(f.Clusters, "model") + " in use"
	default:
		return "ARI " + chart.Fixed(f.ARI, 2) + " · " + itoa(f.Misplaced) + " wrong"
	}
}

// Story says what the shown round means for a lane, in one or two sentences.
func (a *App) Story(lane int) string {
	lane = a.onStage(lane)
	f := a.frame(lane)
	if f == nil {
		return "Nothing computed yet."
	}
	h, track := a.Run.Header, &a.Run.Tracks[lane]
	s := track.Summary
	if f.Events.Has(trace.Diverged) {
		if s != nil && s.Cause != "" {
			return capital(s.Cause) + "."
		}
		return "The models blew up. Try a smaller learning rate."
	}
	if f.Round == 0 {
		return "The start. No client has been heard yet."
	}
	if !h.HasTruth() {
		return fmt.Sprintf("%s in use: error %s.", capital(chart.Count(f.Clusters, "model")), chart.Number(f.Loss))
	}
	switch {
	case h.Groups == 1:
		return "There is one group only; one model can serve everybody."
	case f.ARI == 1 && s != nil && f.Round >= s.Settled && chart.Lasting(s, h.Rounds):
		return fmt.Sprintf("All %d clients are in the right place, since round %d and for good.", h.Clients, s.Settled)
	case f.ARI == 1 && (s == nil || s.Settled >= 0 && f.Round >= s.Settled):
		return fmt.Sprintf("All %d clients are in the right place.", h.Clients)
	case f.ARI == 1:
		return fmt.Sprintf("All %d clients are in the right place, but not for long.", h.Clients)
	case f.Clusters == 1 && h.Lanes[lane].Models == 1:
		return fmt.Sprintf("One model for %d groups: error %s, best possible %s.", h.Groups, chart.Number(f.Loss), chart.Number(h.Scenery.Floor))
	case h.Lanes[lane].Columns == 1 && h.Lanes[lane].Models > 1:
		return fmt.Sprintf("Everybody learns alone: error %s, best possible %s.", chart.Number(f.Loss), chart.Number(h.Scenery.Floor))
	}
	text := fmt.Sprintf("%d of %d clients are in the wrong place.", f.Misplaced, h.Clients)
	if idle := a.idle(lane, f); len(idle) > 0 {
		text += " Nobody was given model " + strings.Join(idle, " or ") + "."
	}
	if !h.Lanes[lane].Border && h.Lanes[lane].Map != trace.NoMap && len(f.XY) == 0 {
		text = "No evidence yet: the labels are as they were at the start."
	}
	return text
}

// idle are the letters of the models that no client was given.
func (a *App) idle(lane int, f *trace.Frame) []string {
	models := a.Run.Header.Lanes[lane].Models
	used := make([]bool, models)
	for _, k := range f.Label {
		used[k] = true
	}
	v := a.view(lane)
	var out []string
	for k, u := range used {
		if !u && len(out) < 3 {
			out = append(out, v.Letter(k))
		}
	}
	return out
}

// Cost is what a lane has sent so far per client: "38 down · 38 up".
func (a *App) Cost(lane int) string {
	f := a.frame(a.onStage(lane))
	if f == nil {
		return ""
	}
	return chart.Fixed(f.Down, 0) + " down · " + chart.Fixed(f.Up, 0) + " up"
}

// Card is what is known of the client in the light.
type Card struct {
	Head string
	Rows []string // one a lane
}

// Card returns the card of the client in the light; its Head is empty when no
// client is.
func (a *App) Card() Card {
	i := a.Subject()
	if i < 0 {
		return Card{}
	}
	h := a.Run.Header
	v := a.view(0)
	c := Card{Head: "Client " + chart.Client(i)}
	if h.HasTruth() {
		c.Head += fmt.Sprintf(", group %d (%s)", h.Group[i]+1, v.Shape(i))
	}
	for lane := range h.Lanes {
		if f := a.frame(lane); f != nil {
			c.Rows = append(c.Rows, a.cardRow(lane, i, f))
		}
	}
	return c
}

func (a *App) cardRow(lane, i int, f *trace.Frame) string {
	v := a.view(lane)
	info := &a.Run.Header.Lanes[lane]
	k := int(f.Label[i])
	text := info.Title + ": "
	if info.Columns == 1 && info.Models > 1 {
		return text + "its own model, loss " + chart.Number(float64(f.Losses[i]))
	}
	text += "model " + v.Letter(k) + " since round " + itoa(a.since(lane, i, f.Round)) + "; losses"
	row := f.Losses[i*info.Columns : (i+1)*info.Columns]
	byLetter := make([]string, len(row))
	for j, loss := range row {
		byLetter[v.Place(j)] = " " + v.Letter(j) + " " + chart.Number(float64(loss))
	}
	const most = 4
	text += strings.Join(byLetter[:min(most, len(row))], ",")
	if len(row) > most {
		text += ", …"
	}
	return text
}

// since is the round from which on a client has had its present model.
func (a *App) since(lane, client, round int) int {
	frames := a.Run.Tracks[lane].Frames
	round = min(round, len(frames)-1)
	for t := round; t > 0; t-- {
		if frames[t-1].Label[client] != frames[t].Label[client] {
			return t
		}
	}
	return 0
}

// Fingerprint is the short form of the run's fingerprint, "" until it is done.
func (a *App) Fingerprint() string {
	sum, ok := a.fingerprint()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%04X-%04X", sum>>48, sum>>32&0xFFFF)
}

func (a *App) fingerprint() (uint64, bool) {
	if a.Run == nil || !a.Run.Done() {
		return 0, false
	}
	var lanes []uint64
	for i := range a.Run.Tracks {
		lanes = append(lanes, a.Run.Tracks[i].Summary.Fingerprint)
	}
	return trace.Combine(lanes), true
}

// Progress is how far a run is that is still under way, in percent, or −1.
func (a *App) Progress() int {
	if a.Run == nil || a.Run.Done() {
		return -1
	}
	return 100 * max(0, a.Run.Finished()) / max(1, a.Rounds())
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
