package workers

import (
	"runtime"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/workload"
)

// Settings are the numbers of a configuration that the engine itself reads.
type Settings struct {
	data                string // the workload's name
	Rounds, Batch       int
	Probes              []int // by lane
	DataSeed, ModelSeed uint64
	AlgorithmSeed       uint64
	Values              param.Values // all of them, as text
}

// Draw is how many samples a client draws a round: the most that any lane needs.
func (s *Settings) Draw() int { return max(s.Batch, slices.Max(s.Probes)) }

// ReadSettings reads the settings of a run over some data.
func ReadSettings(c experiment.Config, data workload.Workload) *Settings {
	v := c.Values(-1)
	s := &Settings{data: c.Workload(), Rounds: v.Int("T"), Batch: v.Int("b"),
		Values: v, DataSeed: uint64(v.Int("sd")), ModelSeed: uint64(v.Int("sm")), AlgorithmSeed: uint64(v.Int("sa"))}
	for i := range c.Lanes() {
		probe := c.Values(i).Int("probe")
		if probe == 0 {
			probe = maxSamples(data, s.Batch)
		}
		s.Probes = append(s.Probes, probe)
	}
	return s
}

// maxSamples is the largest number of samples that a client trains on: that of a minibatch
// where they cannot be counted.
func maxSamples(data workload.Workload, batch int) int {
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

// CollectGarbage collects what an earlier run has left behind if this one is large, so that
// it takes the same memory. Otherwise it would take memory of its own, since not enough
// is in use for the collector to come by itself; and to touch memory for the first time
// takes as long as some rounds.
func CollectGarbage(data workload.Workload, plans []fl.Plan) {
	const large = 16 << 20 // bytes
	if catalog.EstimateOf(data, plans).Total() > large {
		runtime.GC()
	}
}
