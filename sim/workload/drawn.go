package workload

import (
	"sync"

	"flockscope/sim/dataset"
)

// kept is the set that was drawn last. Drawing takes longer than training, and
// most settings leave the drawings as they are.
var kept struct {
	sync.Mutex
	name string
	seed uint64
	n    int
	set  *dataset.Set
}

// drawn returns n drawings of a generator.
func drawn(draw dataset.Maker, name string, seed uint64, n int) *dataset.Set {
	kept.Lock()
	defer kept.Unlock()
	if kept.set == nil || kept.name != name || kept.seed != seed || kept.n != n {
		kept.name, kept.seed, kept.n = name, seed, n
		kept.set = draw(seed, n)
	}
	return kept.set
}
