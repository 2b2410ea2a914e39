// Package trace is what a run leaves behind: a [Header] before the first
// round, one [Frame] a lane and round, and a [Summary] a lane at the end. It
// is all that the page, the command line and the tests see of the engine, and
// it crosses threads as bytes (codec.go).
//
// "Group" is the planted truth, "model" what the server trains, "label" the
// model that a client was given.
package trace

import (
	"slices"

	"flockscope/sim/say"
)

// Header describes a run before its first round.
type Header struct {
	Query   string // the experiment in canonical form
	Clients int
	Rounds  int
	Groups  int     // number of planted groups; 0 when nobody knows
	Group   []int16 // planted group of each client; empty when nobody knows
	Lanes   []Lane
	Scenery Scenery
}

// HasTruth reports whether the planted groups are known, so that a
// clustering can be right or wrong.
func (h *Header) HasTruth() bool { return h.Groups > 0 }

// Lane describes one algorithm of the run.
type Lane struct {
	ID        string // as in the query: "cflgp" or "cflgp:nomem"
	Algorithm string
	Title     string
	Models    int // K, or 1 for FedAvg, or the number of clients for local training
	Size      int // parameters of one model
	Drawn     int // of these, how many a frame carries: all of a small model's, none of a large one's
	Columns   int // width of a frame's Losses: Models, or 1 where each client has its own
	Map       Map
	Border    bool // clients are told apart by their least loss alone: draw where it changes
}

// Map says how a lane's two map coordinates come about.
type Map uint8

// The maps.
const (
	// NoMap: the algorithm does not compare clients.
	NoMap Map = iota
	// LossPair: the two axes are the losses on the two models.
	LossPair
	// LossTriangle: three losses seen along (1, 1, 1), without distortion:
	//	x = (L₀ − L₁)/√2,   y = (L₀ + L₁ − 2L₂)/√6
	// Who has the least loss on which model is decided in this plane.
	LossTriangle
	// LossPlane: the principal plane of the loss vectors.
	LossPlane
	// GradientPlane: the principal plane of the gradient features.
	GradientPlane
)

// Scenery is the data plane behind a regression run.
type Scenery struct {
	Points []Point // a sample of what clients hold, at most a few hundred
	Truth  []Line  // the true line of each group; empty when nobody knows
	Floor  float64 // the least loss any model can reach; negative when unknown
	// The box to draw: all Points and the start models near them.
	XMin, XMax, YMin, YMax float32
	Fan                    bool // the true lines meet in (0, 0) at a settable angle

	// Along says what the axes are, if samples have more than one input; then models are
	// not lines in this plane.
	Along   say.Message
	Why     say.Message // says why nobody knows the groups, where that is so
	Gallery Gallery
}

// Gallery is a few samples of each client as the client sees them, where
// samples are images. Its zero value stands for data of another kind.
type Gallery struct {
	Height, Width, Channels int
	Each                    int     // samples of each client
	Pixels                  []uint8 // clients × Each × Height × Width × Channels, 0 to 255
	Label                   []uint8 // clients × Each: the class as the client calls it
	Classes                 []string
	Groups                  []say.Message // what each planted group has in common

	Meant     []uint8    // clients × Each: Label without mistakes; nil where nobody errs
	Names     [][]string // where clients hold different sets, what each calls the classes
	Portraits []Portrait // by client; nil for data of another kind
}

// Portrait is what one client holds, in words and numbers.
type Portrait struct {
	Sees  say.Message // how it sees its samples, such as "noise 3"; empty: as they are
	Owner string      // who it is, where the set knows
	Set   int         // which of the gallery's Names are its own
	Holds int         // samples to train on
	// Of each class, as the client calls them and without mistakes, so many;
	// nil where clients hold alike.
	Of []int
}

// Name returns what a client calls a class.
func (g *Gallery) Name(client, class int) string {
	names := g.Classes
	if len(g.Names) > 0 && client < len(g.Portraits) {
		names = g.Names[g.Portraits[client].Set]
	}
	if class >= len(names) {
		return "?"
	}
	return names[class]
}

// Image returns sample n of a client, pixel by pixel.
func (g *Gallery) Image(client, n int) []uint8 {
	size := g.Size()
	at := (client*g.Each + n) * size
	return g.Pixels[at : at+size]
}

// Size is the number of bytes of a picture.
func (g *Gallery) Size() int { return g.Channels * g.Height * g.Width }

// Sitters are the clients in the order in which models rebuild their first
// pictures, where they do: the first of each planted group, then the second of each,
// and so on, or all in order where nobody knows the groups. A run may have room for
// the first few of them only.
func (h *Header) Sitters() []int {
	seen := make([]int, h.Groups)
	rank, sitters := make([]int, h.Clients), make([]int, h.Clients)
	for i := range sitters {
		sitters[i] = i
		if h.HasTruth() {
			rank[i] = seen[h.Group[i]]
			seen[h.Group[i]]++
		}
	}
	slices.SortStableFunc(sitters, func(a, b int) int { return rank[a] - rank[b] })
	return sitters
}

// Rebuilds is how many models of a lane show what they make of a picture: of those
// that a client can be given eight at most, or its own where it has one.
func (l *Lane) Rebuilds() int { return min(l.Columns, mostRebuilt) }

