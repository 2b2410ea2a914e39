package lesson

import (
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 8,
		Title:  "Clusters that grow",
		Query:  "data=shapes&C=12&T=30&algos=hcflplus,fedavg&K=1&hrho=0.05&curve=accuracy&view=weights",
		Scene:  30,
		Long:   true,
		Setup:  "Twelve clients have colour pictures of ten shapes, in four groups that see them by different quarter turns. HCFL+ makes a choice in each of four tiers: what a cluster explains, how clients weigh clusters, when clusters split or are removed, and how clients differ. It begins with one cluster; FedAvg has one model. Both train a convolutional network, so this run and that of each task can take a minute.",

		Question:    "How many clusters will HCFL+ have at the end?",
		Options:     []string{"One", "Two", "Four", "Twelve"},
		Right:       2,
		Explanation: "A cluster splits when the largest distance between two of its clients exceeds the mean one by more than ρ. In this run there are two clusters from round {two} on, three from round {three} and four from round {four}, and they are the groups. HCFL+ ends with the groups in {found} of 5 runs. Weights are soft: in this run clients give {w10} to their own cluster in round 10, and {w30} at the end. The accuracy at the end of this run is {h30} with HCFL+ and {f30} with FedAvg: stripes across in one group are stripes down in the next, and one model has to fit both.",

		Steps: []Step{
			{Task: "Make splits rarer: set the threshold ρ to 0.3.", Solution: "hrho=0.3",
				Result: "HCFL+ stops at {k3} clusters in this run, and its accuracy is {h3}, where it was {h30}. A larger ρ makes fewer clusters.",
				Done: func(n *State) bool {
					return n.clustersAtEnd("hcflplus") < 4 && n.clustersAtStart("hcflplus") == 1
				}},
			{Task: "Go back to ρ = 0.05, and let HCFL+ begin with four clusters: set K to 4.", Solution: "K=4",
				Result: "At the end of this run {wrong4} of 12 are misplaced, and the accuracy is {h4}, where it was {h30}. The heads start at random, and clients choose among them before features tell the groups apart.",
				Done:   func(n *State) bool { return n.clustersAtStart("hcflplus") > 2 }},
		},
		Takeaway: "Clusters that split when features tell clients apart can find groups that a random start misses.",
		Paper:    registry.HCFL.At("section 4, Algorithm 2"),
		Notes:    "The method HCFL has the tiers as settings. HCFL+ explains labels relative to how common they are in a cluster, weighs clusters sample by sample, splits and removes clusters, and compares mean features class by class. The threshold of 0.05 is the default of the authors' code. That code starts from features learned on ImageNet; here they are learned during the run, so splits come late. Ask which groups part first, and why.",
		Table: Table{
			Head: []string{"round", "clusters", "ARI", "weight of the own cluster", "accuracy, HCFL+", "accuracy, FedAvg"},
			Rows: [][]string{{"5", "{k5}", "{a5}", "{w5}", "{h5}", "{f5}"}, {"10", "{k10}", "{a10}", "{w10}", "{h10}", "{f10}"},
				{"15", "{k15}", "{a15}", "{w15}", "{h15}", "{f15}"}, {"20", "{k20}", "{a20}", "{w20}", "{h20}", "{f20}"},
				{"30", "{k30}", "{a30}", "{w30}", "{h30}", "{f30}"}},
		},
	})
}

