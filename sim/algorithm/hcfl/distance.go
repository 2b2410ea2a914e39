package hcfl

import (
	"math"

	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
)

// distance is HCFL's fourth tier: how different two clients of a cluster are.
type distance interface {
	between(a, b *profile) float64
	// features reports whether profiles must have mean features.
	features() bool
	// across reports whether clients of different clusters can be compared.
	across() bool
}

// profile describes a client to the server, or as a mean a cluster.
type profile struct {
	anchorUpdate []float32 // update of the first model; nil if not requested
	update       []float32 // update of the cluster's model or of its head
	features     []float32 // mean features, one row per class, then the mean of all samples
	count        []float32 // samples of each class
	clients      int       // number of clients in a cluster
}

var distances = []choice[distance]{
	{param.Option{Name: "any", Title: "features, of any shift", Doc: "Mean features of classes, and of all samples: any shift separates clients (ASCP)."}, func(param.Values) distance { return prototypes{any: true} }},
	{param.Option{Name: "concept", Title: "features, class by class", Doc: "Mean features of the classes that both have: only a concept shift separates clients (CSCP)."}, func(param.Values) distance { return prototypes{} }},
	{param.Option{Name: "update", Title: "updates", Doc: "The directions in which they move the model, as in clustered federated learning (Sattler)."}, func(param.Values) distance { return updates{} }},
	{byAnchor, func(param.Values) distance { return firstUpdates{} }},
	{param.Option{Name: "mean", Title: "features, mean of the classes", Doc: "The mean over the classes that both have, not the largest: an ablation of the paper (Table 2)."}, func(param.Values) distance { return prototypes{mean: true} }},
}

// byAnchor is a metric for clients and for clusters.
var byAnchor = param.Option{Name: "anchor", Title: "updates of the first model",
	Doc: "The client's update of the model that all began with, sent once, as in StoCFL.", Fields: []param.Field{grouping.FieldLook}}

// clusterDistances are the distances by which clusters of different models can be compared.
var clusterDistances = []choice[distance]{distances[3], distances[0], distances[1]}

// prototypes is equations 9 to 12: the largest distance between the mean features of a class that both clients have and, if
// any, between those of all samples; or the mean distance of the classes. Clients without a common class have the distance 0.
type prototypes struct{ any, mean bool }

func (prototypes) features() bool { return true }
func (prototypes) across() bool   { return true }

func (p prototypes) between(a, b *profile) float64 {
	classes := len(a.count)
	width := len(a.features) / (classes + 1)
	row := func(of *profile, n int) []float32 { return of.features[n*width : (n+1)*width] }
	largest, sum, common := 0.0, 0.0, 0
	for c := range classes {
		// Counts are sums of responsibilities: whole numbers, up to rounding.
		if a.count[c] > 0.5 && b.count[c] > 0.5 {
			d := cosineDistance(row(a, c), row(b, c))
			largest, sum, common = max(largest, d), sum+d, common+1
		}
	}
	if p.mean {
		return sum / float64(max(common, 1))
	}
	if p.any {
		largest = max(largest, cosineDistance(row(a, classes), row(b, classes)))
	}
	return largest
}

// updates is the angle between updates.
type updates struct{}

func (updates) features() bool { return false }
func (updates) across() bool   { return false }

func (updates) between(a, b *profile) float64 { return cosineDistance(a.update, b.update) }

// firstUpdates is the angle between updates of the first model: since all clients train that one model, clients of all
// clusters can be compared.
type firstUpdates struct{}

func (firstUpdates) features() bool { return false }
func (firstUpdates) across() bool   { return true }

func (firstUpdates) between(a, b *profile) float64 {
	return cosineDistance(a.anchorUpdate, b.anchorUpdate)
}

// cosineDistance returns 1 − the cosine of a and b, 0 to 2; 0 if one of them is zero or not finite.
func cosineDistance(a, b []float32) float64 {
	const nothing = 1e-12
	aa, bb := kernel.Dot(a, a), kernel.Dot(b, b)
	if !(aa > nothing*nothing && bb > nothing*nothing && aa+bb < math.Inf(1)) {
		return 0
	}
	cosine := kernel.Dot(a, b) / float64(math.Sqrt(aa)*math.Sqrt(bb))
	return max(1-cosine, 0)
}
