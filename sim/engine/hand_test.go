package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/algorithm"
	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// hand is the training of one lane written down a second time: client by client,
// sample by sample, without goroutines, tasks or shared memory. Who trains which
// model it reads from the frames; what comes of it it finds out for itself.
type hand struct {
	data        workload.Workload
	model       model.Model
	protocol    fl.Protocol
	batch, draw int
	bank        fl.Bank
	memory      []moments // of each client's optimiser
	alone       bool      // nothing is sent
}

// newHand takes the first lane of a query.
func newHand(t *testing.T, query string, file *workload.File) *hand {
	t.Helper()
	c := parse(t, query)
	data, plans, err := catalog.Build(c, file)
	if err != nil {
		t.Fatalf("Build(%s): %v", query, err)
	}
	v := c.Values(0)
	h := &hand{data: data, model: model.Fresh(data.Model()), protocol: algorithm.ProtocolOf(v),
		batch: v.Int("b"), draw: max(v.Int("b"), v.Int("probe")),
		bank: fl.NewBank(plans[0].Models, data.Model().Size()), memory: make([]moments, data.Clients()),
		alone: plans[0].Local}
	var s rng.Stream
	for k := range plans[0].Models {
		s.Reset(1, rng.Models, k, 0)
		data.Start(h.bank.Model(k), k, &s)
		if name := c.Lanes()[0].Algorithm; name == "pacfl" || name == "kfed" || name == "fedclust" {
			copy(h.bank.Model(k), h.bank.Model(0)) // one start for all clusters
		}
	}
	return h
}

// moments are what momentum and Adam remember.
type moments struct {
	steps         int
	first, second []float32
}

// step is one step of an optimiser as PyTorch has it, in float32; what does not
// depend on the gradient is in float64.
func (m *moments) step(kind string, params, gradient []float32, lr float64) {
	if m.first == nil {
		m.first, m.second = make([]float32, len(params)), make([]float32, len(params))
	}
	m.steps++
	rate := float32(lr)
	beta1, beta2 := 1.0, 1.0
	for range m.steps {
		beta1, beta2 = beta1*0.9, beta2*0.999
	}
	scaled, root := float32(float64(rate)/(1-beta1)), float32(math.Sqrt(1-beta2))
	for j, g := range gradient {
		switch kind {
		case "momentum":
			m.first[j] = float32(0.9*m.first[j]) + g
			params[j] -= float32(rate * m.first[j])
		case "adam":
			m.first[j] = float32(0.9*m.first[j]) + float32(float32(1-0.9)*g)
			m.second[j] = float32(0.999*m.second[j]) + float32(float32(1-0.999)*float32(g*g))
			length := float32(math.Sqrt(float64(m.second[j])))
			params[j] -= float32(scaled * (m.first[j] / (length/root + 1e-8)))
		default:
			params[j] += float32(-rate * g)
		}
	}
}

// update is what client i sends in a round, given a model.
func (h *hand) update(i, round int, given []float32) []float32 {
	out := make([]float32, len(given))
	if h.protocol.Epochs == 0 {
		var b model.Batch
		var s rng.Stream
		s.Reset(1, rng.Samples, round, i)
		h.data.Draw(&b, i, h.draw, &s)
		h.model.Gradient(out, given, b.First(h.batch))
	} else {
		for j, v := range h.train(i, round, given) {
			out[j] = given[j] - v
		}
	}
	if n := h.protocol.Digits; n >= 0 && !h.alone {
		power, whole := float32(math.Pow10(n)), math.RoundToEven
		if h.protocol.Truncate {
			whole = math.Trunc
		}
		for j, v := range out {
			out[j] = float32(whole(float64(float32(v*power)))) / power
		}
	}
	return out
}

// train returns the model that client i arrives at after τ epochs.
func (h *hand) train(i, round int, given []float32) []float32 {
	params, gradient := slices.Clone(given), make([]float32, len(given))
	m := new(moments)
	if h.protocol.Keep {
		m = &h.memory[i]
	}
	var b model.Batch
	var s rng.Stream
	s.Reset(1, rng.Training, round, i)
	for range h.protocol.Epochs {
		finite, ok := h.data.(workload.Finite)
		if !ok { // one fresh minibatch
			h.data.Draw(&b, i, h.batch, &s)
			h.model.Gradient(gradient, params, b)
			m.step(h.protocol.Optimiser, params, gradient, h.protocol.Rate)
			continue
		}
		order := make([]int32, finite.Holds(i))
		for j := range order {
			order[j] = int32(j)
		}
		for j := range order {
			k := j + s.IntN(len(order)-j)
			order[j], order[k] = order[k], order[j]
		}
		for part := range slices.Chunk(order, h.batch) {
			finite.Take(&b, i, part)
			h.model.Gradient(gradient, params, b)
			m.step(h.protocol.Optimiser, params, gradient, h.protocol.Rate)
		}
	}
	return params
}

