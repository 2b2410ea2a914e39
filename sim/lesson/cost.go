package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 6,
		Title:  "What does it cost?",
		Query:  "data=linreg&algos=fedavg,ifca,clove,cflgp&curve=cost",
		Setup:  "Four methods on the same clients. A model has two numbers here; what counts is how many models go to each client, and what comes back.",

		Question:    "Which method sends the most to clients, for every round?",
		Options:     []string{"FedAvg", "CFL-GP", "IFCA and CLoVE, which send all three models"},
		Right:       2,
		Explanation: "Models sent to a client in a round: {fedavg} with FedAvg, {ifca} with IFCA and {clove} with CLoVE, {cflgp} with CFL-GP, which sends a client its own model, and now and then one that all receive. IFCA and CLoVE compare the losses of all models, so every client needs all of them.",

		Steps: []Step{
			{Task: "Set K to 6. Whose cost doubles?", Solution: "K=6",
				Result: "IFCA and CLoVE send {ifca6} models per round now, CFL-GP {cflgp6}.",
				Done:   func(n *State) bool { return n.Number("K") == 6 && n.Down("ifca") > 5*n.Down("fedavg") }},
			{Task: "Go back to three models. Cluster less often (advanced: period P) until CFL-GP costs less than 1.2 times FedAvg, and is still correct at the end.", Solution: "P=10",
				Result: "With P = 10 it is {cflgp10} models per round. The price is time: the clustering is correct from round {since10} on, instead of {since2}.",
				Done:   func(n *State) bool { return n.Down("cflgp") < 1.2*n.Down("fedavg") && n.ARI("cflgp") == 1 }},
		},
		Takeaway: "Sending every model to every client in every round is the expensive part.",
		Paper:    registry.CFLGP.At("Table 5"),
		Notes:    "Table 5 of the paper counts what P rounds cost: fewer than P + 1 models down for CFL-GP, K·P for IFCA, P for FedAvg. CLoVE too sends K·P, and gets K more numbers back. With models of millions of parameters these few numbers do not count; here, with two parameters, they do.",
		Table: Table{
			Head: []string{"method", "models down in a round, K = 3", "K = 6"},
			Rows: [][]string{{"FedAvg", "{fedavg}", "{fedavg6}"}, {"IFCA", "{ifca}", "{ifca6}"},
				{"CLoVE", "{clove}", "{clove6}"}, {"CFL-GP", "{cflgp}", "{cflgp6}"}},
		},
	})
}
