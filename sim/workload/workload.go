// Package workload gives the data of a run: the samples of each client, its planted group, the
// model that clients train, and its exact risk where that is known. One workload is one file,
// registered once.
package workload

import (
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/theory"
	"flockscope/sim/trace"
)

// Workload is the data of one run. Its methods may be called by all clients
// at once: after Make it never changes.
type Workload interface {
	// Clients is the number of clients, C.
	Clients() int
	// Groups returns the planted group of each client and the number of groups, or nil and 0 if
	// they are unknown.
	Groups() (of []int, n int)
	// Model is what every client trains.
	Model() model.Model
	// Start writes start model k to params.
	Start(params []float32, k int, s *rng.Stream)
	// Draw fills b with n random samples of a client, or all it has if that is fewer. The first m
	// of n samples are a random sample of size m.
	Draw(b *model.Batch, client, n int, s *rng.Stream)
	// Samples is the weight of a client in weighted means, n_i.
	Samples(client int) int
	// DataPreview returns the data plane to draw behind the run.
	DataPreview(s *rng.Stream, seed uint64) trace.DataPreview
}

// Analytic is a workload whose risk has a closed form. The model predicts a number, as a weighted
// sum of its inputs and a constant; the loss is the squared error.
type Analytic interface {
	// Risk returns the expected loss of a model on fresh samples of the
	// client; for data from a file, the mean loss over all its rows.
	Risk(client int, params []float32) float64
	// Line sets dst, which has one element per input and one more, to a model's weights and its
	// constant.
	Line(dst []float64, params []float32)
	// LineRisk is Risk of such weights.
	LineRisk(client int, line []float64) float64
	// Nodes fills b with inputs of equal weight that represent the client's distribution, and the
	// mean output at each: the rows of a file, quantiles of a single input, or otherwise a fixed
	// sample.
	Nodes(b *model.Batch, client int)
	// Curvature returns the largest second derivative L of any client's
	// risk: gradient descent with a rate above 2/L diverges.
	Curvature() float64
}

// Planted is an Analytic workload whose best models are known, so that runs can be held against theorems about them.
type Planted interface {
	Analytic
	// Distance returns how far a model is from the best one of a client: ‖θ − θ*‖, or dist(B, B*) of a representation,
	// with s for its memory.
	Distance(client int, params []float32, s *theory.Subspace) float64
	// Convexity returns the smallest second derivative μ of any client's risk, 0 if a risk is not convex.
	Convexity() float64
}

// WithGradients is a Planted workload whose risk is quadratic. Gradient sets dst to the gradient of a client's risk.
type WithGradients interface {
	Planted
	Gradient(dst []float64, client int, params []float32)
}

// SharedDraws is a workload whose samples are functions of random numbers that depend on no
// setting, two per sample. Draw is RandomNumbers, then FromNumbers.
type SharedDraws interface {
	// RandomNumbers draws the numbers of len(dst)/2 samples.
	RandomNumbers(dst []float64, s *rng.Stream)
	// FromNumbers fills b with the samples of a client that these numbers give.
	FromNumbers(b *model.Batch, client int, chance []float64)
}

// Finite is a workload whose clients hold a finite number of samples, so that epochs are defined.
type Finite interface {
	// Holds is the number of samples that the client trains on.
	Holds(client int) int
	// Take fills b with the samples of a client that have these numbers,
	// from 0 to Holds − 1.
	Take(b *model.Batch, client int, which []int32)
}

// Evaluated is a workload whose clients hold out samples for evaluation. Evaluation takes time, so
// it is not done after every round.
type Evaluated interface {
	Finite
	// TestSamples fills b with the held-out samples of a client.
	TestSamples(b *model.Batch, client int)
	// Every is the number of rounds between evaluations.
	Every() int
	// Classes is the number of classes, 0 where the model does not classify.
	Classes() int
}

// FromFile is a workload of a user's file.
type FromFile interface {
	// MaxFeature is the largest absolute value of an unscaled feature, 0 if all are scaled.
	MaxFeature() float64
	// SafeRate is a learning rate at which linear models of the features are stable, 0 if unknown.
	SafeRate() float64
}

// WithTestClients is an evaluated workload with test clients, which do not train and hold samples
// of no other client: HCFL's way to test whether models generalize beyond their own clients.
type WithTestClients interface {
	Evaluated
	// TestClients is the number of test clients, which may be 0.
	TestClients() int
	// TestClientSamples fills first with the samples by which a test client chooses a model, and
	// then with its test samples.
	TestClientSamples(first, then *model.Batch, client int)
	// HeldOut is the number of held-out samples of a client.
	HeldOut(client int) int
}

// asserted here, because at run time a method with another name would go unnoticed
var (
	_ WithTestClients = (*shared)(nil)
	_ Evaluated       = (*Remote)(nil)
	_ FromFile        = (*shared)(nil)
	_ Augmenter       = (*shared)(nil)
	_ SharedDraws     = (*linreg)(nil)
	_ SharedDraws     = (*mix1d)(nil)
	_ Analytic        = (*table)(nil)
	_ WithGradients   = (*linreg)(nil)
	_ Planted         = (*mixreg)(nil)
	_ Planted         = (*linrep)(nil)
)

// Maker builds a workload from checked settings. v holds the workload's own fields and C; file is
// nil unless the user opened one.
type Maker func(v param.Values, file *File) (Workload, error)

// Spec describes a workload beyond the common meta data.
type Spec struct {
	Make Maker
	// Defaults overrides the defaults of any field for this workload.
	Defaults map[string]string
	// NeedFile means that the samples come from the user's files, and FromFile that C does too.
	NeedFile, FromFile bool
	// Endless means that clients draw new samples in every round; such a workload is not [Finite].
	Endless bool
}

// Registry lists every workload.
var Registry registry.Registry[Spec]
