package fl

import (
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// Device is the client's side of an algorithm that asks for more than losses and
// updates: a decomposition of the client's data, a model trained under weights
// of its own, a prototype a class. A client is where its samples are, so the work
// comes to it by name, and may be done in another program than the server's: a
// device knows what is sent and what the place offers, and nothing else.
type Device interface {
	// Do does op with the floats that came along and appends the answer to
	// dst.
	Do(dst []float32, op int, with []float32, at ClientContext) []float32
}

// Personal is a Device whose clients use a model of their own where others use
// the one they were given: one adapted, or one mixed. Exams try it, and where a
// workload knows risks by a formula frames show those of it.
type Personal interface {
	Device
	// Personalize writes to dst the parameters that the client uses; given are those
	// of the model that its label names.
	Personalize(dst, given []float32, at ClientContext)
}

// Ensemble is a Device whose clients ask several models and weigh what these
// answer: class by class their probabilities, or the numbers that they predict.
type Ensemble interface {
	Device
	// Weigh sets dst, a row a model, to its weight for every sample of b; those
	// of a sample add up to 1.
	Weigh(dst []float32, b model.Batch, at ClientContext)
}

// Gradient sets dst to a gradient by params on a batch. samples are the numbers of
// the batch's samples where they can be counted, nil elsewhere.
type Gradient func(dst, params []float32, b model.Batch, samples []int32)

// ClientContext is what a client has: samples, models that were sent, memory. What it
// returns is valid until the next call of the same method.
type ClientContext interface {
	Client() int
	Round() int // from 1
	Protocol() Protocol
	// Model computes; its parameters are always given. Network is nil where
	// it is not one.
	Model() model.Model
	Network() *model.Network
	// Params are those of model k, which the task must name; do not modify.
	Params(k int) []float32
	// Minibatch and Probe are the samples of this round.
	Minibatch() model.Batch
	Probe() model.Batch
	// ExtraMinibatch is one more minibatch, drawn by s, whatever Minibatch has: samples of
	// the client may be in both.
	ExtraMinibatch(s *rng.Stream) model.Batch
	// Held is the number of the client's training samples, the size of a
	// minibatch where they cannot be counted; Samples are those from low to
	// high, or the minibatch.
	Held() int
	Samples(low, high int) model.Batch
	// Update makes an update of params as the protocol says: a gradient on the
	// minibatch, or what some epochs of training take away. gradient, unless
	// nil, stands in for the gradient of the model's mean loss. The optimiser
	// starts anew: a device that trains several models in a round, or one of
	// its own making, has no use for what it remembered of another.
	Update(dst, params []float32, gradient Gradient)
	// Train is Update with so many epochs, where there are any, in place of the
	// protocol's.
	Train(dst, params []float32, epochs int, gradient Gradient)
	// State is what Do keeps for the next time: as long as it was left, empty
	// at first.
	State() *[]float32
	// Stream draws for a purpose of the algorithm's own.
	Stream(p rng.Purpose) *rng.Stream
	// Scratch is n floats to work with; those of different slots do not
	// overlap.
	Scratch(slot, n int) []float32
}
