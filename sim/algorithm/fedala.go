package algorithm

import (
	"slices"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// fedala is the server's part of Algorithm 1: FedAvg with whole models.
type fedala struct {
	counting method.Counting
	weights  []float64 // weight of each client in a mean
	sum      []float64
}

func (s *fedala) Start(env *fl.Env, label []int) {
	s.weights, s.sum = s.counting.Of(env.Samples), make([]float64, env.Size)
	clear(label)
}

func (s *fedala) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, opMixTrain, nil, 0)
	}
	r.Ask()
	average := r.Average(s.sum)
	for _, i := range r.Replied {
		average.Add(s.weights[i], r.Answer(i))
	}
	total := average.End()
	for j := range s.sum {
		if total > 0 {
			r.Bank.Params[j] = float32(s.sum[j] / total)
		}
	}
}

// opMixTrain asks a client to mix and to train, and to send its trained model.
const opMixTrain = 1

// Slots of scratch memory.
const (
	mixingStart = iota
	mixingUpdate
	mixingFeatures
)

// passes is the maximum number of passes in which a client first learns its weights.
const passes = 50

// mixing is the client's side. A client keeps its model w, d numbers, then a weight W for every parameter of the part that
// it mixes, then a 1 once it has learned these.
type mixing struct {
	rate      float32
	share     float64
	all       bool
	tolerance float64
}

// low returns the index of the first mixed parameter.
func (m *mixing) low(at fl.ClientContext) int {
	if n := at.Network(); n != nil && !m.all {
		return n.Head().Lo
	}
	return 0
}

// Do is one round of a client.
func (m *mixing) Do(dst []float32, _ int, _ []float32, at fl.ClientContext) []float32 {
	global, own := at.Params(0), at.State()
	size := len(global)
	if len(*own) == 0 { // the first model is the server's
		*own = slices.Grow(*own, 2*size-m.low(at)+1)
		*own = append(*own, global...)
		for range size - m.low(at) {
			*own = append(*own, 1)
		}
		*own = append(*own, 0)
	} else {
		m.learn(at)
	}
	start, update := at.Scratch(mixingStart, size), at.Scratch(mixingUpdate, size)
	m.Personalize(start, global, at)
	at.Update(update, start, nil)
	kernel.Axpy(start, -float32(at.Protocol().Step()), update)
	copy(*own, start)
	return appendModel(dst, start, global, update, at)
}

// Personalize returns the model that a client would train: in the lower layers the common one θ, and in the upper ones
//
//	ŵ = w + (θ − w) ⊙ W
func (m *mixing) Personalize(dst, given []float32, at fl.ClientContext) {
	copy(dst, given)
	own := *at.State()
	if len(own) == 0 {
		return
	}
	mine, weights := m.split(own, at)
	upper := dst[m.low(at):]
	for j, w := range mine {
		upper[j] = w + float32((upper[j]-w)*weights[j])
	}
}

// split returns the mixed part of a client's model, and its weights.
func (m *mixing) split(own []float32, at fl.ClientContext) (mine, weights []float32) {
	size, low := at.Model().Size(), m.low(at)
	return own[low:size], own[size : 2*size-low]
}

// learn trains the weights by gradients of the mixed model on some of the client's samples, batch by batch:
//
//	W ← clip( W − η ∇_ŵ L ⊙ (θ − w), 0, 1 )
func (m *mixing) learn(at fl.ClientContext) {
	own := *at.State()
	learned := &own[len(own)-1]
	from, to := m.drawSamples(at)
	gradients := method.NewHeadGradients(at, m.low(at), from, to, mixingFeatures)
	var last [10]float64
	for n := range passes {
		last[n%len(last)] = m.pass(at, gradients, from, to)
		if *learned == 1 || n >= len(last) && variance(last[:]) < float64(m.tolerance*m.tolerance) {
			break
		}
	}
	*learned = 1
}

// drawSamples draws a random range of the client's samples.
func (m *mixing) drawSamples(at fl.ClientContext) (from, to int) {
	n := at.SampleCount()
	size := max(1, int(m.share*float64(n)))
	from = at.Stream(rng.ClientDraws).IntN(n - size + 1)
	return from, from + size
}

// pass trains once on these samples, and returns the last loss.
func (m *mixing) pass(at fl.ClientContext, gradients method.HeadGradients, from, to int) (loss float64) {
	global := at.Params(0)
	low, batch := m.low(at), max(1, at.Minibatch().N)
	mine, weights := m.split(*at.State(), at)
	mixed, gradient := at.Scratch(mixingStart, len(global)), at.Scratch(mixingUpdate, len(global))
	for ; from < to; from += batch {
		m.Personalize(mixed, global, at)
		loss = gradients.Gradient(gradient, mixed, from, min(from+batch, to))
		for j, w := range mine {
			slope := float32(gradient[low+j] * (global[low+j] - w))
			weights[j] = min(max(weights[j]-float32(m.rate*slope), 0), 1)
		}
	}
	return loss
}

// variance is the mean squared distance from the mean.
func variance(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / float64(len(x))
}

var _ fl.Personal = (*mixing)(nil)
