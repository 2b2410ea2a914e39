package hcfl

import (
	"sync"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// hcflClient is the client's side of HCFL. A client keeps a [clientState]. It is sent [hcfl.Broadcast]: the number of edits,
// the edits, and the shares of classes in the active clusters or the Gaussians of inputs. It answers with
//
//   - the update of the trunk, if that is common, and those of the heads;
//   - the number of classes, 0 if masses are not needed;
//   - ω̃ of the active clusters, and their masses by class;
//   - its mean features, if needed, and its Gaussians.
//
// If the server assigned it to a cluster, it answers for that one alone, without weights.
type hcflClient struct {
	tiers
	start, most int
	idle        sync.Pool // pool of *clientWork
}

// Slots of scratch memory after those of package method.
const (
	memorySlot = method.MassSlot + 1 + iota
	featureSlot
	batchSlot
	meansSlot
	jointSlot
	updateSlot
)

// Do is a client's part of a round.
func (d *hcflClient) Do(dst []float32, op int, with []float32, at fl.ClientContext) []float32 {
	w := d.work()
	defer d.idle.Put(w)
	switch op {
	case emMoments:
		return d.moments(dst, at)
	case emFirst:
		return d.reportFirst(dst, with, at)
	}
	w.assigned = op - emAssign
	held := method.SelectionSamples(at)
	w.begin(with, held, at)
	w.assign(held)
	w.densityReport = w.densityReport[:0]
	if d.form.inputs() != nil {
		w.fit()
	}
	if !d.comparesFeatures() && (w.assigned >= 0 || !d.form.counts()) {
		w.classes = 0 // masses are not needed
	}
	masses := w.masses(at.Scratch(method.MassSlot, len(w.active)*w.classes), held)
	var features []float32
	if d.comparesFeatures() {
		features = w.prototypes(held)
	}
	dst = append(w.train(dst), float32(w.classes))
	from := len(dst)
	if w.assigned < 0 {
		dst = append(dst, w.omega...)
	}
	dst = append(dst, masses...)
	dst = append(dst, features...)
	dst = append(dst, w.densityReport...)
	at.Quantize(dst[from:])
	return dst
}

func (d *hcflClient) work() *clientWork {
	w, _ := d.idle.Get().(*clientWork)
	if w == nil {
		w = newClientWork(d)
	}
	return w
}

// ensemble is an hcflClient whose clients average the predictions of clusters; others use the model of the one cluster
// that they chose or were assigned to.
type ensemble struct{ *hcflClient }

// ByInput reports whether weights depend on the density of inputs.
func (d ensemble) ByInput() bool { return d.form.inputs() != nil }

// Weigh is how a client predicts: Σ_k ω̃_k p(y given x; θ_k), with its weights after the latest edits. It does not change
// the client's state.
func (d ensemble) Weigh(dst []float32, b model.Batch, at fl.ClientContext) {
	w := d.work()
	defer d.idle.Put(w)
	log, rest := unpackBroadcast(at.Broadcast())
	s := d.newState(0)
	s.floats = w.evaluated
	s.begin(d.start)
	w.evaluated = s.floats
	copy(s.floats, *at.State()) // if the client has a state; without the weights of samples
	s.follow(log)
	if d.form.inputs() == nil || len(rest) == 0 {
		numeric.Repeat(dst, s.weights())
		return
	}
	w.active = log.active(w.active, d.start)
	w.density.begin(s.pairs(), rest, w.active)
	w.density.project(b)
	w.density.logDensities()
	w.density.predictWeights(dst, s.weights(), w.active, w.score)
}

// unpackBroadcast splits [hcfl.Broadcast] into the edits and the rest.
func unpackBroadcast(broadcast []float32) (log edits, rest []float32) {
	if len(broadcast) == 0 {
		return nil, nil
	}
	n := 1 + int(broadcast[0])
	return edits(broadcast[1:n]), broadcast[n:]
}

// newState returns a state of the clients' shape, without its floats.
func (d *hcflClient) newState(samples int) clientState {
	s := clientState{most: d.most, samples: samples}
	if see := d.form.inputs(); see != nil {
		s.count = see.count
	}
	return s
}

// lowOf returns the index of the head's first parameter; 0 if clusters share nothing and the head is the whole model.
func (d *hcflClient) lowOf(at fl.ClientContext) int {
	if n := at.Network(); n != nil && d.heads {
		return n.Head().Lo
	}
	return 0
}

// clientWork is the work of one client in one round.
type clientWork struct {
	*hcflClient
	at           fl.ClientContext
	low, classes int
	assigned     int         // cluster that the client was assigned to, negative if it weights clusters itself
	active       []int       // clusters that it trains
	shares       []float32   // shares of classes, one row per active cluster; empty if they are not used
	prior, omega []float32   // ω̃ of the active clusters, before and after this round's assignment
	gamma        [][]float32 // γ_jk of the samples from which cluster weights are computed
	features     []float32   // of these samples, if the trunk is common
	score        []float64

	state         clientState
	evaluated     []float32     // copy of the state during an evaluation
	density       clientDensity // density of inputs, if it is used
	densityReport []float32

	used                              []int       // clusters that the client uses, as indices into active
	pieces                            [][]float32 // γ_jk of the samples in a batch
	trainHeads, trainTrunk, trainBoth fl.Gradient
}

func newClientWork(d *hcflClient) *clientWork {
	w := &clientWork{hcflClient: d, score: make([]float64, 3*d.most),
		density: clientDensity{inputDensity: d.form.inputs()}}
	w.trainHeads, w.trainTrunk, w.trainBoth = w.heads, w.trunk, w.both // bound once: a method value allocates
	return w
}

// begin applies the new edits and reads the broadcast. held are the samples from which cluster weights are computed.
func (w *clientWork) begin(with []float32, held model.Batch, at fl.ClientContext) {
	w.at, w.low, w.classes = at, w.lowOf(at), method.ClassesOf(at)
	log, rest := unpackBroadcast(with)
	w.active = log.active(w.active, w.start)
	if w.assigned >= 0 {
		w.active = append(w.active[:0], w.assigned)
	}
	samples := 0 // number of samples with weights: only for clients with a fixed set of samples
	if w.weigh.remembers() && at.Protocol().Epochs > 0 {
		samples = held.N
	}
	own := at.State()
	w.state = w.newState(samples)
	if w.state.floats = *own; len(*own) == 0 {
		w.state.begin(w.start)
		*own = w.state.floats
	}
	w.state.follow(log)
	w.shares = rest
	if w.form.inputs() != nil {
		w.density.begin(w.state.pairs(), rest, w.active)
		w.shares = nil
	}
}

// assign is the first two tiers: it computes the weights of clusters and samples.
func (w *clientWork) assign(b model.Batch) {
	weights := w.state.weights()
	w.omega = w.omega[:0]
	for _, k := range w.active {
		w.omega = append(w.omega, weights[k])
	}
	w.prior = append(w.prior[:0], w.omega...)
	if w.low > 0 {
		w.features = w.sentFeatures(featureSlot, b)
	}
	w.gamma = w.affinities(w.gamma, w.at.Scratch(method.GammaSlot, len(w.active)*b.N), b, w.features)
	remembered := w.loadSampleWeights()
	w.weigh.weigh(w.gamma, w.omega, remembered, w.score[:len(w.active):cap(w.score)])
	clear(weights)
	for a, k := range w.active {
		weights[k] = w.omega[a]
	}
	w.storeSampleWeights(remembered)
}

// sentFeatures returns features under the models that were sent, which have one trunk. Without a trunk they are the inputs.
func (w *clientWork) sentFeatures(slot int, b model.Batch) []float32 {
	net := w.at.Network()
	if net == nil {
		return b.X
	}
	features := w.at.Scratch(slot, b.N*net.Width())
	net.Features(features, w.at.Params(w.active[0]), b)
	return features
}

// affinities sets rows, one per active cluster and cut from scratch, to log L_k of the samples of a batch, which have these
// features if the trunk is common. If the server assigned the client, no losses are needed, and L_k is 1.
func (w *clientWork) affinities(rows [][]float32, scratch []float32, b model.Batch, features []float32) [][]float32 {
	rows = rows[:0]
	b = b.WithFeatures(features)
	see := w.form.inputs()
	if see != nil {
		w.density.project(b)
		w.density.logDensities()
	}
	for a, k := range w.active {
		row := scratch[a*b.N : (a+1)*b.N]
		var shares []float32
		if len(w.shares) > 0 {
			shares = w.shares[a*w.classes : (a+1)*w.classes]
		}
		if w.assigned >= 0 {
			clear(row)
		} else {
			w.at.Model().Losses(row, w.at.Params(k), b)
			w.form.affinity(row, b, shares)
		}
		if see != nil {
			w.density.addTo(row, a)
		}
		rows = append(rows, row)
	}
	return rows
}

// loadSampleWeights returns a copy of ω_jk, one row per active cluster; empty if samples have no weights.
func (w *clientWork) loadSampleWeights() []float32 {
	n := w.state.samples
	out := w.at.Scratch(memorySlot, len(w.active)*n)
	for a, k := range w.active {
		copy(out[a*n:(a+1)*n], w.state.sample(k))
	}
	return out
}

// storeSampleWeights writes the copy back to the state.
func (w *clientWork) storeSampleWeights(weights []float32) {
	n := w.state.samples
	for a, k := range w.active {
		copy(w.state.sample(k), weights[a*n:(a+1)*n])
	}
}

// masses sets dst to F_kc = Σ γ_jk over the samples of class c.
func (w *clientWork) masses(dst []float32, b model.Batch) []float32 {
	clear(dst)
	if w.classes > 0 {
		for a, row := range w.gamma {
			for j, y := range b.Y[:b.N] {
				dst[a*w.classes+int(y)] += row[j]
			}
		}
	}
	return dst
}

// prototypes returns the mean features of every class, zeros for one without samples, and the mean of all, under the models
// that were sent.
func (w *clientWork) prototypes(b model.Batch) []float32 {
	width, features := w.at.Model().Inputs(), w.features
	if net := w.at.Network(); net != nil {
		width = net.Width()
	}
	if w.low == 0 {
		features = w.sentFeatures(featureSlot, b)
	}
	means := w.at.Scratch(meansSlot, (w.classes+1)*width)
	clear(means)
	counts := w.at.Scratch(method.WeightSlot, w.classes+1)
	clear(counts)
	for j := range b.N {
		row := features[j*width : (j+1)*width]
		numeric.AddTo(means[w.classes*width:], row)
		counts[w.classes]++
		if w.classes > 0 {
			c := int(b.Y[j])
			numeric.AddTo(means[c*width:(c+1)*width], row)
			counts[c]++
		}
	}
	for c, n := range counts {
		for j := c * width; j < (c+1)*width && n > 0; j++ {
			means[j] /= n
		}
	}
	return means
}
