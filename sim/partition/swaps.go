package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Concepts.Register(registry.Entry[ConceptMaker]{
		Meta: registry.Meta{
			Name:  "swaps",
			Title: "Swapped pairs of classes",
			Doc:   "Four groups, each of which swaps the labels of two pairs of classes.",
			Paper: registry.CLoVE.At("section 5, concept shift, pairs as in its code"),
		},
		Make: makeSwaps,
	})
}

// swapped are the pairs that each of CLoVE's four groups swaps.
var swapped = [4][2][2]int{{{0, 3}, {8, 9}}, {{1, 4}, {6, 9}}, {{1, 2}, {3, 6}}, {{3, 5}, {4, 7}}}

func makeSwaps(_ param.Values, set *dataset.Set, _ uint64) (Concept, error) {
	if set.Classes < 10 {
		return Concept{}, &param.Error{Field: "concept", Got: "swaps", Want: "a set of at least ten classes",
			Hint:        say.Messagef("%s has %d; try %s", set.Name, set.Classes, "permute"),
			Suggestions: []param.Suggestion{{Key: "concept", Value: "permute"}, {Key: "concept", Value: "none"}}}
	}
	var tables [][]uint8
	var names []say.Message
	for _, pairs := range swapped {
		table := identity(set.Classes)
		names = append(names, swapClasses(table, set, pairs[:]))
		tables = append(tables, table)
	}
	return planted(tables, names), nil
}
