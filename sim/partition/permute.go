package partition

import (
	"slices"
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Concepts.Register(registry.Entry[ConceptMaker]{
		Meta: registry.Meta{
			Name:   "permute",
			Title:  "All classes renamed",
			Doc:    "The first concept keeps the labels; each further one permutes them at random.",
			Paper:  registry.CLoVE.At("feature skew on CIFAR-10, as its code really has it"),
			Fields: []param.Field{fieldConcepts},
		},
		Make: makePermute,
	})
}

func makePermute(v param.Values, set *dataset.Set, seed uint64) (Concept, error) {
	if err := needClasses(v, "concept", set, "a set with classes"); err != nil {
		return Concept{}, err
	}
	concepts := v.Int("concepts")
	orders := 1 // number of permutations, up to concepts
	for c := 2; c <= set.Classes && orders < concepts; c++ {
		orders *= c
	}
	if concepts > orders {
		return Concept{}, &param.Error{Field: "concepts", Got: v.Text("concepts"),
			Want:        say.Messagef("at most %d", orders),
			Hint:        say.Messagef("%d classes can be named in no more ways", set.Classes),
			Suggestions: []param.Suggestion{{Key: "concepts", Value: strconv.Itoa(orders)}}}
	}
	tables, names := [][]uint8{identity(set.Classes)}, []say.Message{"as it is"}
	for j := 1; j < concepts; j++ {
		var s rng.Stream
		s.Reset(seed, conceptPlan, j, 0)
		table := identity(set.Classes)
		for taken := true; taken; {
			shuffle(table, &s)
			taken = slices.ContainsFunc(tables, func(other []uint8) bool { return slices.Equal(table, other) })
		}
		tables, names = append(tables, table), append(names, say.Messagef("renamed %d", j))
	}
	return planted(tables, names), nil
}
