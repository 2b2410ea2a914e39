package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// trunk is the part of all models that clusters have in common: everything before
// the head (CFL-GP, appendices E.2, F.6 and F.7).
type trunk struct {
	size  int // the head begins here
	sum   []float64
	count []float64 // what the clients of each model count together
}

func (t *trunk) start(env *fl.Env) {
	t.size = env.Head.Lo
	t.sum, t.count = make([]float64, t.size), make([]float64, env.Models)
}

// join gives all models the mean of their trunks over clients, each client
// counting for its model by its weight; before there are labels, that of model 0.
func (t *trunk) join(b *fl.Bank, label []int, weights []float64) {
	clear(t.sum)
	clear(t.count)
	total := 0.0
	for i, k := range label {
		t.count[k] += weights[i]
		total += weights[i]
	}
	for k, n := range t.count {
		if n > 0 {
			kernel.Accumulate(t.sum, n, b.Model(k)[:t.size])
		}
	}
	common := b.Model(0)[:t.size]
	if len(label) > 0 {
		for j, v := range t.sum {
			common[j] = float32(v / total)
		}
	}
	for k := range b.Models() {
		copy(b.Model(k)[:t.size], common)
	}
}
