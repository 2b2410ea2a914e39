package lesson

import (
	"math"

	"flockscope/sim/exact"
	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 1,
		Title:  "The average fits the middle",
		Query:  "data=linreg&dphi=40&algos=cflgp,fedavg&lane=2&curve=loss&view=data",
		Scene:  200,
		Setup:  "Twelve clients in three groups. Each group has a line of its own, 40° from the next. FedAvg trains one model for all of them; CFL-GP may keep three.",

		Question:    "How large is the error of one model, compared with three?",
		Options:     []string{"About the same", "One and a half times", "About three times"},
		Right:       2,
		Explanation: "FedAvg's one line fits the squares; circles and diamonds pull it in opposite directions, and it fits neither of them. In this run its error is {one40}, and that of three models is {three40}, with a noise floor of {floor}. That is {times40} times as much in this run; the mean of 30 runs is {mean40} times.",

		Steps: []Step{
			{Task: "Drag Δφ down to 0°. How many models do you need now?", Solution: "dphi=0",
				Result: "In this run the errors are {one0} and {three0} now: all clients have the same distribution, and one model is enough.",
				Done:   func(n *State) bool { return n.Number("dphi") == 0 && n.Loss("fedavg") <= 1.02*n.Loss("cflgp") }},
			{Task: "Find the Δφ at which the error of one model is 1.5 times that of three.", Solution: "dphi=17.5",
				Result: "At 17.5° it is {times17} times as large in this run. The excess grows as the square of the sine of Δφ: slowly at first, then fast.",
				Done: func(n *State) bool {
					times := n.Loss("fedavg") / n.Loss("cflgp")
					return times >= 1.42 && times <= 1.58
				}},
		},
		Takeaway: "An average serves whoever is in the middle.",
		Paper:    registry.CFLGP.At("section 5.1, appendix F.4"),
		Notes:    "Ask whose error is largest: that of the outer groups. With four groups the average lies in the middle as well, but there is no group; try D = 4. In theory the excess error of one line through three groups is (2/9)·sin²Δφ.",
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

func averageFacts() Facts {
	all := []Measure{
		{"floor", "", ThisRun, 3, noiseFloor},
		{"mean40", "", Mean, 1, lossRatio("fedavg", "cflgp")},
		{"times17", "dphi=17.5", ThisRun, 2, lossRatio("fedavg", "cflgp")},
	}
	for _, gap := range []string{"0", "5", "10", "20", "40"} {
		all = append(all, Measure{"one" + gap, "dphi=" + gap, ThisRun, 3, loss("fedavg")},
			Measure{"three" + gap, "dphi=" + gap, ThisRun, 3, loss("cflgp")},
			Measure{"times" + gap, "dphi=" + gap, ThisRun, 2, lossRatio("fedavg", "cflgp")})
	}
	// off is how far FedAvg's slope is from that of a group.
	off := func(n *State, group int) float64 { return math.Abs(n.slope("fedavg", 0) - n.trueSlope(group)) }
	// excess is the error above the noise floor, and inTheory what the notes say it is.
	excess := func(n *State) float64 { return n.Loss("fedavg") - noiseFloor(n) }
	inTheory := func(n *State) float64 {
		sin, _ := exact.SinCosDegrees(n.Number("dphi"))
		return float64(2. / 9 * sin * sin)
	}
	return Facts{all, []Claim{
		{Says: "Twelve clients in three groups", Holds: func(n *State) bool { return n.clients() == 12 && n.groups() == 3 }},
		{Says: "40° from the next", Seeds: 30, Holds: func(n *State) bool {
			sin, cos := exact.SinCosDegrees(40)
			return math.Abs(n.trueSlope(0)-sin/cos) < 1e-6 && n.trueSlope(1) == 0 && n.trueSlope(2) == -n.trueSlope(0)
		}},
		{Says: "FedAvg trains one model for all of them; CFL-GP may keep three.", Holds: func(n *State) bool {
			return n.lane("fedavg").Models == 1 && n.lane("cflgp").Models == 3
		}},
		{Says: "About three times", Seeds: 30, Holds: func(n *State) bool {
			return n.Loss("fedavg") > 2.8*n.Loss("cflgp") && n.Loss("fedavg") < 3.5*n.Loss("cflgp")
		}},
		{Says: "fits the squares; circles and diamonds pull it in opposite directions, and it fits neither of them.", Seeds: 29, Holds: func(n *State) bool {
			return off(n, 1) < 0.1*off(n, 0) && off(n, 1) < 0.1*off(n, 2) && n.trueSlope(0)*n.trueSlope(2) < 0
		}},
		{Says: "with a noise floor of {floor}", Seeds: 30, Holds: func(n *State) bool { return n.Loss("cflgp") < 1.06*noiseFloor(n) }},
		{Says: "That is {times40} times as much", Seeds: 30, Holds: func(n *State) bool { return n.Loss("fedavg") > n.Loss("cflgp") }},
		{Says: "all clients have the same distribution, and one model is enough", With: "dphi=0", Seeds: 30, Holds: func(n *State) bool {
			return n.trueSlope(0) == n.trueSlope(1) && n.trueSlope(1) == n.trueSlope(2) && n.Loss("fedavg") < 1.02*n.Loss("cflgp")
		}},
		{Says: "At 17.5° it is {times17} times as large", With: "dphi=17.5", Seeds: 30, Holds: func(n *State) bool {
			return math.Abs(n.Loss("fedavg")/n.Loss("cflgp")-1.5) < 0.03
		}},
		{Says: "grows as the square of the sine of Δφ", With: "dphi=17.5", Seeds: 30, Holds: func(n *State) bool { return math.Abs(excess(n)-inTheory(n)) < 0.001 }},
		{Says: "slowly at first, then fast", With: "dphi=5", Seeds: 30, Holds: func(n *State) bool { return excess(n) < 0.003 }},
		{Says: "An average serves whoever is in the middle.", Seeds: 29, Holds: func(n *State) bool { return off(n, 1) < 0.1*min(off(n, 0), off(n, 2)) }},
		{Says: "that of the outer groups", Seeds: 30, Holds: func(n *State) bool { return off(n, 1) < min(off(n, 0), off(n, 2)) }},
		{Says: "With four groups the average lies in the middle as well, but there is no group; try D = 4.", With: "D=4", Seeds: 30, Holds: func(n *State) bool {
			above := 0
			for g := range 4 {
				if n.trueSlope(g) > n.slope("fedavg", 0)+0.2 {
					above++
				} else if n.trueSlope(g) > n.slope("fedavg", 0)-0.2 {
					return false
				}
			}
			return above == 2
		}},
		{Says: "In theory the excess error of one line through three groups is (2/9)·sin²Δφ.", Seeds: 30, Holds: func(n *State) bool { return math.Abs(excess(n)-inTheory(n)) < 0.002 }},
	}}
}
