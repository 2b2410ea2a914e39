package lesson

import (
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 3,
		Title:  "Patience beats noise",
		Query:  "data=linreg&dphi=5&algos=cflgp,cflgp:forget,clove&cflgp:forget.beta=1",
		Scene:  200,
		Setup:  "The lines are only 5° apart now, and a client trains on ten samples per round. CFL-GP averages each client's gradients over all rounds. The variant called forget uses only the newest gradient, and CLoVE only the newest losses.",

		Question:    "Which of them will have found the three groups by round 200?",
		Options:     []string{"All of them", "Only the one that averages", "None of them"},
		Right:       1,
		Explanation: "The noise of an average shrinks with every reply, so the groups come apart on CFL-GP's map. With CFL-GP all clients are right from round {settled} on in this run; in round 200 forget has {newWrong} of 12 misplaced, and CLoVE {cloveWrong}. The mean ARI of 30 runs in rounds 20, 50, 100 and 200 is {mean20}, {mean50}, {mean100}, {mean200} with the average, {new20}, {new50}, {new100}, {new200} without it, {clove20}, {clove50}, {clove100}, {clove200} with CLoVE.",

		Steps: []Step{
			{Task: "Set the probe size to 1000, so that clients try models on a hundred times as many samples.", Solution: "probe=1000",
				Result: "CLoVE is much better: {probeWrong} of 12 misplaced at the end of this run, where it was {cloveWrong}. The mean ARI of 30 runs is {probe200} at the end, where it was {clove200}. A larger probe is another cure for the same noise, and it needs no memory.",
				Done:   func(n *State) bool { return n.MeanARI("clove", 1, 10) > 0.8 }},
			{Task: "Raise the batch b until the variant forget is correct, too, nearly always.", Solution: "b=200",
				Result: "With 200 samples per round all clients of forget are right at the end in {newRight} of 30 runs. Twenty times the samples in every round, or patience.",
				Done:   func(n *State) bool { return n.LateARI("cflgp:forget") > 0.9 }},
		},
		Takeaway: "Averaging evidence over rounds shrinks the noise and keeps the difference.",
		Paper:    registry.CFLGP.At("Figure 1(b), Lemma 1, appendix F.1"),
		Notes:    "Why does the average help? The noise of a mean of n gradients falls as one over the root of n; the difference of the groups stays. CLoVE's paper lets clients score models on all they have, so a probe of ten is not its own choice: say so when you compare.",
		Table: Table{
			Head: []string{"round", "ARI, average", "ARI, newest alone", "ARI, CLoVE"},
			Rows: [][]string{
				{"20", "{a20}", "{n20}", "{c20}"}, {"50", "{a50}", "{n50}", "{c50}"}, {"100", "{a100}", "{n100}", "{c100}"}, {"200", "{a200}", "{n200}", "{c200}"},
			},
		},
	})
}

func patienceFacts() Facts {
	numbers := []Measure{
		{"settled", "", ThisRun, 0, settled("cflgp")},
		{"newWrong", "", ThisRun, 0, misplaced("cflgp:forget")}, {"cloveWrong", "", ThisRun, 0, misplaced("clove")},
		{"probeWrong", "probe=1000", ThisRun, 0, misplaced("clove")},
		{"probe200", "probe=1000", Mean, 2, ari("clove")},
		{"newRight", "b=200", Count, 0, whether(func(n *State) bool { return n.right("cflgp:forget") })},
	}
	for _, round := range []int{20, 50, 100, 200} {
		at := strconv.Itoa(round)
		numbers = append(numbers, Measure{"mean" + at, "", Mean, 2, ariIn("cflgp", round)},
			Measure{"new" + at, "", Mean, 2, ariIn("cflgp:forget", round)}, Measure{"clove" + at, "", Mean, 2, ariIn("clove", round)},
			Measure{"a" + at, "", ThisRun, 2, ariIn("cflgp", round)}, Measure{"n" + at, "", ThisRun, 2, ariIn("cflgp:forget", round)},
			Measure{"c" + at, "", ThisRun, 2, ariIn("clove", round)})
	}
	// apart reports whether memory separates the groups on the map, and the newest gradient does not.
	apart := func(n *State) bool {
		return n.separation("cflgp", 200) > 2*n.separation("cflgp", 20) && n.separation("cflgp:forget", 200) < 2
	}
	return Facts{numbers, []Claim{
		{Says: "only 5° apart now, and a client trains on ten samples per round", Holds: func(n *State) bool {
			return n.Number("dphi") == 5 && n.Number("b") == 10
		}},
		{Says: "CFL-GP averages each client's gradients over all rounds.", Why: "setting Memory β"},
		{Says: "The variant called forget uses only the newest gradient, and CLoVE only the newest losses.", Why: "setting Memory β, and the algorithm"},
		{Says: "Only the one that averages", Seeds: 30, Holds: func(n *State) bool { return n.right("cflgp") && !n.right("cflgp:forget") && !n.right("clove") }},
		{Says: "The noise of an average shrinks with every reply, so the groups come apart on CFL-GP's map.", Seeds: 30, Holds: apart},
		{Says: "With CFL-GP all clients are right from round {settled} on", Seeds: 29, Holds: func(n *State) bool { return n.Settled("cflgp") <= 150 }},
		{Says: "in round 200 forget has {newWrong} of 12 misplaced, and CLoVE {cloveWrong}", Holds: func(n *State) bool { return n.end() == 200 && n.clients() == 12 }},
		{Says: "in rounds 20, 50, 100 and 200 is {mean20}, {mean50}, {mean100}, {mean200} with the average", Why: "numbers alone"},
		{Says: "on a hundred times as many samples", With: "probe=1000", Holds: func(n *State) bool {
			return n.Number("probe") == 100*n.Lesson.Number("probe")
		}},
		{Says: "CLoVE is much better: {probeWrong} of 12 misplaced", With: "probe=1000", Seeds: 30, Holds: func(n *State) bool { return n.LateARI("clove") > n.Lesson.LateARI("clove")+0.5 }},
		{Says: "is {probe200} at the end", With: "probe=1000", Seeds: 30, Holds: func(n *State) bool { return n.LateARI("clove") > 0.7 }},
		{Says: "A larger probe is another cure for the same noise, and it needs no memory.", With: "probe=1000", Seeds: 30, Holds: func(n *State) bool { return n.MeanARI("clove", 1, 10) > 0.6 }},
		{Says: "With 200 samples per round all clients of forget are right at the end", With: "b=200", Seeds: 29, Holds: func(n *State) bool { return n.right("cflgp:forget") }},
		{Says: "Twenty times the samples in every round, or patience.", With: "b=200", Holds: func(n *State) bool { return n.Number("b") == 20*n.Lesson.Number("b") }},
		{Says: "Averaging evidence over rounds shrinks the noise and keeps the difference.", Seeds: 30, Holds: apart},
		{Says: "Why does the average help? The noise of a mean of n gradients falls as one over the root of n; the difference of the groups stays.", Why: "variance of a mean; Lemma 1 of the paper"},
		{Says: "CLoVE's paper lets clients score models on all they have", Why: "the paper, Algorithm 1"},
		{Says: "a probe of ten is not its own choice", Holds: func(n *State) bool { return n.Number("probe") == 10 }},
	}}
}
