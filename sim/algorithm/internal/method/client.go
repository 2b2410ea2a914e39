package method

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// SelectionSamples is what a client knows its weights from: with model averaging all its
// samples, as it trains on them anyway; with gradient averaging its probe sample.
func SelectionSamples(at fl.ClientContext) model.Batch {
	if at.Protocol().Epochs == 0 {
		return at.Probe()
	}
	return at.Samples(0, at.SampleCount())
}

// ClassesOf is the number of classes that a place's model tells apart, 0 where
// it predicts numbers.
func ClassesOf(at fl.ClientContext) int {
	if n := at.Network(); n != nil && n.Task() == model.Classification {
		return n.Outputs()
	}
	return 0
}

// The scratch of a place, by what lies there.
const (
	GammaSlot = iota
	PieceSlot
	WeightSlot
	MassSlot
)
