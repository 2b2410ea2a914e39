package page

import (
	"math"
	"strings"
	"unicode/utf8"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
)

// LaneWords describes a lane at a round of a run in words.
type LaneWords struct {
	View  chart.View
	Frame *trace.Frame // the shown one, nil for none
	Kind  verdict.Kind // of the shown frame
}

// Score returns the numbers beside a verdict: "ARI 0.54 · error 0.132", for classifiers "ARI 1.00 · 87%".
func (l *LaneWords) Score() string { return strings.Join(l.Scores(), " · ") }

// Scores returns the parts of the score: a line may break between them. Only a clustering that can be right or wrong has
// an ARI.
func (l *LaneWords) Scores() (units []string) {
	f := l.Frame
	if f == nil || l.Kind == verdict.Diverged {
		return nil
	}
	if verdict.Scored(l.Kind) {
		units = append(units, "ARI "+chart.Fixed(f.ARI, 2))
	}
	if l.View.Classifies() {
		units = append(units, say.Textf("%s right", chart.Percent(l.Accuracy())))
	} else if loss := l.loss(); !math.IsNaN(loss) {
		units = append(units, say.Textf("error %s", chart.Number(loss)))
	}
	if len(l.View.Run.Header.Liar) > 0 {
		units = append(units, say.Text("honest clients"))
	}
	return units
}

// Accuracy returns the accuracy of the last evaluation.
func (l *LaneWords) Accuracy() float64 {
	if f := l.View.LastEvaluation(); f != nil {
		return f.Accuracy
	}
	return 0
}

// loss returns the mean loss of the last evaluation.
func (l *LaneWords) loss() float64 {
	if f := l.View.LastEvaluation(); f != nil && math.IsNaN(l.Frame.Loss) {
		return f.Loss
	}
	return l.Frame.Loss
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
