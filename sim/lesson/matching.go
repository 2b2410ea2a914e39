package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 7,
		Title:  "Why matching?",
		Query:  "data=linreg&dphi=40&b=200&probe=200&T=30&sd=18&sm=18&sa=18&algos=clove,clove:loose&clove:loose.match=0&curve=loss",
		Scene:  30,
		Setup:  "CLoVE clusters the clients anew in every round, and then has to find out which cluster gets which model. It matches them so that the total loss is least. The variant called loose does not: the cluster of the first client gets the first model, the next cluster the second, and so on.",

		Question: "What is lost without matching?",
		Options: []string{"Nothing", "The clusters: clients are told apart less well",
			"Time: the clusters are correct, but train models that fit them badly"},
		Right:       2,
		Explanation: "In both variants all clients are right from round {settled} on in this run, and no client changes its model after that. So all that is lost is the first assignment: loose gives clusters start models that fit them worse. After 30 rounds the error is {loose30} without matching and {match30} with it in this run; the means of 30 runs are {looseMean} and {matchMean}. It is at least 3 per cent larger in {larger} of 30 runs; in the others the order happens to fit.",

		Steps: []Step{
			{Task: "Let the run go on: set the rounds T to 200. Is the gap still there?", Solution: "T=200",
				Result: "After 200 rounds the errors are {loose200} and {match200} in this run: the gap closes with time. If rounds are expensive, the first thirty count.",
				Done: func(n *State) bool {
					return n.Number("T") >= 150 && n.Loss("clove:loose") < 1.1*n.Loss("clove")
				}},
			{Task: "Back at 30 rounds, bring the groups nearer to each other: 20°. Is the gap larger or smaller?", Solution: "dphi=20",
				Result: "The errors are {loose20} and {match20} in this run, so the gap is smaller: a wrong model is less wrong where groups are alike.",
				Done: func(n *State) bool {
					return n.Number("T") <= 60 && n.Number("dphi") <= 20 && n.ARI("clove:loose") == 1
				}},
		},
		Takeaway: "Finding the clusters is half of the work; the other half is giving each cluster the model that fits it.",
		Paper:    registry.CLoVE.At("section 5.3, appendix C.3"),
		Notes:    "In the paper matching is the part that counts most: without it accuracy on CIFAR-10 falls from 58.3 to 55.8 per cent. There clusters get models in the order of their first clients, as in the variant loose. Here the clusters are right from the start, so their order never changes, and only the first assignment differs.",
		Table: Table{
			Head: []string{"rounds", "error with matching", "error without"},
			Rows: [][]string{{"10", "{match10}", "{loose10}"}, {"30", "{match30}", "{loose30}"},
				{"200", "{match200}", "{loose200}"}},
		},
	})
}

func matchingFacts() Facts {
	const loose = "clove:loose"
	by := func(n *State) float64 { return n.Loss(loose) - n.Loss("clove") }
	first := func(n *State) bool {
		return n.Settled("clove") == 1 && n.Settled(loose) == 1 && n.steady("clove", 1) && n.steady(loose, 1)
	}
	return Facts{[]Measure{
		{"settled", "", ThisRun, 0, settled(loose)},
		{"match10", "", ThisRun, 3, lossIn("clove", 10)}, {"loose10", "", ThisRun, 3, lossIn(loose, 10)},
		{"match30", "", ThisRun, 3, loss("clove")}, {"loose30", "", ThisRun, 3, loss(loose)},
		{"matchMean", "", Mean, 3, loss("clove")}, {"looseMean", "", Mean, 3, loss(loose)},
		{"larger", "", Count, 0, whether(func(n *State) bool { return n.Loss(loose) >= 1.03*n.Loss("clove") })},
		{"match200", "T=200", ThisRun, 3, loss("clove")}, {"loose200", "T=200", ThisRun, 3, loss(loose)},
		{"match20", "dphi=20", ThisRun, 3, loss("clove")}, {"loose20", "dphi=20", ThisRun, 3, loss(loose)},
	}, []Claim{
		{Says: "CLoVE clusters the clients anew in every round, and then has to find out which cluster gets which model.", Why: "the algorithm"},
		{Says: "It matches them so that the total loss is least.", Seeds: 30, Holds: func(n *State) bool { return n.chosenLoss("clove", 1) <= n.chosenLoss(loose, 1) }},
		{Says: "the cluster of the first client gets the first model, the next cluster the second, and so on", Seeds: 30, Holds: func(n *State) bool {
			next := uint16(0)
			for _, k := range n.labels(loose, 1) {
				if k > next {
					return false
				}
				next = max(next, k+1)
			}
			return next == 3
		}},
		{Says: "Time: the clusters are correct, but train models that fit them badly", Seeds: 25, Holds: func(n *State) bool { return first(n) && by(n) > 0.0015 }},
		{Says: "In both variants all clients are right from round {settled} on in this run, and no client changes its model after that.", Seeds: 30, Holds: first},
		{Says: "So all that is lost is the first assignment: loose gives clusters start models that fit them worse.", Seeds: 25, Holds: func(n *State) bool {
			return first(n) && n.chosenLoss(loose, 1) > 1.03*n.chosenLoss("clove", 1)
		}},
		{Says: "After 30 rounds the error is {loose30} without matching", Seeds: 25, Holds: func(n *State) bool { return n.end() == 30 && by(n) > 0.0015 }},
		{Says: "It is at least 3 per cent larger in {larger} of 30 runs", Holds: func(n *State) bool { return n.Loss(loose) >= 1.03*n.Loss("clove") }},
		{Says: "After 200 rounds", With: "T=200", Holds: func(n *State) bool { return n.end() == 200 }},
		{Says: "the gap closes with time", With: "T=200", Seeds: 30, Holds: func(n *State) bool { return by(n) < max(0.2*by(n.Lesson), 0.0005) }},
		{Says: "If rounds are expensive, the first thirty count.", With: "T=200", Seeds: 25, Holds: func(n *State) bool { return by(n.Lesson) > 2*by(n) }},
		{Says: "so the gap is smaller: a wrong model is less wrong where groups are alike", With: "dphi=20", Seeds: 25, Holds: func(n *State) bool { return by(n) < by(n.Lesson) }},
		{Says: "Finding the clusters is half of the work; the other half is giving each cluster the model that fits it.", Seeds: 25, Holds: func(n *State) bool {
			return n.right(loose) && n.right("clove") && by(n) > 0.0015
		}},
		{Says: "In the paper matching is the part that counts most: without it accuracy on CIFAR-10 falls from 58.3 to 55.8 per cent.", Why: "the paper, section 5.3 and appendix C.3"},
		{Says: "There clusters get models in the order of their first clients, as in the variant loose.", Why: "the paper, appendix C.3"},
		{Says: "Here the clusters are right from the start, so their order never changes, and only the first assignment differs.", Seeds: 30, Holds: first},
	}}
}
