package engine

import (
	"flockscope/sim/exact"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// newClock returns the virtual clock of a run, nil if it is off. Clients differ in latency and
// bandwidth by factors e^(s·z), where z is standard normal and drawn for each factor: with s = 0.5
// two thirds of the clients are within a factor of 1.6. All lanes have the same clients.
func newClock(v param.Values, clients int, seed uint64) *fl.Clock {
	if v.Text("clock") != "on" {
		return nil
	}
	c := &fl.Clock{Latency: make([]float64, clients), Bandwidth: make([]float64, clients),
		Deadline: v.Float("deadline")}
	spread := v.Float("spread")
	var s rng.Stream
	for i := range clients {
		s.Reset(seed, rng.ClientSpeed, i, 0)
		c.Latency[i] = v.Float("latency") * exact.Exp(float64(spread*s.Normal()))
		c.Bandwidth[i] = 1000 * v.Float("bandwidth") * exact.Exp(float64(spread*s.Normal()))
	}
	return c
}
