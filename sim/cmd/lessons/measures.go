package main

import (
	"fmt"
	"strings"
)

// measures are all numbers in the lessons.
var measures = func() []measure {
	all := []measure{
		{1, "floor", "", 3, floor, false},
		{1, "times17", "dphi=17.5", 2, lossRatio("fedavg", "cflgp"), false},

		{2, "seeds", "", 0, one, true},
		{2, "a1", "", 2, firstLoss("ifca", 0, 0), false}, {2, "b1", "", 2, firstLoss("ifca", 0, 1), false},
		{2, "a2", "", 2, firstLoss("ifca", 1, 0), false}, {2, "b2", "", 2, firstLoss("ifca", 1, 1), false},
		{2, "stuck", "", 0, oneModel("ifca"), true},
		{2, "clove", "", 0, settledRound("clove"), false},

		{3, "clove1", "", 2, ariIn("clove", 1), false},
		{3, "probe1", "probe=1000&T=10", 2, ariIn("clove", 1), false},
		{3, "new200b", "b=200", 2, ariIn("cflgp:forget", 200), false},

		{4, "seeds", "", 0, one, true},
		{4, "four", "truth=pairs", 0, allCorrect("cflgp"), true}, {4, "eight", "", 0, allCorrect("cflgp:eight"), true},
		{4, "loss4", "", 3, loss("cflgp"), false}, {4, "loss8", "", 3, loss("cflgp:eight"), false},
		{4, "pairs4", "truth=pairs", 2, ari("cflgp"), false}, {4, "pairs8", "truth=pairs", 2, ari("cflgp:eight"), false},
		{4, "ari4", "", 2, ari("cflgp"), false}, {4, "ari8", "", 2, ari("cflgp:eight"), false},
		{4, "ari4at15", "within=0.15", 2, ari("cflgp"), false}, {4, "ari8at15", "within=0.15", 2, ari("cflgp:eight"), false},
		{4, "ari4at10", "within=0.1", 2, ari("cflgp"), false}, {4, "ari8at10", "within=0.1", 2, ari("cflgp:eight"), false},
		{4, "ari4at5", "within=0.05", 2, ari("cflgp"), false}, {4, "drowned", "within=0.05", 2, ari("cflgp:eight"), false},

		{5, "pure", "", 2, preference("fedem", 0, 0), false},
		{5, "flicker3", "", 0, changes("ifca"), false}, {5, "flicker5", "blend=0.5", 0, changes("ifca"), false},

		{6, "since2", "", 0, settledRound("cflgp"), false}, {6, "since10", "P=10", 0, settledRound("cflgp"), false},
		{6, "cflgp10", "P=10", 1, modelsSent("cflgp"), false},

		{7, "settled", "", 0, settledRound("clove:loose"), false},
		{7, "loose20", "dphi=20", 3, loss("clove:loose"), false}, {7, "match20", "dphi=20", 3, loss("clove"), false},
	}
	for nth := 1; nth <= 9; nth++ {
		all = append(all, measure{4, fmt.Sprint("s", nth), "", 0, singularValue("cflgp:eight", 21, nth), false})
	}
	for _, gap := range []string{"0", "5", "10", "20", "40"} {
		with := "dphi=" + gap
		all = append(all, measure{1, "one" + gap, with, 3, loss("fedavg"), false},
			measure{1, "three" + gap, with, 3, loss("cflgp"), false},
			measure{1, "times" + gap, with, 2, lossRatio("fedavg", "cflgp"), false})
	}
	for _, slope := range []string{"1.9", "2.1", "2.5", "2.8", "3.3"} {
		name, with := strings.ReplaceAll(slope, ".", ""), "theta0=0,"+slope
		all = append(all, measure{2, "right" + name, with, 0, allCorrect("ifca"), true},
			measure{2, "clove" + name, with, 0, allCorrect("clove"), true})
	}
	for _, round := range []int{20, 50, 100, 200} {
		all = append(all, measure{3, fmt.Sprint("mean", round), "", 2, ariIn("cflgp", round), false},
			measure{3, fmt.Sprint("new", round), "", 2, ariIn("cflgp:forget", round), false},
			measure{3, fmt.Sprint("clove", round), "", 2, ariIn("clove", round), false})
	}
	for _, tenths := range []int{1, 3, 5, 7, 9, 10} {
		all = append(all, measure{5, fmt.Sprint("w", tenths), fmt.Sprintf("blend=%v", float64(tenths)/10), 2,
			preference("fedem", 2, 0), false})
	}
	for _, id := range []string{"fedavg", "ifca", "clove", "cflgp"} {
		all = append(all,
			measure{6, id, "", 1, modelsSent(id), false},
			measure{6, id + "6", "K=6", 1, modelsSent(id), false})
	}
	for _, rounds := range []string{"10", "30", "200"} {
		all = append(all, measure{7, "match" + rounds, "T=" + rounds, 3, loss("clove"), false},
			measure{7, "loose" + rounds, "T=" + rounds, 3, loss("clove:loose"), false})
	}
	return all
}()
