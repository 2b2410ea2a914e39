package fl

import (
	"slices"

	"flockscope/sim/rng"
)

// rebalancing is RR-Cluster (Yang, Hu, Kim, Li, "Differentially Private Federated Clustering with Random Rebalancing",
// 2025, https://arxiv.org/abs/2508.06183), an add-on to any method that puts each client into one cluster: before
// updates are averaged, clusters with fewer than B of them are filled with updates of clients that are drawn at random
// from larger clusters. The mean of n noised updates has the n-th part of the variance of one's noise, so that no model
// gets more than the B-th part; the price is that some updates are of the wrong cluster.
//
// A client that is moved counts for another cluster in this round and keeps its label. A cluster without any updates
// stays empty, because its model does not move. Where there are too few updates for B in each cluster, each has at
// least an equal share.
type rebalancing struct {
	least            int // B, 0 for none
	seed             uint64
	stream           rng.Stream
	done             bool      // clusters were rebalanced since the last exchange
	cluster          []int     // cluster of each client that replied in this exchange
	size             []int     // number of updates in each cluster
	donors           []int     // clients of clusters with more than the least number
	counted          []float64 // weights of the clients, from Accumulate
	accumulatedFirst bool      // Accumulate was called in this exchange
}

// Rebalance makes the mean of every cluster use at least `least` updates (RR-Cluster's B); clients to move are drawn
// with the algorithm's seed. It is called once, before the first round.
func (r *Round) Rebalance(least int, seed uint64) {
	if least > 0 {
		n := len(r.Label)
		r.balance = rebalancing{least: least, seed: seed, cluster: make([]int, n), size: make([]int, r.Bank.Models()),
			donors: make([]int, 0, n), counted: make([]float64, n)}
	}
}

// Cluster returns the model that the update of client i moves: its own, unless clusters are rebalanced. Labels must be
// final.
func (r *Round) Cluster(i int) int {
	b := &r.balance
	if b.least == 0 || !r.replied[i] {
		return r.Label[i]
	}
	if !b.done {
		b.done = true
		r.rebalance(b)
	}
	return b.cluster[i]
}

// rebalance fills small clusters in order. It draws uniformly among the clients of clusters that can spare one.
func (r *Round) rebalance(b *rebalancing) {
	clear(b.size)
	for _, i := range r.Replied {
		b.cluster[i] = r.Label[i]
		b.size[r.Label[i]]++
	}
	clusters := 0
	for _, n := range b.size {
		clusters += min(n, 1)
	}
	if clusters == 0 {
		return
	}
	least := min(b.least, len(r.Replied)/clusters)
	b.stream.Reset(b.seed, rng.Rebalancing, r.T, r.exchanges)
	moved := 0
	for k := range b.size {
		for b.size[k] > 0 && b.size[k] < least {
			b.donors = b.donors[:0]
			for _, i := range r.Replied {
				if b.size[b.cluster[i]] > least {
					b.donors = append(b.donors, i)
				}
			}
			i := b.donors[b.stream.IntN(len(b.donors))]
			b.size[b.cluster[i]]--
			b.cluster[i] = k
			b.size[k]++
			moved++
		}
	}
	if rec := r.recorder; rec != nil && moved > 0 && slices.Contains(r.Replied, rec.Client) {
		rec.Note(StepFill, Int("least", least), Int("moved", moved), Int("before", r.Label[rec.Client]),
			Int("k", b.cluster[rec.Client]))
	}
}
