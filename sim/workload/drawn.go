package workload

import (
	"sync"

	"flockscope/sim/dataset"
)

// kept are the sets that were drawn last, by generator. Drawing takes longer
// than training, and most settings leave the drawings as they are.
var kept struct {
	sync.Mutex
	sets map[string]drawing
}

type drawing struct {
	seed uint64
	n    int
	set  *dataset.Set
}

// drawn returns n drawings of a generator.
func drawn(name string, seed uint64, n int) *dataset.Set {
	kept.Lock()
	defer kept.Unlock()
	if d := kept.sets[name]; d.set != nil && d.seed == seed && d.n == n {
		return d.set
	}
	g, _ := dataset.Registry.Lookup(name)
	set := g.Make(seed, n)
	if kept.sets == nil {
		kept.sets = map[string]drawing{}
	}
	kept.sets[name] = drawing{seed, n, set}
	return set
}
