// Package cause says why a round of a method has come out as it did: one sentence with measured numbers, and the same in a
// few words. A method registers one of these functions, or one of its own. Methods with the same mechanism share one.
//
// A sentence gives a number and what follows from it for this outcome. Where the numbers do not explain the outcome, it
// says only what is.
package cause

import (
	"strconv"

	"flockscope/sim/registry"
	"flockscope/sim/say"
)

// times formats a ratio: 0.6, 2.2, 14.
func times(v float64) string {
	switch {
	case v >= 1000:
		return "1000"
	case v >= 9.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// share formats a ratio below 1 with two digits.
func share(v float64) string { return strconv.FormatFloat(min(v, 1), 'f', 2, 64) }

// tossUps is the share of clients with a lead that is smaller than its noise from which chance is a cause.
const tossUps = 0.25

// LeastLoss is for methods in which each client takes the model with the least loss.
func LeastLoss(e *registry.Evidence) (why, short string) {
	if e.Leads == 0 {
		return "", ""
	}
	lead := say.Textf("In %d of %d the lead is larger than its noise", e.Sure, e.Leads)
	if e.Least < e.Leads { // clients choose in another way
		return say.Textf("Each client chooses its model. %s.", lead), say.Textf("%s.", lead)
	}
	unsure, after := e.Leads-e.Sure, say.Message("")
	chance := float64(unsure) >= tossUps*float64(e.Leads)
	switch e.Outcome {
	case registry.OutcomeShared:
		if after = "one model fits several groups best"; e.Idle > 0 {
			return say.Textf("A model that no client takes never learns, so it never wins: the groups cannot part. %s.", lead),
				say.Text("A model that no client takes never learns.")
		}
		chance = false
	case registry.OutcomeNothing:
		after = "no model is the better one"
	case registry.OutcomeSplit:
		after = "several models fit a group alike"
	case registry.OutcomeMisplaced:
		after = "chance can flip these choices"
	default:
		chance = false
	}
	takes := say.Text("Each client takes the model with the least loss.")
	if e.Samples > 0 {
		takes = say.Textf("Each client takes the model with the least loss on its %s.", say.Count(e.Samples, "sample"))
	}
	short = say.Textf("%s.", lead)
	switch {
	case chance:
		lead = say.Textf("In %d of %d the lead is smaller than its noise", unsure, e.Leads)
		short = say.Textf("%d of %d choices are toss-ups.", unsure, e.Leads)
	case e.Outcome == registry.OutcomeMisplaced:
		after = "chance is not the reason, but models that have learned from several groups"
	case e.Outcome != registry.OutcomeShared:
		after = ""
	}
	if after != "" {
		lead = say.Textf("%s: %s", lead, after)
	}
	return say.Textf("%s %s.", takes, lead), short
}

// clear reports whether all clients are nearest to the centre of their own group.
func isClear(e *registry.Evidence) bool { return e.Nearer == 0 }

// gap says how far groups are apart, and what follows from it for k-means and its relatives.
func gap(e *registry.Evidence) string {
	apart := say.Textf("The gap between groups is %s times the spread within", times(e.Gap))
	switch {
	case e.Outcome == registry.OutcomeRight && isClear(e):
		return say.Textf("%s: %s.", apart, say.Message("that is enough"))
	case e.Outcome == registry.OutcomeRight:
		return say.Textf("%s.", apart)
	case !isClear(e):
		return say.Textf("%s: %s.", apart, nearer(e))
	case e.Outcome == registry.OutcomeSplit:
		return say.Textf("%s, %s.", apart, say.Textf("but %d clusters divide %d groups", e.Used, e.Groups))
	case e.Used < e.Groups:
		return say.Textf("%s, %s.", apart, say.Textf("but there are %d clusters for %d groups", e.Used, e.Groups))
	}
	return say.Textf("%s, %s.", apart, say.Message("but the clusters are others"))
}

// nearer says how many clients lie among those of another group.
func nearer(e *registry.Evidence) string {
	if e.Nearer == 1 {
		return say.Textf("%d of %d lies nearer to another group", e.Nearer, e.Clients)
	}
	return say.Textf("%d of %d lie nearer to another group", e.Nearer, e.Clients)
}

// noGap reports whether there is nothing to say about groups in what the server compared.
func noGap(e *registry.Evidence) bool {
	return e.Gap == 0 || e.Outcome == registry.OutcomeNothing || e.Outcome == registry.OutcomeMixed
}

// shortGap is gap in a few words.
func shortGap(e *registry.Evidence) string {
	if isClear(e) {
		return say.Textf("The gap is %s times the spread.", times(e.Gap))
	}
	return say.Textf("The gap is %s times the spread: %s.", times(e.Gap), nearer(e))
}

// Memory is for a server that averages the replies of each client over rounds and clusters the means.
func Memory(e *registry.Evidence) (why, short string) {
	switch {
	case e.Remembers && e.MostReplies == 0:
		return say.Text("Nothing is averaged yet."), say.Text("Nothing is averaged yet.")
	case !e.Remembers:
		return compared(e, say.Text("The server compares the gradients of this round alone."))
	}
	n := strconv.Itoa(e.MostReplies)
	if e.LeastReplies < e.MostReplies {
		n = say.Textf("%d to %d", e.LeastReplies, e.MostReplies)
	}
	if noGap(e) {
		averages := say.Textf("The server averages all gradients of a client, %s so far.", n)
		if e.Outcome == registry.OutcomeNothing {
			return say.Join([]string{averages, say.Text("What is left is noise.")}, " "), averages
		}
		return averages, averages
	}
	if e.Right() && isClear(e) {
		return say.Textf("The server remembers: it averages all gradients of a client, %s by now. Noise shrinks, the gap stays: %s times the spread within a group.",
				n, times(e.Gap)),
			say.Textf("Averages the gradients of each client, %s by now: noise shrinks, the gap stays.", n)
	}
	averages := say.Textf("The server averages all gradients of a client, %s so far.", n)
	if !isClear(e) {
		return say.Join([]string{averages, gap(e)}, " "),
			say.Textf("Averages the gradients of each client, %s so far: too few yet.", n)
	}
	return say.Join([]string{averages, gap(e)}, " "), shortGap(e)
}

// compared is for a server that compares clients by what it has of them, which first says.
func compared(e *registry.Evidence, first string) (why, short string) {
	switch {
	case e.Outcome == registry.OutcomeNothing:
		return say.Join([]string{first, say.Text("What differs is noise.")}, " "), first
	case noGap(e):
		return first, first
	}
	return say.Join([]string{first, gap(e)}, " "), shortGap(e)
}

// LossVectors is for a server that clusters the losses of this round.
func LossVectors(e *registry.Evidence) (why, short string) {
	if e.Leads == 0 {
		return say.Text("No losses were compared in this round."), say.Text("No losses were compared in this round.")
	}
	if !noGap(e) && !e.Right() && !isClear(e) && 2*e.Nearer >= e.Wrong {
		return say.Textf("The server compares the losses of this round alone. The gap between groups is %s times the spread within: noise decides for %d of %d.",
			times(e.Gap), e.Nearer, e.Clients), shortGap(e)
	}
	return compared(e, say.Text("The server compares the losses of this round alone."))
}

// OneModel is for a model that all clients train.
func OneModel(e *registry.Evidence) (why, short string) {
	switch {
	case e.Alike:
		return say.Text("All clients have the same distribution: averaging is right."), say.Text("Averaging is right.")
	case e.Fit == registry.FitMiddle:
		return say.Textf("The mean of all updates fits the group in the middle, the %s, and fails the outer ones.", e.Fits),
			say.Textf("The mean fits only the group in the middle: the %s.", e.Fits)
	case e.Fit == registry.FitOuter:
		return say.Textf("The model fits the %s, and fails the other groups.", e.Fits), say.Textf("It fits the %s only.", e.Fits)
	case e.Fit == registry.FitBetween:
		return say.Text("The mean of all updates lies between the groups, where no group is."),
			say.Text("The mean lies where no group is.")
	case e.Fit == registry.FitOutside:
		return say.Text("The model follows the mean of all updates, and fits no group yet."), say.Text("It fits no group yet.")
	case e.Best != "":
		return say.Textf("The model follows the mean of all updates: %s, %s.", e.Best, e.Worst),
			say.Textf("%s, %s.", e.Best, e.Worst)
	}
	return say.Text("The model follows the mean of all updates."), say.Text("The mean of all updates.")
}

// Once is for methods whose server compares clients once: by says by what, such as "the directions of first updates".
func Once(by say.Message) func(e *registry.Evidence) (why, short string) {
	return func(e *registry.Evidence) (why, short string) {
		return compared(e, say.Textf("The server compares clients once, by %s.", by))
	}
}

// Every is Once for methods whose server compares clients in every round.
func Every(by say.Message) func(e *registry.Evidence) (why, short string) {
	return func(e *registry.Evidence) (why, short string) {
		return compared(e, say.Textf("The server compares clients by %s.", by))
	}
}

// Splitting is for methods that begin with one cluster and split it when updates disagree.
func Splitting(e *registry.Evidence) (why, short string) {
	clusters := say.Count(e.Used, "cluster")
	switch {
	case e.Used == 1 && e.Cancelled >= 0 && e.Outcome != registry.OutcomeNothing:
		return say.Textf("The one cluster is not split yet: its mean update is %s times as long as one of a client.", share(e.Cancelled)),
			say.Textf("Not split yet: the mean update is %s times as long as one.", share(e.Cancelled))
	case e.Used == 1:
		return say.Text("The one cluster is not split."), say.Text("Not split.")
	case e.Right():
		return say.Textf("Clusters were split where updates pointed in different directions: %s for %s groups.",
			clusters, strconv.Itoa(e.Groups)), say.Textf("%s so far.", clusters)
	case e.Outcome == registry.OutcomeShared && e.Cancelled >= 0:
		return say.Textf("There are %s so far. In the one with several groups the mean update is %s times as long as one of a client.",
			clusters, share(e.Cancelled)), say.Textf("%s so far.", clusters)
	}
	return say.Textf("There are %s so far, split by the directions of updates.", clusters), say.Textf("%s so far.", clusters)
}

// Soft is for methods whose clients mix several models.
func Soft(e *registry.Evidence) (why, short string) {
	if e.UsedPerClient == 0 || e.Weighed < 2 {
		return Mergers(e)
	}
	const settled = 1.25
	n := times(e.UsedPerClient)
	short = say.Textf("A client uses %s of %d models on average.", n, e.Weighed)
	switch {
	case e.UsedPerClient < settled && e.Outcome == registry.OutcomeMisplaced:
		return say.Textf("Each client mixes models: on average it uses %s of %d, nearly one. The weights have settled on models that serve several groups.",
			n, e.Weighed), short
	case e.UsedPerClient < settled:
		return say.Textf("Each client mixes models: on average it uses %s of %d, nearly one.", n, e.Weighed), short
	case e.Right() || e.Outcome == registry.OutcomeMixed || e.Outcome == registry.OutcomeNothing:
		return say.Textf("Each client mixes models: on average it uses %s of %d.", n, e.Weighed), short
	}
	return say.Textf("Each client mixes models: on average it uses %s of %d. The weights are spread, so each model learns from several groups.",
		n, e.Weighed), short
}

// Mergers is for methods that change the number of clusters, where it is all that is known.
func Mergers(e *registry.Evidence) (why, short string) {
	return compared(e, say.Textf("%s so far.", say.Count(e.Used, "cluster")))
}

// Personal is for methods whose clients have models of their own: what says what they share.
func Personal(what say.Message) func(e *registry.Evidence) (why, short string) {
	return func(e *registry.Evidence) (why, short string) {
		text := say.Text(what)
		if e.Excess > 0 {
			return say.Textf("%s The error is %s times the noise floor.", text, times(e.Excess)),
				say.Textf("The error is %s times the noise floor.", times(e.Excess))
		}
		return text, text
	}
}
