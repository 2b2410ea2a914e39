package hcfl

import (
	"slices"
	"sync"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// hcflClient is the client's side of HCFL. A client keeps what it knows of the
// clusters, by number:
//
//	1 + most + joint + most·N   edits that it has followed, ω̃_k, what it knows of
//	                            inputs, if they matter, and, by cluster, ω_jk
//
// the last only where samples have weights and come again. What comes along is the
// number of edits, the edits, and the shares of classes in the clusters alive, or
// the Gaussians of inputs. It answers with the update of the trunk, if that is
// common, those of the heads, the number of classes, 0 if nobody asks for masses, ω̃ of
// the clusters alive, their masses by class, its mean features, if wanted, and its
// Gaussians. Where it was put
// into a cluster it answers for that one alone, and without weights.
type hcflClient struct {
	tiers
	start, most int
	idle        sync.Pool // of *blending
}

// The scratch of a place, beyond that of [em].
const (
	memorySlot = method.MassSlot + 1 + iota
	featureSlot
	meansSlot
	wholeSlot
	mixedSlot
	partSlot
)

// Do is a client's part of a round.
func (d *hcflClient) Do(dst []float32, op int, with []float32, at fl.ClientContext) []float32 {
	w := d.take()
	defer d.idle.Put(w)
	switch op {
	case emMoments:
		return d.moments(dst, at)
	case emFirst:
		return d.reportFirst(dst, with, at)
	}
	w.put = op - emAssign
	w.begin(with, at)
	held := method.Evidence(at)
	w.assign(held)
	w.told = w.told[:0]
	if d.form.inputs() != nil {
		w.fit()
	}
	if !d.comparesFeatures() && (w.put >= 0 || !d.form.counts()) {
		w.classes = 0 // nobody asks for masses
	}
	masses := w.masses(at.Scratch(method.MassSlot, len(w.alive)*w.classes), held)
	var features []float32
	if d.comparesFeatures() {
		features = w.features(held)
	}
	dst = append(w.train(dst), float32(w.classes))
	from := len(dst)
	if w.put < 0 {
		dst = append(dst, w.omega...)
	}
	dst = append(dst, masses...)
	dst = append(dst, features...)
	dst = append(dst, w.told...)
	at.Quantize(dst[from:])
	return dst
}

func (d *hcflClient) take() *clientWork {
	w, _ := d.idle.Get().(*clientWork)
	if w == nil {
		w = newBlending(d)
	}
	return w
}

// ensemble is a hcflClient whose clients weigh the clusters, while those of others use
// the model of the cluster that they were put into.
type ensemble struct{ *hcflClient }

// Weigh is how a client predicts: Σ_k ω̃_k p(y given x; θ_k).
func (d ensemble) Weigh(dst []float32, b model.Batch, at fl.ClientContext) {
	own := *at.State()
	switch {
	case len(own) == 0:
		clear(dst)
		numeric.Even(dst[:d.start*b.N], d.start)
	case d.form.inputs() == nil:
		numeric.Repeat(dst, own[1:1+d.most])
	default:
		w := d.take()
		w.predictWeights(dst, b, at)
		d.idle.Put(w)
	}
}

// lowOf is where the head of a place's model begins; 0 where clusters share
// nothing, and their head is all of the model.
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
	put          int         // cluster that the client was put into, below 0 if it weighs them itself
	alive        []int       // clusters that it trains
	shares       []float32   // of classes, a row a cluster alive; empty where they do not matter
	prior, omega []float32   // ω̃ of the clusters alive, before and after this round's look
	gamma        [][]float32 // γ_jk of the samples of that look
	score        []float64

	base    int           // where its weights of samples begin in what the client keeps
	density clientDensity // where inputs matter
	told    []float32

	training              int         // head, among those alive
	pieces                [][]float32 // γ_jk of a batch
	trained               []float32   // updates of the heads
	after                 float32     // 1 if the trunk meets heads that have followed them
	trainHead, trainTrunk fl.Gradient
}

func newBlending(d *hcflClient) *clientWork {
	w := &clientWork{hcflClient: d, score: make([]float64, 3*d.most),
		density: clientDensity{inputDensity: d.form.inputs()}}
	w.trainHead, w.trainTrunk = w.head, w.trunk // bound once: a closure a round would be garbage
	return w
}

