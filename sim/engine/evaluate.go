package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

// evaluationDue reports whether models are evaluated after round t.
func (l *lane) evaluationDue(t int) bool {
	return l.evaluation != nil && (t%l.evaluatedData.Every() == 0 || t == l.rounds)
}

// broadcast sets the floats that the server would send to all clients now, for an evaluation.
func (l *lane) broadcast() {
	if b, ok := l.plan.Algorithm.(fl.Broadcaster); ok {
		l.job.Broadcast = b.Broadcast()
	}
}

// evaluate evaluates the model of every client on the client's held-out samples. Means are over honest clients.
func (l *lane) evaluate() {
	l.broadcast()
	l.job.Evaluation = l.evaluation
	l.pool.Play(&l.job)
	l.job.Evaluation = nil
	f := &l.frame
	if l.evaluated = f.Round; f.Round > 0 {
		l.round.Prefetch(false)
	}
	f.Events |= trace.Evaluated
	f.Accuracy, f.Loss, f.Worst = 0, 0, 0
	n := 0.0
	for i, loss := range l.evaluation.Loss {
		if l.lies(i) {
			continue
		}
		n++
		f.Loss += loss
		f.Worst = max(f.Worst, loss)
		f.Accuracy += float64(l.evaluation.Accuracy[i])
	}
	f.Loss /= n
	f.Accuracy /= n
	l.measureAttack()
	f.Accuracies, f.Confusion = l.evaluation.Accuracy, l.evaluation.Confusion
	if h := l.testClients; h != nil {
		f.Val, f.Test = h.Val(l.evaluation.Accuracy), h.Test(&l.job, l.label)
	}
	f.Weights = trace.Digest(l.bank.Params)
	if l.rebuilder != nil {
		f.Reconstructed = l.rebuilder.rebuild(&l.bank)
	}
}
