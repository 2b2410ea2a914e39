package cflgp

import (
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// trunk is the part that all models share: everything before the head (appendices E.2, F.6 and F.7).
type trunk struct {
	size  int // index of the head's first parameter
	sum   []float64
	count []float64 // sum of the weights of each model's clients
}

func (t *trunk) start(env *fl.Env) {
	t.size = env.Head.Lo
	t.sum, t.count = make([]float64, t.size), make([]float64, env.Models)
}

// join sets the trunks of all models to their mean, weighted by the clients of each model; before the first clustering,
// to the trunk of model 0.
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