// begin follows the edits that are new, and reads what came along.
func (w *clientWork) begin(with []float32, at fl.ClientContext) {
	w.at, w.low, w.classes = at, w.lowOf(at), method.ClassesOf(at)
	log := edits(with[1 : 1+int(with[0])])
	w.alive = log.alive(w.alive, w.start)
	if w.put >= 0 {
		w.alive = append(w.alive[:0], w.put)
	}
	w.shares = with[1+len(log):]
	w.base = 1 + w.most
	see := w.form.inputs()
	if see != nil {
		w.base += see.room(w.most, at.Model().Inputs())
	}

	own := at.State()
	if len(*own) == 0 {
		*own = slices.Grow(*own, w.base)[:w.base]
		clear(*own)
		numeric.Uniform((*own)[1 : 1+w.start])
		if see != nil {
			numeric.Even((*own)[1+w.most:], see.count)
		}
	}
	n := (len(*own) - w.base) / w.most
	news := log[int((*own)[0]):]
	(*own)[0] = float32(len(log))
	weights := (*own)[1 : 1+w.most]
	for at := 0; see != nil && at < len(news); at += 2 {
		one := news[at : at+2]
		one.follow((*own)[1+w.most:1+w.most+w.most*see.count], see.count, weights)
		one.fold(weights, 1)
	}
	if see == nil {
		news.fold(weights, 1)
	}
	for j := range n {
		news.fold((*own)[w.base+j:], n)
	}
	if see != nil {
		w.renew((*own)[1+w.most:], w.shares)
		w.shares = nil
	}
}

// assign is the first two tiers: it weighs clusters and samples.
func (w *clientWork) assign(b model.Batch) {
	weights := (*w.at.State())[1 : 1+w.most]
	w.omega = w.omega[:0]
	for _, k := range w.alive {
		w.omega = append(w.omega, weights[k])
	}
	w.prior = append(w.prior[:0], w.omega...)
	w.gamma = w.affinities(w.gamma, w.at.Scratch(method.GammaSlot, len(w.alive)*b.N), b)
	remembered := w.recall(b.N)
	w.weigh.weigh(w.gamma, w.omega, remembered, w.score[:len(w.alive):cap(w.score)])
	clear(weights)
	for a, k := range w.alive {
		weights[k] = w.omega[a]
	}
	w.remember(remembered, b.N)
}

// affinities cuts a scratch into a row a cluster and sets them to log L_k of the
// samples of a batch.
func (w *clientWork) affinities(rows [][]float32, scratch []float32, b model.Batch) [][]float32 {
	rows = rows[:0]
	see := w.form.inputs()
	if see != nil {
		w.density.read(b)
		w.density.weigh()
	}
	for a, k := range w.alive {
		row := scratch[a*b.N : (a+1)*b.N]
		w.at.Model().Losses(row, w.at.Params(k), b)
		var shares []float32
		if len(w.shares) > 0 {
			shares = w.shares[a*w.classes : (a+1)*w.classes]
		}
		w.form.affinity(row, b, shares)
		if see != nil {
			w.density.addTo(row, a)
		}
		rows = append(rows, row)
	}
	return rows
}

// recall returns ω_jk of the clusters alive, the client's at first; nothing where
// samples have no weights or do not come again.
func (w *clientWork) recall(n int) []float32 {
	if !w.weigh.remembers() || w.at.Protocol().Epochs == 0 {
		return nil
	}
	own := w.at.State()
	base := w.base
	if size := base + w.most*n; len(*own) < size {
		*own = slices.Grow(*own, size-len(*own))[:size]
		for k := range w.most {
			for j := range n {
				(*own)[base+k*n+j] = (*own)[1+k]
			}
		}
	}
	out := w.at.Scratch(memorySlot, len(w.alive)*n)
	for a, k := range w.alive {
		copy(out[a*n:(a+1)*n], (*own)[base+k*n:])
	}
	return out
}

// remember puts back what recall returned.
func (w *clientWork) remember(weights []float32, n int) {
	if len(weights) == 0 {
		return
	}
	own := (*w.at.State())[w.base:]
	for a, k := range w.alive {
		copy(own[k*n:(k+1)*n], weights[a*n:])
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

// features returns the mean features of every class, zeros for one without
// samples, and the mean of all, under the models that came: the paper's
// prototypes. A model that has none of its own shows the samples themselves.
func (w *clientWork) features(b model.Batch) []float32 {
	width, net := w.at.Model().Inputs(), w.at.Network()
	features := b.X
	if net != nil {
		width = net.Width()
		features = w.at.Scratch(featureSlot, b.N*width)
		net.Features(features, w.at.Params(w.alive[0]), b)
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
