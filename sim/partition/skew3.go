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
			Name:  "skew3",
			Title: "One class missing per group",
			Doc:   "Five groups with almost the same classes: four of them lack one class each, 9, 0, 1 and 2; the fifth has all.",
			Paper: registry.CLoVE.At("appendix C.1.2, Label skew 3"),
		},
		Make: SplitSpec{Make: func(v param.Values, set *dataset.Set, _ uint64) (Split, error) {
			if err := tenClasses(v, set); err != nil {
				return nil, err
			}
			o := &owners{least: leastOwned}
			for _, missing := range []int{9, 0, 1, 2, -1} {
				var own []int
				for c := range 10 {
					if c != missing {
						own = append(own, c)
					}
				}
				name := say.Message("all classes")
				if missing >= 0 {
					name = say.Messagef("no %s", classNames(set, []int{missing})[0])
				}
				o.classes, o.names = append(o.classes, own), append(o.names, name)
			}
			return o, nil
		}},
	})
}
