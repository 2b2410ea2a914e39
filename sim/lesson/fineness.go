package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 4,
		Title:  "How many groups are there really?",
		Query:  "data=pairs8&algos=cflgp,cflgp:eight&cflgp:eight.K=8&view=spectrum",
		Setup:  "Sixty-four clients in eight groups, and the groups come in four pairs: the two of a pair differ little. One variant of the method has four models, the other eight.",

		Question:    "Which variant is right?",
		Options:     []string{"The one with four models", "The one with eight", "It depends on what is asked"},
		Right:       2,
		Explanation: "Four models find the four pairs in {four} of {seeds} seeds, eight find the eight groups in {eight}. The spectrum below the map shows how long the leading directions of the gradients are. In round 21, for eight models: {s1}, {s2}, {s3}, {s4}, then {s5}, {s6}, {s7}, {s8}, then {s9} and less. There is a gap after the fourth and one after the eighth, and both are real. Against the eight groups, four models have an ARI of {ari4}, and an error of {loss4} where eight models have {loss8}.",

		Steps: []Step{
			{Task: "Under Data, let the groups be the four pairs. Who is right now?", Solution: "truth=pairs",
				Result: "Not one client moved. Four models have an ARI of {pairs4} now, and eight have {pairs8}: the verdict depends on the question.",
				Done: func(n *State) bool {
					return n.Value("truth") == "pairs" && n.ARI("cflgp") == 1 && n.ARI("cflgp:eight") < 1
				}},
			{Task: "Make the gap in a pair small, until eight models no longer find the eight groups.", Solution: "within=0.05",
				Result: "At 0.05 they come to an ARI of {drowned}: the noise of 41 rounds hides the difference within the pairs, but not that between them.",
				Done: func(n *State) bool {
					return n.Value("truth") == "groups" && n.ARI("cflgp:eight") < 0.9 ||
						n.Value("truth") == "pairs" && n.ARI("cflgp") == 1 && n.Number("within") <= 0.05
				}},
		},
		Takeaway: "The spectrum tells how many directions matter; you still choose how fine to cut.",
		Paper:    registry.CFLGP.At("appendix G, Figures 19 and 20"),
		Notes:    "The paper turns digits by 0° and 15°, 90° and 105° and so on, and sees its largest gap between the fourth and the fifth singular value too. Ask for pairs of your own: dialects of a language, left-handed writers.",
		Table: Table{
			Head: []string{"gap in a pair", "ARI of four models", "ARI of eight models"},
			Rows: [][]string{
				{"0.5", "{ari4}", "{ari8}"}, {"0.15", "{ari4at15}", "{ari8at15}"}, {"0.1", "{ari4at10}", "{ari8at10}"}, {"0.05", "{ari4at5}", "{drowned}"},
			},
		},
	})
}
