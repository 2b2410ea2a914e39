package hcfl

import (
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// formulation is HCFL's first tier: the L_k(x, y) in the clients' objective Σ log Σ_k ω_k L_k.
type formulation interface {
	// affinity replaces the losses of a batch under one model by log L_k. shares are those of the classes in the cluster;
	// empty if they are not known.
	affinity(losses []float32, b model.Batch, shares []float32)
	// counts reports whether the shares of the classes are needed.
	counts() bool
	// inputs returns the density of inputs that L_k includes; nil for none.
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

// labelGivenInput is log L_k = −ℓ_k. With a density of inputs, log Σ_a π_a|k N(x; μ_a, v_a) is added, as in FedGMM. Its
// weights π_ak of pairs are ω_k π_a|k here, so that any second tier can compute the ω_k.
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
