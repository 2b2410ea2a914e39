package fl

import (
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// Device is the client's side of a method that asks for more than losses and updates: a decomposition of the client's
// data, a model trained with weights per sample, a prototype per class. It may run in another process than the
// algorithm, next to the client's samples: a device knows what is sent and what its context offers, and nothing more.
type Device interface {
	// Do performs operation op with the floats that were sent and appends the answer to dst.
	Do(dst []float32, op int, with []float32, at ClientContext) []float32
}

// Personal is a Device whose clients do not use the model that they are given, but one of their own: adapted or mixed.
// This one is evaluated: on held-out samples or, where it is known in closed form, by the expected loss.
//
// Evaluation uses the state after the round: models and labels as the algorithm left them, what it would send a client now
// ([Broadcaster]: which clusters were split or removed, prototypes, Gaussians), and a client's state as its last call left
// it. So it does not depend on who took part in the round. It changes nothing and costs no traffic: Personalize and Weigh
// must not change the state.
type Personal interface {
	Device
	// Personalize sets dst to the parameters that the client uses. given are those of the model that its label names.
	Personalize(dst, given []float32, at ClientContext)
}

// Ensemble is a Device whose clients average the predictions of several models: probabilities of classes, or numbers. The
// average is evaluated, by the rules of [Personal].
type Ensemble interface {
	Device
	// Weigh sets dst, one row per model, to the weights of the models for every sample of b. The weights of a sample add
	// up to 1.
	Weigh(dst []float32, b model.Batch, at ClientContext)
	// ByInput reports whether weights depend on a sample's inputs. If not, they are the same for all samples.
	ByInput() bool
}

// Gradient sets dst to the gradient at params on a batch. samples are the indices of the batch's samples among the
// client's training samples; nil where the client draws fresh samples in every round.
type Gradient func(dst, params []float32, b model.Batch, samples []int32)

// ClientContext gives a device the client's samples, the models that were sent, and the client's state. The result of a
// method is valid until the next call of that method.
type ClientContext interface {
	Client() int
	Round() int // Round is the index of the round, from 1.
	Protocol() Protocol
	// Model computes with parameters that are passed in. Network is the model if it is a network, else nil.
	Model() model.Model
	Network() *model.Network
	// Params are the parameters of model k, which the task must name. Do not modify them.
	Params(k int) []float32
	// Minibatch and Probe are the samples of this round.
	Minibatch() model.Batch
	Probe() model.Batch
	// ExtraMinibatch is another minibatch, drawn with s, independently of Minibatch.
	ExtraMinibatch(s *rng.Stream) model.Batch
	// SampleCount is the number of the client's training samples. Samples are those from low to high, excluding high.
	// Where the client draws fresh samples in every round, these are the size of a minibatch and the minibatch.
	SampleCount() int
	Samples(low, high int) model.Batch
	// Update sets dst to the update of params by the protocol, before clipping and noise: a gradient on the minibatch, or
	// params minus the model after local training. gradient, unless nil, replaces the gradient of the model's mean loss.
	// The optimiser starts anew, since a device may train several models per round.
	Update(dst, params []float32, gradient Gradient)
	// Train is Update with another number of epochs; under gradient averaging it is Update.
	Train(dst, params []float32, epochs int, gradient Gradient)
	// Protect clips, noises and quantizes an update in place, as the protocol says, before it is sent. Quantize limits the
	// decimals of everything else that is sent; whole numbers, such as counts, need none.
	Protect(update []float32)
	Quantize(values []float32)
	// State is the state that the client keeps between calls of Do, empty at first.
	State() *[]float32
	// Broadcast is, during evaluation, what the algorithm would send the client now ([Broadcaster]); empty at other times.
	Broadcast() []float32
	// Stream is the client's random stream of this round for a purpose of the method.
	Stream(p rng.Purpose) *rng.Stream
	// Scratch returns n floats of working memory with unspecified contents. Slots do not overlap; a call invalidates what
	// its slot returned before.
	Scratch(slot, n int) []float32
}
