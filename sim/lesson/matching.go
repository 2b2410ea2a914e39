package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 7,
		Title:  "Why matching?",
		Query:  "data=linreg&dphi=40&b=200&probe=200&T=30&algos=clove,clove:loose&clove:loose.match=0&curve=loss",
		Setup:  "CLoVE finds the clusters anew in every round, and k-means numbers them as it likes. So the server matches clusters to models, by the losses. The variant called loose does not.",

		Question: "What is lost without matching?",
		Options: []string{"Nothing", "The clusters: clients are told apart less well",
			"Time: the clusters are correct, but train models that fit them badly"},
		Right:       2,
		Explanation: "Both variants have a correct clustering from round {settled} on, with every seed. But after 30 rounds the error is {loose30} without matching and {match30} with it: a cluster gets any model, and not the one that is nearest to it already.",

		Steps: []Step{
			{Task: "Let the run go on for 200 rounds (advanced: rounds T). Is the gap still there?", Solution: "T=200",
				Result: "Errors of {loose200} and {match200}: the gap closes with time. If rounds are expensive, the first thirty count.",
				Done: func(n *State) bool {
					return n.Number("T") >= 150 && n.Loss("clove:loose") < 1.1*n.Loss("clove")
				}},
			{Task: "Back at 30 rounds, bring the groups nearer to each other: 20°. Is the gap larger or smaller?", Solution: "dphi=20",
				Result: "{loose20} against {match20}: a wrong model is less wrong where groups are alike.",
				Done: func(n *State) bool {
					return n.Number("T") <= 60 && n.Number("dphi") <= 20 && n.ARI("clove:loose") == 1
				}},
		},
		Takeaway: "Finding the clusters is half of the work; the other half is giving each cluster its own model again.",
		Paper:    registry.CLoVE.At("section 5.3, appendix C.3"),
		Notes: "In the paper matching is the part that counts most: without it accuracy on CIFAR-10 falls by " +
			"4.3 points. There clusters get models in the order of their first clients, as in the variant loose.",
		Table: Table{
			Head: []string{"rounds", "error with matching", "error without"},
			Rows: [][]string{{"10", "{match10}", "{loose10}"}, {"30", "{match30}", "{loose30}"},
				{"200", "{match200}", "{loose200}"}},
		},
	})
}
