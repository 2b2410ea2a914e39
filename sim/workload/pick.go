package workload

import (
	"sync"

	"flockscope/sim/rng"
)

// swaps is the order of a list that was shuffled in part: the places that do not hold
// their own item, with the item that they hold.
type swaps map[int]int

var idleSwaps = sync.Pool{New: func() any { return swaps{} }}

// pick calls take with n of the whole numbers below total, drawn without replacement:
// with the place of each among the drawn ones and the number. It is the shuffle of Fisher
// and Yates, of which only the places that were touched are kept, since a client may
// hold far more samples than it draws.
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
