package workload

import (
	"math"
	"slices"
	"sync"

	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// gauss draws x ~ N(0, I_d) and y = θ*·x + n, n ~ N(0, σ²). A client has one θ*, or two: then each
// sample follows the first with probability κ. Models are weighted sums without a constant term.
// Since E x·xᵀ = I, the risk of a model is a mean of squared distances in parameter space.
type gauss struct {
	group       []int
	groups      int
	first       [][]float64 // θ* of each client
	second      [][]float64 // the other one; nil for clients with one
	probability []float64   // probability of the first, κ
	sigma       float64
	spread      float64 // of the start weights: ±spread
	network     *model.Network
	nodes       func() []float32
}

// newGauss returns clients in d dimensions, whose weights are not set.
func newGauss(v param.Values, d int) (*gauss, error) {
	linear, _ := model.Registry.Lookup("linear")
	network, err := linear.Make.Make(param.Given{"bias": "0"}.Values(),
		model.Samples{Shape: model.Shape{Height: 1, Width: d, Channels: 1}})
	c := v.Int("C")
	return &gauss{sigma: v.Float("sigma"), spread: v.Float("init"), network: network, nodes: onceNormalNodes(d),
		first: make([][]float64, c), second: make([][]float64, c), probability: make([]float64, c)}, err
}

func (w *gauss) Clients() int         { return len(w.first) }
func (w *gauss) Groups() ([]int, int) { return w.group, w.groups }
func (w *gauss) Model() model.Model   { return w.network }
func (w *gauss) Samples(int) int      { return 1 }

// Curvature returns that of ‖θ − θ*‖².
func (w *gauss) Curvature() float64 { return 2 }

func (w *gauss) Start(params []float32, _ int, s *rng.Stream) {
	for j := range params {
		params[j] = float32(s.Uniform(-w.spread, w.spread))
	}
}

func (w *gauss) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	d := w.network.Inputs()
	b.Resize(n, d)
	for i := range n {
		star := w.first[client]
		if other := w.second[client]; other != nil && s.Float64() >= w.probability[client] {
			star = other
		}
		b.Y[i] = float32(drawSample(b, i, star, s, w.sigma))
	}
}

// Risk returns κ·‖θ − θ₁‖² + (1 − κ)·‖θ − θ₂‖² + σ².
func (w *gauss) Risk(client int, params []float32) float64 {
	noise := float64(w.sigma * w.sigma)
	if w.second[client] == nil {
		return distance(params, w.first[client]) + noise
	}
	k := w.probability[client]
	return float64(k*distance(params, w.first[client])) + float64((1-k)*distance(params, w.second[client])) + noise
}

// Line sets dst to the parameters, and no constant.
func (w *gauss) Line(dst []float64, params []float32) { weightsOf(dst, params) }

func (w *gauss) LineRisk(client int, line []float64) float64 {
	noise, d := float64(w.sigma*w.sigma), len(w.first[client])
	one := squared(line[:d], w.first[client])
	if w.second[client] == nil {
		return one + noise
	}
	k := w.probability[client]
	return float64(k*one) + float64((1-k)*squared(line[:d], w.second[client])) + noise
}

// Nodes gives the outputs κ·θ₁·x + (1 − κ)·θ₂·x.
func (w *gauss) Nodes(b *model.Batch, client int) {
	star := w.first[client]
	if other, k := w.second[client], w.probability[client]; other != nil {
		between := b.Chance(len(star))
		for j := range between {
			between[j] = float64(k*star[j]) + float64((1-k)*other[j])
		}
		star = between
	}
	fillNodes(b, w.nodes(), star)
}

// normalNodes returns inputs that represent x ~ N(0, I) in d dimensions: normal draws and their
// negatives, transformed to covariance I. A mean over them is exact for polynomials of degree 3 at
// most; for models weighted by x it is within about 1 %.
func normalNodes(d int) []float32 {
	var s rng.Stream
	s.Reset(0, rng.Nodes, d, 0)
	half := max(128, d)
	nodes, scale := make([]float32, 2*half*d), math.Sqrt(float64(half))
	for j, column := range orthonormal(half, d, &s) {
		for i, x := range column {
			nodes[2*i*d+j], nodes[(2*i+1)*d+j] = float32(scale*x), float32(-scale*x)
		}
	}
	return nodes
}

// onceNormalNodes computes normalNodes at the first call.
func onceNormalNodes(d int) func() []float32 {
	return sync.OnceValue(func() []float32 { return normalNodes(d) })
}

// fillNodes fills b with nodes x and outputs x·star.
func fillNodes(b *model.Batch, nodes []float32, star []float64) {
	b.Resize(len(nodes)/len(star), len(star))
	copy(b.X, nodes)
	for i := range b.N {
		y := 0.0
		for j, weight := range star {
			y += float64(weight * float64(b.X[i*len(star)+j]))
		}
		b.Y[i] = float32(y)
	}
}

// weightsOf sets dst to the parameters of a weighted sum, and a constant of 0.
func weightsOf(dst []float64, params []float32) {
	for j, v := range params {
		dst[j] = float64(v)
	}
	dst[len(params)] = 0
}

// distance returns the squared distance of two vectors.
func distance(a []float32, b []float64) float64 {
	sum := 0.0
	for j, x := range b {
		e := float64(a[j]) - x
		sum += float64(e * e)
	}
	return sum
}

// DataPreview sets the floor to the mean of the clients' least losses. The best model of a client with
// two weights lies between them, and its loss is κ·(1 − κ)·‖θ₁ − θ₂‖² + σ².
func (w *gauss) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	floor := 0.0
	for i, other := range w.second {
		if other != nil {
			k := w.probability[i]
			floor += float64(float64(k*(1-k)) * squared(w.first[i], other))
		}
	}
	var stars [][]float64
	for i := range w.first {
		for _, star := range [][]float64{w.first[i], w.second[i]} {
			if star != nil && !slices.ContainsFunc(stars, func(s []float64) bool { return slices.Equal(s, star) }) {
				stars = append(stars, star)
			}
		}
	}
	sc := previewAlong(w, stars, floor/float64(len(w.first))+float64(w.sigma*w.sigma), s, seed)
	sc.Alike = len(stars) == 1
	for i, other := range w.second {
		if other != nil && !slices.Contains(sc.Mixtures, int16(w.group[i])) {
			sc.Mixtures = append(sc.Mixtures, int16(w.group[i]))
		}
	}
	sc.Best = w.best()
	return sc
}

// best returns the weights with the least loss of each group: risks are mean squared distances, so it is the mean of
// the weights that its samples follow.
func (w *gauss) best() []float32 {
	d := len(w.first[0])
	sum, clients := make([]float64, w.groups*d), make([]float64, w.groups)
	for i, g := range w.group {
		clients[g]++
		for j, weight := range w.first[i] {
			if other, k := w.second[i], w.probability[i]; other != nil {
				weight = float64(k*weight) + float64((1-k)*other[j])
			}
			sum[g*d+j] += weight
		}
	}
	best := make([]float32, len(sum))
	for at, v := range sum {
		best[at] = float32(v / clients[at/d])
	}
	return best
}
