package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// TestClients returns the test clients of HCFL, which do not train: one for each planted
// combination of view and labels. Each holds all of samples, with its view and labels; one half is
// for choosing a model (Train), the other for testing it (Test).
//
// The authors' code, of FedRC, gives 90 % to the first half.
func (p *Partition) TestClients(set *dataset.Set, samples []int32) *Partition {
	samples = slices.Clone(samples)
	var s rng.Stream
	s.Reset(p.seed, handOrder, 0, 2)
	shuffle(samples, &s)
	half := len(samples) / 2
	out := &Partition{Set: set, seed: p.seed}
	for _, w := range p.worlds {
		out.Clients = append(out.Clients, Client{Group: -1, Train: samples[:half:half], Test: samples[half:],
			View: w.view, Relabel: w.relabel})
	}
	out.keep(keepLimit() - p.keptBytes)
	return out
}

// combination is a planted combination of view and labels.
type combination struct {
	shift, concept int // planted groups
	view           View
	relabel        []uint8
}

// noteCombination adds the combination of a client, unless it is known. Views that are not planted
// groups do not count.
func (b *builder) noteCombination(p *Partition, client int) {
	w := combination{shift: b.plan.shift[client], concept: b.plan.concept[client]}
	for _, known := range p.worlds {
		if known.shift == w.shift && known.concept == w.concept {
			return
		}
	}
	c := &p.Clients[client]
	w.relabel = c.Relabel
	if len(b.shift.Groups) > 0 {
		w.view = c.View
	}
	p.worlds = append(p.worlds, w)
}
