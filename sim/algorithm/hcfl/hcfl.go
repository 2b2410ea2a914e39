// Package hcfl holds HCFL and HCFL+, one loop with four choices ("tiers"), and the soft methods that it
// generalises: FedEM, FedRC and FedGMM.
//
// Files:
//
//	algorithm.go      Algorithm 1 of HCFL: a round on the server; plan.go is how it starts, answers.go reads the
//	                  clients' answers, traffic.go says which floats count
//	hcfl.go           the tiers; hcfl_settings.go and hcfl_steps.go register HCFL and HCFL+
//	client.go         a client's part; train.go is its training, joint.go that with Gaussians, state.go what it keeps
//	formulation.go    tier 1: what a model explains
//	weigh.go          tier 2: how clients weigh clusters; assign.go where each has one cluster
//	adapt.go          tier 3: how the number of clusters changes; change.go splits and removes
//	                  clusters, merge.go merges them, log.go is the log of this that clients are sent
//	distance.go       tier 4: how clients differ
//	inputs.go         Gaussians of the inputs on the server; inputdensity.go is the mixture
//	notes.go          a round explained
//	fedem.go          FedEM; em.go is the client's expectation maximisation
//	fedrc.go          FedRC; fedgmm.go FedGMM
//	testclients.go    weights of test clients
package hcfl

import (
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/param"
)

// tiers are the choices in the four tiers, where the third includes the fourth, and the layout of the models.
type tiers struct {
	form  formulation
	weigh weighing
	adapt adaptation
	heads bool // clusters share the trunk
	// headsFirst trains the heads in all local epochs before the trunk, not both in each step.
	headsFirst bool
	anchor     grouping.AnchorUpdate // the client's update of the first model, if clients are compared by it
	named      struct{ form, weigh, apart string }
}

// choice is one option of a tier: its menu entry and the value that it makes.
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
