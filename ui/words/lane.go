// Package words says what a round of a run means.
//
//	lane.go  a lane at a round: its score, its story, its cost, a client of it
//	text.go  shortening texts for sentences
package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/english"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
)

// Lane is a lane at a round of a run, to be put into words.
type Lane struct {
	View        chart.View
	Frame       *trace.Frame // the shown one, nil where there is none
	Unclustered bool         // its method makes no clusters
}

// Score is a lane's verdict in a few characters: "ARI 0.54 · 3 wrong", or where
// models answer "ARI 1.00 · 87%", or "no clusters" where the method makes none. At the
// start no clustering is judged.
func (l *Lane) Score() string {
	f := l.Frame
	if f == nil {
		return ""
	}
	if Diverged(l.View.Run, l.View.Lane, f) {
		return "diverged"
	}
	if Diverging(l.View.Run, l.View.Lane, f.Round) {
		return "diverging"
	}
	grades, text := l.View.Classifies(), ""
	switch {
	case l.Unclustered:
		text = "no clusters"
	case f.Round == 0 && l.View.Run.Header.HasTruth():
		// Nobody has been heard yet: what labels come to is chance.
	case l.View.Run.Header.HasTruth():
		text = "ARI " + chart.Fixed(f.ARI, 2)
		if !grades || f.Misplaced > 0 {
			text += " · " + strconv.Itoa(f.Misplaced) + " wrong"
		}
	default:
		text = english.Count(f.Clusters, "model") + " in use"
	}
	if grades && text != "" {
		text += " · "
	}
	if grades {
		text += chart.Percent(l.Accuracy())
	}
	return text
}

// Diverged reports whether a lane of a run stands still by now, since
// it diverged.
func Diverged(run *trace.Run, lane int, f *trace.Frame) bool {
	s := run.Tracks[lane].Summary
	return f.Events.Has(trace.Diverged) || s != nil && s.Diverged >= 0 && f.Round >= s.Diverged
}

// Diverging reports whether the models of a lane were running away by a round: the loss is
// far beyond that of the start, or has grown fast for some rounds in a row.
func Diverging(run *trace.Run, lane, round int) bool {
	const far, growth, rounds = 1e4, 1.5, 5
	frames := run.Tracks[lane].Frames
	if round >= len(frames) || !(frames[0].Loss > 0) || frames[round].Loss <= frames[0].Loss {
		return false // it has come back
	}
	for t := range round + 1 {
		grew := 0
		for grew < min(rounds, t) && frames[t-grew].Loss > growth*frames[t-grew-1].Loss {
			grew++
		}
		if frames[t].Loss > far*frames[0].Loss || grew == rounds && frames[t].Loss > frames[0].Loss {
			return true
		}
	}
	return false
}

// Accuracy is the share of right answers as last tried.
func (l *Lane) Accuracy() float64 {
	if f := l.View.LastEvaluation(); f != nil {
		return f.Accuracy
	}
	return 0
}

// quality says how good the models of a lane are for their clients: how often
// they are right, or how large their error is.
func (l *Lane) quality() string {
	f := l.Frame
	switch floor := l.View.Run.Header.Scenery.Floor; {
	case l.View.Classifies():
		text := "right " + chart.Percent(l.Accuracy()) + " of the time"
		if !f.Events.Has(trace.Examined) {
			text += " when last evaluated"
		}
		return text
	case floor < 0:
		return "error " + chart.Number(f.Loss)
	default:
		return "error " + chart.Number(f.Loss) + ", best possible " + chart.Number(floor)
	}
}

