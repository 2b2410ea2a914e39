package lesson

import (
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 9,
		Title:  "Whose median?",
		Query:  "data=digits&n=1800&C=18&angles=0,120,240&net=softmax&T=30&every=10&K=3&liars=2&algos=clove:median,clove,fedavg:median,fedavg&clove:median.mean=median&fedavg:median.mean=median&curve=accuracy",
		Scene:  10,
		Setup:  "Eighteen clients have digits, in three groups that see them by different turns. Two of them are liars, with horns on their marks: they send their update times −4, so that models run away from what suits their digits. CLoVE has three models, and FedAvg has one. Each is here twice: with the mean of the updates that move a model, and with the median of each of their numbers. Scores are of honest clients.",

		Question:    "Which of the four will have the highest accuracy?",
		Options:     []string{"FedAvg with the mean", "FedAvg with the median", "CLoVE with the mean", "CLoVE with the median"},
		Right:       3,
		Explanation: "At the end of this run CLoVE has {cm30} with the median and {c30} with the mean; FedAvg has {fm30} and {f30}. Of 30 runs CLoVE with the median is ahead in {ahead}. CLoVE finds the groups with both, for it compares losses, and these liars lie about updates. A cluster has six clients, and an update times −4 cancels four honest ones in a mean; a median does not care how large it is. In FedAvg the median keeps the liars out, too, but there it is a median of clients who want different things.",

		Steps: []Step{
			{Task: "Let nobody lie: set Liars to 0.", Solution: "liars=0",
				Result: "FedAvg now has {fm0} with the median and {f0} with the mean in this run: a median over clients of different groups leaves out what sets them apart. The median is behind in {behind} of 30 runs. In the clusters of CLoVE, where clients are alike, it costs little: in this run the accuracy is {cm0} with it and {c0} with the mean.",
				Done:   func(n *State) bool { return n.track("clove:median") != nil && len(n.Run.Header.Liar) == 0 }},
			{Task: "Let four clients of one group lie: set Liars to 1,2,3,4. Or select these clients and press F.", Solution: "liars=1,2,3,4",
				Result: "In this run CLoVE with the median falls to {cm4}, and FedAvg with the median has {fm4}. Four of six clients are the majority of their cluster, and the median is theirs; four of eighteen are not. The ruin reaches the other groups, too, for the models change hands from round to round.",
				Done: func(n *State) bool {
					return n.track("clove:median") != nil && n.liarsOfGroup(0) > 3
				}},
		},
		Takeaway: "A median bears liars as long as most of those whose median it is are honest and alike.",
		Paper:    registry.RobustMedian.At("Definition 1, Theorem 1"),
		Notes:    "The median of each number bears liars that have less than half of the weight. The data seed draws who lies. Servers do not know it, and liars have no score. Other averages are a setting: trimmed means, Krum, geometric medians; other lies are, too. Ask what a liar would do against a median, and try collusion with “a little is enough”.",
		Table: Table{
			Head: []string{"method", "accuracy in round 10", "in round 20", "in round 30"},
			Rows: [][]string{{"FedAvg, mean", "{f10}", "{f20}", "{f30}"}, {"FedAvg, median", "{fm10}", "{fm20}", "{fm30}"},
				{"CLoVE, mean", "{c10}", "{c20}", "{c30}"}, {"CLoVE, median", "{cm10}", "{cm20}", "{cm30}"}},
		},
	})
}

// liarsOfGroup returns the number of liars among the clients with the data of a group.
func (n *State) liarsOfGroup(group int16) (liars int) {
	for i, g := range n.Run.Header.Group {
		if g == group && n.Run.Header.Lies(i) {
			liars++
		}
	}
	return liars
}

