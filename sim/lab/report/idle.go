package report

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"flockscope/sim/lab/plan"
)

// Idle says which methods did not do what they are for: those that made one cluster of all clients, or one of each, those
// that may change the number of clusters and never had more than at their start and end, unless they were right, and those
// whose runs have the scores of another method's. A comparison with them is about something else.
func (s *Study) Idle() (sentences []string) {
	for i, method := range s.Methods {
		for _, kind := range []struct {
			what string
			is   func(l *plan.Lane) bool
		}{
			{"one cluster", func(l *plan.Lane) bool { return l.Clusters == 1 }},
			{"a cluster for each client", func(l *plan.Lane) bool { return l.Clusters > 1 && l.Clusters == len(l.Clients) }},
		} {
			if where, ok := s.always(i, func(l *plan.Lane, setting, seed int) bool {
				_, finds := s.begins(i, setting, seed)
				clusters := finds || l.ARI != nil
				return clusters && !strings.HasPrefix(method, "fedavg") && kind.is(l) // FedAvg is for one model
			}); ok {
				sentences = append(sentences, fmt.Sprintf("%s has %s in every run%s.", method, kind.what, where))
			}
		}
		if where, ok := s.always(i, func(l *plan.Lane, setting, seed int) bool {
			k, _ := s.begins(i, setting, seed)
			return k > 1 && l.Clusters == k && l.MostClusters == k && (l.ARI == nil || *l.ARI < 1)
		}); ok {
			sentences = append(sentences, fmt.Sprintf("%s ends with as many clusters as it begins with in every run%s, and never has more.",
				method, where))
		}
		for j, other := range s.Methods[:i] {
			same := func(l *plan.Lane, setting, seed int) bool {
				o := s.Run(setting, j, seed)
				return o != nil && l.Clusters == o.Lane.Clusters && reflect.DeepEqual(l.Loss, o.Lane.Loss) &&
					reflect.DeepEqual(l.Clients, o.Lane.Clients) && reflect.DeepEqual(l.CurveARI, o.Lane.CurveARI)
			}
			if where, ok := s.always(i, same); ok {
				sentences = append(sentences, fmt.Sprintf("%s and %s have the same scores in every run%s.", other, method, where))
			}
		}
	}
	return sentences
}

// always returns with which settings something is true of all runs of a method; "" are all. ok is false if there are none.
func (s *Study) always(method int, is func(l *plan.Lane, setting, seed int) bool) (where string, ok bool) {
	var names []string
	with := 0 // settings of the method
	for setting := range s.settings {
		if s.has(setting, method) == 0 {
			continue
		}
		with++
		all := true
		for seed := range s.Seeds {
			if r := s.Run(setting, method, seed); r != nil {
				all = all && is(r.Lane, setting, seed)
			}
		}
		if all {
			names = append(names, strings.Join(s.named(setting), ", "))
		}
	}
	switch {
	case len(names) == 0:
		return "", false
	case len(names) == with:
		return "", true
	}
	return " with " + strings.Join(names, "; "), true
}

// begins returns how many clusters a method begins with; ok is false if it cannot change their number.
func (s *Study) begins(method, setting, seed int) (k int, ok bool) {
	c, _ := s.parse(s.Run(setting, method, seed).Query)
	for i := range c.Lanes() {
		if c.Lanes()[i].ID() == s.Methods[method] && c.FindsK(i) {
			k, _ = strconv.Atoi(c.LaneValue(i, "K"))
			return k, true
		}
	}
	return 0, false
}
