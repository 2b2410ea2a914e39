package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "pairs",
			Title: "One group per pair of classes",
			Doc:   "One group for every pair of classes: four classes make six groups. Two groups share one class or none.",
			Paper: registry.CLoVE.At("section 5, Label skew 2 with U = 2 and V = 1, for AG News"),
		},
		Make: SplitSpec{Make: makePairs},
	})
}

func makePairs(v param.Values, set *dataset.Set, _ uint64) (Split, error) {
	const most = 12 // classes, which make 66 groups
	if err := needClasses(v, "split", set, "a set with classes"); err != nil {
		return nil, err
	}
	if set.Classes < 2 || set.Classes > most {
		return nil, &param.Error{Field: "split", Got: v.Text("split"), Want: say.Messagef("a set of 2 to %d classes", most),
			Hint:        say.Messagef("%s has %d; try %s or %s", set.Name, set.Classes, "classes", "dirichlet"),
			Suggestions: []param.Suggestion{{Key: "split", Value: "classes"}, {Key: "split", Value: "dirichlet"}}}
	}
	o := &owners{}
	for b := range set.Classes {
		for a := range b {
			o.classes = append(o.classes, []int{a, b})
			o.names = append(o.names, classWords(set, []int{a, b}))
		}
	}
	// The paper gives no least size; half of an equal share is close to that of skew 2.
	o.least = 0.5 / float64(len(o.classes))
	return o, nil
}
