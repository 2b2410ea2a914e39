package engine

import (
	"runtime"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/workload"
)

// settings are the numbers of a configuration that the engine itself reads.
type settings struct {
	data                string // the workload's name
	rounds, batch       int
	probes              []int // by lane
	dataSeed, modelSeed uint64
	algorithmSeed       uint64
	common              param.Values // all of them, as text
}

// draw is how many samples a client draws a round: the most that any lane needs.
func (s *settings) draw() int { return max(s.batch, slices.Max(s.probes)) }

// read reads the settings of a run over some data.
func read(c experiment.Config, data workload.Workload) *settings {
	v := c.Values(-1)
	s := &settings{data: c.Workload(), rounds: v.Int("T"), batch: v.Int("b"),
		common: v, dataSeed: uint64(v.Int("sd")), modelSeed: uint64(v.Int("sm")), algorithmSeed: uint64(v.Int("sa"))}
	for i := range c.Lanes() {
		probe := c.Values(i).Int("probe")
		if probe == 0 {
			probe = most(data, s.batch)
		}
		s.probes = append(s.probes, probe)
	}
	return s
}

// most is the largest number of samples that a client trains on: that of a minibatch
// where they cannot be counted.
func most(data workload.Workload, batch int) int {
	finite, ok := data.(workload.Finite)
	if !ok {
		return batch
	}
	n := 0
	for i := range data.Clients() {
		n = max(n, finite.Holds(i))
	}
	return n
}

// makeRoom collects what an earlier run has left behind if this one is large, so that
// it takes the same memory. Otherwise it would take memory of its own, since not enough
// is in use for the collector to come by itself; and to touch memory for the first time
// takes as long as some rounds.
func makeRoom(data workload.Workload, plans []fl.Plan) {
	const large = 16 << 20 // bytes
	if catalog.EstimateOf(data, plans).Total() > large {
		runtime.GC()
	}
}
