package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

// notedWeights returns the weights of the recorder's client before the round.
func (s *hcfl) notedWeights(r *fl.Round) trace.Value {
	rec := r.Recorder()
	if rec == nil {
		return trace.Value{}
	}
	return fl.Floats("old", s.weights.Row(rec.Client))
}

// noteWeights notes the first two tiers: what explains a sample, and how the client got its weights.
func (s *hcfl) noteWeights(r *fl.Round, old trace.Value) {
	rec := r.Recorder()
	if rec == nil || !s.known[rec.Client] {
		return
	}
	i := rec.Client
	k := fl.Int("k", r.Label[i])
	_, hard := s.assigns()
	switch per := len(s.classes.shares) / s.env.Models; {
	case s.named.form == "ratio" && per > 0 && !hard: // clients are sent shares
		rec.Note("ratio", k, fl.Floats("shares", s.classes.shares[r.Label[i]*per:(r.Label[i]+1)*per]))
	case s.named.form == "joint":
		rec.Note("joint", fl.Floats("mean", s.inputs.gaussians[:len(s.inputs.minVariances)]))
	default:
		rec.Note("label")
	}
	values := []trace.Value{k, old, fl.Floats("new", s.weights.Row(i))}
	switch s.named.weigh {
	case "near":
		if !slices.ContainsFunc(s.hardAssigner.points.Row(i), func(d float64) bool { return d > 0 }) {
			return // the client was assigned by k-means
		}
		values = append(values, fl.Floats("distances", s.hardAssigner.points.Row(i)))
	case "labels":
		values = append(values, fl.Floats("shares", s.hardAssigner.points.Row(i)))
	}
	rec.Note(s.named.weigh, values...)
}

// noteDistances notes which member of its cluster is farthest from the recorder's client, and the test for a split.
func (s *hcfl) noteDistances(r *fl.Round) {
	rec := r.Recorder()
	if rec == nil {
		return
	}
	k, sp := r.Label[rec.Client], &s.splitter
	s.distancesWithin(r, k)
	n := slices.Index(sp.members, rec.Client)
	if n < 0 || len(sp.members) < 2 {
		return
	}
	other, sum, largest := len(sp.members)-1, 0.0, 0.0
	if other == n {
		other = 0
	}
	for m, d := range sp.within.Row(n) {
		if m != n && d > sp.within.Row(n)[other] {
			other = m
		}
	}
	for _, d := range sp.within.Data {
		sum += d
		largest = max(largest, d)
	}
	rec.Note(s.named.apart, fl.Int("k", k), fl.Int("other", sp.members[other]),
		fl.Number("distance", sp.within.Row(n)[other]))
	if s.adapt.norms {
		return
	}
	rec.Note("divide", fl.Int("k", k), fl.Number("largest", largest),
		fl.Number("by", largest-sum/float64(len(sp.within.Data))), fl.Number("rho", s.adapt.threshold))
}

// noteMerge notes the cluster that is most similar to that of the recorder's client. pairs are the most similar first; of is
// the cluster of each client; clusters merge from tau on.
func (s *hcfl) noteMerge(r *fl.Round, pairs []grouping.Pair, of []int, tau float64) {
	rec := r.Recorder()
	if rec == nil {
		return
	}
	for _, p := range pairs {
		if k := of[rec.Client]; p.A == k || p.B == k {
			rec.Note("unite", fl.Number("cosine", p.Cosine), fl.Number("tau", tau))
			return
		}
	}
}

// noteBefore returns a model before its move, if it is that of the recorder's client.
func noteBefore(r *fl.Round, k int, params []float32) trace.Value {
	if rec := r.Recorder(); rec != nil && r.Label[rec.Client] == k {
		return fl.Weights("old", params)
	}
	return trace.Value{}
}

// noteStep notes the move of that model by the mean of updates with the given total weight.
func (s *hcfl) noteStep(r *fl.Round, k int, before trace.Value, total float64) {
	if before.Name == "" || total == 0 {
		return
	}
	mean := fl.Weights("mean", s.sum[:s.head()])
	for j := range mean.Numbers {
		mean.Numbers[j] /= total
	}
	r.Recorder().
		Note(fl.StepDescend, fl.Int("k", k), fl.Number("step", r.Step), before, mean,
			fl.Weights("new", r.Bank.Model(k)[s.low:]))
}
