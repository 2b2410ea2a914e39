package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "skew2",
			Title: "Four classes per group, two shared",
			Doc:   "Five groups with four classes each, drawn at random so that any two groups have exactly two in common.",
			Paper: registry.CLoVE.At("section 5, Label skew 2, as its code draws it"),
		},
		Make: SplitSpec{Make: func(v param.Values, set *dataset.Set, seed uint64) (Split, error) {
			if err := tenClasses(v, set); err != nil {
				return nil, err
			}
			var s rng.Stream
			s.Reset(seed, splitPlan, 0, 0)
			o := &owners{least: leastOwned2, classes: overlapping(&s)}
			for _, own := range o.classes {
				o.names = append(o.names, classWords(set, own))
			}
			return o, nil
		}},
	})
}

// overlapping draws five sets of four of the ten classes, any two of which
// share exactly two. A set that does not fit those before it is drawn again,
// and all of them when none seems to fit.
func overlapping(s *rng.Stream) [][]int {
	for {
		var sets [][]int
		for range 500 {
			set := freshDeck(10, s)[:4]
			slices.Sort(set)
			fits := func(other []int) bool { return common(set, other) == 2 }
			if !slices.ContainsFunc(sets, func(other []int) bool { return !fits(other) }) {
				sets = append(sets, set)
			}
			if len(sets) == 5 {
				return sets
			}
		}
	}
}

// common counts the numbers that two lists share.
func common(a, b []int) int {
	n := 0
	for _, c := range a {
		if slices.Contains(b, c) {
			n++
		}
	}
	return n
}
