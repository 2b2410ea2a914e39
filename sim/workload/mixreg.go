package workload

import (
	"math"
	"sync"

	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/theory"
	"flockscope/sim/trace"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "mixreg",
			Title:  "Mixed regressions",
			Family: registry.Lines,
			Doc:    "Numbers that depend linearly on twenty inputs. Each group of clients has its own weights: vectors of length 1, Δ to 5Δ apart.",
			Paper:  registry.CLoVE.At("appendix C.1.1"),
			Fields: []param.Field{
				{Name: "delta", Label: "Distance Δ", Section: param.Data, Kind: param.Float, Min: 0.0001, Max: 1, Low: 0.0003, High: 1, Log: true, Default: "1",
					Doc: "How different are the groups? The least distance between their weights."},
				fieldGroups,
				{Name: "held", Label: "Samples per client", Section: param.Data, Kind: param.Int, Min: 2, Max: 100000, Low: 100, High: 10000, Log: true, Default: "1000", Advanced: true,
					Doc: "Number of samples that each client holds."},
				fieldSigma,
			},
		},
		Make: Spec{Make: makeMixReg, Defaults: map[string]string{
			"C": "25", "D": "5", "K": "5", "sigma": "0.0001", "b": "100", "probe": "1000", "T": "12", "avg": "model", "tau": "25", "opt": "adam", "lr": "0.001"}},
	})
}

// inputs is the number of inputs, d in the paper.
const inputs = 20

// mixreg draws, once, x ~ N(0, I) and y = θ*·x + n, n ~ N(0, σ²), with one θ* per group. So the
// risk of a model θ is ‖θ − θ*‖² + σ².
type mixreg struct {
	group     []int
	groups    int
	star      [][]float64 // θ* of each group
	sigma     float64
	rows      []heldRows // samples of each client
	perClient int        // number of samples per client
	seed      uint64
	network   *model.Network
	nodes     func() []float32
}

// heldRows are the samples of a client. They are drawn when they are first read, so that a run that
// is too large for the memory is refused before it allocates.
type heldRows struct {
	model.Batch
	drawn sync.Once
}

func makeMixReg(v param.Values, _ *File) (Workload, error) {
	linear, _ := model.Registry.Lookup("linear")
	network, err := linear.Make.Make(param.Given{"bias": "0"}.Values(),
		model.Samples{Shape: model.Shape{Height: 1, Width: inputs, Channels: 1}})
	if err != nil {
		return nil, err
	}
	clients, seed := v.Int("C"), uint64(v.Int("sd"))
	w := &mixreg{groups: v.Int("D"), sigma: v.Float("sigma"), rows: make([]heldRows, clients), perClient: v.Int("held"),
		seed: seed, network: network, nodes: onceNormalNodes(inputs)}
	w.group = contiguous(clients, w.groups)
	var s rng.Stream
	s.Reset(seed, rng.Samples, 0, -1) // no round is 0 and no client is −1
	if !w.walk(v.Float("delta"), &s) {
		return nil, &param.Error{Field: "delta", Got: v.Text("delta"), Want: "less, or fewer groups",
			Hint: "this many groups cannot be this far apart"}
	}
	return w, nil
}

// of returns the samples of a client.
func (w *mixreg) of(client int) *model.Batch {
	r := &w.rows[client]
	r.drawn.Do(func() {
		var s rng.Stream
		s.Reset(w.seed, rng.Samples, 0, client)
		w.draw(&r.Batch, w.perClient, w.star[w.group[client]], &s)
	})
	return &r.Batch
}

// walk places the groups: it steps by Δ in a random direction from the last group and normalizes,
// until the new one is Δ to 5Δ away from all others. It reports whether all found a place.
func (w *mixreg) walk(delta float64, s *rng.Stream) bool {
	const tries = 200000
	at := make([]float64, inputs)
	unit(at, s)
	w.star = append(w.star, at)
	step := make([]float64, inputs)
	for try := 0; len(w.star) < w.groups; try++ {
		if try == tries {
			return false
		}
		next := make([]float64, inputs)
		unit(step, s)
		for j := range next {
			next[j] = at[j] + float64(delta*step[j])
		}
		normalise(next)
		apart := true
		for _, other := range w.star {
			d := math.Sqrt(squared(next, other))
			apart = apart && d >= delta && d <= 5*delta
		}
		if apart {
			w.star, at, try = append(w.star, next), next, 0
		}
	}
	return true
}

