package cflgp

import (
	"slices"

	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/fl"
)

// newcomers are clients that first take part after the others have been clustered. The paper does not say what to do
// with them. They can send their gradients of all models at once, and are then given the model whose clients have the
// nearest mean features.
type newcomers struct {
	// place newcomers in their first round; otherwise only after clustering has stopped, as nothing else would place them
	atOnce bool

	means   grouping.Means // mean features of each model's clients
	invalid []bool         // newcomers whose gradients are not finite
}

func (n *newcomers) start(env *fl.Env) { n.invalid = make([]bool, env.Clients) }

// place assigns models to the newcomers of this round. They send gradients of the first few models, which fill as many
// blocks of the memory.
func (n *newcomers) place(r *fl.Round, c *clustering, models, blocks int) {
	known := c.memory.known
	if c.times == 0 || !slices.ContainsFunc(r.Participants, func(i int) bool { return !known[i] }) {
		return
	}
	clear(n.invalid)
	for k := range blocks {
		for _, i := range r.Participants {
			if !known[i] {
				r.AskFeature(i, k)
			}
		}
		r.Ask()
		for _, i := range r.Replied {
			n.invalid[i] = !c.average(i, k, r.Feature(i)) || n.invalid[i]
		}
		c.memory.update(k)
	}
	c.memory.features(&c.features, models)
	n.means.Fit(&c.features, r.Label, models, func(i int) bool { return known[i] })
	for _, i := range r.Replied {
		if !n.invalid[i] {
			r.Label[i] = n.means.Nearest(c.features.Row(i))
			known[i], r.Reclustered = true, true
		}
	}
}
