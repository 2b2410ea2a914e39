package workload

import (
	"sync"

	"flockscope/sim/rng"
)

// swaps is a partly shuffled list of 0 to n−1: a map from each changed position to its number.
type swaps map[int]int

var idleSwaps = sync.Pool{New: func() any { return swaps{} }}

// pick draws n of the whole numbers below total without replacement, and calls take with the index
// and the value of each. It is a Fisher-Yates shuffle that stores only the positions it has
// touched, since a client may hold far more samples than it draws.
func pick(n, total int, s *rng.Stream, take func(place, number int)) {
	moved := idleSwaps.Get().(swaps)
	clear(moved)
	for i := range n {
		k := i + s.IntN(total-i)
		at, ok := moved[k]
		if !ok {
			at = k
		}
		if from, ok := moved[i]; ok {
			moved[k] = from
		} else {
			moved[k] = i
		}
		take(i, at)
	}
	idleSwaps.Put(moved)
}
