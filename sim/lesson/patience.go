package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 3,
		Title:  "Patience beats noise",
		Query:  "data=linreg&dphi=5&algos=cflgp,cflgp:forget,clove&cflgp:forget.beta=1",
		Setup:  "The lines are only 5° apart now, and a client trains on ten samples per round. CFL-GP averages each client's gradients over all rounds. The variant called forget uses only the newest gradient, and CLoVE only the newest losses.",

		Question:    "Which of them will have found the three groups by round 200?",
		Options:     []string{"All of them", "Only the one that averages", "None of them"},
		Right:       1,
		Explanation: "At first three clouds lie on top of each other. With every round the averaged ones shrink, until they come apart. ARI in rounds 20, 50, 100 and 200: {mean20}, {mean50}, {mean100}, {mean200} with the average, {new20}, {new50}, {new100}, {new200} without it, {clove20}, {clove50}, {clove100}, {clove200} for CLoVE.",

		Steps: []Step{
			{Task: "Set the probe size to 1000, so that clients try models on a hundred times as many samples.", Solution: "probe=1000",
				Result: "CLoVE starts with an ARI of {probe1} in round 1 where it had {clove1}: a larger probe is another cure for the same noise.",
				Done:   func(n *State) bool { return n.MeanARI("clove", 1, 10) > 0.8 }},
			{Task: "Raise the batch b until the variant forget is correct, too, nearly always.", Solution: "b=200",
				Result: "With 200 samples per round it has an ARI of {new200b} at the end. Twenty times the samples in every round, or patience.",
				Done:   func(n *State) bool { return n.LateARI("cflgp:forget") > 0.9 }},
		},
		Takeaway: "Averaging evidence over rounds shrinks the noise and keeps the difference.",
		Paper:    registry.CFLGP.At("Figure 1(b), Lemma 1, appendix F.1"),
		Notes:    "Why does the average help? The noise of a mean of n gradients falls as one over the root of n; the difference of the groups stays. CLoVE's paper lets clients score models on all they have, so a probe of ten is not its own choice: say so when you compare.",
		Table: Table{
			Head: []string{"round", "ARI, average", "ARI, newest alone", "ARI, CLoVE"},
			Rows: [][]string{
				{"20", "{mean20}", "{new20}", "{clove20}"}, {"50", "{mean50}", "{new50}", "{clove50}"}, {"100", "{mean100}", "{new100}", "{clove100}"}, {"200", "{mean200}", "{new200}", "{clove200}"},
			},
		},
	})
}
