package page

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
)

// LaneWords describes a lane at a round of a run in words.
type LaneWords struct {
	View        chart.View
	Frame       *trace.Frame // the shown one, nil for none
	Unclustered bool         // the method makes no clusters
}

// Score returns a short verdict: "ARI 0.54 · 3 wrong", for classifiers "ARI 1.00 · 87%", or "no
// clusters". Round 0 has no verdict on the clustering.
func (l *LaneWords) Score() string { return strings.Join(l.Verdict(), " · ") }

// Verdict returns the parts of the score: a line may break between them.
func (l *LaneWords) Verdict() (units []string) {
	f := l.Frame
	if f == nil {
		return nil
	}
	if Diverged(l.View.Run, l.View.Lane, f) {
		return []string{say.Text("diverged")}
	}
	if Diverging(l.View.Run, l.View.Lane, f.Round) {
		return []string{say.Text("diverging")}
	}
	grades := l.View.Classifies()
	switch {
	case l.Unclustered:
		units = append(units, say.Text("no clusters"))
	case f.Round == 0 && l.View.Run.Header.HasTruth():
		// Before the first reply the labels are arbitrary.
	case l.View.Run.Header.HasTruth():
		units = append(units, "ARI "+chart.Fixed(f.ARI, 2))
		if !grades || f.Misplaced > 0 {
			units = append(units, say.Textf("%d wrong", f.Misplaced))
		}
	default:
		units = append(units, say.Textf("%s in use", say.Count(f.Clusters, "model")))
	}
	if grades {
		units = append(units, chart.Percent(l.Accuracy()))
	}
	return units
}

// Diverged reports whether a lane has stopped at or before a frame because it diverged.
func Diverged(run *trace.Run, lane int, f *trace.Frame) bool {
	s := run.Tracks[lane].Summary
	return f.Events.Has(trace.Diverged) || s != nil && s.Diverged >= 0 && f.Round >= s.Diverged
}

// Diverging reports whether the models of a lane are diverging in a round: the loss is far above the
// first one, or has grown fast in several evaluated rounds in a row.
func Diverging(run *trace.Run, lane, round int) bool {
	const far, growth, rounds = 1e4, 1.5, 5
	frames := run.Tracks[lane].Frames
	if round >= len(frames) || !(frames[0].Loss > 0) {
		return false
	}
	first := frames[0].Loss
	last, grew, diverging := first, 0, false
	for t := range round + 1 {
		loss := frames[t].Loss
		if math.IsNaN(loss) {
			continue // not evaluated
		}
		if grew++; loss <= growth*last {
			grew = 0
		}
		diverging = diverging || loss > far*first || grew >= rounds && loss > first
		last = loss
	}
	return diverging && last > first // else it has recovered
}

// Accuracy returns the accuracy of the last evaluation.
func (l *LaneWords) Accuracy() float64 {
	if f := l.View.LastEvaluation(); f != nil {
		return f.Accuracy
	}
	return 0
}

// quality describes the accuracy or the error of a lane's models.
func (l *LaneWords) quality() string {
	f := l.Frame
	switch floor := l.View.Run.Header.DataPreview.Floor; {
	case l.View.Classifies():
		if !f.Events.Has(trace.Evaluated) {
			return say.Textf("accuracy %s when last evaluated", chart.Percent(l.Accuracy()))
		}
		return say.Textf("accuracy %s", chart.Percent(l.Accuracy()))
	case math.IsNaN(f.Loss):
		return say.Textf("error %s when last evaluated", chart.Number(l.loss()))
	case floor < 0:
		return say.Textf("error %s", chart.Number(f.Loss))
	default:
		return say.Textf("error %s, noise floor %s", chart.Number(f.Loss), chart.Number(floor))
	}
}

// loss returns the mean loss of the last evaluation.
func (l *LaneWords) loss() float64 {
	if f := l.View.LastEvaluation(); f != nil && math.IsNaN(l.Frame.Loss) {
		return f.Loss
	}
	return l.Frame.Loss
}

