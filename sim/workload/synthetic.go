package workload

import (
	"sync"

	"flockscope/sim/dataset"
)

// cache holds the last set of each generator. Generating takes longer than training, and most
// settings do not change the samples.
var cache struct {
	sync.Mutex
	sets map[string]cachedSet
}

type cachedSet struct {
	seed uint64
	n    int
	set  *dataset.Set
}

// syntheticSet returns n samples of a generator, from the cache if possible.
func syntheticSet(name string, seed uint64, n int) *dataset.Set {
	cache.Lock()
	defer cache.Unlock()
	if d := cache.sets[name]; d.set != nil && d.seed == seed && d.n == n {
		return d.set
	}
	g, _ := dataset.Registry.Lookup(name)
	set := g.Make(seed, n)
	if cache.sets == nil {
		cache.sets = map[string]cachedSet{}
	}
	cache.sets[name] = cachedSet{seed, n, set}
	return set
}