// unit sets v to a random vector of length 1.
func unit(v []float64, s *rng.Stream) {
	s.Normals(v)
	normalise(v)
}

// normalise gives v the length 1.
func normalise(v []float64) {
	length := 0.0
	for _, x := range v {
		length += float64(x * x)
	}
	length = math.Sqrt(length)
	for j := range v {
		v[j] /= length
	}
}

// squared returns ‖a − b‖².
func squared(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		d := x - b[j]
		sum += float64(d * d)
	}
	return sum
}

// drawSample draws the inputs of sample i, x ~ N(0, I), and returns x·star + n with
// n ~ N(0, σ²).
func drawSample(b *model.Batch, i int, star []float64, s *rng.Stream, sigma float64) float64 {
	z := b.Chance(len(star) + 1)
	s.Normals(z)
	y := 0.0
	for j, weight := range star {
		b.X[i*len(star)+j] = float32(z[j])
		y += float64(z[j] * weight)
	}
	return y + float64(sigma*z[len(star)])
}

// draw fills b with n samples of a client's weights.
func (w *mixreg) draw(b *model.Batch, n int, star []float64, s *rng.Stream) {
	b.Resize(n, inputs)
	for i := range n {
		b.Y[i] = float32(drawSample(b, i, star, s, w.sigma))
	}
}

func (w *mixreg) Clients() int         { return len(w.group) }
func (w *mixreg) Groups() ([]int, int) { return w.group, w.groups }
func (w *mixreg) Model() model.Model   { return w.network }
func (w *mixreg) Samples(int) int      { return w.perClient }
func (w *mixreg) Holds(int) int        { return w.perClient }
func (w *mixreg) Curvature() float64   { return 2 }

// Bytes is the memory that the samples take.
func (w *mixreg) Bytes() int64 { return int64(len(w.rows)) * int64(w.perClient) * 4 * (inputs + 1) }

// Start draws a vector of length 1, as the paper does.
func (w *mixreg) Start(params []float32, _ int, s *rng.Stream) {
	v := make([]float64, inputs)
	unit(v, s)
	for j, x := range v {
		params[j] = float32(x)
	}
}

// Risk returns ‖θ − θ*‖² + σ².
func (w *mixreg) Risk(client int, params []float32) float64 {
	risk := float64(w.sigma * w.sigma)
	for j, x := range w.star[w.group[client]] {
		d := float64(params[j]) - x
		risk += float64(d * d)
	}
	return risk
}

// Distance returns ‖θ − θ*‖.
func (w *mixreg) Distance(client int, params []float32, _ *theory.Subspace) float64 {
	sum := 0.0
	for j, x := range w.star[w.group[client]] {
		d := float64(params[j]) - x
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

func (w *mixreg) Convexity() float64 { return 2 }

// Line sets dst to the parameters, and no constant.
func (w *mixreg) Line(dst []float64, params []float32) { weightsOf(dst, params) }

func (w *mixreg) LineRisk(client int, line []float64) float64 {
	return squared(line[:inputs], w.star[w.group[client]]) + float64(w.sigma*w.sigma)
}

func (w *mixreg) Nodes(b *model.Batch, client int) {
	fillNodes(b, w.nodes(), w.star[w.group[client]])
}

// Take fills b with samples by number.
func (w *mixreg) Take(b *model.Batch, client int, which []int32) {
	rows := w.of(client)
	b.Resize(len(which), inputs)
	for i, k := range which {
		copy(b.X[i*inputs:(i+1)*inputs], rows.X[int(k)*inputs:])
		b.Y[i] = rows.Y[k]
	}
}

// Draw takes the first n of a shuffle of the client's samples.
func (w *mixreg) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	rows := w.of(client)
	n = min(n, rows.N)
	b.Resize(n, inputs)
	pick(n, rows.N, s, func(i, at int) {
		copy(b.X[i*inputs:(i+1)*inputs], rows.X[at*inputs:(at+1)*inputs])
		b.Y[i] = rows.Y[at]
	})
}

func (w *mixreg) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	return previewAlong(w, w.star, float64(w.sigma*w.sigma), s, seed)
}
