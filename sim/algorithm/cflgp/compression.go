package cflgp

import (
	"slices"

	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// compared is the part of a gradient that clients are compared by: all of it, the last layer's parameters, or a random
// choice of these (appendices E.1, E.2 and F.7). Training is not changed.
type compared struct {
	head        bool // compare the last layer only
	compression int  // compare one in this many parameters

	buffer []float32 // buffer for the coordinates of an update; nil if all are compared
}

func (c *compared) start(env *fl.Env) {
	from := model.Segment{Hi: env.Size}
	if c.head {
		from = env.Head
	}
	if c.compression > 1 || from.Len() < env.Size {
		env.Exchange.Coordinates = coordinates(env, from, max(1, from.Len()/c.compression))
		c.buffer = make([]float32, env.Exchange.Width())
	}
}

// of returns the compared part of the gradient of client i on model k: its feature, or a part of its update if the
// client trains model k.
func (c *compared) of(r *fl.Round, i, k int) []float32 {
	if r.Label[i] == k {
		return c.part(r, r.Update(i, 0))
	}
	return r.Feature(i)
}

// part returns the compared part of an update, which is valid until the next call.
func (c *compared) part(r *fl.Round, update []float32) []float32 {
	return r.Exchange.Select(c.buffer, update)
}

// coordinates draws n parameters of a segment without replacement: the same for all clients, rounds and models
// (appendix E.1).
func coordinates(env *fl.Env, of model.Segment, n int) []int32 {
	all := make([]int32, of.Len())
	for j := range all {
		all[j] = int32(of.Lo + j)
	}
	s := env.Stream(rng.Coordinates, 0, 0)
	for j := range n {
		k := j + s.IntN(len(all)-j)
		all[j], all[k] = all[k], all[j]
	}
	chosen := slices.Clone(all[:n])
	slices.Sort(chosen)
	return chosen
}
