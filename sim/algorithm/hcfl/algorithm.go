package hcfl

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// hcfl is the server's part of HCFL. Line numbers are those of Algorithm 1.
type hcfl struct {
	tiers
	start, rounds int // number of clusters at the start, and of rounds in the run
	counting      method.Counting

	env              *fl.Env
	counted          []float64 // weight of each client in a mean, times its weight for a cluster
	low              int       // index of the head's first parameter; 0 if clusters share nothing
	active           []int     // clusters in use, ascending
	log              edits     // changes of the clusters
	broadcast        []float32 // see Broadcast
	weights          *mixtures // ω̃: the weights that clients sent last, with later edits applied
	row              []float32 // buffer for a client's weights
	masses           []float32 // buffer for a client's masses
	classes          classes
	profiles         []profile // profiles of the clients
	known            []bool    // clients that have replied
	sum              []float64
	splitter         splitter
	inputs           serverDensity
	bottomUpClusters grouping.Agglomerative
	hardAssigner     hardAssigner
	merger           merger
}

// Round is Algorithm 1. The server decides on a split before it updates the models (line 6), because each of the two
// heads follows the updates of its own clients (Algorithm 2, line 23).
func (s *hcfl) Round(r *fl.Round) {
	if r.T == 0 {
		s.startAlike(r.Bank)
	}
	if !s.askDensity(r) || !s.askFirst(r) {
		return
	}
	s.ask(r) // lines 2 to 5: tiers 1 and 2, and local training
	if !s.readAnswers(r) {
		return
	}
	split, into := -1, -1 // the cluster that splits, and the new one
	if s.adapt.split {
		s.updateDistances(r) // line 7: tier 4
		if len(s.active) < s.env.Models {
			s.noteDistances(r)
			if split = s.findSplit(r); split >= 0 {
				into = s.unused()
			}
		}
	}
	s.move(r, split, into)          // line 6
	s.adaptClusters(r, split, into) // lines 8 to 15: tier 3
	s.hardAssigner.starting = s.hardAssigner.starting[:0]
	clear(s.hardAssigner.first)
	s.classes.updateShares()
}

// Broadcast returns what every client is sent in addition to models: the number of edits, the edits, and the shares of
// classes in the active clusters or the Gaussians of inputs. It is valid until the next round.
func (s *hcfl) Broadcast() []float32 {
	_, hard := s.assigns()
	s.broadcast = append(append(s.broadcast[:0], float32(len(s.log))), s.log...)
	if !hard && s.form.counts() && len(s.classes.sum) > 0 {
		per := len(s.classes.sum) / s.env.Models
		for _, k := range s.active {
			s.broadcast = append(s.broadcast, s.classes.shares[k*per:(k+1)*per]...)
		}
	}
	s.broadcast = append(s.broadcast, s.inputs.gaussians...)
	return s.broadcast
}

// ask sends every participant its models and the broadcast, and receives updates.
func (s *hcfl) ask(r *fl.Round) {
	_, hard := s.assigns()
	copy(s.hardAssigner.trained, r.Label)
	broadcast := s.Broadcast()
	for _, i := range r.Participants {
		switch k := r.Label[i]; {
		case hard && s.hasFirstRequest() && !s.hardAssigner.reported[i]:
			continue
		case hard:
			r.AskCall(i, emAssign+k, broadcast, k)
		default:
			r.AskCall(i, emTrain, broadcast, s.active...)
		}
	}
	r.Ask()
}

// head returns the number of parameters that clusters do not share.
func (s *hcfl) head() int { return s.env.Size - s.low }

// move updates the head of every cluster by its mean update, and the shared trunk by the mean of its updates. Clients
// with weight 0 for a cluster do not count. When a cluster splits, one side of its clients updates its head, and the
// other side that of the new cluster.
func (s *hcfl) move(r *fl.Round, split, into int) {
	if split >= 0 {
		copy(r.Bank.Model(into), r.Bank.Model(split))
	}
	_, hard := s.assigns()
	for a, k := range s.active {
		update := func(i int) []float32 {
			if hard {
				return s.updateOf(r, i, k)
			}
			return s.update(r, i, a)
		}
		if k == split {
			s.applyMean(r, r.Bank.Model(into)[s.low:], update,
				func(i int) float64 { return s.weightIn(i, k, s.splitter.side[i] == 1) })
		}
		before := noteBefore(r, k, r.Bank.Model(k)[s.low:])
		total := s.applyMean(r, r.Bank.Model(k)[s.low:], update,
			func(i int) float64 { return s.weightIn(i, k, k != split || s.splitter.side[i] == 0) })
		s.noteStep(r, k, before, total)
	}
	trunk := r.Bank.Model(0)[:s.low]
	s.applyMean(r, trunk, func(i int) []float32 { return s.answer(r, i)[:s.low] }, func(i int) float64 {
		return s.counted[i]
	})
	for k := range r.Bank.Models() {
		copy(r.Bank.Model(k), trunk)
	}
}

// weightIn returns the weight of client i in the mean of cluster k, 0 unless it is included.
func (s *hcfl) weightIn(i, k int, included bool) float64 {
	weight := s.weights.Row(i)[k]
	switch {
	case !included || weight == 0:
		return 0
	case s.counting.Weight:
		return float64(weight * s.counted[i])
	default:
		return s.counted[i]
	}
}

// applyMean moves params by step × weighted mean update of the clients that replied, and returns the sum of the weights.
func (s *hcfl) applyMean(r *fl.Round, params []float32, update func(i int) []float32,
	weight func(i int) float64) (total float64) {
	sum := s.sum[:len(params)]
	average := r.Average(sum)
	of := r.Replied
	if len(s.hardAssigner.starting) > 0 {
		of = s.hardAssigner.starting
	}
	for _, i := range of {
		if w := weight(i); w > 0 {
			average.Add(w, update(i))
		}
	}
	if total = average.End(); total > 0 {
		kernel.Descend(params, sum, r.Step, total)
	}
	return total
}

// Mixture returns the clients' weights.
func (s *hcfl) Mixture() *clusterer.Matrix { return &s.weights.Matrix }
