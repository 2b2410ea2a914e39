package method

import (
	"slices"

	"flockscope/sim/fl"
	"flockscope/sim/param"
)

// fieldMean sets how the server averages, and the weight of a client in that. Every method that averages reads it. The rule
// of a method's paper is in its [registry.Meta] and in its call of [Counts].
var fieldMean = param.Field{Name: "mean", FormerNames: []string{"protomean"}, Label: "Average on the server",
	Section: param.Models, Kind: param.Choice, Default: "paper", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "paper", Title: "as in the method's paper",
			Doc: "The table of methods in the documentation says which."},
		{Name: "samples", Title: "their samples",
			Doc: "A client counts as many times as it has samples: the mean of models is that of all samples."},
		{Name: "clients", Title: "clients, all equally",
			Doc: "Every client counts once, however many samples it has."},
		{Name: "weight", Title: "samples × weight of the model",
			Doc: "Clients count by how much they use the model. A client of one model has weight 1 for it."},
		{Name: "median", Title: "median of each number",
			Doc: "Liars that hold less than half of the weight cannot move a number beyond those of honest clients."},
		{Name: "trimmed", Title: "trimmed mean", Fields: []param.Field{
			{Name: "trim", Label: "Share cut off", Section: param.Models, Kind: param.Float, Min: 0, Max: 0.49, High: 0.4,
				Step: 0.05, Default: "0.2", PerLane: true, Advanced: true,
				Doc: "Share of the clients that is left out at each end of every number. It should be at least the share of liars."}}},
		{Name: "geomedian", Title: "geometric median",
			Doc: "The point with the least sum of distances to the updates (RFA)."},
		{Name: "clipped", Title: "mean of clipped updates", Fields: []param.Field{
			{Name: "bound", Label: "Largest norm", Unit: "medians", Section: param.Models, Kind: param.Float, Min: 0.01,
				Max: 100, Low: 0.1, High: 10, Log: true, Default: "1", PerLane: true, Advanced: true,
				Doc: "Longer updates are scaled down to this many median norms before the mean."}}},
		{Name: "krum", Title: "Krum: one update", Fields: []param.Field{fieldAssumed},
			Doc: "The one update whose nearest others are nearest. Every client counts once."},
		{Name: "multikrum", Title: "multi-Krum", Fields: []param.Field{fieldAssumed},
			Doc: "The mean of all updates but the f that lie farthest from others."},
		{Name: "bulyan", Title: "Bulyan: middle values", Fields: []param.Field{fieldAssumed},
			Doc: "Krum chooses updates; of these the values nearest to the median of each number are averaged."}},
	Doc: "What the server averages updates by inside each cluster, and what a client weighs in that. " +
		"Medians and what follows them bear some liars; they weigh clients as the paper does."}

var fieldAssumed = param.Field{Name: "f", Label: "Liars assumed", Section: param.Models, Kind: param.Int, Min: 0, Max: 500,
	High: 10, Default: "1", PerLane: true, Advanced: true,
	Doc: "How many liars a cluster may have. Krum needs 2f + 3 clients, Bulyan 4f + 3. In a cluster with fewer, f is the most that its size allows."}

// rules are the values of mean= that are not the weighted mean.
var rules = map[string]fl.RuleKind{"median": fl.Median, "trimmed": fl.Trimmed, "geomedian": fl.GeometricMedian,
	"clipped": fl.Clipped, "krum": fl.Krum, "multikrum": fl.MultiKrum, "bulyan": fl.Bulyan}

// ruleOf reads how the server averages.
func ruleOf(v param.Values) fl.Rule {
	r := fl.Rule{Kind: rules[v.Text(fieldMean.Name)]}
	switch r.Kind {
	case fl.Trimmed:
		r.Share = v.Float("trim")
	case fl.Clipped:
		r.Bound = v.Float("bound")
	case fl.Krum, fl.MultiKrum, fl.Bulyan:
		r.Liars = v.Int(fieldAssumed.Name)
	}
	return r
}

// Keeps reports whether the server keeps all vectors until it averages them.
func Keeps(v param.Values) bool { return ruleOf(v).Kind != fl.WeightedMean }

// Counting defines the weight of a client in the mean of a model.
type Counting struct {
	Samples bool // the number of samples n_i; otherwise 1
	Weight  bool // multiplied by its weight for the model, in methods with several models per client
	unit    unit
}

// unit is the weight of a client if all have the same number of samples. The mean is the same up to rounding; each
// method keeps its unit so that old links give the same bits.
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

// Counts reads the setting; paper is the default rule, that of the method's paper.
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

// Of returns the weight of each client, without its weight for a model; samples are the n_i.
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
