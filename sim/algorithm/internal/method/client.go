package method

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// SelectionSamples returns the samples on which a client chooses or weights models: with model averaging all its
// samples, as it trains on them anyway; with gradient averaging its probe sample.
func SelectionSamples(at fl.ClientContext) model.Batch {
	if at.Protocol().Epochs == 0 {
		return at.Probe()
	}
	return at.Samples(0, at.SampleCount())
}

// ClassesOf returns the number of classes of a client's model, 0 if it predicts numbers.
func ClassesOf(at fl.ClientContext) int {
	if n := at.Network(); n != nil && n.Task() == model.Classification {
		return n.Outputs()
	}
	return 0
}

// Slots of a client's scratch memory.
const (
	GammaSlot = iota
	PieceSlot
	WeightSlot
	MassSlot
)