// Story describes the shown round of a lane in one or two sentences.
func (l *LaneWords) Story() string {
	f := l.Frame
	if f == nil {
		return say.Text("Nothing computed yet.")
	}
	run, lane := l.View.Run, l.View.Lane
	h, s := run.Header, run.Tracks[lane].Summary
	if Diverged(run, lane, f) {
		if s != nil && s.Cause != "" {
			return say.Textf("%s.", Capitalize(say.Text(s.Cause)))
		}
		return say.Text("The models diverged. Try a smaller learning rate.")
	}
	if f.Round == 0 {
		return say.Text("The start. No client has replied yet.")
	}
	if Diverging(run, lane, f.Round) {
		return say.Textf("The models are diverging: the loss is %s, at the start it was %s. Try a smaller learning rate.",
			chart.Number(l.loss()), chart.Number(run.Tracks[lane].Frames[0].Loss))
	}
	switch {
	case !l.Unclustered:
	case h.Lanes[lane].Models == 1:
		return say.Textf("One model, adapted by each client: %s.", l.quality())
	default:
		return say.Textf("Each client has a model of its own: %s.", l.quality())
	}
	if !h.HasTruth() {
		text := say.Textf("%s in use: %s.", say.Count(f.Clusters, "model"), l.quality())
		if foundOneDirection(run, lane, f) {
			return say.Textf("%s %s", text, say.Message(foundOneText))
		}
		return text
	}
	n := repliedBy(run, lane, f)
	all := allClients(n, n < h.Clients)
	switch {
	case h.Groups == 1:
		return l.withQuality(say.Text("There is only one group: one model can serve all clients."))
	case f.ARI == 1 && s != nil && f.Round >= s.Settled && progress.StaysCorrect(s, h.Rounds):
		return l.withQuality(say.Textf("%s in the right place, from round %d to the end.", all, s.Settled))
	case f.ARI == 1 && n < h.Clients: // that says nothing of the others
		return l.withQuality(say.Textf("%s in the right place.", all))
	case f.ARI == 1 && (s == nil || s.Settled >= 0 && f.Round >= s.Settled):
		return l.withQuality(say.Textf("%s in the right place.", all))
	case f.ARI == 1:
		return l.withQuality(say.Textf("%s in the right place, but not until the end.", all))
	case f.Clusters == 1 && h.Lanes[lane].Models == 1:
		return say.Textf("One model for %d groups: %s.", h.Groups, l.quality())
	case !h.Lanes[lane].Border && h.Lanes[lane].Map != trace.NoMap && len(f.XY) == 0:
		return l.withQuality(say.Text("No evidence yet: the labels are the initial ones."))
	}
	return l.withQuality(say.Join(l.misplacedWords(n), " "))
}

// withQuality adds to a sentence the mean accuracy of models that classify.
func (l *LaneWords) withQuality(text string) string {
	if !l.View.Classifies() {
		return text
	}
	return say.Textf("%s %s", text, say.Textf("Mean %s.", l.quality()))
}

// misplacedWords says how many of the n clients that have replied are misplaced, and what is wrong
// with the models.
func (l *LaneWords) misplacedWords(n int) []string {
	run, lane, f := l.View.Run, l.View.Lane, l.Frame
	h, format := run.Header, "%d of %s are in the wrong place."
	switch one := f.Misplaced == 1; {
	case one && n < h.Clients:
		format = "%d of %s that have replied so far is in the wrong place."
	case n < h.Clients:
		format = "%d of %s that have replied so far are in the wrong place."
	case one:
		format = "%d of %s is in the wrong place."
	}
	sentences := []string{say.Textf(format, f.Misplaced, say.Count(n, "client"))}
	add := func(text string) { sentences = append(sentences, text) }
	models, finds := h.Lanes[lane].Models, l.View.FindsClusters(h.Lanes[lane].ID)
	if least := leastMisplaced(run, lane); least > 0 && n == h.Clients && !finds {
		add(say.Textf("With %s for %d groups, at least %s must be misplaced.", say.Count(models, "model"), h.Groups,
			say.Count(least, "client")))
	}
	switch idle := l.idleModels(); {
	case foundOneDirection(run, lane, f):
		add(say.Text(foundOneText))
	case finds && f.Clusters == 1:
		add(say.Text("There is 1 cluster."))
	case finds:
		add(say.Textf("There are %d clusters.", f.Clusters))
	case len(idle) > 3:
		add(say.Textf("%d of the %d models have no clients.", len(idle), models))
	case len(idle) > 0:
		add(say.Textf("No client has model %s.", say.Join(idle, " or ")))
	}
	return sentences
}

// foundOneText ends the story of a lane that searched for the number of clusters and found 1.
const foundOneText = "The method found K = 1: one model for all clients, as in FedAvg."

// foundOneDirection reports whether the last search for the number of clusters, up to a frame, found
// 1 in a lane that could have more models.
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

// allClients begins a sentence about all of n clients, or about those that have replied so far.
func allClients(n int, sofar bool) string {
	switch {
	case n == 1 && sofar:
		return say.Text("The only client that has replied so far is")
	case n == 1:
		return say.Text("The only client is")
	case n == 2 && sofar:
		return say.Text("Both clients that have replied so far are")
	case n == 2:
		return say.Text("Both clients are")
	case sofar:
		return say.Textf("All %d clients that have replied so far are", n)
	}
	return say.Textf("All %d clients are", n)
}