func medianFacts() Facts {
	const end, three = 30, "liars=1,2,3,4"
	lanes := []struct{ slot, id string }{{"f", "fedavg"}, {"fm", "fedavg:median"}, {"c", "clove"}, {"cm", "clove:median"}}
	at := func(id string) func(n *State) float64 { return accuracyIn(id, end) }
	// ahead reports whether CLoVE with the median is the most accurate.
	ahead := func(n *State) bool {
		best := at("clove:median")(n)
		return best > at("clove")(n) && best > at("fedavg")(n) && best > at("fedavg:median")(n)
	}
	behind := func(n *State) bool { return at("fedavg:median")(n) < at("fedavg")(n) }
	numbers := []Measure{{"ahead", "", Count, 0, whether(ahead)}, {"behind", "liars=0", Count, 0, whether(behind)},
		{"fm4", three, ThisRun, 2, at("fedavg:median")}, {"cm4", three, ThisRun, 2, at("clove:median")}}
	for _, l := range lanes {
		for _, round := range []int{10, 20, 30} {
			numbers = append(numbers, Measure{l.slot + strconv.Itoa(round), "", ThisRun, 2, accuracyIn(l.id, round)})
		}
		numbers = append(numbers, Measure{l.slot + "0", "liars=0", ThisRun, 2, at(l.id)})
	}
	found := func(n *State) bool { return n.right("clove") && n.right("clove:median") }
	return Facts{numbers, []Claim{
		{Says: "Eighteen clients have digits, in three groups that see them by different turns.", Holds: func(n *State) bool {
			return n.clients() == 18 && n.groups() == 3 && n.Value("angles") == "0,120,240"
		}},
		{Says: "Two of them are liars, with horns on their marks: they send their update times −4, so that models run away from what suits their digits.", Holds: func(n *State) bool {
			return n.clients()-n.Run.Header.Honest() == 2 && n.Value("lie") == "flip" && n.Number("liescale") == 4
		}},
		{Says: "CLoVE has three models, and FedAvg has one.", Holds: func(n *State) bool {
			return n.lane("clove").Models == 3 && n.lane("fedavg").Models == 1
		}},
		{Says: "Each is here twice: with the mean of the updates that move a model, and with the median of each of their numbers.", Holds: func(n *State) bool {
			for lane, want := range []string{"median", "paper", "median", "paper"} {
				if n.Config.LaneValue(lane, "mean") != want {
					return false
				}
			}
			return true
		}},
		{Says: "Scores are of honest clients.", Why: "the engine leaves liars out of scores"},
		{Says: "CLoVE with the median", Seeds: 28, Holds: ahead},
		{Says: "CLoVE has {cm30} with the median and {c30} with the mean; FedAvg has {fm30} and {f30}.", Seeds: 28, Holds: func(n *State) bool {
			return ahead(n) && at("fedavg:median")(n) > at("fedavg")(n)
		}},
		{Says: "CLoVE with the median is ahead in {ahead}.", Seeds: 28, Holds: ahead},
		{Says: "CLoVE finds the groups with both, for it compares losses, and these liars lie about updates.", Seeds: 25, Holds: found},
		{Says: "A cluster has six clients, and an update times −4 cancels four honest ones in a mean; a median does not care how large it is.", Why: "the definitions of mean and median"},
		{Says: "A cluster has six clients", Holds: func(n *State) bool { return n.clients() == 6*n.groups() && found(n) }},
		{Says: "In FedAvg the median keeps the liars out, too, but there it is a median of clients who want different things.", Seeds: 28, Holds: func(n *State) bool {
			return at("fedavg:median")(n) > at("fedavg")(n) && at("fedavg:median")(n) < at("clove:median")(n)
		}},
		{Says: "FedAvg now has {fm0} with the median and {f0} with the mean in this run: a median over clients of different groups leaves out what sets them apart.", With: "liars=0", Seeds: 25, Holds: behind},
		{Says: "The median is behind in {behind}", With: "liars=0", Seeds: 25, Holds: behind},
		{Says: "In the clusters of CLoVE, where clients are alike, it costs little: in this run the accuracy is {cm0} with it and {c0} with the mean.", With: "liars=0", Seeds: 25, Holds: func(n *State) bool {
			return at("clove")(n)-at("clove:median")(n) < 0.03
		}},
		{Says: "CLoVE with the median falls to {cm4}, and FedAvg with the median has {fm4}.", With: three, Seeds: 28, Holds: func(n *State) bool {
			return at("clove:median")(n) < 0.3 && at("fedavg:median")(n) > at("clove:median")(n)+0.2
		}},
		{Says: "Four of six clients are the majority of their cluster, and the median is theirs; four of eighteen are not.", With: three, Holds: func(n *State) bool {
			return n.liarsOfGroup(0) == 4 && n.clients() == 18 && n.right("clove:median")
		}},
		{Says: "The ruin reaches the other groups, too, for the models change hands from round to round.", With: three, Seeds: 25, Holds: func(n *State) bool {
			return n.changes("clove:median", n.clients()-1, 5) > 3 && n.groupAccuracy("clove:median", 2) < 0.4
		}},
		{Says: "A median bears liars as long as most of those whose median it is are honest and alike.", With: three, Seeds: 28, Holds: func(n *State) bool {
			return at("clove:median")(n) < n.Lesson.atEnd("clove:median", accuracy) && ahead(n.Lesson)
		}},
		{Says: "The median of each number bears liars that have less than half of the weight.", Why: "the paper"},
		{Says: "The data seed draws who lies.", Why: "catalog.LiarsOf"},
		{Says: "Servers do not know it, and liars have no score.", Why: "the engine"},
		{Says: "Other averages are a setting: trimmed means, Krum, geometric medians; other lies are, too.", Why: "the settings mean and lie"},
		{Says: "and try collusion with “a little is enough”", Why: "the setting collusion"},
	}}
}
