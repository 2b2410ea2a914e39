// Package fl holds the nouns of federated learning: models on a server, what a
// server may ask of a client, and what it costs. It knows no algorithm, no
// data and no I/O.
//
// An algorithm implements [Server]: Start, and Round, which is written straight down
// like the paper's pseudo-code. Flower's Strategy has the same parts in other words:
// configure_fit is the Ask methods of a [Round], aggregate_fit is [Round.Replies] with
// [Round.Accumulate] and [Round.ApplyMean], and evaluation is the engine's own.
//
// Files:
//
//	fl.go        Server, its optional interfaces, Plan, Env, Bank
//	round.go     Round: ask clients and take their replies
//	apply.go     Round: aggregate updates and move the models
//	exchange.go  tasks, replies and their memory
//	traffic.go   what is charged
//	clock.go     latency, bandwidth, deadline
//	protocol.go  how a client turns a model into an update
//	device.go    a client's side of an algorithm of its own
//	prefetch.go  work for idle workers before the next round
//	recorder.go  a round explained with the numbers of one client
package fl

import (
	"flockscope/clusterer"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// Server is an algorithm: everything that happens on the server's side.
//
// Each lane of a run has a server of its own. Its Round method is written
// straight down, like the paper's pseudo-code: it asks clients for things,
// waits for all answers, and updates models and labels.
type Server interface {
	// Start prepares the server and writes the labels that clients have
	// before the first round. It is called once, and allocates whatever
	// the rounds will need.
	Start(env *Env, label []int)
	// Round plays round r.T. It leaves in r.Label the model that each
	// client was given.
	Round(r *Round)
}

// Embedder is a Server that compares clients. Embedding returns what it compared them by, one
// row per client, after a round that it marked as Reclustered. The matrix belongs to the
// server and changes with its next round.
type Embedder interface {
	Embedding() *clusterer.Matrix
}

// Mixer is a Server that gives clients several models at once. Mixture returns the weights:
// one row per client, which adds up to 1, and one column per model.
type Mixer interface {
	Mixture() *clusterer.Matrix
}

// TestWeigher is a Server whose clients weigh the answers of several models, and which can find
// such weights for a test client too. WeighTest sets weights, one row per model, to those of
// every sample of then; those of a sample add up to 1. losses are those of the test client's
// samples b, one row per model, and may be overwritten.
type TestWeigher interface {
	WeighTest(weights []float32, losses [][]float32, b, then model.Batch)
}

// Briefer is a Server whose clients need more than models and what they keep in order to predict.
// Brief returns the floats that it would send with the next call, as things stand. They are good
// until the next round. See [Personal].
type Briefer interface {
	Brief() []float32
}

// Meter is a Server whose calls carry floats that are not charged (see [Traffic]). Both
// methods are asked about the exchange that is under way, before the reply is received.
type Meter interface {
	// FreeDown returns how many of the floats that go down with the call to client i
	// are free.
	FreeDown(r *Round, i int) int64
	// FreeUp returns how many of the floats that client i answered are.
	FreeUp(r *Round, i int) int64
}

// Plan is what an algorithm makes of its settings: a server, and the number of models that it
// keeps for a number of clients.
//
// The fields about memory tell whether a run fits into it. A test measures every method
// (TestEstimateCovers in package engine), so that a missing number is an error there.
type Plan struct {
	Server Server
	Models int
	// Personal: model i belongs to client i alone.
	Personal bool
	// Local: model i does not leave client i either.
	Local    bool
	Evidence Evidence
	Protocol Protocol // Right and Whole; the catalog fills in the rest
	// UpdatesKept is the number of updates that the server keeps of each client, each of
	// one in Compression parameters. ModelsKept is the number of whole models that it keeps
	// of each client besides.
	UpdatesKept, Compression, ModelsKept int
	// Streams: the server takes updates from [Round.Replies], so that few exist at a time.
	Streams bool
	// Device is the clients' side, nil where losses and updates are enough.
	Device Device
	// AnswerModels is the number of models' sizes that the device answers with, at least
	// one, and ClientModels the number that a client keeps.
	AnswerModels, ClientModels int
	// Refuse, unless nil, says why there can be no such plan for a model, nil if there can.
	// The error's field is a setting of the lane.
	Refuse func(m model.Model) *param.Error
}

// Evidence is what decides who gets which model.
type Evidence uint8

// The kinds of evidence.
const (
	NoEvidence       Evidence = iota // nobody is compared
	LeastLoss                        // each client's model of least loss
	LossVectors                      // clusters among the clients' losses on all models
	GradientFeatures                 // clusters among directions of the clients' gradients
)

// Maker builds a plan from checked settings; clients is C.
type Maker func(v param.Values, clients int) Plan

// Env is what a server knows before the first round.
type Env struct {
	Clients int
	Models  int
	Size    int // parameters of one model, d
	// Exchange carries what the server asks; Start may choose the
	// coordinates of features.
	Exchange *Exchange
	// Head is the part of a model that methods with a common trunk keep one of
	// per cluster: the last layer of a network, all of a smaller model.
	Head model.Segment
	// Samples is the number of samples of each client, n_i.
	Samples []int
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
