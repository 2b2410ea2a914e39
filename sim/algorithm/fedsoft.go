package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// fedsoft is Algorithms 1 and 2: the server's models are centres, and clients use models of their own.
type fedsoft struct {
	period int // τ, rounds between estimates
	chosen int // clients drawn for a centre; 0 for all
	// A client is always weighted by its u; otherwise all centres would be equal.
	counting method.Counting
	counted  []float64 // weight of each client in a mean, times its u

	env         *fl.Env
	all         []int            // indices of all centres
	weight      clusterer.Matrix // u: clients × K; zeros before the client has replied
	mixture     clusterer.Matrix // u, each row scaled to a sum of 1
	share       clusterer.Matrix // v, up to a factor per column: clients × K; 0 for a client that does not count
	known       []bool           // clients that have sent u
	estimates   []bool           // clients that estimate u in this round
	centreMeans [][]float32      // c̄ of each client
	sum         []float64
	stream      rng.Stream
}

func (s *fedsoft) Start(env *fl.Env, label []int) {
	s.env, s.counted = env, s.counting.Of(env.Samples)
	clear(label)
	for _, m := range []*clusterer.Matrix{&s.weight, &s.mixture, &s.share} {
		m.Reshape(env.Clients, env.Models)
		clear(m.Data)
	}
	for j := range s.mixture.Data {
		s.mixture.Data[j] = 1 / float64(env.Models)
	}
	s.all, s.sum = numeric.Range(env.Models), make([]float64, env.Size)
	s.known, s.estimates = make([]bool, env.Clients), make([]bool, env.Clients)
	if s.period > 1 {
		s.centreMeans = make([][]float32, env.Clients)
		for i := range s.centreMeans {
			s.centreMeans[i] = make([]float32, env.Size)
		}
	}
}

func (s *fedsoft) Round(r *fl.Round) {
	s.estimate(r)
	s.choose(r)
	for _, i := range r.Participants {
		switch {
		case slices.Max(s.share.Row(i)) == 0: // the client has no weight for any centre
		case s.estimates[i]:
			r.AskCall(i, proximalTrain, nil, s.all...) // the client already has the centres
		default:
			r.AskCall(i, proximalTrain, s.centreMean(i, r.Bank))
		}
	}
	r.Ask()
	s.updateCentres(r)
}

// estimate asks clients, in every τ-th round and when they first take part, how often each centre explains a sample best:
// u_ik = max(n_ik/n_i, σ).
func (s *fedsoft) estimate(r *fl.Round) {
	for _, i := range r.Participants {
		s.estimates[i] = r.T%s.period == 0 || !s.known[i]
		if s.estimates[i] {
			r.AskCall(i, proximalEstimate, nil, s.all...)
		}
	}
	r.Ask()
	for _, i := range r.Replied {
		row, total := s.weight.Row(i), 0.0
		for k, u := range r.Answer(i) {
			row[k] = float64(u)
			total += row[k]
		}
		for k, u := range row {
			s.mixture.Row(i)[k] = u / total
		}
		r.Label[i] = slices.Index(row, slices.Max(row))
		s.known[i], r.Reclustered = true, true
		if rec := r.Recorder(); rec.Follows(i) {
			rec.ReplaceAnswer("shares", fl.Floats("shares", row))
		}
	}
}

// choose sets the weights of the clients for each centre: of all clients,
//
//	v_ik ∝ u_ik n_i
//
// or, where centres draw clients by v, those that were drawn, each the same.
func (s *fedsoft) choose(r *fl.Round) {
	clear(s.share.Data)
	for _, i := range r.Participants {
		for k, u := range s.weight.Row(i) { // zeros if i has never replied
			s.share.Row(i)[k] = float64(u * s.counted[i])
		}
	}
	if s.chosen == 0 || s.chosen >= len(r.Participants) {
		return
	}
	for k := range s.all {
		s.stream.Reset(s.env.Seed, rng.Clustering, r.T, k+1)
		for range s.chosen {
			s.draw(r, k)
		}
		for _, i := range r.Participants {
			v := &s.share.Row(i)[k]
			*v = max(-*v, 0)
		}
	}
}

// draw draws a client of centre k by the rest of v, and marks it by −1.
func (s *fedsoft) draw(r *fl.Round, k int) {
	left, last := 0.0, -1
	for _, i := range r.Participants {
		if v := s.share.Row(i)[k]; v > 0 {
			left += v
		}
	}
	at := float64(s.stream.Float64() * left)
	for _, i := range r.Participants {
		if v := s.share.Row(i)[k]; v > 0 {
			last = i
			if at -= v; at < 0 {
				break
			}
		}
	}
	if last >= 0 {
		s.share.Row(last)[k] = -1
	}
}

// centreMean returns c̄ = Σ u_k c_k / Σ u_k of client i, one model in place of K, since Σ_k u_k ‖w − c_k‖² is
// ‖w − c̄‖² Σ u_k and a constant.
func (s *fedsoft) centreMean(i int, centres *fl.Bank) []float32 {
	clear(s.sum)
	for k, u := range s.mixture.Row(i) {
		kernel.Accumulate(s.sum, u, centres.Model(k))
	}
	setMean(s.centreMeans[i], s.sum, 1)
	return s.centreMeans[i]
}

// updateCentres sets every centre to the mean of the clients' models, weighted by v.
func (s *fedsoft) updateCentres(r *fl.Round) {
	for k := range s.all {
		average := r.Average(s.sum)
		for _, i := range r.Replied {
			average.Add(s.share.Row(i)[k], r.Answer(i))
		}
		if total := average.End(); total > 0 {
			setMean(r.Bank.Model(k), s.sum, total)
		}
	}
}

// setMean sets dst to a sum of models divided by their weight.
func setMean(dst []float32, sum []float64, weight float64) {
	for j, v := range sum {
		dst[j] = float32(v / weight)
	}
}

// Mixture returns u, each row scaled to a sum of 1.
func (s *fedsoft) Mixture() *clusterer.Matrix { return &s.mixture }
