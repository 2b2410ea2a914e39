package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 6,
		Title:  "What does it cost?",
		Query:  "data=linreg&algos=cflgp,fedavg,ifca,clove&curve=cost",
		Scene:  200,
		Setup:  "Four methods on the same clients. A model is two numbers here. The curve adds up all numbers that go to a client and come back from it, the floats sent and received.",

		Question:    "Which methods cost the most?",
		Options:     []string{"FedAvg", "CFL-GP", "IFCA and CLoVE, which send all three models"},
		Right:       2,
		Explanation: "Numbers down and up per client, by round 200 of this run: {fedavg} with FedAvg, {cflgp} with CFL-GP, {ifca} with IFCA, {clove} with CLoVE. IFCA and CLoVE compare the losses of all models, so a client gets all three in every round; with CLoVE it sends its three losses back as well. CFL-GP sends a client its own model, and in every second round one more that all clients get.",

		Steps: []Step{
			{Task: "Set K to 6. Whose cost grows most?", Solution: "K=6",
				Result: "CLoVE's: it is {clove6} in this run, where it was {clove}. IFCA's is {ifca6}, CFL-GP's {cflgp6} and FedAvg's {fedavg6} in this run: what grows is the traffic of methods that send all models.",
				Done:   func(n *State) bool { return n.Number("K") == 6 && n.Cost("ifca") > 3*n.Cost("fedavg") }},
			{Task: "Go back to three models. In the settings of CFL-GP, raise the clustering period P until CFL-GP costs less than 1.2 times FedAvg, and all clients are still right at the end.", Solution: "P=10",
				Result: "With P = 10 it costs {cflgp10} in this run. The price is time: all clients are right from round {since10} on in this run, where it was {since2}; the means of 30 runs are {mean10} and {mean2}.",
				Done:   func(n *State) bool { return n.Cost("cflgp") < 1.2*n.Cost("fedavg") && n.ARI("cflgp") == 1 }},
		},
		Takeaway: "Sending every model to every client in every round is the expensive part.",
		Paper:    registry.CFLGP.At("Table 5"),
		Notes:    "Table 5 of the paper counts models down in P rounds: fewer than P + 1 for CFL-GP, K·P for IFCA, P for FedAvg. CLoVE sends K·P as well, and gets K more numbers back in each round. With models of millions of parameters these few numbers do not count; here, with two parameters, they do.",
		Table: Table{
			Head: []string{"method", "numbers per client, K = 3", "K = 6"},
			Rows: [][]string{{"FedAvg", "{fedavg}", "{fedavg6}"}, {"IFCA", "{ifca}", "{ifca6}"},
				{"CLoVE", "{clove}", "{clove6}"}, {"CFL-GP", "{cflgp}", "{cflgp6}"}},
		},
	})
}

func costFacts() Facts {
	numbers := []Measure{
		{"cflgp10", "P=10", ThisRun, 0, cost("cflgp")},
		{"since2", "", ThisRun, 0, settled("cflgp")}, {"since10", "P=10", ThisRun, 0, settled("cflgp")},
		{"mean2", "", Mean, 0, settled("cflgp")}, {"mean10", "P=10", Mean, 0, settled("cflgp")},
	}
	for _, id := range []string{"fedavg", "ifca", "clove", "cflgp"} {
		numbers = append(numbers, Measure{id, "", ThisRun, 0, cost(id)}, Measure{id + "6", "K=6", ThisRun, 0, cost(id)})
	}
	// grows is how many times the cost with three models it is.
	grows := func(n *State, id string) float64 { return n.Cost(id) / n.Lesson.Cost(id) }
	allModels := func(n *State) bool {
		for t := 1; t <= n.end(); t++ {
			if n.received("ifca", t) != 3*2 || n.received("clove", t) != 3*2 || n.sent("ifca", t) != 2 || n.sent("clove", t) != 2+3 {
				return false
			}
		}
		return true
	}
	return Facts{numbers, []Claim{
		{Says: "Four methods on the same clients.", Holds: func(n *State) bool { return len(n.Run.Header.Lanes) == 4 }},
		{Says: "A model is two numbers here.", Holds: func(n *State) bool { return n.lane("fedavg").Size == 2 }},
		{Says: "adds up all numbers that go to a client and come back from it, the floats sent and received", Why: "the name of the curve"},
		{Says: "IFCA and CLoVE, which send all three models", Seeds: 30, Holds: func(n *State) bool {
			return min(n.Cost("ifca"), n.Cost("clove")) > 1.4*max(n.Cost("fedavg"), n.Cost("cflgp"))
		}},
		{Says: "Numbers down and up per client, by round 200 of this run", Holds: func(n *State) bool { return n.end() == 200 }},
		{Says: "IFCA and CLoVE compare the losses of all models, so a client gets all three in every round; with CLoVE it sends its three losses back as well", Seeds: 30, Holds: allModels},
		{Says: "CFL-GP sends a client its own model, and in every second round one more that all clients get.", Seeds: 30, Holds: func(n *State) bool {
			for t := 1; t <= n.end(); t++ {
				if more := n.received("cflgp", t) > 2.01; more != (t%2 == 0) || n.received("cflgp", t) > 4 {
					return false
				}
			}
			return true
		}},
		{Says: "CLoVE's: it is {clove6} in this run", With: "K=6", Seeds: 30, Holds: func(n *State) bool {
			return n.Cost("clove")-n.Lesson.Cost("clove") > max(n.Cost("ifca")-n.Lesson.Cost("ifca"), n.Cost("cflgp")-n.Lesson.Cost("cflgp")) &&
				grows(n, "clove") > max(grows(n, "ifca"), grows(n, "cflgp"), grows(n, "fedavg"))
		}},
		{Says: "what grows is the traffic of methods that send all models", With: "K=6", Seeds: 30, Holds: func(n *State) bool {
			return grows(n, "ifca") > 1.7 && grows(n, "clove") > 1.7 && grows(n, "cflgp") < 1.1 && grows(n, "fedavg") == 1
		}},
		{Says: "With P = 10 it costs {cflgp10}", With: "P=10", Seeds: 30, Holds: func(n *State) bool { return n.Cost("cflgp") < 1.2*n.Cost("fedavg") && n.right("cflgp") }},
		{Says: "The price is time: all clients are right from round {since10} on in this run", With: "P=10", Seeds: 28, Holds: func(n *State) bool { return n.Settled("cflgp") > n.Lesson.Settled("cflgp") }},
		{Says: "Sending every model to every client in every round is the expensive part.", Seeds: 30, Holds: func(n *State) bool {
			return n.received("ifca", 200) > 0.7*n.Cost("ifca")/200 && n.received("clove", 200) > 0.5*n.Cost("clove")/200
		}},
		{Says: "Table 5 of the paper counts models down in P rounds: fewer than P + 1 for CFL-GP, K·P for IFCA, P for FedAvg.", Why: "the paper, Table 5"},
		{Says: "CLoVE sends K·P as well, and gets K more numbers back in each round.", Seeds: 30, Holds: allModels},
		{Says: "here, with two parameters, they do", Seeds: 30, Holds: func(n *State) bool { return n.Cost("clove") > 1.3*n.Cost("ifca") }},
	}}
}