// play trains all models of a round by the labels that clients have in it.
func (h *hand) play(round int, label []uint16, weighted bool) {
	next := slices.Clone(h.bank.Params)
	d := h.bank.Size
	for k := range h.bank.Models() {
		sum, total := make([]float64, d), 0.0
		for i, l := range label {
			if int(l) != k {
				continue
			}
			w := 1.0
			if weighted {
				w = float64(h.data.Samples(i))
			}
			for j, v := range h.update(i, round, h.bank.Model(k)) {
				sum[j] += float64(w * float64(v))
			}
			total += w
		}
		for j := range sum {
			if total > 0 {
				next[k*d+j] = float32(float64(next[k*d+j]) - float64(h.protocol.Step()*(sum[j]/total)))
			}
		}
	}
	h.bank.Params = next
}

// unequal reports whether clients have different numbers of samples. Where they have
// not, FedAvg and CFL sum up updates as they are, which rounds otherwise.
func (h *hand) unequal() bool {
	for i := range h.data.Clients() {
		if h.data.Samples(i) != h.data.Samples(0) {
			return true
		}
	}
	return false
}

// checkByHand plays a query of one lane and then plays it by hand: models, and and in evaluations
// also their losses and predictions, must agree to the bit.
func checkByHand(t *testing.T, query string, file *workload.File) {
	t.Helper()
	r, h := record(t, query, file), newHand(t, query, file)
	algorithm := r.header.Lanes[0].Algorithm
	checked := 0
	for n, f := range r.lanes[0] {
		if n > 0 {
			label := f.Label // whoever clusters by losses does so before training
			if algorithm == "cflgp" {
				label = r.lanes[0][n-1].Label
			}
			if engine.Methods[algorithm].Splits {
				for i, k := range label {
					copy(h.bank.Model(int(k)), h.bank.Model(int(r.lanes[0][n-1].Label[i])))
				}
			}
			h.play(n, label, slices.Contains([]string{"clove", "pacfl", "kfed", "fedclust"}, algorithm) ||
				slices.Contains([]string{"fedavg", "cfl"}, algorithm) && h.unequal())
		}
		if len(f.Models) > 0 && !slices.Equal(f.Models, h.bank.Params) {
			t.Errorf("%s: models after round %d = %v, want %v; if models begin in another way than its labels and start "+
				"models tell, write Splits: true or Begins: \"how\" into the line of the method in sim/engine/methods_test.go", query, n,
				f.Models, h.bank.Params)
			return
		}
		if len(f.Models) > 0 {
			checked++
		}
		if f.Events.Has(trace.Evaluated) {
			checked++
			if !h.examine(t, fmt.Sprintf("%s: round %d", query, n), &f) {
				return
			}
		}
	}
	if checked < 2 || r.summaries[0].Diverged >= 0 {
		t.Errorf("%s: %d frames were checked, diverged in round %d: this proves nothing", query, checked,
			r.summaries[0].Diverged)
	}
}

// examine compares an evaluation with the results by hand.
func (h *hand) examine(t *testing.T, name string, f *trace.Frame) bool {
	t.Helper()
	if want := trace.Digest(h.bank.Params); f.Weights != want {
		t.Errorf("%s: Weights = %016x, want %016x", name, f.Weights, want)
		return false
	}
	tests := h.data.(workload.Evaluated)
	classes := tests.Classes()
	var b model.Batch
	var loss, worst, accuracy float64
	for i, k := range f.Label {
		tests.TestSamples(&b, i)
		params := h.bank.Model(int(k))
		l := h.model.Loss(params, b)
		loss += l
		worst = max(worst, l)
		if classes == 0 {
			continue
		}
		n := h.model.(*model.Network)
		out := make([]float32, b.N*classes)
		n.Predict(out, params, b)
		sheet, right := make([]uint16, classes*classes), 0
		for j := range b.N {
			row := out[j*classes : (j+1)*classes]
			answer := slices.Index(row, slices.Max(row))
			sheet[int(b.Y[j])*classes+answer]++
			if answer == int(b.Y[j]) {
				right++
			}
		}
		if got := f.Confusion[i*len(sheet) : (i+1)*len(sheet)]; !slices.Equal(got, sheet) {
			t.Errorf("%s: confusion of client %d = %v, want %v", name, i, got, sheet)
			return false
		}
		if want := float32(right) / float32(b.N); f.Accuracies[i] != want {
			t.Errorf("%s: accuracy of client %d = %v, want %v of %v", name, i, f.Accuracies[i], right, b.N)
			return false
		}
		accuracy += float64(f.Accuracies[i])
	}
	n := float64(len(f.Label))
	if f.Loss != loss/n || f.Worst != worst || f.Accuracy != accuracy/n {
		t.Errorf("%s: loss %v, worst %v, accuracy %v, want %v, %v, %v", name, f.Loss, f.Worst, f.Accuracy,
			loss/n, worst,
			accuracy/n)
		return false
	}
	return true
}

