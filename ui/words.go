package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/export"
	"flockscope/ui/host"
)

// OnStage returns where a lane of the configuration stands in the run on screen,
// −1 while that run has no such lane: nothing stands under a borrowed name.
func (a *App) OnStage(lane int) int {
	if a.Run == nil || lane < 0 || lane >= len(a.Config.Lanes()) {
		return -1
	}
	id := a.Config.Lanes()[lane].ID()
	return slices.IndexFunc(a.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
}

// ShownFrame returns the shown frame of a lane of the run on screen, nil where there
// is none.
func (a *App) ShownFrame(lane int) *trace.Frame {
	if a.Run == nil || lane < 0 || lane >= len(a.Run.Tracks) || len(a.Run.Tracks[lane].Frames) == 0 {
		return nil
	}
	frames := a.Run.Tracks[lane].Frames
	return &frames[min(a.Shown(), len(frames)-1)]
}

// NoAnswer reports that nobody knows the true groups of the run on screen, so
// that no clustering is right or wrong.
func (a *App) NoAnswer() bool { return a.Run != nil && !a.Run.Header.HasTruth() }

// judged reports whether a lane of the run on screen puts clients together, so that
// it can be told how right it is.
func (a *App) judged() bool {
	if a.NoAnswer() {
		return false
	}
	for lane := range a.Config.Lanes() {
		if !a.Config.Unclustered(lane) {
			return true
		}
	}
	return false
}

// Tries reports whether the models of the run on screen are tried now and then
// on samples that clients hold back.
func (a *App) Tries() bool { v := a.view(0); return v.Tries() }

// Grades reports whether their answers are right or wrong.
func (a *App) Grades() bool { v := a.view(0); return v.Grades() }

// Metrics are what curves show most of the run on screen.
func (a *App) Metrics() []chart.Metric {
	var out []chart.Metric
	if a.judged() {
		out = append(out, chart.ARI)
	}
	if a.Grades() {
		out = append(out, chart.Accuracy)
	}
	if a.judged() {
		out = append(out, chart.Misplaced)
	}
	return append(out, chart.Loss, chart.Cost)
}

// MoreMetrics are what else they can show.
func (a *App) MoreMetrics() []chart.Metric {
	var out []chart.Metric
	if a.judged() {
		out = append(out, chart.NMI, chart.Purity)
	}
	out = append(out, chart.Worst)
	if a.Grades() {
		out = append(out, chart.Weakest)
	}
	if a.Run != nil && export.Visited(a.Run) {
		out = append(out, chart.Val, chart.Test)
	}
	if timed(a.Run) {
		out = append(out, chart.Time)
	}
	return out
}

// hasVerdict reports whether a lane of the run is right or wrong: somebody knows the
// groups, and its method puts clients together.
func (a *App) hasVerdict(lane int) bool {
	h := a.Run.Header
	return h.HasTruth() && !a.lanes.alone(h.Lanes[lane].Algorithm)
}

// timed reports whether a virtual clock runs.
func timed(run *trace.Run) bool {
	if run == nil {
		return false
	}
	for i := range run.Tracks {
		if n := len(run.Tracks[i].Frames); n > 0 && run.Tracks[i].Frames[n-1].Time > 0 {
			return true
		}
	}
	return false
}

// ShowMetric has the curves show a metric.
func (a *App) ShowMetric(m chart.Metric) {
	a.Metric, a.Picked = m, true
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// Shows is the metric of the curves: the one chosen, if the run has it, else the
// share of right answers where there are such, else the first there is.
func (a *App) Shows() chart.Metric {
	metrics := a.Metrics()
	switch {
	case a.Picked && (slices.Contains(metrics, a.Metric) || slices.Contains(a.MoreMetrics(), a.Metric)):
		return a.Metric
	case a.Grades():
		return chart.Accuracy
	}
	return metrics[0]
}

// Algorithm returns what the schema says of a lane's algorithm.
func (a *App) Algorithm(lane int) registry.Meta { return a.meta(a.Config.Lanes()[lane].Algorithm) }

// meta is what is known of an algorithm.
func (a *App) meta(name string) registry.Meta {
	for i := range a.Schema.Algorithms {
		if m := &a.Schema.Algorithms[i]; m.Name == name {
			return *m
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

// Score is a lane's verdict in a few characters: "ARI 0.54 · 3 wrong", or where
// models answer "ARI 1.00 · 87%", or "no clusters" where the method makes none. At the
// start no clustering is judged.
func (a *App) Score(lane int) string {
	f := a.ShownFrame(a.OnStage(lane))
	if f == nil {
		return ""
	}
	if diverged(a.Run, a.OnStage(lane), f) {
		return "diverged"
	}
	grades, text := a.Grades(), ""
	switch {
	case a.Algorithm(lane).Unclustered:
		text = "no clusters"
	case f.Round == 0 && a.Run.Header.HasTruth():
		// Nobody has been heard yet: what labels come to is chance.
	case a.Run.Header.HasTruth():
		text = "ARI " + chart.Fixed(f.ARI, 2)
		if !grades || f.Misplaced > 0 {
			text += " · " + itoa(f.Misplaced) + " wrong"
		}
	default:
		text = chart.Count(f.Clusters, "model") + " in use"
	}
	if grades && text != "" {
		text += " · "
	}
	if grades {
		text += chart.Percent(a.Accuracy(a.OnStage(lane)))
	}
	return text
}

// diverged reports whether a lane of the run on screen stands still by now, since
// it diverged.
func diverged(run *trace.Run, lane int, f *trace.Frame) bool {
	s := run.Tracks[lane].Summary
	return f.Events.Has(trace.Diverged) || s != nil && s.Diverged >= 0 && f.Round >= s.Diverged
}

// Accuracy is the share of right answers of a lane of the run on screen, as last
// tried.
func (a *App) Accuracy(lane int) float64 {
	v := a.view(lane)
	if f := v.Trial(); f != nil {
		return f.Accuracy
	}
	return 0
}

// quality says how good the models of a lane are for their clients: how often
// they are right, or how large their error is.
func (a *App) quality(lane int, f *trace.Frame) string {
	switch floor := a.Run.Header.Scenery.Floor; {
	case a.Grades():
		text := "right " + chart.Percent(a.Accuracy(lane)) + " of the time"
		if !f.Events.Has(trace.Examined) {
			text += " when last tried"
		}
		return text
	case floor < 0:
		return "error " + chart.Number(f.Loss)
	default:
		return "error " + chart.Number(f.Loss) + ", best possible " + chart.Number(floor)
	}
}

// Story says what the shown round means for a lane, in one or two sentences.
func (a *App) Story(lane int) string {
	unclustered := a.Algorithm(lane).Unclustered
	lane = a.OnStage(lane)
	f := a.ShownFrame(lane)
	if f == nil {
		return "Nothing computed yet."
	}
	h, track := a.Run.Header, &a.Run.Tracks[lane]
	s := track.Summary
	if diverged(a.Run, lane, f) {
		if s != nil && s.Cause != "" {
			return Capital(s.Cause) + "."
		}
		return "The models blew up. Try a smaller learning rate."
	}
	if f.Round == 0 {
		return "The start. No client has been heard yet."
	}
	switch {
	case !unclustered:
	case h.Lanes[lane].Models == 1:
		return fmt.Sprintf("One model, which every client makes its own: %s.", a.quality(lane, f))
	case h.Lanes[lane].Algorithm == "local":
		return fmt.Sprintf("Everybody learns alone: %s.", a.quality(lane, f))
	default:
		return fmt.Sprintf("Everybody has a model of its own: %s.", a.quality(lane, f))
	}
	if !h.HasTruth() {
		text := fmt.Sprintf("%s in use: %s.", Capital(chart.Count(f.Clusters, "model")), a.quality(lane, f))
		if foundOneDirection(a.Run, lane, f) {
			text += foundOne
		}
		return text
	}
	answers := ""
	if a.Grades() {
		verb := "are "
		if !f.Events.Has(trace.Examined) {
			verb = "were "
		}
		answers = " Their models " + verb + a.quality(lane, f) + "."
	}
	n, sofar := heard(a.Run, lane, f), ""
	if n < h.Clients {
		sofar = " heard so far"
	}
	switch {
	case h.Groups == 1:
		return "There is one group only; one model can serve everybody." + answers
	case f.ARI == 1 && s != nil && f.Round >= s.Settled && chart.Lasting(s, h.Rounds):
		return everybody(n, sofar) + fmt.Sprintf(" in the right place, since round %d and for good.", s.Settled) + answers
	case f.ARI == 1 && (s == nil || s.Settled >= 0 && f.Round >= s.Settled):
		return everybody(n, sofar) + " in the right place." + answers
	case f.ARI == 1:
		return everybody(n, sofar) + " in the right place, but not for long." + answers
	case f.Clusters == 1 && h.Lanes[lane].Models == 1:
		return fmt.Sprintf("One model for %d groups: %s.", h.Groups, a.quality(lane, f))
	}
	verb := "are"
	if f.Misplaced == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("%d of %s%s %s in the wrong place.", f.Misplaced, chart.Count(n, "client"), sofar, verb)
	finds := a.lanes.finds(h.Lanes[lane].ID)
	if least := leastMisplaced(a.Run, lane); least > 0 && n == h.Clients && !finds {
		text += fmt.Sprintf(" With %s for %d groups, %d at least must be.", chart.Count(h.Lanes[lane].Models, "model"), h.Groups, least)
	}
	switch idle := a.idle(lane, f); {
	case foundOneDirection(a.Run, lane, f):
		text += foundOne
	case finds && f.Clusters == 1:
		text += " There is 1 cluster so far."
	case finds:
		text += fmt.Sprintf(" There are %d clusters so far.", f.Clusters)
	case len(idle) > 3:
		text += fmt.Sprintf(" Nobody was given %d of the %d models.", len(idle), h.Lanes[lane].Models)
	case len(idle) > 0:
		text += " Nobody was given model " + strings.Join(idle, " or ") + "."
	}
	if !h.Lanes[lane].Border && h.Lanes[lane].Map != trace.NoMap && len(f.XY) == 0 {
		text = "No evidence yet: the labels are as they were at the start."
	}
	return text + strings.Replace(answers, "Their", "The", 1)
}

// foundOne ends the story of a lane that looked for the number of clusters and found 1.
const foundOne = " The method found K = 1: one model for all clients, as in FedAvg."

// foundOneDirection reports whether the server of a lane has looked for the number of clusters
// by a frame and found 1: it went on in one direction, where more models would fit.
func foundOneDirection(run *trace.Run, lane int, f *trace.Frame) bool {
	if f.Clusters != 1 || run.Header.Lanes[lane].Models == 1 {
		return false
	}
	frames := run.Tracks[lane].Frames
	for t := min(f.Round, len(frames)-1); t >= 0; t-- {
		if n := frames[t].Directions; n > 0 {
			return n == 1
		}
	}
	return false
}

// everybody begins a sentence about all of n clients.
func everybody(n int, which string) string {
	switch n {
	case 1:
		return "The only client" + which + " is"
	case 2:
		return "Both clients" + which + " are"
	}
	return fmt.Sprintf("All %d clients%s are", n, which)
}

// heard returns how many clients have taken part by a frame of a lane: what is
// right or wrong is about them.
func heard(run *trace.Run, lane int, f *trace.Frame) int {
	clients := run.Header.Clients
	seen, n := make([]bool, clients), 0
	frames := run.Tracks[lane].Frames
	for t := min(f.Round, len(frames)-1); t > 0 && n < clients; t-- {
		if len(frames[t].State) == 0 {
			return clients
		}
		for i, s := range frames[t].State {
			if s == trace.Present && !seen[i] {
				seen[i] = true
				n++
			}
		}
	}
	return n
}

// leastMisplaced returns how many clients must be in a wrong place where a lane has
// fewer models than there are groups: all but those of the largest groups.
func leastMisplaced(run *trace.Run, lane int) int {
	h := run.Header
	sizes := make([]int, h.Groups)
	for _, g := range h.Group {
		sizes[g]++
	}
	slices.Sort(sizes)
	n := 0
	for _, size := range sizes[:max(0, h.Groups-h.Lanes[lane].Models)] {
		n += size
	}
	return n
}

// idle are the letters of the models that no client was given, of a method that is
// told how many there are.
func (a *App) idle(lane int, f *trace.Frame) []string {
	models := a.Run.Header.Lanes[lane].Models
	used := make([]bool, models)
	for _, k := range f.Label {
		used[k] = true
	}
	v := a.view(lane)
	var out []string
	for k, u := range used {
		if !u {
			out = append(out, v.Letter(k))
		}
	}
	return out
}

// Cost is what a lane has sent so far per client: "38 down · 38 up".
func (a *App) Cost(lane int) string {
	f := a.ShownFrame(a.OnStage(lane))
	if f == nil {
		return ""
	}
	return floats(f.Down) + " down · " + floats(f.Up) + " up"
}

// floats writes a number of floats: all digits of a small one.
func floats(n float64) string {
	if n < 10000 {
		return chart.Fixed(n, 0)
	}
	return chart.Number(n)
}

// Fingerprint is the short form of the run's fingerprint, "" until it is done.
func (a *App) Fingerprint() string {
	if lanes := a.Fingerprints(); lanes != nil {
		return trace.Result(lanes)
	}
	return ""
}

// Fingerprints are those of the lanes, nil until all of them are done.
func (a *App) Fingerprints() (lanes []uint64) {
	if a.Run == nil || !a.Run.Done() {
		return nil
	}
	for i := range a.Run.Tracks {
		lanes = append(lanes, a.Run.Tracks[i].Summary.Fingerprint)
	}
	return lanes
}

func Capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// Verdict is the score of a lane in its units: a line may end between them.
func (a *App) Verdict(lane int) []string { return strings.Split(a.Score(lane), " · ") }
