// Package trace has the record of a run: a [Header] before the first round, one [Frame] per lane
// and round, and a [Summary] per lane at the end. It is all that the page, the command line and the
// tests see of the engine, and it is sent between threads as bytes (codec.go).
//
// A group is the planted truth, a model is what the server trains, and a label is the model that a
// client was given.
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
	Groups  int     // number of planted groups; 0 if unknown
	Group   []int16 // planted group of each client; empty if unknown
	// Liar is, by client, whether it lies; empty if all are honest. A liar's data are those of its group, but it belongs to
	// none: scores count honest clients alone.
	Liar        []bool
	LiesFrom    int // the first round in which liars lie; 0 without liars
	Lanes       []Lane
	DataPreview DataPreview
	// Blocks are the parts of the network that clients train, in order. The first one stands for the samples. It is empty
	// for other models, and in files of older programs.
	Blocks []Block
}

// Block is a part of a network that stands as one in its picture.
type Block struct {
	Text                    string // its layers, such as "conv16-gn-relu"; empty for the samples
	Height, Width, Channels int    // of its output
	Parameters              int
	MultiplyAdds            float64 // of a forward pass over one sample
}

// HasTruth reports whether the planted groups are known, so that a clustering can be correct or
// not.
func (h *Header) HasTruth() bool { return h.Groups > 0 }

// Lies reports whether a client is a liar.
func (h *Header) Lies(client int) bool { return client >= 0 && client < len(h.Liar) && h.Liar[client] }

// Honest returns the number of honest clients.
func (h *Header) Honest() (n int) {
	for i := range h.Clients {
		if !h.Lies(i) {
			n++
		}
	}
	return n
}

// HonestValues appends the values of the honest clients to dst.
func (h *Header) HonestValues(dst, values []float32) []float32 {
	for i, v := range values {
		if !h.Lies(i) {
			dst = append(dst, v)
		}
	}
	return dst
}

// Lane describes one algorithm of the run.
type Lane struct {
	ID          string // as in the query: "cflgp" or "cflgp:nomem"
	Algorithm   string
	Title       string
	Models      int // K, or 1 for FedAvg, or the number of clients for local training
	Size        int // parameters of one model
	FrameParams int // parameters in a frame: all of a small model, none of a large one
	Columns     int // width of a frame's Losses: Models, or 1 if each client has its own model
	Map         Map
	Border      bool // clients choose the model with the least loss: draw the border between models
	Probe       int  // samples of each client on which models are compared; 0 if some hold fewer, or if it is unknown
	Finds       bool // the method finds the number of clusters: Models is the most that it may use
	Trunk       int  // how many of the header's Blocks all models share, without the samples; 0 for none
}

// Map says how the two coordinates of a lane's map are computed.
type Map uint8

// The maps.
const (
	// NoMap: the algorithm does not compare clients.
	NoMap Map = iota
	// LossPair: the two axes are the losses on the two models.
	LossPair
	// LossTriangle: three losses, projected along (1, 1, 1):
	//	x = (L₀ − L₁)/√2,   y = (L₀ + L₁ − 2L₂)/√6
	// The model with the least loss is visible in this plane.
	LossTriangle
	// LossPlane: the principal plane of the loss vectors.
	LossPlane
	// GradientPlane: the principal plane of the gradient features.
	GradientPlane
)

// DataPreview is a preview of the data: the plane of a regression, or the images of a gallery.
type DataPreview struct {
	Points []Point // some of the clients' samples, at most a few hundred
	Truth  []Line  // the true line of each group; empty if unknown
	Floor  float64 // the least possible loss; negative if unknown
	// Best has for each group the parameters of the model with the least loss on the group's clients. It
	// is empty if these models are the lines of Truth, or are unknown.
	Best []float32
	// The range to draw: all Points and the start models near them.
	XMin, XMax, YMin, YMax float32
	Fan                    bool // the true lines meet in (0, 0) at a settable angle

	// Axes describes the axes if samples have more than one input; then models are not lines in
	// this plane.
	Axes    say.Message
	NoTruth say.Message // why the groups are unknown, if they are
	Gallery Gallery

	// Alike means that all planted groups have the same distribution, so that every grouping is as good as another.
	Alike bool
	// Mixtures are the planted groups whose samples come from the distributions of other groups, so that no clustering
	// is right.
	Mixtures []int16
}

// Gallery has a few images of each client as the client sees them. Its zero value means that samples are not images.
type Gallery struct {
	Height, Width, Channels int
	Each                    int     // samples of each client
	Pixels                  []uint8 // clients × Each × Height × Width × Channels, 0 to 255
	Label                   []uint8 // clients × Each: the class, under the client's own names
	Classes                 []string
	Groups                  []say.Message // what each planted group has in common

	TrueLabel []uint8         // Label without label noise; nil if there is no noise
	Names     [][]string      // names of the classes in each data set, if clients hold different ones
	Clients   []ClientSummary // by client; nil for data of another kind
}

