package hcfl

import (
	"flockscope/sim/fl"
)

// FreeDown: edits are whole numbers, and the trunk that models share is sent once.
func (s *hcfl) FreeDown(r *fl.Round, i int) int64 {
	switch t := &r.Exchange.Tasks[i]; {
	case t.Call == emTrain:
		return int64(1 + len(s.log) + (len(t.Models)-1)*s.low)
	case t.Call >= emAssign:
		return int64(1 + len(s.log))
	}
	return 0
}

// FreeUp: the number of classes is a whole number; heads of clusters with weight 0 are not trained, classes without samples
// have no features, and weights count only if the server uses them.
func (s *hcfl) FreeUp(r *fl.Round, i int) int64 {
	t := &r.Exchange.Tasks[i]
	if t.Call != emTrain && t.Call < emAssign {
		return 0
	}
	models, head := len(t.Models), s.head()
	rest := r.Answer(i)[s.low+models*head:]
	per, free := int(rest[0]), 1
	rest = rest[1:]
	if t.Call == emTrain {
		for _, w := range rest[:models] {
			if w == 0 {
				free += head
			}
		}
		if !s.needsWeights() {
			free += models
		}
		rest = rest[models:]
	}
	if s.comparesFeatures() {
		masses, features := rest[:models*per], rest[models*per:]
		width := (len(features) - s.inputs.perAnswer()) / (per + 1)
		for c := range per {
			held := float32(0)
			for a := range models {
				held += masses[a*per+c]
			}
			if held == 0 {
				free += width
			}
		}
	}
	return int64(free)
}

// needsWeights reports whether the server uses the clients' weights of clusters: to weigh updates, or to split, remove
// or merge clusters. If each client has one cluster, the server knows which one it trained.
func (s *hcfl) needsWeights() bool {
	_, one := s.weigh.(leastLoss)
	return !one && (s.counting.Weight || s.adapt.split || s.adapt.remove || s.adapt.merge)
}
