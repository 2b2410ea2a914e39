package lesson

import (
	"math"
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 10,
		Title:  "What theory promises, and what it cannot",
		Query:  "data=linreg&T=400&algos=cflgp",
		Scene:  26,
		Setup:  "CFL-GP clusters twelve clients with lines 20° apart, as in the paper's experiment. Its paper proves a bound (18) on the number of misplaced clients: 128·K·‖E‖²/Δg², with the noise E and the gap Δg between groups in what the server remembers. Here both are known. The card Theory draws the bound dashed, and misplaced clients solid.",

		Question:    "In round 25 all clients are right. How many misplaced clients does the bound allow then?",
		Options:     []string{"None", "One or two", "About half of the clients", "More than there are clients"},
		Right:       3,
		Explanation: "In round 25 of this run the bound is {b25}, for twelve clients. It is true, and it says nothing: more clients than there are cannot be misplaced. All clients are right from round {settled} on in this run, and the bound is below twelve from round {useful} on in this run. In {early} of 30 runs the clients are right for good before the bound says anything. The bound falls as one over the round, as Lemma 1 of the paper says, since E is a mean of gradients: the mean of 30 runs is {m25} in round 25, {m100} in round 100 and {m400} in round 400.",

		Steps: []Step{
			{Task: "Give clients more samples in a round: set the batch b to 160.", Solution: "b=160",
				Result: "In round 25 of this run the bound is {big25}, where it was {b25}. Sixteen times the samples shrink ‖E‖² to about a sixteenth, with a mean of {mbig25} over 30 runs: the order of the bound is right, its constant is large.",
				Done:   func(n *State) bool { return n.bound("cflgp", 25) < 20 && n.Number("b") > 10 }},
			{Task: "Go back to b = 10, and bring the lines closer together: set the gap Δφ to 5°.", Solution: "dphi=5",
				Result: "The bound is {near400} in round 400 of this run, and all clients are right from round {nearSettled} on in this run. In {nearUseful} of 30 runs the bound comes below twelve in 400 rounds; in {nearRight} of 30 runs all clients are right at the end. Where groups are hard to tell apart, the theorem has the least to say.",
				Done:   func(n *State) bool { return n.Number("dphi") <= 8 && n.bound("cflgp", n.end()) > 12 }},
		},
		Takeaway: "A bound can be true, and fall as fast as the noise does, and still say nothing about the run before you.",
		Paper:    registry.CFLGP.At("Lemma 1, Theorem 1, equation 18"),
		Notes:    "A bound above its trivial value is called vacuous. Theorem 1 of the same paper, on the error of models, has a constant λ of at least 294 913. It wants no more clients than numbers in a client's memory, which are 6 here. What theory does give is the order: the noise falls as one over the root of rounds and samples. The lower part of the card has the distance of the worst group's model from the best one, and dashed the most that gradient descent without noise can leave. Ask where the two part, and why.",
		Table: Table{
			Head: []string{"round", "bound (18)", "misplaced", "distance from the best model"},
			Rows: [][]string{{"10", "{b10}", "{w10}", "{d10}"}, {"25", "{b25}", "{w25}", "{d25}"}, {"100", "{b100}", "{w100}", "{d100}"},
				{"200", "{b200}", "{w200}", "{d200}"}, {"400", "{b400}", "{w400}", "{d400}"}},
		},
	})
}

// bound returns the bound (18) on the misplaced clients of a lane in a round, NaN if it is unknown.
func (n *State) bound(id string, round int) float64 {
	f := n.frames(id)
	if round >= len(f) || f[round].Theory.Gap == 0 {
		return math.NaN()
	}
	return f[round].Theory.MisplacedBound(n.lane(id).Models)
}

