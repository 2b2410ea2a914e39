package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// Guests returns the test clients of HCFL, who train nothing: one for each way of
// seeing and naming that was planted. Each holds all of samples, of every class
// and as they are but for what its own world makes of them; one half is for
// finding out which models suit it (Train), the other for being tested on (Test).
//
// The authors' code, of FedRC, gives 90 % to the first half.
func (p *Partition) Guests(set *dataset.Set, samples []int32) *Partition {
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
	return out
}

// world is a planted way of seeing and naming samples.
type world struct {
	shift, concept int // planted groups
	view           View
	relabel        []uint8
}

// explore notes the world of a client, unless another client is from there. What
// was not planted does not belong to a world: views that are no groups are left
// out, and so is who holds what.
func (b *builder) explore(p *Partition, client int) {
	w := world{shift: b.plan.shift[client], concept: b.plan.concept[client]}
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
