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
	// Risk returns the expected loss of a model on fresh samples of the
	// client; for data from a file, the mean loss over all its rows.
	Risk(client int, params []float32) float64
	// Curvature returns the largest second derivative L of any client's
	// risk: gradient descent with a rate above 2/L runs away.
	Curvature() float64
	// Scenery returns the data plane to draw behind the run.
	Scenery(s *rng.Stream, seed uint64) trace.Scenery
}

// File is what a user brought: a table of rows, already checked.
type File = *Table

// Maker builds a workload from checked settings. v holds the workload's own
// fields and C; file is nil unless the user brought one.
type Maker func(v param.Values, file File) (Workload, error)

// Spec is what the registry knows beyond the common meta data.
type Spec struct {
	Make Maker
	// Defaults overrides the defaults of any field for this workload.
	Defaults map[string]string
	// FromFile: the rows come from the user, and so does C.
	FromFile bool
}

// Registry lists every workload.
var Registry registry.Registry[Spec]