func promiseFacts() Facts {
	bound := func(round int) func(n *State) float64 {
		return func(n *State) float64 { return n.bound("cflgp", round) }
	}
	// useful is the first round with a bound below the number of clients.
	useful := func(n *State) float64 {
		for round := range n.frames("cflgp") {
			if n.bound("cflgp", round) < float64(n.clients()) {
				return float64(round)
			}
		}
		return math.NaN()
	}
	early := func(n *State) bool { return n.Settled("cflgp") < useful(n) }
	numbers := []Measure{
		{"settled", "", ThisRun, 0, settled("cflgp")}, {"useful", "", ThisRun, 0, useful}, {"early", "", Count, 0, whether(early)},
		{"m25", "", Mean, 0, bound(25)}, {"m100", "", Mean, 0, bound(100)}, {"m400", "", Mean, 1, bound(400)},
		{"big25", "b=160", ThisRun, 1, bound(25)}, {"mbig25", "b=160", Mean, 1, bound(25)},
		{"near400", "dphi=5", ThisRun, 0, bound(400)}, {"nearSettled", "dphi=5", ThisRun, 0, settled("cflgp")},
		{"nearUseful", "dphi=5", Count, 0, whether(func(n *State) bool { return !math.IsNaN(useful(n)) })},
		{"nearRight", "dphi=5", Count, 0, whether(func(n *State) bool { return n.right("cflgp") })},
	}
	for _, round := range []int{10, 25, 100, 200, 400} {
		at := strconv.Itoa(round)
		numbers = append(numbers, Measure{"b" + at, "", ThisRun, 1, bound(round)},
			Measure{"w" + at, "", ThisRun, 0, func(n *State) float64 { return float64(n.frames("cflgp")[round].Misplaced) }},
			Measure{"d" + at, "", ThisRun, 3, func(n *State) float64 {
				return float64(n.frames("cflgp")[round].Theory.Error)
			}})
	}
	vacuous := func(n *State) bool { return n.bound("cflgp", 25) > 2*float64(n.clients()) }
	// falls reports whether the bound times the round stays about the same.
	falls := func(n *State) bool {
		ratio := 400 * n.bound("cflgp", 400) / (25 * n.bound("cflgp", 25))
		return ratio > 0.25 && ratio < 4
	}
	return Facts{numbers, []Claim{
		{Says: "CFL-GP clusters twelve clients with lines 20° apart, as in the paper's experiment.", Holds: func(n *State) bool {
			return n.clients() == 12 && n.Number("dphi") == 20 && n.groups() == 3
		}},
		{Says: "Its paper proves a bound (18) on the number of misplaced clients: 128·K·‖E‖²/Δg², with the noise E and the gap Δg between groups in what the server remembers.", Why: "the paper, appendix B.1"},
		{Says: "Here both are known.", Holds: func(n *State) bool { return n.bound("cflgp", 25) > 0 }},
		{Says: "The card Theory draws the bound dashed, and misplaced clients solid.", Why: "the figure"},
		{Says: "More than there are clients", Seeds: 30, Holds: vacuous},
		{Says: "In round 25 of this run the bound is {b25}, for twelve clients.", Holds: func(n *State) bool { return n.clients() == 12 }},
		{Says: "It is true, and it says nothing: more clients than there are cannot be misplaced.", Seeds: 30, Holds: func(n *State) bool {
			for round, f := range n.frames("cflgp") {
				if float64(f.Misplaced) > n.bound("cflgp", round) {
					return false
				}
			}
			return vacuous(n)
		}},
		{Says: "All clients are right from round {settled} on in this run, and the bound is below twelve from round {useful} on in this run.", Holds: early},
		{Says: "In {early} of 30 runs the clients are right for good before the bound says anything.", Seeds: 28, Holds: early},
		{Says: "The bound falls as one over the round, as Lemma 1 of the paper says, since E is a mean of gradients", Seeds: 29, Holds: falls},
		{Says: "is {m25} in round 25, {m100} in round 100 and {m400} in round 400", Why: "numbers alone"},
		{Says: "In round 25 of this run the bound is {big25}, where it was {b25}.", With: "b=160", Holds: func(n *State) bool {
			return n.bound("cflgp", 25) < n.Lesson.bound("cflgp", 25)/6
		}},
		{Says: "Sixteen times the samples shrink ‖E‖² to about a sixteenth", With: "b=160", Seeds: 28, Holds: func(n *State) bool {
			square := func(s *State) float64 { v := float64(s.frames("cflgp")[25].Theory.Noise); return v * v }
			ratio := square(n.Lesson) / square(n)
			return n.Number("b") == 16*n.Lesson.Number("b") && ratio > 6 && ratio < 40
		}},
		{Says: "the order of the bound is right, its constant is large", With: "b=160", Seeds: 29, Holds: func(n *State) bool {
			return n.frames("cflgp")[25].Misplaced == 0 && n.bound("cflgp", 25) > 3
		}},
		{Says: "The bound is {near400} in round 400 of this run, and all clients are right from round {nearSettled} on in this run.", With: "dphi=5", Holds: func(n *State) bool {
			return n.end() == 400 && n.right("cflgp") && n.bound("cflgp", 400) > 12
		}},
		{Says: "In {nearUseful} of 30 runs the bound comes below twelve in 400 rounds; in {nearRight} of 30 runs all clients are right at the end.", Why: "numbers alone"},
		{Says: "Where groups are hard to tell apart, the theorem has the least to say.", With: "dphi=5", Seeds: 30, Holds: func(n *State) bool {
			return n.bound("cflgp", 400) > n.Lesson.bound("cflgp", 400)
		}},
		{Says: "A bound can be true, and fall as fast as the noise does, and still say nothing about the run before you.", Seeds: 29, Holds: func(n *State) bool {
			return falls(n) && vacuous(n)
		}},
		{Says: "A bound above its trivial value is called vacuous.", Why: "usage"},
		{Says: "Theorem 1 of the same paper, on the error of models, has a constant λ of at least 294 913.", Why: "the paper, appendix B.2.1 and B.3"},
		{Says: "It wants no more clients than numbers in a client's memory, which are 6 here.", Holds: func(n *State) bool {
			return n.Number("K")*float64(n.lane("cflgp").Size) == 6 && n.clients() > 6
		}},
		{Says: "What theory does give is the order: the noise falls as one over the root of rounds and samples.", Seeds: 29, Holds: falls},
		{Says: "The lower part of the card has the distance of the worst group's model from the best one, and dashed the most that gradient descent without noise can leave.", Why: "the figure"},
	}}
}
