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
			Name:  "skew4",
			Title: "One dominant class per group",
			Doc:   "Ten groups. In each, one class makes up two thirds of the samples and the other nine share the last third.",
			Paper: registry.CLoVE.At("appendix C.1.2, Label skew 4, as its code has it"),
		},
		Make: SplitSpec{Make: func(v param.Values, set *dataset.Set, _ uint64) (Split, error) {
			if err := tenClasses(v, set); err != nil {
				return nil, err
			}
			var d dominant
			for c := range 10 {
				d.names = append(d.names, say.Messagef("mostly %s", classNames(set, []int{c})[0]))
			}
			return d, nil
		}},
	})
}

// dominant gives each of ten groups 18m samples of its own class and m of every
// other, with the largest m for which no class runs out: 2/3 and 9 × 1/27. The
// paper spreads the third over all ten classes, its code over the other nine;
// and no Dirichlet is in the code, whatever the text says.
type dominant struct{ names []say.Message }

func (d dominant) Groups() []say.Message { return d.names }

func (dominant) Deal(d *Deal) ([][]int32, error) {
	byClass := d.byClass()
	m := smallest(byClass) / 27
	if m == 0 {
		return nil, &param.Error{Field: "split", Got: "skew4", Want: "at least 27 samples of every class",
			Hint:        say.Messagef("some class has %d", smallest(byClass)),
			Suggestions: []param.Suggestion{{Key: "split", Value: "dirichlet"}, {Key: "split", Value: "even"}}}
	}
	held := make([][]int32, len(byClass))
	for c, samples := range byClass {
		for g := range held {
			n := m
			if g == c {
				n = 18 * m
			}
			held[g] = append(held[g], samples[:n]...)
			samples = samples[n:]
		}
	}
	return d.splitWithinGroups(held), nil
}
