package engine

import (
	"fmt"
	"math"

	"flockscope/sim/kernel"
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

// diverge freezes the lane at the last finite frame and says why.
func (l *lane) diverge(t int) {
	f := &l.frame
	l.diverged = t
	f.Events = trace.Diverged // nobody is moved: the labels are those of before
	copy(l.label, l.before)
	limit := math.Inf(1)
	if l.risks != nil {
		limit = 2 / l.risks.Curvature()
	}
	reach := 0.0
	if file, ok := l.data.(workload.Unscaled); ok {
		reach = file.Reach()
	}
	switch rate := l.plan.Protocol.Rate; {
	case reach > 3:
		l.cause = fmt.Sprintf("the models blew up in round %d: numbers of the file go up to %.3g, and are not scaled; "+
			"set scale=standard", t, reach)
	case rate > limit && limit/2 < 1e-6: // below any rate that can be set
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; scale the data down",
			t, rate, limit)
	case rate > limit:
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; try %.1g", t, rate,
			limit, limit/2)
		l.suggestedRate = limit / 2
	default:
		l.suggestedRate = rate / 2
		l.cause = fmt.Sprintf("the models blew up in round %d; try a smaller learning rate", t)
	}
	l.expectedLosses()
}