// repliedBy returns how many clients have taken part up to a frame: verdicts are about these.
func repliedBy(run *trace.Run, lane int, f *trace.Frame) int {
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

// leastMisplaced returns the minimum number of misplaced clients in a lane with fewer models than
// groups: all clients but those of the largest groups.
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

// idleModels returns the letters of the models without clients, for a method with a given number of
// models. A model to which a client gives weight has that client.
func (l *LaneWords) idleModels() []string {
	models := l.View.Run.Header.Lanes[l.View.Lane].Models
	used := make([]bool, models)
	for _, k := range l.Frame.Label {
		used[k] = true
	}
	for at, weight := range l.Frame.Mixture {
		used[at%models] = used[at%models] || weight > 0
	}
	var out []string
	for k, u := range used {
		if !u {
			out = append(out, l.View.Letter(k))
		}
	}
	return out
}

// Cost returns the floats per client so far: "38 down · 38 up".
func (l *LaneWords) Cost() string {
	f := l.Frame
	if f == nil {
		return ""
	}
	return say.Textf("%s down · %s up", formatFloats(f.Down), formatFloats(f.Up))
}

// formatFloats formats a number of floats, with all digits if it is small.
func formatFloats(n float64) string {
	if n < 10000 {
		return chart.Fixed(n, 0)
	}
	return chart.Number(n)
}

// Card returns the line of a client on the card.
func (l *LaneWords) Card(i int) string {
	v, f := &l.View, l.Frame
	info := &v.Run.Header.Lanes[v.Lane]
	k := int(f.Label[i])
	right := l.placedWords(i)
	text := say.Textf("model %s since round %d", v.Letter(k), hasModelSince(v.Run, v.Lane, i, f.Round))
	switch own := chart.OwnModels(info); {
	case own && right == "":
		text = say.Textf("its own model, loss %s", chart.Number(float64(f.Losses[i])))
	case own:
		text = say.Textf("%s, %s", say.Message("its own model"), right)
	case right != "": // its losses are old, and have a figure of their own
		text = say.Textf("%s, %s", text, right)
	default:
		text = say.Textf("%s; %s", text, l.clientLosses(i))
	}
	return say.Textf("%s: %s", v.Title(v.Lane), text)
}

// placedWords returns the accuracy of a client's model at the last evaluation, "" if models are no
// classifiers.
func (l *LaneWords) placedWords(i int) string {
	v, trial := &l.View, l.View.LastEvaluation()
	if trial == nil || i >= len(trial.Accuracies) || !v.Classifies() {
		return ""
	}
	share, then := chart.Percent(float64(trial.Accuracies[i])), int(trial.Label[i])
	switch before, other := trial.Round < l.Frame.Round, then != int(l.Frame.Label[i]); {
	case before && other:
		return say.Textf("accuracy %s in round %d with model %s", share, trial.Round, v.Letter(then))
	case before:
		return say.Textf("accuracy %s in round %d", share, trial.Round)
	case other:
		return say.Textf("accuracy %s with model %s", share, v.Letter(then))
	}
	return say.Textf("accuracy %s", share)
}

// clientLosses lists a client's losses on the first few models.
func (l *LaneWords) clientLosses(i int) string {
	v, f := &l.View, l.Frame
	columns := v.LaneHeader().Columns
	row := f.Losses[i*columns : (i+1)*columns]
	var byLetter []string
	const most = 4
	for _, k := range v.ExistingModels() {
		if len(byLetter) == most {
			byLetter = append(byLetter, "…")
			break
		}
		byLetter = append(byLetter, v.Letter(k)+" "+chart.Number(float64(row[k])))
	}
	text := say.Join(byLetter, ", ")
	if round := v.LossRound(); round < f.Round {
		return say.Textf("losses in round %d %s", round, text)
	}
	return say.Textf("losses %s", text)
}

// hasModelSince returns the first round from which a client has had its present model.
func hasModelSince(run *trace.Run, lane, client, round int) int {
	frames := run.Tracks[lane].Frames
	round = min(round, len(frames)-1)
	for t := round; t > 0; t-- {
		if frames[t-1].Label[client] != frames[t].Label[client] {
			return t
		}
	}
	return 0
}

// Capitalize makes the first letter of a text upper case.
func Capitalize(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// DescribeOutcomes compares the ends of two lanes: the rounds from which they are right, or their losses
// if the groups are unknown.
func DescribeOutcomes(then *trace.Run, i int, now *trace.Run, j int) string {
	s, t := then.Tracks[i].Summary, now.Tracks[j].Summary
	if s == nil || t == nil {
		return say.Text("not comparable")
	}
	if !then.Header.HasTruth() || !now.Header.HasTruth() {
		return say.Textf("loss %s → %s", chart.Number(s.Loss), chart.Number(t.Loss))
	}
	was, is := correctFrom(s, then.Header.Rounds), correctFrom(t, now.Header.Rounds)
	switch {
	case was == is && is == never:
		return say.Textf("never correct, ARI %s → %s", chart.Fixed(s.ARI, 2), chart.Fixed(t.ARI, 2))
	case was == is:
		return say.Textf("correct from round %d as before", is)
	case is == never:
		return say.Textf("correct from round %d → never", was)
	case was == never:
		return say.Textf("never correct → from round %d", is)
	}
	return say.Textf("correct from round %d → %d", was, is)
}

const never = -1

func correctFrom(s *trace.Summary, rounds int) int {
	if progress.StaysCorrect(s, rounds) {
		return s.Settled
	}
	return never
}

// Truncate shortens a text of a link for use in a sentence.
func Truncate(text string) string {
	if letters := []rune(text); len(letters) > 40 {
		return string(letters[:40]) + "…"
	}
	return text
}
