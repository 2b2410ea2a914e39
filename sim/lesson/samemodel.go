package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 2,
		Title:  "Everybody picks the same model",
		Query:  "data=mix1d&algos=ifca,clove",
		Setup:  "Two kinds of clients, with true slopes 1 and 1.45. Two models start at the slopes 0 and 3.3. With IFCA each client picks the model with the least loss; with CLoVE the server compares the clients' losses on both.",

		Question: "Which model do clients of the second kind choose in IFCA?",
		Options: []string{"The one that starts at 0, like everybody", "The one that starts at 3.3",
			"Some this one, some that one"},
		Right:       0,
		Explanation: "In the map of the first round both kinds lie on the same side of the line, as two small clouds far from each other. Mean losses: {a1} and {b1} for the first kind, {a2} and {b2} for the second. For both kinds the first number is the smaller one. So all of them choose it, the other model is never trained, and nothing ever changes: with {stuck} of {seeds} seeds. CLoVE separates the clouds in round {clove}.",

		Steps: []Step{
			{Task: "Set the start slopes θ⁰ to 0,2.5. Does IFCA recover?", Solution: "theta0=0,2.5",
				Result: "It does, in {right25} of {seeds} seeds. Each kind is nearer to a model of its own now, and that is all that IFCA asks.",
				Done: func(n *State) bool {
					return n.Value("theta0") != "0,3.3" && n.ARI("ifca") == 1 && n.ARI("clove") == 1
				}},
			{Task: "Move the second start slope below 2, so that IFCA fails on the other side.", Solution: "theta0=0,1.9",
				Result: "Now both kinds pick the second model: {right19} of {seeds} seeds are right at 1.9, {right21} at 2.1. The window in which IFCA works reaches from 2 to 2.9, and CLoVE does not care.",
				Done: func(n *State) bool {
					return n.ARI("ifca") == 0 && n.ARI("clove") == 1 &&
						n.Value("theta0") != "0,3.3"
				}},
		},
		Takeaway: "The best model is one number; the loss vector is the whole story.",
		Paper:    registry.CLoVE.At("Figure 1"),
		Notes:    "The losses can be worked out by hand: the squared distance of the slopes, and 0.01 for the noise. A client of the second kind is nearer to the first model while 1.45 < θ − 1.45, that is, while the second model starts above 2.9.",
		Table: Table{
			Head: []string{"second start slope", "IFCA right, of {seeds}", "CLoVE right, of {seeds}"},
			Rows: [][]string{
				{"1.9", "{right19}", "{clove19}"}, {"2.1", "{right21}", "{clove21}"}, {"2.5", "{right25}", "{clove25}"}, {"2.8", "{right28}", "{clove28}"}, {"3.3", "{right33}", "{clove33}"},
			},
		},
	})
}
