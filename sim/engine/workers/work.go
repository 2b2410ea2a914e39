package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/workload"
)

// Work is an estimate of what a run computes, in multiply-adds of all clients and lanes.
type Work struct {
	Start float64 // before the first round: losses and evaluations of the first models
	Total float64 // of the whole run
}

// WorkOf estimates the work of the planned lanes. A method may do half or twice as much: a few compute a second update in
// some rounds, or train before the first one.
func WorkOf(data workload.Workload, plans []fl.Plan, set *Settings) Work {
	const gradient = 3 // forward passes that a gradient takes
	forward, c := float64(data.Model().MultiplyAdds()), float64(data.Clients())
	samples, evaluated := 0.0, 0.0 // of all clients
	finite, _ := data.(workload.Finite)
	tested, _ := data.(workload.WithTestClients)
	for i := range data.Clients() {
		if finite != nil {
			samples += float64(finite.Holds(i))
		} else {
			samples += float64(set.Batch)
		}
		if tested != nil {
			n := tested.HeldOut(i)
			if exam := set.Values.Int("exam"); exam > 0 {
				n = min(n, exam)
			}
			evaluated += float64(n)
		}
	}
	var w Work
	for i := range plans {
		p := &plans[i]
		columns := p.Models
		if p.Personal {
			columns = 1
		}
		blended := 1                                                           // models that a client uses
		if _, ok := p.Device.(fl.Ensemble); ok && p.AnswerModels >= p.Models { // else they are heads on one trunk
			blended = p.Models
		}
		losses := float64(c * float64(set.Probes[i]*columns) * forward)
		evaluation := float64(evaluated * float64(blended) * forward)
		update := float64(c * float64(set.Batch) * gradient * forward)
		if e := p.Protocol.Epochs; e > 0 {
			update = samples * float64(e) * gradient * forward
		} else if p.Protocol.Whole {
			update = samples * gradient * forward
		}
		round := float64(update * float64(blended))
		if p.Evidence == fl.LeastLoss || p.Evidence == fl.LossVectors || blended > 1 {
			round += losses
		}
		round *= set.Values.Float("rho")
		w.Start += losses + evaluation
		w.Total += losses + evaluation + float64(float64(set.Rounds)*round)
		if tested != nil {
			w.Total += float64(float64(set.Rounds/tested.Every()) * (losses + evaluation))
		}
	}
	return w
}
