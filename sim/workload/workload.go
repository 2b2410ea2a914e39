// Package workload says what the clients of a run hold: how their samples come
// about, which group each of them was planted in, which model they train and
// how good a model is for them. One workload is one file, registered once.
package workload

import (
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// Workload is the data of one run. Its methods may be called by all clients
// at once: after Make it never changes.
type Workload interface {
	// Clients is the number of clients, C.
	Clients() int
	// Groups returns the planted group of each client and the number of
	// groups, or nil and 0 when nobody knows.
	Groups() (of []int, n int)
	// Model is what every client trains.
	Model() model.Model
	// Start writes start model k to params.
	Start(params []float32, k int, s *rng.Stream)
	// Draw fills b with n fresh samples of a client: all it has, if it has
	// fewer. The stream decides which. The first m of n samples are a fair
	// sample of size m themselves.
	Draw(b *model.Batch, client, n int, s *rng.Stream)
	// Samples is the number of samples a client counts for in a weighted
	// mean, n_i.
	Samples(client int) int
	// Scenery returns the data plane to draw behind the run.
	Scenery(s *rng.Stream, seed uint64) trace.Scenery
}

// Analytic is a workload that knows how good a model is without trying it. The model predicts a
// number, as a weighted sum of its inputs and a constant; the loss is the squared error.
type Analytic interface {
	// Risk returns the expected loss of a model on fresh samples of the
	// client; for data from a file, the mean loss over all its rows.
	Risk(client int, params []float32) float64
	// Line sets dst, which has a place for each input and one more, to a model's weights of the
	// inputs and its constant.
	Line(dst []float64, params []float32)
	// LineRisk is Risk of such weights.
	LineRisk(client int, line []float64) float64
	// Nodes fills b with inputs that stand for all of the client's, each of which counts the same,
	// and with the mean output there: the rows of a file, points spread evenly over the
	// distribution where there is one input, and otherwise some draws, always the same.
	Nodes(b *model.Batch, client int)
	// Curvature returns the largest second derivative L of any client's
	// risk: gradient descent with a rate above 2/L runs away.
	Curvature() float64
}

// Chancy is a workload whose samples are made of random numbers that depend on
// no setting, two for each sample. Draw is Chance and then Form.
type Chancy interface {
	// Chance draws the numbers of len(dst)/2 samples.
	Chance(dst []float64, s *rng.Stream)
	// Form fills b with the samples of a client that are made of them.
	Form(b *model.Batch, client int, chance []float64)
}

// Finite is a workload whose clients hold samples that can be counted, so that
// going through all of them means something.
type Finite interface {
	// Holds is the number of samples that the client trains on.
	Holds(client int) int
	// Take fills b with the samples of a client that have these numbers,
	// from 0 to Holds − 1.
	Take(b *model.Batch, client int, which []int32)
}

// Tested is a workload whose clients hold some samples back, for models to be
// tried on. Trying takes time, so it is not done after every round.
type Tested interface {
	Finite
	// Exam fills b with the samples that models are tried on.
	Exam(b *model.Batch, client int)
	// Every is the number of rounds from one trial to the next.
	Every() int
	// Classes is the number of classes, 0 where the model does not classify.
	Classes() int
}

// FromFile is a workload of a file.
type FromFile interface {
	// Reach is the largest size of a feature that is not scaled, 0 where all are.
	Reach() float64
	// SafeRate is a learning rate at which linear models of the features are stable, 0
	// where none is known.
	SafeRate() float64
}

// Guested is a Tested workload to which test clients may come, who train nothing
// and hold what nobody holds: HCFL's way to ask whether models are good for more
// than their own clients.
type Guested interface {
	Tested
	// Guests is the number of test clients, 0 where nobody asked for any.
	Guests() int
	// Meet fills first with the samples by which a test client may choose among
	// models, and then with those that it is tested on.
	Meet(first, then *model.Batch, guest int)
	// Back is the number of samples that a client holds back.
	Back(client int) int
}

// Maker builds a workload from checked settings. v holds the workload's own
// fields and C; file is nil unless the user brought one.
type Maker func(v param.Values, file *File) (Workload, error)

// Spec is what the registry knows beyond the common meta data.
type Spec struct {
	Make Maker
	// Defaults overrides the defaults of any field for this workload.
	Defaults map[string]string
	// NeedFile: the samples come from the user. FromFile: and so does C.
	NeedFile, FromFile bool
}

// Registry lists every workload.
var Registry registry.Registry[Spec]
