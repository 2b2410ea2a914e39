package workload

import (
	"flockscope/sim/exact"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "mix1d",
			Title:  "Two slopes, chosen start",
			Family: registry.Lines,
			Doc: "Groups on lines through the origin. You choose the slopes of the lines and the start " +
				"slopes of the models.",
			Paper: registry.CLoVE.At("Figure 1"),
			Fields: []param.Field{
				{Name: "star", Label: "True slopes θ*", Section: param.Data, Kind: param.Numbers, Min: -10, Max: 10, Default: "1,1.45",
					Doc: "The best slope for each group. There are as many groups as numbers."},
				{Name: "theta0", Label: "Start slopes θ⁰", Section: param.Models, Kind: param.Numbers, Min: -10, Max: 10, Default: "0,3.3",
					Doc: "Where the models begin. Models without a number start at random in the start range."},
				fieldInit,
				fieldSigma,
			},
		},
		Make: Spec{Endless: true, Make: makeMix1D, Defaults: map[string]string{
			"sigma": "0.1", "K": "2", "b": "200", "probe": "200", "T": "60"}},
	})
}

// mix1d draws x ~ N(0, 1) and y = θ*·x + n, n ~ N(0, σ²).
type mix1d struct {
	lines
	star  []float64
	sigma float64
}

func makeMix1D(v param.Values, _ *File) (Workload, error) {
	w := &mix1d{star: v.Numbers("star"), sigma: v.Float("sigma")}
	w.start, w.spread = v.Numbers("theta0"), v.Float("init")
	w.group, w.groups = contiguous(v.Int("C"), len(w.star)), len(w.star)
	for _, g := range w.group {
		t := w.star[g]
		w.moments = append(w.moments, moments{xx: 1, xy: t, yy: float64(t*t) + float64(w.sigma*w.sigma)})
	}
	return w, nil
}

func (w *mix1d) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	chance := b.Chance(2 * n)
	w.RandomNumbers(chance, s)
	w.FromNumbers(b, client, chance)
}

func (w *mix1d) RandomNumbers(dst []float64, s *rng.Stream) { s.Normals(dst) }

func (w *mix1d) FromNumbers(b *model.Batch, client int, z []float64) {
	slope, n := w.star[w.group[client]], len(z)/2
	b.Resize(n, 1)
	for j := range n {
		x, noise := z[2*j], z[2*j+1]
		b.X[j] = float32(x)
		b.Y[j] = float32(float64(slope*x) + float64(w.sigma*noise))
	}
}

func (w *mix1d) Nodes(b *model.Batch, client int) {
	evenly(b, w.star[w.group[client]], exact.NormalQuantile)
}

func (w *mix1d) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	sc := drawPreview(w, s, seed)
	sc.Floor, sc.Alike = w.sigma*w.sigma, allEqual(w.star)
	for _, t := range w.star {
		sc.Truth = append(sc.Truth, trace.Line{Slope: float32(t)})
	}
	sc.XMin, sc.XMax = -3, 3
	return sc
}
