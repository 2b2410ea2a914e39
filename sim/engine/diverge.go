package engine

import (
	"math"

	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// divergenceLimit is the absolute value of a parameter from which a lane counts as diverged: far
// above the values of any real data, far below the largest float32.
const divergenceLimit = 1e12

// firstDiverged returns the first model with a parameter beyond the limit, −1 if there is none.
func (l *lane) firstDiverged() int {
	for k := range l.plan.Models {
		m := l.bank.Model(k)
		if kernel.Dot(m, m) < divergenceLimit*divergenceLimit/2 {
			continue // every parameter is below the limit
		}
		for _, v := range m {
			if !(math.Abs(float64(v)) < divergenceLimit) {
				return k
			}
		}
	}
	return -1
}

// onlyLiarsHave reports whether a model has clients, and all of them lie.
func (l *lane) onlyLiarsHave(model int) bool {
	has := false
	for i, k := range l.label {
		if k == model && (l.liar == nil || !l.liar[i]) {
			return false
		}
		has = has || k == model
	}
	return has
}

const scaleData say.Message = "set scale=standard"

func notScaled(reach float64) say.Message {
	return say.Messagef("features of the file reach %s and are not scaled", say.Number(math.Round(reach)))
}

func aboveLimit(rate, limit float64) say.Message {
	return say.Messagef("learning rate %s is above 2/L = %s", say.Figures(rate, 3), say.Figures(limit, 3))
}

// diverge stops the lane at the last finite frame and states the cause: what happened, a colon and
// the reason if it is known, a semicolon and what to do.
func (l *lane) diverge(t int) {
	f := &l.frame
	l.diverged = t
	byLiars := l.onlyLiarsHave(l.divergedModel)
	f.Events = trace.Diverged // the labels of the round before are kept
	copy(l.label, l.labelsBefore)
	limit := math.Inf(1)
	if l.risks != nil {
		limit = 2 / l.risks.Curvature()
	}
	reach, safe := 0.0, 0.0
	if file, ok := l.data.(workload.FromFile); ok {
		reach, safe = file.MaxFeature(), file.SafeRate()
	}
	why, remedy := say.Message(""), say.Message("try a smaller learning rate")
	switch rate := l.plan.Protocol.Rate; {
	case byLiars:
		why, remedy = "only liars train that model", "choose another lie, or fewer rounds"
	case reach > 3:
		why, remedy = notScaled(reach), scaleData
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
	l.cause = say.Messagef("the models diverged in round %d", t)
	if why != "" {
		l.cause = say.JoinMessage([]say.Message{l.cause, why}, ": ")
	}
	l.cause = say.JoinMessage([]say.Message{l.cause, remedy}, "; ")
	l.expectedLosses()
}

// learningProblem explains why the models of a file whose features are not scaled learn badly: their loss is above that
// of a constant prediction, or they predict one class for all samples. It is "" for all other models.
func (l *lane) learningProblem() say.Message {
	file, ok := l.data.(workload.FromFile)
	if !ok || l.diverged >= 0 || file.MaxFeature() <= 3 {
		return ""
	}
	guess := l.firstLoss
	if tested, ok := l.data.(workload.Evaluated); ok && tested.Classes() > 1 {
		guess = min(guess, exact.Log(float64(tested.Classes())))
	}
	if l.frame.Loss <= guess && !l.predictsOneClass() {
		return ""
	}
	why := say.JoinMessage([]say.Message{"the models learn poorly", notScaled(file.MaxFeature())}, ": ")
	return say.JoinMessage([]say.Message{why, scaleData}, "; ")
}

// predictsOneClass reports whether the models predicted the same class for all samples in the last
// evaluation.
func (l *lane) predictsOneClass() bool {
	tested, ok := l.data.(workload.Evaluated)
	if !ok {
		return false
	}
	predicted := map[int]bool{}
	for at, n := range l.lastConfusion {
		if n > 0 {
			predicted[at%tested.Classes()] = true
		}
	}
	return len(predicted) == 1
}