// mostRebuilt bounds the copies of a picture.
const mostRebuilt = 8

// Holds reports whether there is something to see.
func (g *Gallery) Holds() bool { return len(g.Pixels) > 0 }

// Point is one sample of one client.
type Point struct {
	X, Y   float32
	Client int16
}

// Line is y = Slope·x + Offset.
type Line struct{ Slope, Offset float32 }

// Frame is the state of one lane after Round rounds. Round 0 is the start.
type Frame struct {
	Round int
	Metrics
	Events Events
	Kept   float32 // share of the embedding's spread that the map keeps

	Label     []uint16  // per client: the model it was given in this round
	Losses    []float32 // clients × Columns: on this round's probe sample, before the update
	Embedding []float32 // clients × width: what the server clustered, raw; empty when it did not
	XY        []float32 // clients × 2: where the map draws each client; empty with NoMap or before the first look
	Models    []float32 // Models × Drawn: after the update

	// What follows is there in rounds after which the models were tried
	// (Examined), and only in these.
	Accuracies []float32 // per client: share of right answers of its model on samples it holds back
	Confusion  []uint16  // per client: classes × classes, samples by class (row) and answer (column)
	Weights    uint64    // a hash over the bits of all models

	// State is there where not all clients take part (Partial), Mixture where
	// clients have several models at once (Soft).
	State   []State   // per client
	Mixture []float32 // clients × Models: weights, each row adds up to 1

	// Notes are for the eye: what the server looked at on its way to the
	// result. Fingerprints leave them out, so that there can be more of them.

	// Spectrum holds the largest singular values, descending, in rounds in
	// which the server looked at them: MaxSpectrum of them at most.
	Spectrum   []float32
	Directions int // in so many of their directions the server went on

	// Rebuilt is there where models that rebuild samples were tried (Examined) on
	// pictures: for each of the lane's Rebuilds models what it makes of the first
	// picture of each of the first few of the header's Sitters, as in
	// [Gallery].Pixels.
	Rebuilt []uint8
}

// MaxSpectrum is the most singular values that a frame carries.
const MaxSpectrum = 32

// State says what a client did in a round.
type State uint8

// The states.
const (
	Present State = iota // it took part
	Absent               // it did not
	Lost                 // it took part and dropped out
)

// Metrics are the numbers of one frame.
type Metrics struct {
	// ARI is the adjusted Rand index of Label against the groups, of all clients that have taken
	// part so far; 0 without truth. NMI, Purity and Misplaced are of the same clients.
	ARI       float64
	Misplaced int // least number of clients to move until the clustering is right; 0 without truth
	// Loss is the mean over clients of the expected loss of the client's model on its own data,
	// and Worst the largest of these losses. Where models are tried now and then, both are NaN in
	// frames after which they were not, and in the summary if they were not after its round.
	Loss, Worst float64
	Clusters    int     // models that some client was given
	Down, Up    float64 // floats received and sent so far, mean over clients
	// Accuracy is the mean over clients of the share of right answers, in
	// frames after which the models were tried and in the summary; 0 elsewhere.
	Accuracy float64

	// What follows is left out of fingerprints, as notes are.

	// NMI and Purity compare Label with the groups as ARI does, without allowing
	// for chance; 0 without truth.
	NMI, Purity float64
	// ARIParticipants is the ARI of those who took part in this round and were heard, as papers
	// measure it. It is there where not all clients take part (Partial), NaN if nobody was heard
	// or an older program wrote the frame.
	ARIParticipants float64
	// Val and Test are HCFL's: the share of right answers on what the clients hold
	// back, weighed by how much that is, and the mean over test clients, who train
	// nothing and hold clean samples of all classes. Both are 0 but in frames after
	// which the models were tried and in the summary, and without test clients.
	Val, Test float64
	// Time is how long the rounds so far have taken by the virtual clock, in
	// seconds; 0 where none runs.
	Time float64
}

// Events are the notable things that happened in a round.
type Events uint8

// The events.
const (
	Reclustered Events = 1 << iota // the server clustered the clients anew
	Moved                          // some client was given another model
	Frozen                         // the stop rule ended clustering
	Diverged                       // a loss left all bounds: the lane stands still from here on
	Examined                       // the models were tried on samples held back
	Partial                        // not all clients took part
	Soft                           // clients have several models at once
)

// Has reports whether any event of f happened.
func (e Events) Has(f Events) bool { return e&f != 0 }

// Summary is the verdict on one lane.
type Summary struct {
	Metrics // of the last frame
	// Settled is the first round from which the clustering stays right, and Found the first after
	// which it was, both from when every client has been heard; −1 if there is none.
	Settled, Found int
	Price          float64     // floats received and sent until then, mean over clients
	Diverged       int         // round in which the lane diverged; −1 if it did not
	Cause          say.Message // of the divergence, or of models that learn badly, in words with what to do
	Wild           int         // the model that left all bounds; of use only with Diverged
	// Advice is a learning rate to try after a divergence, 0 where none helps.
	Advice      float64
	Fingerprint uint64 // a hash over the bytes of every frame from round 0 on, without notes
	// Alias names the colour of each model: alias[k] is the group whose
	// clients it serves where that is one-to-one, so that one colour means
	// the same people in every lane. Always a permutation.
	Alias []uint16
}
