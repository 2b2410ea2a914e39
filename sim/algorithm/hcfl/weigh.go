package hcfl

import (
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/param"
)

// weighing is HCFL's second tier: it computes the weights of clusters from how well each explains each sample.
type weighing interface {
	// weigh replaces log L_jk, one row of samples per cluster, by the responsibilities γ_jk for training, and updates omega,
	// the client's weights. own are the weights ω_jk of samples, kept between rounds; empty if samples have none. score is a
	// buffer of one number per cluster, with a capacity of three.
	weigh(gamma [][]float32, omega, own []float32, score []float64)
	// remembers reports whether samples have weights that are kept between rounds.
	remembers() bool
}

var weighings = []choice[weighing]{
	{param.Option{Name: "loss", Title: "the best over all samples", Doc: "One cluster per client, as in IFCA."}, func(param.Values) weighing { return leastLoss{} }},
	{param.Option{Name: "count", Title: "the best for each sample", Doc: "The weight of a cluster is the share of samples that it explains best, as in FedSoft."}, func(param.Values) weighing { return countBest{} }},
	{param.Option{Name: "em", Title: "by expectation maximisation", Doc: "Weights of each client that make its samples likely, as in FedEM."}, func(param.Values) weighing { return clientWise{} }},
	{param.Option{Name: "sample", Title: "sample by sample", Doc: "Each sample has weights, too, tied to the client's, as in HCFL+. It needs model averaging and a fixed set of samples.", Fields: []param.Field{fieldMemory}},
		func(v param.Values) weighing { return sampleWise{v.Float("mu")} }},
	{param.Option{Name: "near", Title: "the nearest model", Doc: "One cluster per client: the model nearest to the one that it trained, as in FeSEM."}, func(param.Values) weighing { return hardWeights{byModels} }},
	{param.Option{Name: "labels", Title: "by shares of labels", Doc: "One cluster per client: k-means among the shares of labels, once, as in FedConcat. It needs classes."}, func(param.Values) weighing { return hardWeights{byLabels} }},
	{param.Option{Name: "member", Title: "by tier 3", Doc: "One cluster per client, whatever K is: each client begins alone if clusters merge, as in StoCFL; otherwise all begin together, as in Sattler's method."}, func(param.Values) weighing { return hardWeights{} }},
}

var fieldMemory = param.Field{Name: "mu", Label: "Freedom of samples μ", Section: param.Models, Kind: param.Float,
	Min: 0, Max: 1, Step: 0.05, Default: "0.4",
	Tune:    &param.Space{Low: 0, High: 1, Source: "all values; HCFL, Table 6, compares some"},
	PerLane: true, Advanced: true,
	Doc: "How far a sample's weights can differ from its client's: 0 not at all, 1 without bound. It needs model averaging and a fixed set of samples. HCFL's paper prefers 0 with FedEM and 0.4 with FedRC (Table 6)."}

// leastLoss gives all weight to the cluster with the largest sum, the first on ties.
type leastLoss struct{}

func (leastLoss) remembers() bool { return false }

func (leastLoss) weigh(gamma [][]float32, omega, _ []float32, score []float64) {
	for k, row := range gamma {
		score[k] = 0
		for _, l := range row {
			score[k] += float64(l)
		}
	}
	best := numeric.Argmax(score)
	for k, row := range gamma {
		omega[k] = indicator(k == best)
		for j := range row {
			row[j] = omega[k]
		}
	}
}

// countBest gives each sample to the cluster that explains it best, the first on ties.
type countBest struct{}

func (countBest) remembers() bool { return false }

func (countBest) weigh(gamma [][]float32, omega, _ []float32, score []float64) {
	for j := range gamma[0] {
		for k, row := range gamma {
			score[k] = float64(row[j])
		}
		best := numeric.Argmax(score)
		for k, row := range gamma {
			row[j] = indicator(k == best)
		}
	}
	average(omega, gamma)
}

// clientWise is γ_jk ∝ ω_k L_jk and ω_k = mean_j γ_jk.
type clientWise struct{}

func (clientWise) remembers() bool { return false }

func (clientWise) weigh(gamma [][]float32, omega, _ []float32, score []float64) {
	for j := range gamma[0] {
		for k, row := range gamma {
			score[k] = float64(row[j]) + exact.Log(max(float64(omega[k]), numeric.MinWeight))
		}
		numeric.Softmax(score)
		for k, row := range gamma {
			row[j] = float32(score[k])
		}
	}
	average(omega, gamma)
}

// sampleWise is equations 4 and 5 of the paper:
//
//	γ_jk ∝ ω_jk L_jk    γ̃_jk ∝ ω̃_k L_jk    ω̃_k = mean_j γ̃_jk    ω_jk = μ γ_jk + (1−μ) ω̃_k
//
// With μ = 0, and where clients draw fresh samples, ω_jk is last round's ω̃_k, and it is clientWise.
type sampleWise struct{ memory float64 }

func (sampleWise) remembers() bool { return true }

func (s sampleWise) weigh(gamma [][]float32, omega, own []float32, score []float64) {
	if len(own) == 0 {
		clientWise{}.weigh(gamma, omega, nil, score)
		return
	}
	n, models := len(gamma[0]), len(gamma)
	buffer := score[:3*models]
	prior, sum := buffer[models:2*models], buffer[2*models:]
	clear(sum)
	for k, w := range omega {
		prior[k] = exact.Log(max(float64(w), numeric.MinWeight))
	}
	for j := range n {
		for k, row := range gamma {
			score[k] = float64(row[j]) + prior[k]
		}
		numeric.Softmax(score)
		for k, p := range score {
			sum[k] += p
			score[k] = float64(gamma[k][j]) + exact.Log(max(float64(own[k*n+j]), numeric.MinWeight))
		}
		numeric.Softmax(score)
		for k, row := range gamma {
			row[j] = float32(score[k])
		}
	}
	for k, row := range gamma {
		omega[k] = float32(sum[k] / float64(n))
		for j, g := range row {
			own[k*n+j] = float32(float64(s.memory*float64(g)) + float64((1-s.memory)*float64(omega[k])))
		}
	}
}

// average sets omega to the mean of each cluster's row.
func average(omega []float32, gamma [][]float32) {
	for k, row := range gamma {
		sum := 0.0
		for _, g := range row {
			sum += float64(g)
		}
		omega[k] = float32(sum / float64(max(len(row), 1)))
	}
}

func indicator(v bool) float32 {
	if v {
		return 1
	}
	return 0
}