// Story says what the shown round means for a lane, in one or two sentences.
func (l *Lane) Story() string {
	f := l.Frame
	if f == nil {
		return "Nothing computed yet."
	}
	run, lane := l.View.Run, l.View.Lane
	h, s := run.Header, run.Tracks[lane].Summary
	if Diverged(run, lane, f) {
		if s != nil && s.Cause != "" {
			return Capital(s.Cause) + "."
		}
		return "The models diverged. Try a smaller learning rate."
	}
	if f.Round == 0 {
		return "The start. No client has been heard yet."
	}
	if Diverging(run, lane, f.Round) {
		return "The models are diverging: the loss is " + chart.Number(f.Loss) + ", at the start it was " +
			chart.Number(run.Tracks[lane].Frames[0].Loss) + ". Try a smaller learning rate."
	}
	switch {
	case !l.Unclustered:
	case h.Lanes[lane].Models == 1:
		return fmt.Sprintf("One model, adapted by each client: %s.", l.quality())
	default:
		return fmt.Sprintf("Each client has a model of its own: %s.", l.quality())
	}
	if !h.HasTruth() {
		text := fmt.Sprintf("%s in use: %s.", Capital(english.Count(f.Clusters, "model")), l.quality())
		if foundOneDirection(run, lane, f) {
			text += foundOne
		}
		return text
	}
	answers := ""
	if l.View.Classifies() {
		verb := "are "
		if !f.Events.Has(trace.Examined) {
			verb = "were "
		}
		answers = " Their models " + verb + l.quality() + "."
	}
	n, sofar := heard(run, lane, f), ""
	if n < h.Clients {
		sofar = " heard so far"
	}
	switch {
	case h.Groups == 1:
		return "There is only one group: one model can serve all clients." + answers
	case f.ARI == 1 && s != nil && f.Round >= s.Settled && progress.Lasting(s, h.Rounds):
		return everybody(n, sofar) + fmt.Sprintf(" in the right place, since round %d and for good.", s.Settled) +
			answers
	case f.ARI == 1 && (s == nil || s.Settled >= 0 && f.Round >= s.Settled):
		return everybody(n, sofar) + " in the right place." + answers
	case f.ARI == 1:
		return everybody(n, sofar) + " in the right place, but not for long." + answers
	case f.Clusters == 1 && h.Lanes[lane].Models == 1:
		return fmt.Sprintf("One model for %d groups: %s.", h.Groups, l.quality())
	}
	verb := "are"
	if f.Misplaced == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("%d of %s%s %s in the wrong place.", f.Misplaced, english.Count(n, "client"), sofar, verb)
	finds := l.View.Finds(h.Lanes[lane].ID)
	if least := leastMisplaced(run, lane); least > 0 && n == h.Clients && !finds {
		text += fmt.Sprintf(" With %s for %d groups, at least %s must be misplaced.",
			english.Count(h.Lanes[lane].Models, "model"), h.Groups, english.Count(least, "client"))
	}
	switch idle := l.idle(); {
	case foundOneDirection(run, lane, f):
		text += foundOne
	case finds && f.Clusters == 1:
		text += " There is 1 cluster so far."
	case finds:
		text += fmt.Sprintf(" There are %d clusters so far.", f.Clusters)
	case len(idle) > 3:
		text += fmt.Sprintf(" %d of the %d models have no clients.", len(idle), h.Lanes[lane].Models)
	case len(idle) > 0:
		text += " No client has model " + strings.Join(idle, " or ") + "."
	}
	if !h.Lanes[lane].Border && h.Lanes[lane].Map != trace.NoMap && len(f.XY) == 0 {
		text = "No evidence yet: the labels are those of the start."
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
func (l *Lane) idle() []string {
	models := l.View.Run.Header.Lanes[l.View.Lane].Models
	used := make([]bool, models)
	for _, k := range l.Frame.Label {
		used[k] = true
	}
	var out []string
	for k, u := range used {
		if !u {
			out = append(out, l.View.Letter(k))
		}
	}
	return out
}

// Cost is what a lane has sent so far per client: "38 down · 38 up".
func (l *Lane) Cost() string {
	f := l.Frame
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

// Card is what is known of a client.
func (l *Lane) Card(i int) string {
	v, f := &l.View, l.Frame
	info := &v.Run.Header.Lanes[v.Lane]
	k := int(f.Label[i])
	text, right := info.Title+": ", ""
	if trial := v.LastEvaluation(); trial != nil && i < len(trial.Accuracies) && v.Classifies() {
		right = ", right " + chart.Percent(float64(trial.Accuracies[i]))
		if trial.Round < f.Round {
			right += " in round " + strconv.Itoa(trial.Round)
		}
		if then := int(trial.Label[i]); then != k {
			right += " with model " + v.Letter(then)
		}
	}
	own := info.Columns == 1 && info.Models > 1
	switch {
	case own && right != "":
		return text + "its own model" + right
	case own:
		return text + "its own model, loss " + chart.Number(float64(f.Losses[i]))
	}
	text += "model " + v.Letter(k) + " since round " + strconv.Itoa(hasModelSince(v.Run, v.Lane, i, f.Round))
	if right != "" {
		return text + right // its losses are old, and have a figure of their own
	}
	text += "; losses"
	if round := v.Heard(); round < f.Round {
		text += " in round " + strconv.Itoa(round)
	}
	row := f.Losses[i*info.Columns : (i+1)*info.Columns]
	made := v.Made()
	var byLetter []string
	for _, k := range made {
		byLetter = append(byLetter, " "+v.Letter(k)+" "+chart.Number(float64(row[k])))
	}
	const most = 4
	text += strings.Join(byLetter[:min(most, len(made))], ",")
	if len(made) > most {
		text += ", …"
	}
	return text
}

// hasModelSince is the round from which on a client has had its present model.
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

func Capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// CompareEnds compares how two lanes end: by the round from which each is right, or
// by their losses where nobody knows what is right.
func CompareEnds(then *trace.Run, i int, now *trace.Run, j int) string {
	s, t := then.Tracks[i].Summary, now.Tracks[j].Summary
	if s == nil || t == nil {
		return "not comparable"
	}
	if !then.Header.HasTruth() || !now.Header.HasTruth() {
		return "loss " + chart.Number(s.Loss) + " → " + chart.Number(t.Loss)
	}
	was, is := rightFrom(s, then.Header.Rounds), rightFrom(t, now.Header.Rounds)
	switch {
	case was == is && is == never:
		return "never right, ARI " + chart.Fixed(s.ARI, 2) + " → " + chart.Fixed(t.ARI, 2)
	case was == is:
		return "right from round " + is + " as before"
	case is == never:
		return "right from round " + was + " → never"
	case was == never:
		return "never right → from round " + is
	}
	return "right from round " + was + " → " + is
}

const never = "never"

func rightFrom(s *trace.Summary, rounds int) string {
	if progress.Lasting(s, rounds) {
		return strconv.Itoa(s.Settled)
	}
	return never
}
