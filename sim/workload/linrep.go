package workload

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/exact"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/theory"
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
				{Name: "even", Label: "Smallest group", Section: param.Data, Kind: param.Float, Min: 0.01, Max: 1, Low: 0.05, High: 1, Step: 0.05, Default: "1", Advanced: true,
					Doc: "Clients of the smallest group, relative to the largest; sizes between fall by equal factors. 1: equal groups. HCFL+ converges faster with equal groups (remark B.13); up to 0.6 the bound of theorem B.12 says nothing."},
			},
		},
		Make: Spec{Endless: true, Make: makeLinRep, Defaults: map[string]string{"b": "40", "probe": "40", "lr": "0.05", "T": "200"}},
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
	star    [][]float64      // B*θ* of each group
	columns clusterer.Matrix // B*, a row for each column
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
	w.group = uneven(v.Int("C"), w.groups, v.Float("even"))
	var s rng.Stream
	s.Reset(uint64(v.Int("sd")), rng.Samples, 0, -1) // no round is 0 and no client is −1
	columns := orthonormal(d, c, &s)
	w.columns = clusterer.Matrix{Rows: c, Cols: d, Data: slices.Concat(columns...)}
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

// uneven is contiguous with sizes that fall by equal factors from the first group to the last, which has ratio times its
// size. Every group has a client, if there are enough.
func uneven(clients, groups int, ratio float64) []int {
	of := contiguous(clients, groups)
	if ratio == 1 || groups < 2 || clients < groups {
		return of
	}
	size, total, step := 1.0, 0.0, exact.Exp(exact.Log(ratio)/float64(groups-1))
	for range groups {
		total += size
		size *= step
	}
	size, end := 1.0, 0.0
	next := 0
	for g := range groups {
		end += size / total
		size *= step
		last := min(max(int(math.Round(end*float64(clients))), next+1), clients-(groups-1-g))
		for ; next < last; next++ {
			of[next] = g
		}
	}
	return of
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

// Distance returns dist(B, B*), the sine of the largest angle between the spaces of their columns.
func (w *linrep) Distance(_ int, params []float32, s *theory.Subspace) float64 {
	return s.Distance(params, &w.columns)
}

// Convexity returns 0: the risk has no unique best model.
func (w *linrep) Convexity() float64 { return 0 }

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
