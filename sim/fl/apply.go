package fl

import (
	"cmp"

	"flockscope/sim/kernel"
)

// Accumulate adds the first update of client i, which has just replied, with weight w to the sum of its model.
// ApplyMean and ApplySum then use these sums, and neither labels nor weights of their own. If clusters are rebalanced,
// which needs all labels, or updates are not averaged by a mean, which needs all updates, they compute the sums.
func (r *Round) Accumulate(i int, w float64) {
	if r.keepsReplies() {
		r.balance.counted[i], r.balance.accumulatedFirst = w, true
		return
	}
	if !r.accumulated {
		r.accumulated = true
		for k := len(r.sums); k < r.Bank.Models(); k++ {
			r.sums = append(r.sums, make([]float64, r.Bank.Size))
		}
	}
	r.add(r.Label[i], w, r.Update(i, 0))
}

// add adds w·u to the sum of model k.
func (r *Round) add(k int, w float64, u []float32) {
	if r.weight[k] == 0 {
		clear(r.sums[k])
	}
	kernel.Accumulate(r.sums[k], w, u)
	r.weight[k] += w
}

// ApplyMean moves every model that has clients by step × their mean update,
//
//	θ_k ← θ_k − step · Σ w_i u_i / Σ w_i   over clients i with label k
//
// where u_i is the first update of a client that replied to the last exchange, and w_i ≥ 0 its
// weight; nil weights are all 1. Sums run in the order of the clients. A model without clients
// stays as it is. Rebalance may have an update move another model than that of the label.
//
// CFL-GP prints the sum in place of the mean, which is ApplySum(1). The step then grows with the number of clients, and a
// constant rate diverges with a few dozen of them.
func (r *Round) ApplyMean(weights []float64) {
	r.applyAll(weights, 0)
}

// ApplySum is ApplyMean with the given divisor, above 0, in place of Σ w_i.
func (r *Round) ApplySum(divisor float64) {
	r.applyAll(nil, divisor)
}

// applyAll is ApplySum with weights; if the divisor is 0, it is the sum of the weights.
func (r *Round) applyAll(weights []float64, divisor float64) {
	for k := range r.Bank.Models() {
		sum, total := r.sums[min(k, len(r.sums)-1)], r.weight[k]
		if !r.accumulated { // one model after the other, in the same buffer
			sum = r.sums[0]
			average := r.Average(sum)
			for _, i := range r.Replied {
				if r.Cluster(i) == k {
					w := 1.0
					switch {
					case r.balance.accumulatedFirst:
						w = r.balance.counted[i]
					case weights != nil:
						w = weights[i]
					}
					average.Add(w, r.Update(i, 0))
				}
			}
			total = average.End()
		}
		if total > 0 {
			r.apply(k, sum, cmp.Or(divisor, total))
		}
	}
	r.recorder.Flush()
}

// apply moves model k.
func (r *Round) apply(k int, sum []float64, divisor float64) {
	if rec := r.recorder; rec != nil && r.Label[rec.Client] == k {
		r.noteApply(rec, k, sum, divisor)
		return
	}
	kernel.Descend(r.Bank.Model(k), sum, r.Step, divisor)
}

// ApplyWeighted moves model k along a weighted mean of updates, summed in the order of the clients: update returns the
// update of client i and its weight, 0 for none.
func (r *Round) ApplyWeighted(k int, update func(i int) (u []float32, weight float64)) {
	average := r.Average(r.sums[0])
	for _, i := range r.Replied {
		if u, w := update(i); w != 0 {
			average.Add(w, u)
		}
	}
	if total := average.End(); total > 0 {
		r.apply(k, r.sums[0], total)
	}
}
