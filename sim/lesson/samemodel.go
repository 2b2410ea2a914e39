package lesson

import "flockscope/sim/registry"

func init() {
	register(Lesson{
		Number: 2,
		Title:  "Everybody picks the same model",
		Query:  "data=mix1d&algos=ifca,clove",
		Scene:  1,
		Setup:  "Two groups of clients, with true slopes 1 and 1.45. Model A starts at slope 0, model B at 3.3, and all clients begin with A, which has the smaller loss for each of them. With IFCA each client takes the model with the least loss; with CLoVE the server clusters the clients by their losses on both.",

		Question:    "When does the second group take model B in IFCA?",
		Options:     []string{"In round 1", "Later, when A has been trained for a while", "Never"},
		Right:       2,
		Explanation: "Round 1 shows why. The mean losses on A and B in this run are {a1} and {b1} in the first group, {a2} and {b2} in the second. In both groups A has the smaller one, so all clients train A. In this run A ends at a slope of {slope}, between the two groups, and B stays at 3.3: nobody trains it, so it never wins. IFCA keeps all clients on one model in {stuck} of 30 runs. CLoVE compares both losses, which differ between the groups: all clients are right from round 1 on in {clove1} of 30 runs.",

		Steps: []Step{
			{Task: "Set the start slopes θ⁰ to 0,2.5. Is IFCA right now?", Solution: "theta0=0,2.5",
				Result: "It is, from round 1 on, in {right25} of 30 runs. Each group is nearer to a model of its own, and IFCA needs no more.",
				Done: func(n *State) bool {
					return n.Value("theta0") != "0,3.3" && n.ARI("ifca") == 1 && n.ARI("clove") == 1
				}},
			{Task: "Move the second start slope below 2, so that IFCA fails on the other side.", Solution: "theta0=0,1.9",
				Result: "At 1.9 all clients take the second model, in {stuck19} of 30 runs. IFCA is right from 2 to 2.9; CLoVE is right at all of these starts.",
				Done: func(n *State) bool {
					return n.ARI("ifca") == 0 && n.ARI("clove") == 1 &&
						n.Value("theta0") != "0,3.3"
				}},
		},
		Takeaway: "The best model is one number; the loss vector is the whole story.",
		Paper:    registry.CLoVE.At("Figure 1"),
		Notes:    "The losses of round 1 can be worked out by hand: the squared distance of the slopes, and 0.01 for the noise. The second group is nearer to A while 1.45 < θ − 1.45, that is, while B starts above 2.9; the first is nearer to B while B starts below 2.",
		Table: Table{
			Head: []string{"second start slope", "misplaced, IFCA", "misplaced, CLoVE"},
			Rows: [][]string{
				{"1.9", "{ifca19}", "{clove19}"}, {"2.1", "{ifca21}", "{clove21}"}, {"2.5", "{ifca25}", "{clove25}"}, {"2.8", "{ifca28}", "{clove28}"}, {"3.3", "{ifca33}", "{clove33}"},
			},
		},
	})
}