func growthFacts() Facts {
	const end = 30
	right := func(n *State) bool { return n.right("hcflplus") }
	numbers := []Measure{
		{"two", "", ThisRun, 0, grownTo("hcflplus", 2)}, {"three", "", ThisRun, 0, grownTo("hcflplus", 3)},
		{"four", "", ThisRun, 0, grownTo("hcflplus", 4)}, {"found", "", Count, 0, whether(right)},
		{"k3", "hrho=0.3", ThisRun, 0, clustersIn("hcflplus", end)},
		{"h3", "hrho=0.3", ThisRun, 2, accuracyIn("hcflplus", end)},
		{"wrong4", "K=4", ThisRun, 0, misplaced("hcflplus")}, {"h4", "K=4", ThisRun, 2, accuracyIn("hcflplus", end)},
	}
	for _, round := range []int{5, 10, 15, 20, 30} {
		at := strconv.Itoa(round)
		numbers = append(numbers, Measure{"k" + at, "", ThisRun, 0, clustersIn("hcflplus", round)},
			Measure{"a" + at, "", ThisRun, 2, ariIn("hcflplus", round)}, Measure{"w" + at, "", ThisRun, 2, ownWeight("hcflplus", round)},
			Measure{"h" + at, "", ThisRun, 2, accuracyIn("hcflplus", round)},
			Measure{"f" + at, "", ThisRun, 2, accuracyIn("fedavg", round)})
	}
	// behind reports whether FedAvg is at least 10 points less accurate.
	behind := func(n *State) bool { return accuracyIn("fedavg", end)(n) < accuracyIn("hcflplus", end)(n)-0.1 }
	// misses reports whether a run has far less of the groups than the lesson's.
	misses := func(n *State) bool { return n.ARI("hcflplus") < n.Lesson.ARI("hcflplus")-0.5 }
	return Facts{numbers, []Claim{
		{Says: "Twelve clients have colour pictures of ten shapes, in four groups that see them by different quarter turns.", Holds: func(n *State) bool {
			return n.clients() == 12 && n.groups() == 4 && n.Value("angles") == "0,90,180,270"
		}},
		{Says: "HCFL+ makes a choice in each of four tiers: what a cluster explains, how clients weigh clusters, when clusters split or are removed, and how clients differ.", Why: "the paper, section 3"},
		{Says: "It begins with one cluster; FedAvg has one model.", Seeds: 5, Holds: func(n *State) bool {
			return n.clustersAtStart("hcflplus") == 1 && n.lane("fedavg").Models == 1
		}},
		{Says: "Both train a convolutional network", Holds: func(n *State) bool { return n.Value("net") == "cnn" }},
		{Says: "this run and that of each task can take a minute", Why: "timed in a browser on two cores"},
		{Says: "Four", Seeds: 4, Holds: func(n *State) bool { return n.clustersAtEnd("hcflplus") == 4 }},
		{Says: "A cluster splits when the largest distance between two of its clients exceeds the mean one by more than ρ.", Why: "the paper, equation 8"},
		{Says: "there are two clusters from round {two} on, three from round {three} and four from round {four}, and they are the groups", Holds: func(n *State) bool {
			two, three, four := grownTo("hcflplus", 2)(n), grownTo("hcflplus", 3)(n), grownTo("hcflplus", 4)(n)
			return two < three && three < four && right(n) && n.Settled("hcflplus") == four
		}},
		{Says: "HCFL+ ends with the groups in {found} of 5 runs.", Seeds: 4, Holds: right},
		{Says: "Weights are soft: in this run clients give {w10} to their own cluster in round 10, and {w30} at the end.", Holds: func(n *State) bool {
			return n.clustersAtEnd("hcflplus") > 1 && ownWeight("hcflplus", 10)(n) < ownWeight("hcflplus", end)(n)
		}},
		{Says: "is {h30} with HCFL+ and {f30} with FedAvg", Seeds: 5, Holds: behind},
		{Says: "stripes across in one group are stripes down in the next, and one model has to fit both", Why: "the classes of the pictures, and a quarter turn"},
		{Says: "HCFL+ stops at {k3} clusters", With: "hrho=0.3", Holds: func(n *State) bool { return n.clustersAtEnd("hcflplus") < 4 }},
		{Says: "A larger ρ makes fewer clusters.", With: "hrho=0.3", Holds: func(n *State) bool {
			return n.clustersAtEnd("hcflplus") < n.Lesson.clustersAtEnd("hcflplus")
		}},
		{Says: "{wrong4} of 12 are misplaced", With: "K=4", Holds: misses},
		{Says: "The heads start at random, and clients choose among them before features tell the groups apart.", With: "K=4", Holds: func(n *State) bool {
			return n.clustersAtStart("hcflplus") > 2 && n.MeanARI("hcflplus", 1, 5) < 0.3
		}},
		{Says: "Clusters that split when features tell clients apart can find groups that a random start misses.", With: "K=4", Holds: misses},
		{Says: "The method HCFL has the tiers as settings.", Why: "its settings"},
		{Says: "HCFL+ explains labels relative to how common they are in a cluster, weighs clusters sample by sample, splits and removes clusters, and compares mean features class by class.", Why: "the paper, sections 4.2 to 4.4, with FedRC"},
		{Says: "The threshold of 0.05", Holds: func(n *State) bool { return n.Number("hrho") == 0.05 }},
		{Says: "is the default of the authors' code", Why: "tol in github.com/LINs-lab/FedRC"},
		{Says: "That code starts from features learned on ImageNet", Why: "github.com/LINs-lab/FedRC"},
		{Says: "here they are learned during the run, so splits come late", Seeds: 5, Holds: func(n *State) bool { return grownTo("hcflplus", 2)(n) > 3 }},
	}}
}
