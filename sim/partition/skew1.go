package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "skew1",
			Title: "Two classes per group, none shared",
			Doc:   "Five groups with two classes each that no other group has: 0 1, 2 3, 4 5, 6 7, 8 9.",
			Paper: registry.CLoVE.At("section 5, Label skew 1"),
		},
		Make: SplitSpec{Make: func(v param.Values, set *dataset.Set, _ uint64) (Split, error) {
			if err := tenClasses(v, set); err != nil {
				return nil, err
			}
			o := &owners{least: leastOwned}
			for g := range 5 {
				own := []int{2 * g, 2*g + 1}
				o.classes = append(o.classes, own)
				o.names = append(o.names, classWords(set, own))
			}
			return o, nil
		}},
	})
}