func sameModelFacts() Facts {
	measured := func(group, model int) func(n *State) float64 {
		return func(n *State) float64 { return n.groupLoss("ifca", 1, group, model) }
	}
	// all reports whether all clients have one model in every round.
	all := func(n *State, model uint16) bool {
		for _, k := range n.labels("ifca", 1) {
			if k != model {
				return false
			}
		}
		return n.steady("ifca", 1)
	}
	atOnce := func(id string) func(n *State) bool { return func(n *State) bool { return n.Settled(id) == 1 } }
	numbers := []Measure{
		{"a1", "", ThisRun, 2, measured(0, 0)}, {"b1", "", ThisRun, 2, measured(0, 1)},
		{"a2", "", ThisRun, 2, measured(1, 0)}, {"b2", "", ThisRun, 2, measured(1, 1)},
		{"slope", "", ThisRun, 2, func(n *State) float64 { return n.slope("ifca", 0) }},
		{"stuck", "", Count, 0, whether(func(n *State) bool { return all(n, 0) })},
		{"clove1", "", Count, 0, whether(atOnce("clove"))},
		{"right25", "theta0=0,2.5", Count, 0, whether(atOnce("ifca"))},
		{"stuck19", "theta0=0,1.9", Count, 0, whether(func(n *State) bool { return all(n, 1) })},
	}
	claims := []Claim{
		{Says: "Two groups of clients, with true slopes 1 and 1.45.", Holds: func(n *State) bool {
			return n.groups() == 2 && n.trueSlope(0) == 1 && float32(n.trueSlope(1)) == 1.45
		}},
		{Says: "Model A starts at slope 0, model B at 3.3, and all clients begin with A, which has the smaller loss for each of them.", Seeds: 30,
			Holds: func(n *State) bool {
				f := n.frames("ifca")[0]
				for i, k := range f.Label {
					if k != 0 || f.Losses[2*i] >= f.Losses[2*i+1] {
						return false
					}
				}
				return f.Models[0] == 0 && f.Models[1] == 3.3 && n.track("ifca").Summary.Alias[0] == 0
			}},
		{Says: "With IFCA each client takes the model with the least loss; with CLoVE the server clusters the clients by their losses on both.", Why: "the algorithms"},
		{Says: "Never", Seeds: 30, Holds: func(n *State) bool { return all(n, 0) }},
		{Says: "Round 1 shows why. The mean losses on A and B in this run", Holds: func(n *State) bool { return ByNumber(2).Scene == 1 }},
		{Says: "In both groups A has the smaller one, so all clients train A.", Seeds: 30, Holds: func(n *State) bool {
			return measured(0, 0)(n) < measured(0, 1)(n) && measured(1, 0)(n) < measured(1, 1)(n) && all(n, 0)
		}},
		{Says: "between the two groups, and B stays at 3.3: nobody trains it, so it never wins", Seeds: 30, Holds: func(n *State) bool {
			return n.slope("ifca", 0) > n.trueSlope(0) && n.slope("ifca", 0) < n.trueSlope(1) && float32(n.slope("ifca", 1)) == 3.3
		}},
		{Says: "keeps all clients on one model in {stuck} of 30 runs", Holds: func(n *State) bool { return all(n, 0) }},
		{Says: "CLoVE compares both losses, which differ between the groups: all clients are right from round 1 on", Seeds: 30, Holds: func(n *State) bool {
			return n.Settled("clove") == 1 && n.separation("clove", 1) > 2
		}},
		{Says: "It is, from round 1 on, in {right25} of 30 runs.", With: "theta0=0,2.5", Seeds: 30, Holds: atOnce("ifca")},
		{Says: "Each group is nearer to a model of its own, and IFCA needs no more.", With: "theta0=0,2.5", Seeds: 30, Holds: func(n *State) bool {
			return measured(0, 0)(n) < measured(0, 1)(n) && measured(1, 0)(n) > measured(1, 1)(n)
		}},
		{Says: "At 1.9 all clients take the second model", With: "theta0=0,1.9", Seeds: 30, Holds: func(n *State) bool { return all(n, 1) }},
		{Says: "IFCA is right from 2 to 2.9; CLoVE", With: "theta0=0,2.01", Seeds: 30, Holds: func(n *State) bool { return n.right("ifca") }},
		{Says: "from 2 to 2.9; CLoVE", With: "theta0=0,2.89", Seeds: 25, Holds: func(n *State) bool { return n.right("ifca") }},
		{Says: "The best model is one number; the loss vector is the whole story.", Seeds: 30, Holds: func(n *State) bool { return n.right("clove") && !n.right("ifca") }},
		{Says: "The losses of round 1 can be worked out by hand: the squared distance of the slopes, and 0.01 for the noise.", Seeds: 30, Holds: func(n *State) bool {
			for g := range 2 {
				for k, start := range []float64{0, 3.3} {
					d := n.trueSlope(g) - start
					if by := measured(g, k)(n) / (float64(d*d) + 0.01); by < 0.85 || by > 1.15 {
						return false
					}
				}
			}
			return true
		}},
		{Says: "The second group is nearer to A while 1.45 < θ − 1.45, that is, while B starts above 2.9; the first is nearer to B while B starts below 2.", Why: "algebra: 2 · 1.45 and 2 · 1"},
	}
	for _, slope := range []string{"1.9", "2.1", "2.5", "2.8", "3.3"} {
		name, with := slope[:1]+slope[2:], "theta0=0,"+slope
		numbers = append(numbers, Measure{"ifca" + name, with, ThisRun, 0, misplaced("ifca")},
			Measure{"clove" + name, with, ThisRun, 0, misplaced("clove")})
		claims = append(claims, Claim{Says: "CLoVE is right at all of these starts", With: with, Seeds: 30,
			Holds: func(n *State) bool { return n.right("clove") }})
	}
	return Facts{numbers, claims}
}
