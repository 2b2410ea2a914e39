package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// evaluate tests the client's model on what the client holds back.
func (b *workspace) evaluate(client int, v *job) {
	e := v.evaluation
	if all, ok := v.device.(fl.Ensemble); ok {
		b.evaluateEnsemble(client, v, all)
		return
	}
	params := v.exchange.Bank.Model(e.label[client])
	if _, ok := v.device.(fl.Personal); ok {
		params = b.personalize(client, params, v)
	}
	b.data.(workload.Tested).Exam(&b.piece, client)
	if e.classes == 0 {
		e.loss[client] = b.model.Loss(params, b.piece)
		return
	}
	e.loss[client] = b.model.(*model.Network).Confusion(e.confusionOf(client), params, b.piece)
	e.score(client, b.piece.N)
}

// personalize returns what a client makes of the model that it was given: its device is
// [fl.Personal].
func (b *workspace) personalize(client int, given []float32, v *job) []float32 {
	b.personal = grow(b.personal, len(given))
	b.sample(client, v.round)
	v.device.(fl.Personal).Personalize(b.personal, given, b.context(client, v))
	return b.personal
}

// evaluateEnsemble is examine where a client weighs the answers of all models.
func (b *workspace) evaluateEnsemble(client int, v *job, all fl.Ensemble) {
	e, net := v.evaluation, b.model.(*model.Network)
	b.sample(client, v.round)
	b.data.(workload.Tested).Exam(&b.piece, client)
	b.weights = grow(b.weights, v.exchange.Bank.Models()*b.piece.N)
	all.Weigh(b.weights, b.piece, b.context(client, v))
	b.blend(net, v, b.piece)
	e.loss[client] = net.LossOf(b.answers, b.piece)
	if e.classes > 0 {
		net.ConfusionOf(e.confusionOf(client), b.answers, b.piece)
		e.score(client, b.piece.N)
	}
}

// blend sets answers to what the models answer to samples, under the weights on the
// bench.
func (b *workspace) blend(net *model.Network, v *job, samples model.Batch) {
	n := samples.N
	b.answers = grow(b.answers, n*net.Outputs())
	clear(b.answers)
	for k := range v.exchange.Bank.Models() {
		net.Blend(b.answers, b.weights[k*n:(k+1)*n], v.exchange.Bank.Model(k), samples)
	}
}
