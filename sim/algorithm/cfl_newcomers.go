package algorithm

import (
	"slices"

	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// cflSplit is an inner node of CFL's tree: a cluster at the time of its split.
type cflSplit struct {
	cluster, second int         // the cluster of side 0, which keeps the number of the whole, and that of side 1
	model           []float32   // model of the whole before the split
	updates         [][]float32 // its clients' updates of that model, which decided the split
	side            []int       // side of each of these clients
}

// cflTree defines how clients that come after a split find their cluster (Sattler et al., on new clients): from the
// root down they train the model of each split, and go to the side with the client whose update has the largest cosine
// with theirs, the first side on ties. Splits are kept only while there are clients that have never replied.
type cflTree struct {
	splits []cflSplit
	passed []int // for each client, the number of splits that it has passed, counted from the first
}

// add records a split of cluster k into k and second; members are indices into updates.
func (t *cflTree) add(k, second int, model []float32, members []int, updates [][]float32, side []int) {
	s := cflSplit{cluster: k, second: second, model: slices.Clone(model), side: slices.Clone(side)}
	for _, at := range members {
		s.updates = append(s.updates, slices.Clone(updates[at]))
	}
	t.splits = append(t.splits, s)
}

// next returns the first split ahead of client i in cluster k, nil if it is in a leaf.
func (t *cflTree) next(i, k int) *cflSplit {
	for ; t.passed[i] < len(t.splits); t.passed[i]++ {
		if s := &t.splits[t.passed[i]]; s.cluster == k {
			return s
		}
	}
	return nil
}

// choose returns the model of the side that an update at the split's model belongs to.
func (s *cflSplit) choose(u []float32) int {
	uu := kernel.Dot(u, u)
	var largest [2]float64
	var seen [2]bool
	for j, v := range s.updates {
		side := s.side[j]
		if c := numeric.Cosine(kernel.Dot(u, v), uu, kernel.Dot(v, v)); !seen[side] || c > largest[side] {
			largest[side], seen[side] = c, true
		}
	}
	if largest[1] > largest[0] {
		return s.second
	}
	return s.cluster
}

// descend moves new participants down the tree, one split per exchange. A client that drops
// out continues from its last split when it next takes part.
func (s *cfl) descend(r *fl.Round) {
	for step := 0; ; step++ {
		asked := false
		for _, i := range r.Participants {
			if s.known[i] || step > 0 && r.Dropped(i) {
				continue
			}
			if at := s.tree.next(i, r.Label[i]); at != nil {
				r.AskCall(i, opSplitUpdate, at.model)
				asked = true
			}
		}
		if !asked {
			return
		}
		r.Ask()
		for _, i := range r.Replied {
			r.Label[i] = s.tree.next(i, r.Label[i]).choose(r.Answer(i))
			s.tree.passed[i]++
		}
	}
}

// opSplitUpdate asks a device for its update of the model that was sent.
const opSplitUpdate = 1

// splitClient is the client's side of CFL at splits.
type splitClient struct{}

func (splitClient) Do(dst []float32, _ int, model []float32, at fl.ClientContext) []float32 {
	from := len(dst)
	dst = slices.Grow(dst, len(model))[:from+len(model)]
	at.Update(dst[from:], model, nil)
	at.Protect(dst[from:])
	return dst
}
