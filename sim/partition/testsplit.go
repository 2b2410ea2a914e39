package partition

import "flockscope/sim/rng"

// assignTests gives the members of a deal test samples that are distributed as what they train on. Clients do not share
// test samples. So each class has a maximum rate of test samples per training sample. A client uses, for all of its
// classes, the rate of its scarcest class, and at most 1. Classes with less than a twentieth of its training samples,
// or without test samples, do not limit the rate. A client that gets no test sample by rounding gets one of the
// remaining ones. If clients are people, test samples are grouped by person instead of class.
func (b *builder) assignTests(p *Partition, turn int, members []int, pool []int32) {
	kinds, kind := b.kinds()
	tests := make([][]int32, kinds)
	for _, i := range pool {
		tests[kind(i)] = append(tests[kind(i)], i)
	}
	total := make([]int, kinds)
	held := make([][]int, len(members)) // number for each member and kind
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
				rate[j] = min(rate[j], testsPerSample(tests[k], total[k]))
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
			sum += float64(min(rate[j], testsPerSample(samples, total[k])) * float64(held[j][k]))
			to := min(int(sum), len(samples))
			c := &p.Clients[i]
			c.Test = append(c.Test, samples[at:to]...)
			at = to
		}
		tests[k] = samples[at:]
	}
	for j, i := range members { // a member without test samples, due to rounding, gets one of its most frequent kind
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

// testsPerSample returns the number of test samples per training sample; n > 0 is the number of training samples.
func testsPerSample(tests []int32, n int) float64 { return float64(len(tests)) / float64(n) }

// kinds returns for each sample the property that tests must share with training samples, as a number below n.
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
