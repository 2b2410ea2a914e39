package engine

import (
	"math"

	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

// expectedLosses sets the frame's losses to the expected losses of its models: at the start, when
// no loss has been observed yet, and after a divergence, when observed losses mean nothing.
func (l *lane) expectedLosses() {
	if l.risks == nil {
		return // keep the losses that were observed last
	}
	f, d := &l.frame, l.bank.Size
	models := f.Models
	if l.info.FrameParams == 0 { // frames have no parameters
		if f.Round > 0 {
			return
		}
		models = l.bank.Params
	}
	for i := range l.label {
		row := f.Losses[i*l.info.Columns : (i+1)*l.info.Columns]
		for k := range row {
			if l.plan.Personal {
				k = i
			}
			row[min(k, len(row)-1)] = float32(l.risks.Risk(i, models[k*d:(k+1)*d]))
		}
	}
}

// measure fills the frame with the present models, labels and metrics.
func (l *lane) measure() {
	f := &l.frame
	copy(f.Models, l.bank.Params) // as many as a frame holds
	clear(l.used)
	f.Clusters = 0
	for i, k := range l.label {
		f.Label[i] = uint16(k)
		if !l.used[k] {
			l.used[k] = true
			f.Clusters++
		}
	}
	if l.risks != nil {
		l.expectedLoss()
	}
	if c := l.round.Clock; c != nil {
		f.Time = c.Elapsed
	}
	n := float64(len(l.label))
	f.Down, f.Up = float64(l.traffic.Down)/n, float64(l.traffic.Up)/n
	f.Computed = float64(l.round.Computed) / n
	if l.groups > 0 && (f.Round == 0 || f.Events.Has(trace.Moved) || f.Events.Has(trace.Partial)) {
		group, label := l.group, l.label
		if f.Round > 0 && l.everPresent != nil || l.liar != nil {
			group, label = l.participated()
		}
		f.ARI, f.Misplaced, f.NMI, f.Purity = l.table.Scores(group, label)
	}
	if l.groups > 0 && f.Events.Has(trace.Partial) {
		f.ARIParticipants = math.NaN()
		if group, label := l.roundParticipants(); len(group) > 0 {
			f.ARIParticipants = l.table.AdjustedRand(group, label)
		}
	}
	if m, ok := l.plan.Algorithm.(fl.Mixer); ok {
		f.Events |= trace.Soft
		f.Mixture = f.Mixture[:0]
		for _, w := range m.Mixture().Data {
			f.Mixture = append(f.Mixture, float32(w))
		}
	}
}

// expectedLoss sets the mean and the largest expected loss of the honest clients' predictions: by the model of a client's
// label, by its personalized model, or by its weighted models.
func (l *lane) expectedLoss() {
	f := &l.frame
	f.Loss, f.Worst = 0, 0
	l.broadcast()
	n := 0.0
	for i, k := range l.label {
		if l.lies(i) {
			continue
		}
		n++
		risk := 0.0
		if l.predicting != nil {
			risk = l.predicting.Risk(i, k, &l.job)
		} else {
			risk = l.risks.Risk(i, l.bank.Model(k))
		}
		f.Loss += risk
		if risk > f.Worst {
			f.Worst = risk
		}
	}
	f.Loss /= n
}

// recordSpectrum adds the singular values of this round, which fingerprints leave out.
func (l *lane) recordSpectrum() {
	f, values := &l.frame, l.round.Spectrum
	values = values[:min(len(values), trace.MaxSpectrum)]
	for _, v := range values {
		f.Spectrum = append(f.Spectrum, float32(v))
	}
	f.Directions = l.round.Directions
}

// participated returns the groups and labels of the honest clients that have taken part so far: a server knows nothing
// about the others. At the start it returns those of all honest clients.
func (l *lane) participated() (group, label []int) {
	return l.selected(func(i int) bool { return l.counts(i) || l.frame.Round == 0 && !l.lies(i) })
}

// roundParticipants returns the groups and labels of the honest clients that replied in this round.
func (l *lane) roundParticipants() (group, label []int) {
	return l.selected(func(i int) bool { return l.frame.State[i] == trace.Present && !l.lies(i) })
}

// lies reports whether client i is a liar. Liars belong to no group and have no score.
func (l *lane) lies(i int) bool { return l.liar != nil && l.liar[i] }

// counts reports whether client i counts in scores: it is honest and has taken part.
func (l *lane) counts(i int) bool { return !l.lies(i) && (l.everPresent == nil || l.everPresent[i]) }

// selected returns the groups and labels of some clients. They are valid until its next call.
func (l *lane) selected(some func(i int) bool) (group, label []int) {
	l.known = l.known[:0]
	for i, g := range l.group {
		if some(i) {
			l.known = append(l.known, g)
		}
	}
	n := len(l.known)
	for i, k := range l.label {
		if some(i) {
			l.known = append(l.known, k)
		}
	}
	return l.known[:n], l.known[n:]
}

// allSeen reports whether all honest clients have taken part by now. Before that no clustering counts as
// found.
func (l *lane) allSeen() bool {
	for i, seen := range l.everPresent {
		if !seen && !l.lies(i) {
			return false
		}
	}
	return true
}

// recordFrame adds the frame to the fingerprint and to the history of the lane.
func (l *lane) recordFrame() {
	f := &l.frame
	l.hash.Add(f)
	l.nameModels()
	if f.Round == 0 {
		l.firstLoss = f.Loss
	}
	if f.Events.Has(trace.Evaluated) {
		l.scores = f.Metrics
	}
	if len(f.Confusion) > 0 {
		l.lastConfusion = append(l.lastConfusion[:0], f.Confusion...)
	}
	ari := f.ARI
	if !l.allSeen() {
		ari = 0 // not counted as found, even if correct
	}
	l.ari = append(l.ari, ari)
	if l.firstCorrect < 0 && l.groups > 0 && f.Round > 0 && ari == 1 {
		l.firstCorrect, l.cost = f.Round, f.Down+f.Up
	}
}

// summary returns the lane's summary after the last round.
func (l *lane) summary() trace.Summary {
	s := trace.Summary{Metrics: l.frame.Metrics, Settled: -1, FirstCorrect: l.firstCorrect, CostToCorrect: l.cost,
		Diverged: l.diverged, Cause: l.cause, DivergedModel: l.divergedModel, SuggestedRate: l.suggestedRate,
		Fingerprint: l.hash.Sum(), Alias: l.alias()}
	// If a lane has diverged, its last finite frame counts.
	if l.evaluation != nil && l.diverged >= 0 && l.evaluated == l.diverged-1 {
		s.Loss, s.Worst = l.scores.Loss, l.scores.Worst
		s.Accuracy, s.Val, s.Test, s.Attack = l.scores.Accuracy, l.scores.Val, l.scores.Test, l.scores.Attack
	}
	if l.groups > 0 && l.diverged < 0 {
		s.Settled = trace.Settled(l.ari)
	}
	if s.Cause == "" {
		s.Cause = l.learningProblem()
	}
	return s
}
