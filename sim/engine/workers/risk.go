package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// Risk returns the expected loss of a client's predictions for a workload that is
// [workload.Analytic]: by the model of its label, by its personalized model ([fl.Personal]), or by
// the weighted models ([fl.Ensemble]).
func (b *Workspace) Risk(client, label int, v *Job) float64 {
	params, risks := v.Exchange.Bank.Model(label), b.data.(workload.Analytic)
	if all, ok := v.Device.(fl.Ensemble); ok {
		return b.blendedRisk(client, v, all, risks)
	}
	if _, ok := v.Device.(fl.Personal); ok {
		params = b.Personalize(client, params, v)
	}
	return risks.Risk(client, params)
}

// blendedRisk is the risk of g(x) = Σ_k w_k(x) f_k(x), where f_k are weighted sums of inputs. Under
// weights that are the same for all x, g is such a sum too, f̄, and its risk is known. Otherwise
//
//	E (g − y)² = E (f̄ − y)² + E (g − f̄) (g + f̄ − 2 E[y given x])
//
// with f̄ under the mean weights. The first term is known. The second has no closed form, since
// weights are ratios of Gaussians; it is a mean over nodes ([workload.Analytic]), the same in every
// round. It is small if one model has nearly all weight, and 0 if the weights are the same for all
// x.
func (b *Workspace) blendedRisk(client int, v *Job, all fl.Ensemble, risks workload.Analytic) float64 {
	bank, width := v.Exchange.Bank, b.Model.Inputs()+1
	models := bank.Models()
	b.nodes.N = 1
	if all.ByInput() {
		risks.Nodes(&b.nodes, client)
	}
	n := b.nodes.N
	b.weights = trace.Resize(b.weights, models*n)
	all.Weigh(b.weights, b.nodes, b.context(client, v))

	b.lines, b.mean = trace.Resize(b.lines, models*width), trace.Resize(b.mean, width)
	clear(b.mean)
	for k := range models {
		line, total := b.lines[k*width:(k+1)*width], 0.0
		risks.Line(line, bank.Model(k))
		for _, w := range b.weights[k*n : (k+1)*n] {
			total += float64(w)
		}
		for j, x := range line {
			b.mean[j] += float64(total / float64(n) * x)
		}
	}
	risk := risks.LineRisk(client, b.mean)
	if !all.ByInput() {
		return risk
	}
	b.deviation = trace.Resize(b.deviation, width) // g − f̄, as weights of the inputs at one node
	sum := 0.0
	for i := range n {
		x := b.nodes.X[i*(width-1) : (i+1)*(width-1)]
		for j, m := range b.mean {
			b.deviation[j] = -m
		}
		for k := range models {
			w := float64(b.weights[k*n+i])
			for j, c := range b.lines[k*width : (k+1)*width] {
				b.deviation[j] += float64(w * c)
			}
		}
		off, mean := b.deviation[width-1], b.mean[width-1]
		for j, value := range x {
			off += float64(b.deviation[j] * float64(value))
			mean += float64(b.mean[j] * float64(value))
		}
		sum += float64(off * (off + 2*(mean-float64(b.nodes.Y[i]))))
	}
	return max(0, risk+sum/float64(n))
}
