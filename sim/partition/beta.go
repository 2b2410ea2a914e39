package partition

import (
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Concepts.Register(registry.Entry[ConceptMaker]{
		Meta: registry.Meta{
			Name:  "beta",
			Title: "Some classes renamed",
			Doc:   "Each concept renames the first few classes in a different way; all agree on the other classes.",
			Paper: paperHCFL.At("appendix E.1, concept shift"),
			Fields: []param.Field{
				fieldConcepts,
				{Name: "cbeta", Label: "Renamed classes", Section: param.Data, Kind: param.Int, Min: 2, Max: 256, Low: 2, High: 10, Default: "4",
					Doc: "C_β, the number of renamed classes: the number of classes times β in the paper's appendix E.1, and twice as many in its section 5.1."},
				{Name: "rename", Label: "Renaming", Section: param.Data, Kind: param.Choice, Default: "cycle", Advanced: true,
					Options: []param.Option{{Name: "cycle", Title: "cyclic shift"},
						{Name: "swap", Title: "disjoint swaps"}},
					Doc: "Cyclic, as printed: concept j renames class y < C_β to (y + j) mod C_β, so that with C_β = 2 the first and the third concept are the same. " +
						"Disjoint: each concept after the first swaps C_β classes in pairs that no other concept swaps."},
			},
		},
		Make: makeBeta,
	})
}

func makeBeta(v param.Values, set *dataset.Set, _ uint64) (Concept, error) {
	if err := needClasses(v, "concept", set, "a set with classes"); err != nil {
		return Concept{}, err
	}
	concepts, renamed, swap := v.Int("concepts"), v.Int("cbeta"), v.Text("rename") == "swap"
	most := set.Classes
	if swap {
		most -= most % 2
	}
	switch {
	case renamed > set.Classes:
		return Concept{}, &param.Error{Field: "cbeta", Got: v.Text("cbeta"),
			Want:        say.Messagef("at most %d, as many classes as there are", set.Classes),
			Suggestions: []param.Suggestion{{Key: "cbeta", Value: strconv.Itoa(most)}}}
	case swap && renamed%2 > 0:
		offers := []param.Suggestion{{Key: "cbeta", Value: strconv.Itoa(renamed - 1)}}
		if renamed < most {
			offers = append(offers, param.Suggestion{Key: "cbeta", Value: strconv.Itoa(renamed + 1)})
		}
		return Concept{}, &param.Error{Field: "cbeta", Got: v.Text("cbeta"), Want: "an even number",
			Hint:        "classes are swapped in pairs",
			Suggestions: append(offers, param.Suggestion{Key: "rename", Value: "cycle"})}
	}
	pairs := 0
	if swap {
		pairs = renamed / 2
		if others := set.Classes / (2 * pairs); concepts-1 > others {
			offers := []param.Suggestion{{Key: "concepts", Value: strconv.Itoa(others + 1)}, {Key: "rename", Value: "cycle"}}
			if few := set.Classes / (2 * (concepts - 1)) * 2; few > 0 {
				offers = append(offers, param.Suggestion{Key: "cbeta", Value: strconv.Itoa(few)})
			}
			return Concept{}, &param.Error{Field: "concepts", Got: v.Text("concepts"),
				Want:        say.Messagef("at most %d with %d renamed classes", others+1, renamed),
				Hint:        "each concept after the first swaps other classes",
				Suggestions: offers}
		}
	}
	var tables [][]uint8
	var names []say.Message
	for j := range concepts {
		table := identity(set.Classes)
		words := say.Message("as it is")
		switch {
		case j == 0:
		case pairs == 0:
			for y := range renamed {
				table[y] = uint8((y + j) % renamed)
			}
			words = say.Messagef("shifted by %d", j)
			if renamed < set.Classes {
				ends := classNames(set, []int{0, renamed - 1})
				words = say.Messagef("%s to %s shifted by %d", ends[0], ends[1], j)
			}
		default:
			own := make([][2]int, pairs)
			for k := range own {
				at := 2 * ((j-1)*pairs + k)
				own[k] = [2]int{at, at + 1}
			}
			words = swapClasses(table, set, own)
		}
		tables, names = append(tables, table), append(names, words)
	}
	return planted(tables, names), nil
}
