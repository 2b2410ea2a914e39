package lesson

import (
	"fmt"
	"math"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 5,
		Title:  "Shades of grey",
		Query:  "data=mix2&algos=fedem,ifca&curve=loss&view=weights",
		Scene:  200,
		Setup:  "Two kinds of clients, and four clients in between: three in ten of their samples are of the first kind, the others of the second. There are two models. IFCA gives a client one of them; FedEM lets it blend both.",

		Question:    "How much weight will the clients in between give to the first kind's model in FedEM?",
		Options:     []string{"None", "About a quarter", "Half"},
		Right:       1,
		Explanation: "It is {w3} in this run, and {mean3} as the mean of 30 runs: a little less than the 0.3 that they hold. Clients of one kind give {pure} to one model in this run. IFCA has to give each client to one side, and no single line fits the clients in between: its error is {ifca3} in this run, FedEM's {fedem3}, and the noise floor is {floor3}. FedEM has the smaller error in {better} of 30 runs.",

		Steps: []Step{
			{Task: "Set the mixture κ to 0.5, and compare the errors.", Solution: "blend=0.5",
				Result: "FedEM's weight is {w5} in this run, and its error {fedem5} with a noise floor of {floor5}. IFCA's error is {ifca5} in this run, where it was {ifca3}: the more even the mixture, the worse one model fits it.",
				Done:   func(n *State) bool { return math.Abs(n.WeightShare("fedem", 2, 0)-0.5) < 0.12 }},
			{Task: "Make the third group one of the first kind.", Solution: "blend=1",
				Result: "The weight is {w10} in this run, and the errors are {fedem10} and {ifca10}: with κ at 1 the third group is the first under another name, and nothing is left to blend.",
				Done:   func(n *State) bool { return n.Number("blend") == 1 && n.WeightShare("fedem", 2, 0) > 0.98 }},
		},
		Takeaway: "A client can belong to several groups at once.",
		Paper:    registry.CFLGP.At("section 5.2, Figure 3"),
		Notes:    "The clients in between are mixed by nature: no cluster is the right one for them, so compare weights and errors. Ask when a blend is worth its price: FedEM sends every model to every client, and back.",
		Table: Table{
			Head: []string{"κ", "weight on the first kind's model", "error, FedEM", "error, IFCA"},
			Rows: [][]string{{"0.1", "{w1}", "{fedem1}", "{ifca1}"}, {"0.3", "{w3}", "{fedem3}", "{ifca3}"}, {"0.5", "{w5}", "{fedem5}", "{ifca5}"},
				{"0.7", "{w7}", "{fedem7}", "{ifca7}"}, {"0.9", "{w9}", "{fedem9}", "{ifca9}"}},
		},
	})
}

func shadesFacts() Facts {
	better := func(n *State) bool { return n.Loss("fedem") < n.Loss("ifca") }
	numbers := []Measure{
		{"mean3", "", Mean, 2, weight("fedem", 2, 0)},
		{"pure", "", ThisRun, 2, weight("fedem", 0, 0)},
		{"floor3", "", ThisRun, 3, noiseFloor}, {"floor5", "blend=0.5", ThisRun, 3, noiseFloor},
		{"better", "", Count, 0, whether(better)},
	}
	for _, tenths := range []int{1, 3, 5, 7, 9, 10} {
		with := fmt.Sprint("blend=", float64(tenths)/10)
		numbers = append(numbers, Measure{fmt.Sprint("w", tenths), with, ThisRun, 2, weight("fedem", 2, 0)},
			Measure{fmt.Sprint("fedem", tenths), with, ThisRun, 3, loss("fedem")},
			Measure{fmt.Sprint("ifca", tenths), with, ThisRun, 3, loss("ifca")})
	}
	return Facts{numbers, []Claim{
		{Says: "Two kinds of clients, and four clients in between: three in ten of their samples are of the first kind", Holds: func(n *State) bool {
			return n.clients() == 12 && n.groups() == 3 && n.Number("blend") == 0.3
		}},
		{Says: "There are two models.", Holds: func(n *State) bool { return n.lane("fedem").Models == 2 && n.lane("ifca").Models == 2 }},
		{Says: "IFCA gives a client one of them; FedEM lets it blend both.", Holds: func(n *State) bool {
			return len(n.frames("fedem")[200].Mixture) == 2*12 && len(n.frames("ifca")[200].Mixture) == 0
		}},
		{Says: "About a quarter", Seeds: 29, Holds: func(n *State) bool { return math.Abs(n.WeightShare("fedem", 2, 0)-0.25) < 0.06 }},
		{Says: "a little less than the 0.3 that they hold", Seeds: 28, Holds: func(n *State) bool { return n.WeightShare("fedem", 2, 0) < 0.3 }},
		{Says: "Clients of one kind give {pure} to one model", Seeds: 30, Holds: func(n *State) bool {
			return n.WeightShare("fedem", 0, 0) > 0.99 && n.WeightShare("fedem", 1, 1) > 0.99
		}},
		{Says: "IFCA has to give each client to one side, and no single line fits the clients in between: its error is {ifca3} in this run, FedEM's {fedem3}", Seeds: 30, Holds: func(n *State) bool {
			return n.Loss("fedem") < 1.08*noiseFloor(n) && n.Loss("ifca") > 1.12*noiseFloor(n)
		}},
		{Says: "FedEM has the smaller error in {better} of 30 runs.", Seeds: 30, Holds: better},
		{Says: "FedEM's weight is {w5} in this run", With: "blend=0.5", Seeds: 30, Holds: func(n *State) bool { return n.Loss("fedem") < 1.05*noiseFloor(n) }},
		{Says: "the more even the mixture, the worse one model fits it", With: "blend=0.5", Seeds: 29, Holds: func(n *State) bool { return n.Loss("ifca") > n.Lesson.Loss("ifca") }},
		{Says: "with κ at 1 the third group is the first under another name, and nothing is left to blend", With: "blend=1", Seeds: 30, Holds: func(n *State) bool {
			return n.WeightShare("fedem", 2, 0) > 0.99 && max(n.Loss("fedem"), n.Loss("ifca")) < 1.02*noiseFloor(n)
		}},
		{Says: "A client can belong to several groups at once.", Seeds: 30, Holds: func(n *State) bool {
			w := n.WeightShare("fedem", 2, 0)
			return w > 0.1 && w < 0.9
		}},
		{Says: "no cluster is the right one for them", Why: "they are a mixture by construction"},
		{Says: "FedEM sends every model to every client, and back", Holds: func(n *State) bool {
			size := float64(n.lane("fedem").Size)
			return n.received("fedem", 200) == 2*size && n.sent("fedem", 200) == 2*size
		}},
	}}
}
