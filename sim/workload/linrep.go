package workload

import (
	"math"

	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "linrep",
			Title:  "Linear representation",
			Family: registry.Lines,
			Doc:    "Numbers that depend on many inputs through a few directions, which all groups share; each group weighs them in its own way.",
			Paper: registry.Citation{Authors: "Guo, Tang, Lin", Given: "Yongxin, Xiaoying, Tao",
				Title: "Enhancing Clustered Federated Learning: Integration of Strategies and Improved Methodologies",
				Venue: "arXiv", Year: 2023, URL: "https://arxiv.org/abs/2310.05397"}.At("appendix B, equation 39, assumptions 1 and 3"),
			Fields: []param.Field{
				{Name: "many", Label: "Inputs d", Section: param.Data, Kind: param.Int, Min: 1, Max: 500, Low: 2, High: 50, Default: "10",
					Doc: "Features per sample."},
				{Name: "through", Label: "Directions c", Section: param.Data, Kind: param.Int, Min: 1, Max: 100, Low: 1, High: 10, Default: "3",
					Doc: "Number of directions that matter."},
				fieldGroups, fieldSigma,
			},
		},
		Make: Spec{Endless: true, Make: makeLinRep, Defaults: map[string]string{"b": "40", "probe": "40", "lr": "0.05", "T": "200",
			"eps1": "0.5", "eps2": "2"}},
	})
}

// linrep draws x ~ N(0, I) for every batch, and y = θ*ᵀ B*ᵀ x + n, with one B* for all, whose
// columns are orthonormal, one θ* of length √c per group, and n ~ N(0, σ²). So the risk of a model
// (B, θ) is ‖Bθ − B*θ*‖² + σ².
//
// Models start at random. The paper's analysis starts B by the method of moments.
type linrep struct {
	group   []int
	groups  int
	star    [][]float64 // B*θ* of each group
	sigma   float64
	width   int
	network *model.Network
	nodes   func() []float32
}

func makeLinRep(v param.Values, _ *File) (Workload, error) {
	d, c := v.Int("many"), v.Int("through")
	if c > d {
		return nil, &param.Error{Field: "through", Got: v.Text("through"), Want: say.Messagef("at most %s", "d = "+v.Text("many")),
			Hint: "there are no more directions than inputs"}
	}
	w := &linrep{groups: v.Int("D"), sigma: v.Float("sigma"), width: c, network: model.Representation(d, c),
		nodes: onceNormalNodes(d)}
	w.group = contiguous(v.Int("C"), w.groups)
	var s rng.Stream
	s.Reset(uint64(v.Int("sd")), rng.Samples, 0, -1) // no round is 0 and no client is −1
	columns := orthonormal(d, c, &s)
	theta := make([]float64, c)
	for range w.groups {
		unit(theta, &s)
		scale := math.Sqrt(float64(c))
		star := make([]float64, d)
		for k, column := range columns {
			for j, x := range column {
				star[j] += float64(float64(scale*theta[k]) * x)
			}
		}
		w.star = append(w.star, star)
	}
	return w, nil
}

// orthonormal draws n vectors of length 1 at right angles (Gram and Schmidt, twice, to remove rounding errors).
func orthonormal(size, n int, s *rng.Stream) [][]float64 {
	var out [][]float64
	for range n {
		v := make([]float64, size)
		unit(v, s)
		for range 2 {
			for _, u := range out {
				along := 0.0
				for j, x := range u {
					along += float64(x * v[j])
				}
				for j, x := range u {
					v[j] -= float64(along * x)
				}
			}
			normalise(v)
		}
		out = append(out, v)
	}
	return out
}

func (w *linrep) Clients() int         { return len(w.group) }
func (w *linrep) Groups() ([]int, int) { return w.group, w.groups }
func (w *linrep) Model() model.Model   { return w.network }
func (w *linrep) Samples(int) int      { return 1 }

// Curvature returns that at the optimum, at most 2 (‖θ*‖² + ‖B*‖²).
func (w *linrep) Curvature() float64 { return 2 * float64(w.width+1) }

func (w *linrep) Start(params []float32, _ int, s *rng.Stream) { w.network.Init(params, s) }

// Risk returns ‖Bθ − B*θ*‖² + σ².
func (w *linrep) Risk(client int, params []float32) float64 {
	risk, theta := float64(w.sigma*w.sigma), w.network.Head().Of(params)
	for j, x := range w.star[w.group[client]] {
		for k, weight := range theta {
			x -= float64(float64(params[j*w.width+k]) * float64(weight))
		}
		risk += float64(x * x)
	}
	return risk
}

// Line sets dst to Bθ, and no constant.
func (w *linrep) Line(dst []float64, params []float32) {
	clear(dst)
	theta := w.network.Head().Of(params)
	for j := range len(dst) - 1 {
		for k, weight := range theta {
			dst[j] += float64(float64(params[j*w.width+k]) * float64(weight))
		}
	}
}

func (w *linrep) LineRisk(client int, line []float64) float64 {
	star := w.star[w.group[client]]
	return squared(line[:len(star)], star) + float64(w.sigma*w.sigma)
}

func (w *linrep) Nodes(b *model.Batch, client int) {
	fillNodes(b, w.nodes(), w.star[w.group[client]])
}

// Draw fills b with n fresh samples.
func (w *linrep) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	star := w.star[w.group[client]]
	b.Resize(n, len(star))
	for i := range n {
		b.Y[i] = float32(drawSample(b, i, star, s, w.sigma))
	}
}

func (w *linrep) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	return previewAlong(w, w.star, float64(w.sigma*w.sigma), s, seed)
}
