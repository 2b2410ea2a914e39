package engine

import (
	"math"
	"slices"

	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

// expectedLosses fills the frame's losses with the expected ones of the models in the
// frame: at the start, when no sample has been seen, and after a divergence,
// when the observed ones mean nothing.
func (l *lane) expectedLosses() {
	if l.risks == nil {
		return // the last ones that were observed stay
	}
	f, d := &l.frame, l.bank.Size
	models := f.Models
	if l.info.Drawn == 0 { // the frame has none
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

// measure fills the frame with models, labels and metrics as they stand.
func (l *lane) measure() {
	f := &l.frame
	copy(f.Models, l.bank.Params) // as far as they are drawn
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
	if l.groups > 0 && (f.Round == 0 || f.Events.Has(trace.Moved) || f.Events.Has(trace.Partial)) {
		group, label := l.group, l.label
		if f.Round > 0 && l.seen != nil {
			group, label = l.participated()
		}
		f.ARI = l.table.AdjustedRand(group, label)
		f.Misplaced = l.table.Misplaced(group, label)
		f.NMI, f.Purity = l.table.NMI(group, label), l.table.Purity(group, label)
	}
	if l.groups > 0 && f.Events.Has(trace.Partial) {
		f.ARIParticipants = math.NaN()
		if group, label := l.ofRound(); len(group) > 0 {
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

// expectedLoss fills in the expected loss of what each client predicts: by the model that it was
// given, by what it makes of that, or by the models that it weighs.
func (l *lane) expectedLoss() {
	f := &l.frame
	f.Loss, f.Worst = 0, 0
	l.brief()
	for i, k := range l.label {
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
	f.Loss /= float64(len(l.label))
}

// note adds to the frame what is for the eye alone.
func (l *lane) note() {
	f, values := &l.frame, l.round.Spectrum
	values = values[:min(len(values), trace.MaxSpectrum)]
	for _, v := range values {
		f.Spectrum = append(f.Spectrum, float32(v))
	}
	f.Directions = l.round.Directions
}

// participated returns groups and labels of the clients that have taken part so far: of
// the others no server knows anything.
func (l *lane) participated() (group, label []int) {
	return l.of(func(i int) bool { return l.seen[i] })
}

// ofRound returns groups and labels of the clients that took part in this round and were heard.
func (l *lane) ofRound() (group, label []int) {
	return l.of(func(i int) bool { return l.frame.State[i] == trace.Present })
}

// of returns groups and labels of some clients, until its next call.
func (l *lane) of(some func(i int) bool) (group, label []int) {
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

// everyoneHeard reports whether all clients have taken part by now, so that a clustering can be
// found.
func (l *lane) everyoneHeard() bool { return !slices.Contains(l.seen, false) }

// keep enters the frame into fingerprint and history.
func (l *lane) keep() {
	f := &l.frame
	l.hash.Add(f)
	if f.Round == 0 {
		l.firstLoss = f.Loss
	}
	if f.Events.Has(trace.Examined) {
		l.scores = f.Metrics
	}
	if len(f.Confusion) > 0 {
		l.lastConfusion = append(l.lastConfusion[:0], f.Confusion...)
	}
	ari := f.ARI
	if !l.everyoneHeard() {
		ari = 0 // not found yet, however right
	}
	l.ari = append(l.ari, ari)
	if l.firstCorrect < 0 && l.groups > 0 && f.Round > 0 && ari == 1 {
		l.firstCorrect, l.cost = f.Round, f.Down+f.Up
	}
}

// summary is the verdict after the last round.
func (l *lane) summary() trace.Summary {
	s := trace.Summary{Metrics: l.frame.Metrics, Settled: -1, Found: l.firstCorrect, Price: l.cost,
		Diverged: l.diverged, Cause: l.cause, Wild: l.divergedModel, Advice: l.suggestedRate,
		Fingerprint: l.hash.Sum(), Alias: l.alias()}
	// Of a lane that has diverged the last finite frame counts.
	if l.evaluation != nil && l.diverged >= 0 && l.evaluated == l.diverged-1 {
		s.Loss, s.Worst = l.scores.Loss, l.scores.Worst
		s.Accuracy, s.Val, s.Test = l.scores.Accuracy, l.scores.Val, l.scores.Test
	}
	if l.groups > 0 && l.diverged < 0 {
		s.Settled = trace.Settled(l.ari)
	}
	if s.Cause == "" {
		s.Cause = l.saturation()
	}
	return s
}