// ClientSummary summarizes the samples of one client.
type ClientSummary struct {
	Transform say.Message // how its samples are transformed, such as "noise 3"; empty if they are not
	Owner     string      // its name in the data set, if it has one
	Set       int         // index into the gallery's Names
	Samples   int         // training samples
	// Training samples of each class, under the client's own names and without label noise; nil if
	// all clients have the same numbers.
	PerClass []int
}

// Name returns a client's name for a class.
func (g *Gallery) Name(client, class int) string {
	names := g.Classes
	if len(g.Names) > 0 && client < len(g.Clients) {
		names = g.Names[g.Clients[client].Set]
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

// PreviewClients returns the clients in the order in which models reconstruct their first pictures: the
// first client of each planted group, then the second of each, and so on, or all in order if the
// groups are unknown. A frame may have pictures of the first few of them only.
func (h *Header) PreviewClients() []int {
	seen := make([]int, h.Groups)
	rank, previewed := make([]int, h.Clients), make([]int, h.Clients)
	for i := range previewed {
		previewed[i] = i
		if h.HasTruth() {
			rank[i] = seen[h.Group[i]]
			seen[h.Group[i]]++
		}
	}
	slices.SortStableFunc(previewed, func(a, b int) int { return rank[a] - rank[b] })
	return previewed
}

// Reconstructing returns the number of models of a lane that reconstruct pictures: at most eight of those
// that a client can be given, or 1 if each client has its own.
func (l *Lane) Reconstructing() int { return min(l.Columns, maxRebuilt) }

// maxRebuilt limits the copies of a picture.
const maxRebuilt = 8

// HasImages reports whether the gallery has images.
func (g *Gallery) HasImages() bool { return len(g.Pixels) > 0 }

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
	Kept   float32 // fraction of the embedding's variance that the map shows

	Label     []uint16  // per client: the model it was given in this round
	Losses    []float32 // clients × Columns: on this round's probe sample, before the update
	Embedding []float32 // clients × width: what the server clustered; empty if it did not
	XY        []float32 // clients × 2: map coordinates; empty with NoMap or before the first clustering
	Models    []float32 // Models × Drawn: after the update

	// The next fields are set only in rounds after which models were evaluated (Examined).
	Accuracies []float32 // per client: accuracy of its model on its held-out samples
	Confusion  []uint16  // per client: classes × classes, samples by class (row) and predicted class (column)
	Weights    uint64    // a hash over the bits of all models

	// State is set if not all clients take part (Partial), Mixture if clients have several models
	// at once (Soft).
	State   []State   // per client
	Mixture []float32 // clients × Models: weights, each row adds up to 1

	// The next fields are notes: details for the page that fingerprints leave out, so that notes
	// can be added without changing them.

	// Spectrum has the largest singular values, descending, in rounds in which the server computed
	// them: at most MaxSpectrum.
	Spectrum   []float32
	Directions int // the number of their directions that the server used

	// Reconstructed is set if autoencoders were evaluated (Examined) on pictures: for each of the lane's
	// Rebuilds models its reconstruction of the first picture of each of the first few of the
	// header's Previewed, as in [Gallery].Pixels.
	Reconstructed []uint8

	// Lead is, by client, how much larger its loss on the second best model is than on the best one: a mean over its
	// probe samples. Noise is the standard error of that mean. Both are empty if clients did not compute losses of at
	// least two models in this round. Of a client that did not, both are 0; Noise is infinite for a single sample.
	Lead, Noise []float32
	// Alone has two map coordinates for each client: its place if its newest reply stood alone. It is empty if the
	// server did not embed clients in this round, or remembers nothing.
	Alone []float32
	// Replies is how many replies the server has averaged for each client; empty if it remembers nothing.
	Replies []uint16
	// Gap is the least distance of the centres of two groups in what the server compared (the rows of Embedding, of which
	// the map shows a plane), divided by the root mean square distance of clients from the centre of their group, among
	// the clients that have taken part; at most 10⁶. It is 0 without a map or without truth.
	Gap float32
	// Pull has clients × Pulls numbers: the update that each client sent in this round, all of it for a small model,
	// else its length alone; empty if clients sent none, or one of each of several models. Of a client that sent none it
	// is 0.
	Pull []float32
	// Theory is about the models and the memory after the round.
	Theory Theory
}

// Theory has what theorems of the papers are about, on data whose best models are known; it is zero elsewhere, and each
// number is where it is unknown. See package theory.
type Theory struct {
	// Error is the distance of a model from the best one, ‖θ − θ*‖, or dist(B, B*) of a representation: of the model that
	// most clients of a group have, the largest over groups.
	Error float32
	// Promise is the error of the start, multiplied in each round by the factor max(|1 − ημ|, |1 − ηL|) by which a step of
	// gradient descent shrinks it at least, without noise and with the clusters right.
	Promise float32
	// Noise is ‖E‖, the spectral norm of the gradient noise in what CFL-GP remembers, and Gap and BlockGap are the least
	// distances of two groups in it without noise, over all blocks and over single ones (equations 9, 10 and 20, and
	// Assumption 3), once each model has been sent to all clients.
	Noise, Gap, BlockGap float32
}

// MisplacedBound returns the bound (18) of CFL-GP on the number of misplaced clients in a lane with so many models, from the
// gap over all blocks: 128·K·(‖E‖/Δg)². It is 0 if it is unknown.
func (t *Theory) MisplacedBound(models int) float64 {
	if t.Gap == 0 {
		return 0
	}
	ratio := float64(t.Noise) / float64(t.Gap)
	return 128 * float64(models) * ratio * ratio
}

// MaxFrameParams is the size up to which a model's parameters are part of frames.
const MaxFrameParams = 8

// Pulls returns how many numbers each client has in Pull.
func (l *Lane) Pulls() int { return max(1, min(l.Size, l.FrameParams)) }

// MaxSpectrum is the most singular values that a frame carries.
const MaxSpectrum = 32

// State says what a client did in a round.
type State uint8

// The states.
const (
	Present State = iota // it took part
	Absent               // it did not
	Dropped              // it took part and dropped out, or replied too late
)

// Metrics are the numbers of one frame.
type Metrics struct {
	// All scores are over honest clients. Down, Up and Computed are over all.

	// ARI is the adjusted Rand index of Label and the groups, over all clients that have taken part
	// so far; 0 without truth. NMI, Purity and Misplaced are over the same clients.
	ARI       float64
	Misplaced int // least number of clients to move until the clustering is correct; 0 without truth
	// Loss is the mean over clients of the expected loss of the client's model on its own data, and
	// Worst the largest of these losses. If models have to be evaluated, both are NaN in frames
	// without an evaluation, and in the summary if its round has none.
	Loss, Worst float64
	Clusters    int     // models that some client was given
	Down, Up    float64 // floats received and sent so far, mean over clients
	// Accuracy is the mean accuracy of the clients, in frames with an evaluation and in the
	// summary; else 0.
	Accuracy float64

	// Fingerprints leave out the next fields, as they do notes.

	// NMI and Purity compare Label with the groups as ARI does, but are not adjusted for chance; 0
	// without truth.
	NMI, Purity float64
	// ARIParticipants is the ARI of the clients that replied in this round, as papers measure it.
	// It is set if not all clients take part (Partial), and NaN if no client replied or an older
	// program wrote the frame.
	ARIParticipants float64
	// Val and Test are HCFL's: the mean accuracy of the clients, weighted by their numbers of
	// held-out samples, and the mean accuracy of test clients, which do not train and have clean
	// samples of all classes. Both are 0 without test clients, and in frames without an evaluation.
	Val, Test float64
	// Time is the duration of the rounds so far by the virtual clock, in seconds; 0 if it is off.
	Time float64
	// Computed is the multiply-adds of the clients' models so far, mean over clients (see
	// Round.Computed of package fl); 0 if an older program wrote the frame.
	Computed float64
	// Attack is what a backdoor achieves: the mean over clients of the share of their held-out samples of other classes that
	// their model takes for the first class once the patch is on the picture. It is 0 without such liars, and in frames
	// without an evaluation.
	Attack float64
}

// Events are the events of a round.
type Events uint8

// The events.
const (
	Reclustered       Events = 1 << iota // the server clustered the clients anew
	Moved                                // some client was given another model
	ClusteringStopped                    // the stop rule has ended clustering
	Diverged                             // a model diverged: the lane does not change from here on
	Evaluated                            // the models were evaluated on held-out samples
	Partial                              // not all clients took part
	Soft                                 // clients have several models at once
)

// Has reports whether any event of f happened.
func (e Events) Has(f Events) bool { return e&f != 0 }

// Summary has the results of one lane.
type Summary struct {
	Metrics // metrics of the last frame
	// Settled is the first round from which the clustering stays correct, and Found the first round
	// with a correct clustering, both among rounds after which every client has replied; −1 if
	// there is none.
	Settled, FirstCorrect int
	CostToCorrect         float64     // floats received and sent until Found, mean over clients
	Diverged              int         // round in which the lane diverged; −1 if it did not
	Cause                 say.Message // cause of a divergence, or of bad learning, with advice
	DivergedModel         int         // the model that diverged; only with Diverged
	// SuggestedRate is a learning rate to try after a divergence, 0 if none helps.
	SuggestedRate float64
	Fingerprint   uint64 // a hash of the bytes of all frames, without notes
	// Alias has the colour of each model after the last round: Alias[k] is the group whose clients
	// model k serves, if that is one-to-one, so that a colour means the same clients in every lane that
	// is right. The rule is that of clusterer.Naming, by which names depend on no later round: longer
	// runs have the same names in the same round. It is always a permutation, and in no fingerprint.
	Alias []uint16
}
