package method

import (
	"slices"

	"flockscope/sim/param"
)

// fieldMean says what a client counts in the mean of a model. Every method that averages reads it. The rule of a method's
// paper is in its [registry.Meta] and in its call of [Counts].
var fieldMean = param.Field{Name: "mean", FormerNames: []string{"protomean"}, Label: "Clients count by",
	Section: param.Models, Kind: param.Choice, Default: "paper", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "paper", Title: "as in the method's paper",
			Doc: "The table of methods in the README says which."},
		{Name: "samples", Title: "their samples",
			Doc: "A client counts as many times as it has samples: the mean of models is that of all samples."},
		{Name: "clients", Title: "clients, all equally",
			Doc: "Every client counts once, however many samples it has."},
		{Name: "weight", Title: "samples × weight of the model",
			Doc: "Clients count by how much they use the model. A client of one model has weight 1 for it."}},
	Doc: "What a client's update weighs in the mean of its model. " +
		"It matters where clients have different numbers of samples."}

// Counting is what a client counts by in the mean of a model.
type Counting struct {
	Samples bool // by its number of samples n_i; otherwise every client counts once
	Weight  bool // times its weight for the model, in methods that give it several
	unit    unit
}

// unit is what a client counts where all have the same number of samples. The mean is the same up to rounding; each method
// keeps its unit so that old links give the same bits.
type unit uint8

const (
	OneClient   unit = iota // 1
	ManySamples             // n_i
)

// The rules of the papers.
var (
	BySamples = Counting{Samples: true}
	ByClients = Counting{}
	ByWeight  = Counting{Samples: true, Weight: true}
)

// Counts reads the setting; paper is the rule of the method's paper.
func Counts(v param.Values, paper Counting, u unit) Counting {
	c := paper
	switch v.Text("mean") {
	case "samples":
		c = BySamples
	case "clients":
		c = ByClients
	case "weight":
		c = ByWeight
	}
	c.unit = u
	return c
}

// Of returns what each client counts, without its weight for a model; samples are their n_i.
func (c Counting) Of(samples []int) []float64 {
	out := make([]float64, len(samples))
	equal := slices.Max(samples) == slices.Min(samples)
	for i, n := range samples {
		if out[i] = 1; equal && c.unit == ManySamples || !equal && c.Samples {
			out[i] = float64(n)
		}
	}
	return out
}
