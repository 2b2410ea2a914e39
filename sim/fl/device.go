package fl

import (
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// Device is the client's side of an algorithm that asks for more than losses and updates: a
// decomposition of the client's data, a model trained under weights of its own, a prototype per
// class. It may run in another program than the server, next to the client's samples: a device
// knows what is sent and what its context offers, and nothing else.
type Device interface {
	// Do does operation op with the floats that were sent and appends the answer to dst.
	Do(dst []float32, op int, with []float32, at ClientContext) []float32
}

// Personal is a Device whose clients do not use the model that they are given, but one of their
// own: adapted or mixed. It is what is evaluated: tried on samples that are held back or, where the
// expected loss is known in closed form, judged by that.
//
// Evaluation sees one state, that after the round: models and labels as the server left them,
// what the server would tell a client now ([Briefer]: which clusters were split or removed,
// prototypes, Gaussians), and what a client keeps, as its last call left it. So it does not matter
// who took part in the round. An evaluation keeps nothing and costs no traffic:
// Personalize and Weigh must not change the state.
type Personal interface {
	Device
	// Personalize writes to dst the parameters that the client uses. given are those of the
	// model that its label names.
	Personalize(dst, given []float32, at ClientContext)
}

// Ensemble is a Device whose clients ask several models and weigh their answers: probabilities of
// classes, or predicted numbers. That is what is evaluated, by the rule of [Personal].
type Ensemble interface {
	Device
	// Weigh sets dst, one row per model, to the weights of the models for every sample of b.
	// Those of a sample add up to 1.
	Weigh(dst []float32, b model.Batch, at ClientContext)
	// ByInput reports whether weights depend on a sample's inputs. If not, all samples have the
	// same.
	ByInput() bool
}

// Gradient sets dst to the gradient at params on a batch. samples are the numbers of the batch's
// samples among the client's training samples; nil where these are endless.
type Gradient func(dst, params []float32, b model.Batch, samples []int32)

// ClientContext is what a client has: samples, the models that were sent, memory. What a method
// returns is valid until its next call.
type ClientContext interface {
	Client() int
	Round() int // from 1
	Protocol() Protocol
	// Model computes with parameters that are passed in. Network is the same as a network,
	// nil if it is none.
	Model() model.Model
	Network() *model.Network
	// Params are the parameters of model k, which the task must name; do not modify.
	Params(k int) []float32
	// Minibatch and Probe are the samples of this round.
	Minibatch() model.Batch
	Probe() model.Batch
	// ExtraMinibatch is one more minibatch, drawn with s, independently of Minibatch.
	ExtraMinibatch(s *rng.Stream) model.Batch
	// Held is the number of the client's training samples; where these are endless, the size
	// of a minibatch. Samples are those from low to high, excluding high, or the minibatch.
	Held() int
	Samples(low, high int) model.Batch
	// Update sets dst to the update of params by the protocol, as the client has it: a gradient
	// on the minibatch, or params minus what local training arrives at. gradient, unless nil, replaces the gradient
	// of the model's mean loss. The optimiser starts anew, since a device may train several
	// models per round.
	Update(dst, params []float32, gradient Gradient)
	// Train is Update with another number of epochs; under gradient averaging it is Update.
	Train(dst, params []float32, epochs int, gradient Gradient)
	// Protect makes an update what is sent of it: clipped, noised and quantized, as the protocol
	// says. Whoever goes on with the update itself keeps a copy. Quantize does to all else that
	// is sent what the protocol says of decimals; whole numbers, such as counts, need none.
	Protect(update []float32)
	Quantize(values []float32)
	// State is what Do keeps for its next call: empty at first, then as Do left it.
	State() *[]float32
	// Told is, while models are evaluated, what the server would tell the client now ([Briefer]);
	// nothing at other times.
	Told() []float32
	// Stream is the client's random stream of this round for a purpose of the algorithm.
	Stream(p rng.Purpose) *rng.Stream
	// Scratch is n floats of working memory, which hold anything. Different slots do not overlap;
	// what a slot returned before is of no use any more.
	Scratch(slot, n int) []float32
}
