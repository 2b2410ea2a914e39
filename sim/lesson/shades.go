package lesson

import (
	"math"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 5,
		Title:  "Shades of grey",
		Query:  "data=mix2&algos=fedem,ifca&view=weights",
		Setup:  "Two kinds of clients, and four clients in between: three in ten of their samples are of the first kind, the others of the second. There are two models. IFCA gives a client one of them; FedEM lets it blend both.",

		Question:    "How much weight will the clients in between give to the first kind's model in FedEM?",
		Options:     []string{"None", "About a quarter", "Half"},
		Right:       1,
		Explanation: "On average {w3}, a little less than the 0.3 that they hold: a soft choice still leans towards the majority. Clients of one kind end at {pure}. IFCA has to give each of them to one side.",

		Steps: []Step{
			{Task: "Set the mixture κ to 0.5, and watch what IFCA does late in the run.", Solution: "blend=0.5",
				Result: "FedEM's weight is {w5}. IFCA cannot make up its mind: its clustering changes in {flicker5} of the last hundred rounds, on average, where it was {flicker3}.",
				Done:   func(n *State) bool { return math.Abs(n.WeightShare("fedem", 2, 0)-0.5) < 0.12 }},
			{Task: "Make the third group one of the first kind.", Solution: "blend=1",
				Result: "The weight is {w10}: with κ at 1 the third group is the first under another name, and no method should separate them.",
				Done:   func(n *State) bool { return n.Number("blend") == 1 && n.WeightShare("fedem", 2, 0) > 0.98 }},
		},
		Takeaway: "A client can belong to several groups at once.",
		Paper:    registry.CFLGP.At("section 5.2, Figure 3"),
		Notes:    "The ARI counts three groups, so two models cannot reach 1; look at the weights and at the error instead. Ask when a blend is worth its price: FedEM sends every model to every client, and back.",
		Table: Table{
			Head: []string{"κ", "weight on the first kind's model"},
			Rows: [][]string{{"0.1", "{w1}"}, {"0.3", "{w3}"}, {"0.5", "{w5}"}, {"0.7", "{w7}"}, {"0.9", "{w9}"}},
		},
	})
}
