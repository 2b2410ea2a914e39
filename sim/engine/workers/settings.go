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

// Settings are the settings that the engine reads.
type Settings struct {
	data                string // name of the workload
	Rounds, Batch       int
	Probes              []int // samples on which models are scored, by lane
	DataSeed, ModelSeed uint64
	AlgorithmSeed       uint64
	Liars               *catalog.Liars // nil if all clients are honest
	Values              param.Values   // all values, as text
}

// SamplesPerRound is the number of samples that a client draws per round: the maximum over lanes.
func (s *Settings) SamplesPerRound() int { return max(s.Batch, slices.Max(s.Probes)) }

// ReadSettings reads the settings of a run over some data.
func ReadSettings(c experiment.Config, data workload.Workload) *Settings {
	v := c.Values(-1)
	s := &Settings{data: c.Workload(), Rounds: v.Int("T"), Batch: v.Int("b"),
		Values: v, DataSeed: uint64(v.Int("sd")), ModelSeed: uint64(v.Int("sm")), AlgorithmSeed: uint64(v.Int("sa"))}
	s.Liars = catalog.LiarsOf(v, data.Clients())
	for i := range c.Lanes() {
		probe := c.Values(i).Int("probe")
		if probe == 0 {
			probe = maxSamples(data, s.Batch)
		}
		s.Probes = append(s.Probes, probe)
	}
	return s
}

// maxSamples returns the largest number of training samples of a client, batch if every round has
// new samples.
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

// CollectGarbage frees the memory of an earlier run if this one is large, so that it can be reused. Otherwise the run
// would allocate new memory before the garbage collector starts by itself, and touching new memory takes as long as
// some rounds.
func CollectGarbage(data workload.Workload, plans []fl.Plan) {
	const large = 16 << 20 // bytes
	if catalog.EstimateOf(data, plans).Total() > large {
		runtime.GC()
	}
}