// TestFeaturesByHand: what CFL-GP clusters are the leading singular features of
// the means of its clients' updates of the common models, at the coordinates that
// the algorithm's seed draws, be they gradients, what is left of them, or trained
// models. For the bound see TestMemoryFeatures of package algorithm; the frame
// rounds each feature once more.
func TestFeaturesByHand(t *testing.T) {
	const models = 2
	for _, protocol := range []string{"", "&nd=3", "&nd=3&quant=trunc", "&avg=model&tau=2&opt=momentum&keep=kept&lr=0.02"} {
		for _, compression := range []int{1, 7, 300} {
			query := fmt.Sprintf(
				"data=digits&n=240&C=6&T=12&every=12&exam=5&net=softmax&b=16&probe=20&shift=rotations&angles=0,180&K=%d&cr=%d&algos=cflgp%s",
				models, compression, protocol)
			r, h := record(t, query, nil), newHand(t, query, nil)
			picked := pick(h.bank.Size, compression)
			clients, width := h.data.Clients(), len(picked)
			var g clusterer.Matrix
			g.Reshape(clients, models*width)
			clear(g.Data)
			looks := 0
			for n := 1; n < len(r.lanes[0]); n++ {
				f := &r.lanes[0][n]
				if f.Events.Has(trace.Reclustered) {
					common, times := looks%models, float64(looks/models+1)
					for i := range clients {
						kept := h.memory[i]
						if int(r.lanes[0][n-1].Label[i]) == common { // the update that it trains by
							h.memory[i] = moments{kept.steps, slices.Clone(kept.first), slices.Clone(kept.second)}
						} else { // one for features alone, which starts anew
							h.memory[i] = moments{}
						}
						update := h.update(i, n, h.bank.Model(common))
						h.memory[i] = kept
						for j, at := range picked {
							block := &g.Row(i)[common*width+j]
							*block += (float64(update[at]) - *block) / times
						}
					}
					looks++
					compareFeatures(t, fmt.Sprintf("%s: round %d", query, n), f.Embedding, &g, models)
				}
				h.play(n, r.lanes[0][n-1].Label, false)
			}
			if looks != 6 {
				t.Errorf("%s: %d clusterings, want 6", query, looks)
			}
		}
	}
}

// pick draws the coordinates of features.
func pick(size, compression int) []int {
	all := make([]int, size)
	for j := range all {
		all[j] = j
	}
	if compression == 1 {
		return all
	}
	var s rng.Stream
	s.Reset(1, rng.Coordinates, 0, 0)
	n := max(1, size/compression)
	for j := range n {
		k := j + s.IntN(size-j)
		all[j], all[k] = all[k], all[j]
	}
	slices.Sort(all[:n])
	return all[:n]
}

// compareFeatures compares features with those of the rows of g, by their inner
// products: features are known up to a turn.
func compareFeatures(t *testing.T, name string, got []float32, g *clusterer.Matrix, n int) {
	t.Helper()
	var spectral clusterer.Spectral
	var want clusterer.Matrix
	spectral.Fit(&want, g, n)
	squared := 0.0
	for _, v := range g.Data {
		squared += v * v
	}
	if len(got) != len(want.Data) || squared == 0 {
		t.Errorf("%s: %d features of ‖G‖² = %v, want %d of something", name, len(got), squared, len(want.Data))
		return
	}
	first, last, next := spectral.Values[0], spectral.Values[n-1], spectral.Values[n]
	// Blocks of float32 are off by a few units for each time they were mixed.
	relative := 36.0 + 2 + 2*30
	bound := relative * 0x1p-24 * squared * (1 + 2*math.Sqrt2*first*first/(last*last-next*next))
	for i := range want.Rows {
		for j := range want.Rows {
			product, other := 0.0, 0.0
			for k := range n {
				product += float64(got[i*n+k]) * float64(got[j*n+k])
				other += want.Row(i)[k] * want.Row(j)[k]
			}
			if math.Abs(product-other) > bound {
				t.Errorf("%s: features %d and %d have the product %v, want %v within %v", name, i, j, product,
					other, bound)
				return
			}
		}
	}
	if bound > 0.05*squared {
		t.Errorf("%s: the bound %v of ‖G‖² = %v proves nothing", name, bound, squared)
	}
}
