package hcfl

import (
	"flockscope/sim/fl"
)

// readAnswers reads all answers and assigns clients to clusters. It reports false while there are no clusters to train.
func (s *hcfl) readAnswers(r *fl.Round) bool {
	old := s.notedWeights(r)
	for _, i := range r.Replied {
		s.readAnswer(r, i)
	}
	if s.inputs.inputDensity != nil {
		s.inputs.update(s.inputs.widen)
	}
	if by, hard := s.assigns(); hard && by == byModels && !s.assignNearest(r) {
		return false
	}
	s.noteWeights(r, old)
	return true
}

// readAnswer reads the parts of a client's answer after the updates: the number of classes, weights, masses of the classes,
// features, Gaussians.
func (s *hcfl) readAnswer(r *fl.Round, i int) {
	_, hard := s.assigns()
	trained := s.active
	if hard {
		trained = s.hardAssigner.trained[i : i+1]
	}
	rest := r.Answer(i)[s.low+len(trained)*s.head():]
	per := int(rest[0])
	rest = rest[1:]

	s.known[i], r.Reclustered = true, true
	if !hard {
		clear(s.row)
		for a, k := range s.active {
			s.row[k] = rest[a]
		}
		r.Label[i] = s.weights.set(i, s.row)
		rest = rest[len(s.active):]
	}

	p := &s.profiles[i]
	s.masses, p.count = sized(s.masses, s.env.Models*per), sized(p.count, per)
	clear(s.masses)
	clear(p.count)
	for a, k := range trained {
		for c, f := range rest[a*per : (a+1)*per] {
			s.masses[k*per+c] = f
			p.count[c] += f
		}
	}
	s.classes.set(i, s.masses)
	rest = rest[len(trained)*per:]
	if s.inputs.inputDensity != nil {
		features := len(rest) - s.inputs.perAnswer()
		s.inputs.add(rest[features:], s.counted[i])
		rest = rest[:features]
	}
	p.features = append(p.features[:0], rest...)
}

// sized returns s if its length is n, or else n zeros.
func sized(s []float32, n int) []float32 {
	if len(s) != n {
		return make([]float32, n)
	}
	return s
}

// update returns the update of client i for the a-th of the clusters that it trained.
func (s *hcfl) update(r *fl.Round, i, a int) []float32 {
	head := s.head()
	return s.answer(r, i)[s.low+a*head : s.low+(a+1)*head]
}

// answer returns the answer of client i to use: that of this round or, in the round of the first clustering, its
// latest.
func (s *hcfl) answer(r *fl.Round, i int) []float32 {
	if first := s.hardAssigner.first; first != nil && first[i] != nil {
		return first[i]
	}
	return r.Answer(i)
}
