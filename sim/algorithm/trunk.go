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
	count []int // clients of each model
}

func (t *trunk) start(env *fl.Env) {
	t.size = env.Head.Lo
	t.sum, t.count = make([]float64, t.size), make([]int, env.Models)
}

// join gives all models the mean of their trunks over clients, each client
// counting for its model; before there are labels, that of model 0.
func (t *trunk) join(b *fl.Bank, label []int) {
	clear(t.sum)
	clear(t.count)
	for _, k := range label {
		t.count[k]++
	}
	for k, n := range t.count {
		if n > 0 {
			kernel.Accumulate(t.sum, float64(n), b.Model(k)[:t.size])
		}
	}
	common := b.Model(0)[:t.size]
	if len(label) > 0 {
		for j, v := range t.sum {
			common[j] = float32(v / float64(len(label)))
		}
	}
	for k := range b.Models() {
		copy(b.Model(k)[:t.size], common)
	}
}
