package algorithm

import "flockscope/sim/param"

// tiers are the four choices, the fourth being the third's, and the layout.
type tiers struct {
	form  formulation
	weigh weighing
	adapt adaptation
	heads bool // clusters share the trunk
	pull  pull // at the first model, where that is compared
	named struct{ form, weigh, apart string }
}

// choice is one value of a tier: what the menu says, and what it makes.
type choice[T any] struct {
	param.Option
	make func(v param.Values) T
}

func options[T any](list []choice[T]) (out []param.Option) {
	for _, c := range list {
		out = append(out, c.Option)
	}
	return out
}

func choose[T any](list []choice[T], v param.Values, field string) (made T) {
	for _, c := range list {
		if c.Name == v.Text(field) {
			made = c.make(v)
		}
	}
	return made
}
