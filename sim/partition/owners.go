package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// owners assigns classes to groups, and distributes samples as CLoVE's code does for its label
// skews 1 to 3; pairs does the same. Of each class a reserve of 10 % is shared equally among the
// groups that own it and the rest by Dirichlet(½); when a group ends up with less than the least
// size, the reserve is raised by 5 % and all is drawn again. The clients of a group get equal
// random shares of what it holds. So groups differ by the Dirichlet draw, and the clients of a group do not.
type owners struct {
	names   []say.Message
	classes [][]int // classes of each group
	least   float64 // least size of a group, as a fraction of the pool
}

// Least sizes in CLoVE's code: 6000 of the 60,000 training samples of MNIST, and 5100 for skew 2; here the same
// fractions of the samples.
const (
	leastOwned  = 6000. / 60000
	leastOwned2 = 5100. / 60000
)

func (o *owners) Groups() []say.Message { return o.names }

func (o *owners) Deal(d *Deal) ([][]int32, error) {
	least := int(o.least * float64(len(d.Pool)))
	byClass := d.byClass()
	for try := 0; ; try++ {
		reserve := min(10+5*try, 100)
		held := o.divide(d, byClass, float64(reserve)/100, try)
		if smallest(held) >= least || reserve == 100 {
			return d.splitWithinGroups(held), nil
		}
	}
}

// divide distributes each class to the groups that own it.
func (o *owners) divide(d *Deal, byClass [][]int32, reserve float64, try int) [][]int32 {
	s := d.stream(dealShares, try)
	held := make([][]int32, len(o.classes))
	for c, samples := range byClass {
		var own []int
		for g, classes := range o.classes {
			if slices.Contains(classes, c) {
				own = append(own, g)
			}
		}
		if len(own) == 0 {
			continue // skew 2 may leave a class without owners
		}
		n := float64(len(own))
		shares := make([]float64, len(own))
		dirichlet(shares, slices.Repeat([]float64{0.5}, len(own)), &s)
		for i, q := range shares {
			shares[i] = reserve/n + float64((1-reserve)*q)
		}
		for i, part := range cut(samples, shares) {
			held[own[i]] = append(held[own[i]], part...)
		}
	}
	return held
}

// tenClasses returns an error for sets that do not fit CLoVE's label skews.
func tenClasses(v param.Values, set *dataset.Set) error {
	if err := needClasses(v, "split", set, "a set of ten classes"); err != nil || set.Classes == 10 {
		return err
	}
	return &param.Error{Field: "split", Got: v.Text("split"), Want: "a set of ten classes",
		Hint:        say.Messagef("%s has %d; try %s or %s", set.Name, set.Classes, "classes", "dirichlet"),
		Suggestions: []param.Suggestion{{Key: "split", Value: "classes"}, {Key: "split", Value: "dirichlet"}}}
}
