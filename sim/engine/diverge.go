package engine

import (
	"math"

	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// divergenceLimit is the loss above which a lane counts as diverged: far beyond any data
// a person would bring, far below where float32 ends.
const divergenceLimit = 1e12

// runaway returns the first model that could no longer be drawn, −1 if there is
// none.
func (l *lane) runaway() int {
	for k := range l.plan.Models {
		m := l.bank.Model(k)
		if kernel.Dot(m, m) < divergenceLimit*divergenceLimit/2 {
			continue // so every parameter is
		}
		for _, v := range m {
			if !(math.Abs(float64(v)) < divergenceLimit) {
				return k
			}
		}
	}
	return -1
}

const scale say.Message = "set scale=standard"

func notScaled(reach float64) say.Message {
	return say.Messagef("numbers of the file go up to %s, and are not scaled", say.Number(math.Round(reach)))
}

func aboveLimit(rate, limit float64) say.Message {
	return say.Messagef("learning rate %s is above 2/L = %s", say.Figures(rate, 3), say.Figures(limit, 3))
}

// diverge freezes the lane at the last finite frame and says why: what happened, a colon
// and the reason if it is known, a semicolon and what to do.
func (l *lane) diverge(t int) {
	f := &l.frame
	l.diverged = t
	f.Events = trace.Diverged // nobody is moved: the labels are those of before
	copy(l.label, l.before)
	limit := math.Inf(1)
	if l.risks != nil {
		limit = 2 / l.risks.Curvature()
	}
	reach, safe := 0.0, 0.0
	if file, ok := l.data.(workload.FromFile); ok {
		reach, safe = file.Reach(), file.SafeRate()
	}
	why, remedy := say.Message(""), say.Message("try a smaller learning rate")
	switch rate := l.plan.Protocol.Rate; {
	case reach > 3:
		why, remedy = notScaled(reach), scale
	case rate > limit && limit/2 < 1e-6: // below any rate that can be set
		why, remedy = aboveLimit(rate, limit), "scale the data down"
	case rate > limit:
		why, remedy = aboveLimit(rate, limit), say.Messagef("try %s", say.Figures(limit/2, 1))
		l.suggestedRate = limit / 2
	case 0 < safe && safe < rate:
		why = say.Messagef("learning rate %s is too large for the features of the file", say.Figures(rate, 3))
		remedy = say.Messagef("try %s", say.Figures(safe, 1))
		l.suggestedRate = safe
	default:
		l.suggestedRate = rate / 2
	}
	l.cause = say.Messagef("the models blew up in round %d", t)
	if why != "" {
		l.cause = say.JoinMessage([]say.Message{l.cause, why}, ": ")
	}
	l.cause = say.JoinMessage([]say.Message{l.cause, remedy}, "; ")
	l.expectedLosses()
}

// saturation says why the models of a file whose numbers are not scaled learn badly: their
// loss is above that of guesses that are all alike, or they name one class for all
// samples. It is "" for all others.
func (l *lane) saturation() say.Message {
	file, ok := l.data.(workload.FromFile)
	if !ok || l.diverged >= 0 || file.Reach() <= 3 {
		return ""
	}
	guess := l.firstLoss
	if tested, ok := l.data.(workload.Evaluated); ok && tested.Classes() > 1 {
		guess = min(guess, exact.Log(float64(tested.Classes())))
	}
	if l.frame.Loss <= guess && !l.onlyOneClass() {
		return ""
	}
	why := say.JoinMessage([]say.Message{"the models learn badly", notScaled(file.Reach())}, ": ")
	return say.JoinMessage([]say.Message{why, scale}, "; ")
}

// onlyOneClass reports whether the models named the same class for all samples when they
// were last tried.
func (l *lane) onlyOneClass() bool {
	tested, ok := l.data.(workload.Evaluated)
	if !ok {
		return false
	}
	named := map[int]bool{}
	for at, n := range l.lastConfusion {
		if n > 0 {
			named[at%tested.Classes()] = true
		}
	}
	return len(named) == 1
}
