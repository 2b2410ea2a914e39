package workload

import (
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// Remote is the data of a run whose clients hold their samples themselves and share none of them, such as phones: it
// knows who they are, and what they train. It is no workload of the registry, since only who has the clients can make it.
type Remote struct {
	Group  []int    // planted group of each client
	Held   []int    // number of samples that each client trains on
	Inputs int      // pixels of a picture
	Names  []string // of the classes

	network *model.Network
}

// NewRemote returns the data of clients that train a softmax regression on square pictures of side × side pixels. group
// has the planted group of each client, held its number of training samples, and names the classes.
func NewRemote(group, held []int, side int, names []string) (*Remote, error) {
	softmax, _ := model.Registry.Lookup("softmax")
	net, err := softmax.Make.Make(nil, model.Samples{Shape: model.Shape{Height: side, Width: side, Channels: 1},
		Classes: len(names)})
	return &Remote{Group: group, Held: held, Inputs: side * side, Names: names, network: net}, err
}

func (w *Remote) Clients() int           { return len(w.Group) }
func (w *Remote) Model() model.Model     { return w.network }
func (w *Remote) Samples(client int) int { return w.Held[client] }
func (w *Remote) Holds(client int) int   { return w.Held[client] }
func (w *Remote) Every() int             { return 1 }
func (w *Remote) Classes() int           { return len(w.Names) }

// Groups returns the planted groups of the clients.
func (w *Remote) Groups() (of []int, n int) {
	for _, g := range w.Group {
		n = max(n, g+1)
	}
	return w.Group, n
}

// Start draws a start model.
func (w *Remote) Start(params []float32, _ int, s *rng.Stream) { w.network.Init(params, s) }

// DataPreview has names and no samples, which are elsewhere.
func (w *Remote) DataPreview(*rng.Stream, uint64) trace.DataPreview {
	return trace.DataPreview{Floor: -1, XMax: 1, YMax: 1, Gallery: trace.Gallery{Classes: w.Names}}
}

// errElsewhere is the panic of code that reads samples where there are none.
const errElsewhere = "workload: remote clients hold their samples themselves"

func (w *Remote) Draw(*model.Batch, int, int, *rng.Stream) { panic(errElsewhere) }
func (w *Remote) Take(*model.Batch, int, []int32)          { panic(errElsewhere) }
func (w *Remote) TestSamples(*model.Batch, int)            { panic(errElsewhere) }
