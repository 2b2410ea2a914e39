package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// evaluate evaluates the client's model on the client's held-out samples.
func (b *Workspace) evaluate(client int, v *Job) {
	e := v.Evaluation
	if all, ok := v.Device.(fl.Ensemble); ok {
		b.evaluateEnsemble(client, v, all)
		return
	}
	params := v.Exchange.Bank.Model(e.label[client])
	if _, ok := v.Device.(fl.Personal); ok {
		params = b.Personalize(client, params, v)
	}
	b.data.(workload.Evaluated).TestSamples(&b.piece, client)
	if e.classes == 0 {
		e.Loss[client] = b.Model.Loss(params, b.piece)
		return
	}
	e.Loss[client] = b.Model.(*model.Network).Confusion(e.confusionOf(client), params, b.piece)
	e.score(client, b.piece.N)
	if b.patch != nil {
		e.Fooled[client] = b.fooled(&b.piece, func(patched model.Batch) int {
			return b.Model.(*model.Network).Correct(params, patched)
		})
	}
}

// Personalize returns the model that a client makes of the given one. The job's device must be
// [fl.Personal]. The result is valid until the next call.
func (b *Workspace) Personalize(client int, given []float32, v *Job) []float32 {
	b.personal = trace.Resize(b.personal, len(given))
	b.Sample(client, v.Round)
	v.Device.(fl.Personal).Personalize(b.personal, given, b.context(client, v))
	return b.personal
}

// evaluateEnsemble is evaluate for a client that weighs the outputs of all models.
func (b *Workspace) evaluateEnsemble(client int, v *Job, all fl.Ensemble) {
	e, net := v.Evaluation, b.Model.(*model.Network)
	b.Sample(client, v.Round)
	b.data.(workload.Evaluated).TestSamples(&b.piece, client)
	b.weights = trace.Resize(b.weights, v.Exchange.Bank.Models()*b.piece.N)
	all.Weigh(b.weights, b.piece, b.context(client, v))
	b.blend(net, v, b.piece)
	e.Loss[client] = net.LossOf(b.answers, b.piece)
	if e.classes > 0 {
		net.ConfusionOf(e.confusionOf(client), b.answers, b.piece)
		e.score(client, b.piece.N)
	}
	if b.patch != nil {
		e.Fooled[client] = b.fooled(&b.piece, func(patched model.Batch) int {
			b.weights = trace.Resize(b.weights, v.Exchange.Bank.Models()*patched.N)
			all.Weigh(b.weights, patched, b.context(client, v))
			b.blend(net, v, patched)
			return net.CorrectOf(b.answers, patched)
		})
	}
}

// blend sets answers to the mean output of the models for some samples, under the weights of the
// workspace.
func (b *Workspace) blend(net *model.Network, v *Job, samples model.Batch) {
	n := samples.N
	samples = b.withFeatures(v, samples)
	b.answers = trace.Resize(b.answers, n*net.Outputs())
	clear(b.answers)
	for k := range v.Exchange.Bank.Models() {
		net.Blend(b.answers, b.weights[k*n:(k+1)*n], v.Exchange.Bank.Model(k), samples)
	}
}
