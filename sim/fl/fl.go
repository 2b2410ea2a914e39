// Package fl holds the terms of federated learning: models on a server, what a server may ask of a client, and what it
// costs. It knows no method, no data and no I/O.
//
// A method implements [Algorithm]: Start, and Round, which reads like the paper's pseudo-code. Flower's Strategy has the
// same parts under other names: configure_fit is the Ask methods of a [Round], aggregate_fit is [Round.Replies] with
// [Round.Accumulate] and [Round.ApplyMean], and evaluation is the engine's own.
//
// Files:
//
//	fl.go        Algorithm, its optional interfaces, Plan, Env, Bank
//	round.go     Round: ask clients and take their replies
//	apply.go     Round: aggregate updates and apply them to the models
//	average.go   how updates are averaged: the mean, medians, Krum and others
//	rebalance.go Round: fill small clusters before that (RR-Cluster)
//	exchange.go  tasks, replies and their memory
//	traffic.go   the floats that are counted
//	clock.go     latency, bandwidth, deadline
//	protocol.go  how a client turns a model into an update
//	device.go    the client's side, where a method needs more than losses and updates
//	prefetch.go  work for idle workers before the next round
//	recorder.go  notes that explain a round with the numbers of one client
package fl

import (
	"flockscope/clusterer"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// Algorithm is the server's side of a method: everything that happens on the server.
//
// Each lane of a run has one of its own. Its Round method reads like the paper's pseudo-code: it asks clients for things,
// waits for all replies, and updates models and labels.
type Algorithm interface {
	// Start prepares the algorithm and sets the labels that clients have before the first round. It is called once, and
	// allocates what the rounds need.
	Start(env *Env, label []int)
	// Round plays round r.T. Afterwards r.Label holds the model of each client.
	Round(r *Round)
}

// Embedder is an Algorithm that compares clients. Embedding returns what it compared them by, one row per client, after a
// round that it marked as Reclustered. The matrix belongs to the algorithm and changes with its next round.
type Embedder interface {
	Embedding() *clusterer.Matrix
}

// Rememberer is an Embedder that averages the replies of each client over rounds.
type Rememberer interface {
	Embedder
	// Remembers is false if settings make it forget.
	Remembers() bool
	// Averaged returns how many replies of each client it has averaged.
	Averaged() []uint16
	// Alone returns by how much each row of Embedding would change, in the same coordinates, if the newest reply of this
	// client stood in the place of the mean that it belongs to; nil if that would take long.
	Alone() *clusterer.Matrix
}

// Profiler is an Algorithm that averages gradients of models that all clients receive in turn. Profile returns the averages
// after a round with a clustering, one row per client with a block of numbers per model, and the model whose gradients were
// added last; nil if they are not kept as rows, or are not means of whole gradients.
type Profiler interface {
	Profile() (averages *clusterer.Matrix, model int)
}

// Mixer is an Algorithm whose clients use several models at once. Mixture returns the weights: one row per client, which
// adds up to 1, and one column per model.
type Mixer interface {
	Mixture() *clusterer.Matrix
}

// TestWeigher is an Algorithm whose clients weigh the predictions of several models, and which can find such weights for a
// test client too. WeighTest finds them from losses, those of the test client's samples b, one row per model, and sets
// weights, one row per model, to those of every sample of then. The weights of a sample add up to 1. losses may be
// overwritten.
type TestWeigher interface {
	WeighTest(weights []float32, losses [][]float32, b, then model.Batch)
}

// Broadcaster is an Algorithm whose clients need more than models and their own state to predict. Broadcast returns the
// floats that it would send all clients with the next call. They are valid until the next round. See [Personal].
type Broadcaster interface {
	Broadcast() []float32
}

// Meter is an Algorithm whose calls carry floats that do not count as traffic (see [Traffic]). Its methods are called
// during the exchange, before the reply is received.
type Meter interface {
	// FreeDown returns how many of the floats sent with the call to client i do not count.
	FreeDown(r *Round, i int) int64
	// FreeUp returns how many of the floats that client i answered do not count.
	FreeUp(r *Round, i int) int64
}

// Plan is the result of a method's settings and a number of clients: an algorithm, the number of its models, and the
// clients' side.
//
// The fields about memory tell whether a run fits into it. A test measures every method (TestEstimateCovers in package
// engine), so that a missing number is an error there.
type Plan struct {
	Algorithm Algorithm
	Models    int
	// Personal means that model i belongs to client i only.
	Personal bool
	// Local means that model i does not leave client i either.
	Local    bool
	Evidence Evidence
	Protocol Protocol // Right and Whole; the catalog sets the other fields
	// UpdatesKept is the number of updates per client that the server keeps, each of one in Compression parameters.
	// ModelsKept is the number of whole models per client that it keeps in addition.
	UpdatesKept, Compression, ModelsKept int
	// SharesTrunk means that all models have the same parameters before the head.
	SharesTrunk bool
	// Streams means that the algorithm takes updates from [Round.Replies], so that few exist at a time.
	Streams bool
	// Device is the clients' side, nil where losses and updates are enough.
	Device Device
	// AnswerModels is the length of a device's answer, in models, at least 1. ClientModels is the number of models that a
	// client keeps.
	AnswerModels, ClientModels int
	// AnswersUpdate means that an answer begins with the client's update of the model that it was sent.
	AnswersUpdate bool
	// Refuse, unless nil, returns an error if the plan is not possible with a model. The error's field is a setting of the
	// lane.
	Refuse func(m model.Model) *param.Error
}

// Evidence is the data that decide which client gets which model.
type Evidence uint8

// The kinds of evidence.
const (
	NoEvidence       Evidence = iota // clients are not compared
	LeastLoss                        // each client gets the model with the least loss
	LossVectors                      // clusters of loss vectors
	GradientFeatures                 // clusters of gradient directions
)

// Maker builds a plan from checked settings; clients is the number of clients, C.
type Maker func(v param.Values, clients int) Plan

// Env is the information of an algorithm before the first round.
type Env struct {
	Clients int
	Models  int
	Size    int // parameters of one model, d
	// Exchange carries tasks and replies; Start may choose the coordinates of features.
	Exchange *Exchange
	// Head is the part of a model that methods with a common trunk keep per cluster: the last layer of a network, all of a
	// smaller model.
	Head model.Segment
	// Samples is the number of samples of each client, n_i.
	Samples []int
	// Planted is the true group of each client, nil where it is not known. A method that reads it is an oracle.
	Planted []int
	// Seed is the algorithm's seed.
	Seed uint64
}

// Stream returns the algorithm's stream for a purpose.
func (e *Env) Stream(p rng.Purpose, a, b int) *rng.Stream {
	s := new(rng.Stream)
	s.Reset(e.Seed, p, a, b)
	return s
}

// Bank is a set of models of equal size, flat, one after the other.
type Bank struct {
	Params []float32
	Size   int
}

// NewBank returns models of zeros.
func NewBank(models, size int) Bank { return Bank{make([]float32, models*size), size} }

// Models returns the number of models.
func (b *Bank) Models() int { return len(b.Params) / b.Size }

// Model returns the parameters of model k, not a copy.
func (b *Bank) Model(k int) []float32 { return b.Params[k*b.Size : (k+1)*b.Size] }
