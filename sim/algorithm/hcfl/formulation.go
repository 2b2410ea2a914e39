package hcfl

import (
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// formulation is HCFL's first tier: what L_k(x, y) is, of which clients maximise
// Σ log Σ_k ω_k L_k.
type formulation interface {
	// affinity turns the losses of a batch under one model into log L_k. shares
	// are those of the classes in the cluster; empty where nothing is known of
	// them.
	affinity(losses []float32, b model.Batch, shares []float32)
	// counts: the shares of the classes are wanted.
	counts() bool
	// inputs: how Gaussians see what a sample is, whose densities belong to L_k
	// too; nil where it does not matter how likely an input is.
	inputs() *inputDensity
}

var forms = []choice[formulation]{
	{param.Option{Name: "label", Title: "labels, given inputs", Doc: "P(y given x), as IFCA, FeSEM and FedEM have it."},
		func(param.Values) formulation { return labelGivenInput{} }},
	{
		param.Option{Name: "ratio", Title: "what inputs and labels have in common",
			Doc: "P(x, y)/(P(x)·P(y)), as FedRC has it: it does not matter how often a class occurs."},
		func(param.Values) formulation { return informationRatio{} },
	},
	{
		param.Option{Name: "joint", Title: "inputs and labels",
			Doc:    "P(x, y), as FedGMM has it: clusters also differ in which inputs they have, drawn from Gaussians that they share.",
			Fields: densityFields},
		func(v param.Values) formulation { return labelGivenInput{newInputDensity(v)} },
	},
}

// labelGivenInput is log L_k = −ℓ_k, to which how likely an input is may be added:
// log Σ_a π_a|k N(x; μ_a, v_a), the first tier of FedGMM. A client's table of weights
// π_ak, there of pairs, is ω_k π_a|k here, so that any second tier may find the ω_k.
type labelGivenInput struct{ density *inputDensity }

func (labelGivenInput) counts() bool            { return false }
func (l labelGivenInput) inputs() *inputDensity { return l.density }

func (labelGivenInput) affinity(losses []float32, _ model.Batch, _ []float32) {
	for j, l := range losses {
		losses[j] = float32(-numeric.Finite(l))
	}
}

// informationRatio is log L_k = −ℓ_k − log C_yk.
type informationRatio struct{}

func (informationRatio) counts() bool          { return true }
func (informationRatio) inputs() *inputDensity { return nil }

func (informationRatio) affinity(losses []float32, b model.Batch, shares []float32) {
	for j, l := range losses {
		score := -numeric.Finite(l)
		if len(shares) > 0 {
			score -= exact.Log(max(float64(shares[int(b.Y[j])]), numeric.MinWeight))
		}
		losses[j] = float32(score)
	}
}
