package partition

import "flockscope/sim/rng"

// assignTests gives the members of a deal test samples that are distributed as what
// they train on. No two of them share one, so of each class there is a most
// that all can have for each sample they train on; a client takes of every
// class at the rate of its scarcest, and at most one for one. A class that is
// less than a twentieth of its training does not hold the others back, nor does one without
// tests. Who gets none, since there are few, gets one of those that are left. Where
// clients are people, their own tests take the place of classes.
func (b *builder) assignTests(p *Partition, turn int, members []int, pool []int32) {
	kinds, kind := b.kinds()
	tests := make([][]int32, kinds)
	for _, i := range pool {
		tests[kind(i)] = append(tests[kind(i)], i)
	}
	total := make([]int, kinds)
	held := make([][]int, len(members)) // of each member and kind
	for j, i := range members {
		held[j] = make([]int, kinds)
		for _, sample := range p.Clients[i].Train {
			held[j][kind(sample)]++
			total[kind(sample)]++
		}
	}
	rate := make([]float64, len(members))
	for j := range members {
		rate[j] = 1
		for k, n := range held[j] {
			if n > 0 && 20*n >= len(p.Clients[members[j]].Train) && len(tests[k]) > 0 {
				rate[j] = min(rate[j], supply(tests[k], total[k]))
			}
		}
	}
	for k, samples := range tests {
		if total[k] == 0 {
			continue
		}
		var s rng.Stream
		s.Reset(b.seed, testOrder, turn, k)
		shuffle(samples, &s)
		// Each member gets the whole numbers that its part passes over. The
		// scale starts at a random place in each kind, so that parts below
		// one do not all fall to the same clients.
		sum, at := s.Float64(), 0
		for j, i := range members {
			sum += float64(min(rate[j], supply(samples, total[k])) * float64(held[j][k]))
			to := min(int(sum), len(samples))
			c := &p.Clients[i]
			c.Test = append(c.Test, samples[at:to]...)
			at = to
		}
		tests[k] = samples[at:]
	}
	for j, i := range members { // who got none by rounding gets one that is left, of what it has most of
		most := -1
		for k, n := range held[j] {
			if n > 0 && len(tests[k]) > 0 && (most < 0 || n > held[j][most]) {
				most = k
			}
		}
		if c := &p.Clients[i]; len(c.Test) == 0 && most >= 0 {
			c.Test, tests[most] = tests[most][:1:1], tests[most][1:]
		}
	}
	for _, i := range members {
		var s rng.Stream
		s.Reset(b.seed, handOrder, i, 1)
		shuffle(p.Clients[i].Test, &s)
	}
}

// supply is how many tests there are for each of n > 0 training samples.
func supply(tests []int32, n int) float64 { return float64(len(tests)) / float64(n) }

// kinds returns what a client's tests must share with what it trains on, as
// numbers below n.
func (b *builder) kinds() (n int, kind func(sample int32) int32) {
	switch {
	case b.byWriter:
		return len(b.set.Writers), func(i int32) int32 { return b.set.Writer[i] }
	case b.set.Classes > 0:
		return b.set.Classes, func(i int32) int32 { return int32(b.set.Label[i]) }
	default:
		return 1, func(int32) int32 { return 0 }
	}
}
