package hcfl

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/param"
)

// adaptation is HCFL's third tier: how the number of clusters changes. It holds the fourth tier, the distance, by which
// clusters split or merge.
type adaptation struct {
	split, remove, merge bool

	norms bool // split by the norms of updates

	keepRounds              int // rounds before clusters may be removed
	mergeAfter              int // rounds before clusters may merge
	tau                     float64
	find                    bool // find τ from the clients' cosines
	threshold               float64
	short, long             float64 // by norms: bounds of a cluster's mean update and of a client's
	maxClusters, minClients int     // maximum number of clusters; minimum number of clients to split a cluster
	unweighted              bool    // do not multiply distances by weights
	distance                distance
}

var adaptations = []choice[adaptation]{
	{param.Option{Name: "fixed", Title: "fixed"}, adaptation{}.read},
	{param.Option{Name: "remove", Title: "removes clusters that no client prefers", Fields: []param.Field{fieldSpare}}, adaptation{remove: true}.read},
	{param.Option{Name: "split", Title: "splits clusters whose clients differ", Fields: splitting}, adaptation{split: true}.choose},
	{param.Option{Name: "both", Title: "splits and removes", Fields: append(slices.Clone(splitting), fieldSpare)}, adaptation{split: true, remove: true}.choose},
	{param.Option{Name: "norms", Title: "splits clusters that have stopped moving", Doc: "By the norms of updates, as in clustered federated learning (Sattler).", Fields: []param.Field{fieldDistance, fieldShort, fieldLong, method.FieldMost, fieldFew, fieldPlain}}, adaptation{split: true, norms: true}.choose},
	{param.Option{Name: "merge", Title: "merges similar clusters", Doc: "As in StoCFL.", Fields: []param.Field{fieldAlike, grouping.FieldLike, fieldAfter, method.FieldMost}}, adaptation{merge: true}.choose},
}

var (
	splitting = []param.Field{fieldDistance, fieldThreshold, method.FieldMost, fieldFew, fieldPlain}

	fieldDistance = param.Field{Name: "dist", Label: "4 · Distance", Section: param.Models, Kind: param.Choice,
		Default: "any", PerLane: true, Options: options(distances),
		Doc: "Fourth tier, the distance metric: what makes two clients of one cluster different."}
	fieldAlike = param.Field{Name: "alike", Label: "4 · Distance between clusters", Section: param.Models,
		Kind: param.Choice, Default: "anchor", PerLane: true, Options: options(clusterDistances),
		Doc: "Fourth tier, the distance metric: what makes two clusters similar. Updates are not offered: updates of different models cannot be compared."}
	fieldAfter = param.Field{Name: "after", Label: "No merging before round", Section: param.Models, Kind: param.Int,
		Min: 0, Max: 1000, High: 50, Default: "10", PerLane: true, Advanced: true,
		Doc: "Early clusters are mixtures and can be similar by chance. Where each client begins alone they merge at once."}
	fieldThreshold = param.Field{Name: "hrho", Label: "Split above ρ", Section: param.Models, Kind: param.Float, Min: 0,
		Max: 2, Low: 0.01, High: 0.5, Log: true, Default: "0.1",
		Tune:    &param.Space{Low: 0.05, High: 0.3, Log: true, Source: "HCFL, Table 1: 0.05, 0.1 and 0.3"},
		PerLane: true,
		Doc:     "A cluster splits when its largest distance exceeds the mean one by more than this. Smaller values make more clusters."}
	fieldShort = param.Field{Name: "tol1", Label: "Mean update below tol₁", Section: param.Models, Kind: param.Float,
		Min: 0, Max: 1000, Low: 0.01, High: 2, Step: 0.01, Log: true, Default: "0.4",
		Tune:    &param.Space{Low: 0.1, High: 0.8, Log: true, Source: "HCFL, Table 1: 0.2 and 0.4"},
		PerLane: true,
		Doc:     "A cluster can split when the norm of the mean update of its clients is below this."}
	fieldLong = param.Field{Name: "tol2", Label: "Some update above tol₂", Section: param.Models, Kind: param.Float,
		Min: 0, Max: 1000, Low: 0.1, High: 10, Step: 0.1, Default: "1.6",
		Tune:    &param.Space{Low: 0.4, High: 3.2, Log: true, Source: "HCFL, Table 1: 0.8 and 1.6"},
		PerLane: true,
		Doc:     "It splits if the norm of the update of one of its clients is above this. HCFL's paper compares 0.4 and 1.6, 0.4 and 0.8, and 0.2 and 0.8."}
	fieldFew = param.Field{Name: "few", Label: "Minimum clients to split", Section: param.Models, Kind: param.Int,
		Min: 2,
		Max: 100, Low: 2, High: 10, Default: "3", PerLane: true, Advanced: true,
		Doc: "Clusters of fewer clients do not split. The paper has no such bound, which is 2."}
	fieldPlain = param.Field{Name: "plain", Label: "Unweighted distances", Section: param.Models,
		Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
		Doc: "Do not multiply distances by the clients' weights of the cluster (the paper's ablation). With weights, clusters that no client uses much rarely split."}
	fieldSpare = param.Field{Name: "spare", Label: "Rounds without removal", Section: param.Models, Kind: param.Int,
		Min: 0, Max: 1000, High: 50, Default: "10", PerLane: true, Advanced: true,
		Doc: "Early weights are nearly equal, and a cluster can be removed by accident. The paper and its authors' code wait for no round, which is 0."}
)

// read reads the settings of the adaptation.
func (a adaptation) read(v param.Values) adaptation {
	if a.remove {
		a.keepRounds = v.Int("spare")
	}
	if a.merge {
		a.tau, a.find, a.mergeAfter, a.maxClusters = v.Float("like"), grouping.FindsLike(v), v.Int("after"), v.Int("most")
	}
	if a.split {
		a.maxClusters, a.minClients, a.unweighted = v.Int("most"), v.Int("few"), v.Switch("plain")
	}
	switch {
	case a.norms:
		a.short, a.long = v.Float("tol1"), v.Float("tol2")
	case a.split:
		a.threshold = v.Float("hrho")
	}
	return a
}

// choose reads the settings and selects the distance.
func (a adaptation) choose(v param.Values) adaptation {
	if a.distance = choose(distances, v, "dist"); a.merge {
		a.distance = choose(clusterDistances, v, "alike")
	}
	return a.read(v)
}

// divides reports whether a cluster with these distances splits: whether the largest exceeds the mean by more than ρ
// (equation 8). The mean includes the zeros of the diagonal, as in the authors' code.
func (a adaptation) divides(d *clusterer.Matrix) bool {
	sum := 0.0
	for _, v := range d.Data {
		sum += v
	}
	return slices.Max(d.Data)-sum/float64(len(d.Data)) > a.threshold
}
