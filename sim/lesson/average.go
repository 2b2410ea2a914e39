package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 1,
		Title:  "One average fits nobody",
		Query:  "data=linreg&dphi=40&algos=fedavg,cflgp&curve=loss&view=data",
		Setup:  "Twelve clients of three kinds. Each kind has a line of its own, 40° from the next. FedAvg trains one model for all of them; CFL-GP may keep three.",

		Question:    "How much larger is the error with one shared model?",
		Options:     []string{"About the same", "1.5 times as large", "At least three times"},
		Right:       2,
		Explanation: "FedAvg's line lies flat between the three clouds, where none of them is. Its error comes to {one40}; with three models it is {three40}, and the noise floor is {floor}. That is {times40} times as much.",

		Steps: []Step{
			{Task: "Drag Δφ down to 0°. How many models do you need now?", Solution: "dphi=0",
				Result: "Errors of {one0} and {three0}: the clients do not differ, and one model is enough.",
				Done:   func(n *State) bool { return n.Number("dphi") == 0 && n.Loss("fedavg") <= 1.02*n.Loss("cflgp") }},
			{Task: "Find the Δφ at which the error of one model is 1.5 times that of three.", Solution: "dphi=17.5",
				Result: "At 17.5° the error is {times17} times as large. The excess grows as the square of the sine of Δφ: slowly at first, then fast.",
				Done: func(n *State) bool {
					times := n.Loss("fedavg") / n.Loss("cflgp")
					return times >= 1.42 && times <= 1.58
				}},
		},
		Takeaway: "Averaging works while clients are alike; when they differ, the average fits none of them.",
		Paper:    registry.CFLGP.At("section 5.1, appendix F.4"),
		Notes:    "The middle group is lucky: its line is the average. Ask whose error is largest, and point at the outer groups. In theory the excess error of one line through all three groups is (2/9)·sin²Δφ.",
		Table: Table{
			Head: []string{"Δφ", "error, one model", "error, three models", "how many times"},
			Rows: [][]string{
				{"0°", "{one0}", "{three0}", "{times0}"},
				{"5°", "{one5}", "{three5}", "{times5}"},
				{"10°", "{one10}", "{three10}", "{times10}"},
				{"20°", "{one20}", "{three20}", "{times20}"},
				{"40°", "{one40}", "{three40}", "{times40}"},
			},
		},
	})
}
