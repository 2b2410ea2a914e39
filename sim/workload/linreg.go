package workload

import (
	"math"

	"flockscope/sim/exact"
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
			Name:   "linreg",
			Title:  "Linear regression",
			Family: registry.Lines,
			Doc: "The samples of each group lie along a line through the origin; neighbouring lines differ " +
				"by the angle Δφ.",
			Paper: registry.CFLGP.At("section 5.1, appendix F.4"),
			Fields: []param.Field{
				{Name: "dphi", Label: "Gap Δφ", Section: param.Data, Unit: "°", Kind: param.Float, Min: 0, Max: 80, High: 45, Step: 0.5, Default: "20",
					Doc: "How different are the groups? The angle between neighbouring lines."},
				fieldGroups,
				fieldInit,
				fieldSigma,
			},
		},
		Make: Spec{Endless: true, Make: makeLinreg},
	})
}

// linreg draws x ~ U(0, cos φ) and y = x·tan φ + n, n ~ N(0, σ²), with one angle φ per group: for D = 3 the angles (Δφ,
// 0, −Δφ) of the paper, in general D angles Δφ apart, centred on 0.
type linreg struct {
	lines
	slope, xMax []float64 // slope tan φ and width cos φ of each group
	sigma       float64
}

func makeLinreg(v param.Values, _ *File) (Workload, error) {
	c, d, gap := v.Int("C"), v.Int("D"), v.Float("dphi")
	w := &linreg{sigma: v.Float("sigma")}
	w.model = model.Linear{Intercept: true}
	w.spread = v.Float("init")
	w.group, w.groups = contiguous(c, d), d
	for g := range d {
		sin, cos := exact.SinCosDegrees(gap * (float64(float64(d-1)/2) - float64(g)))
		w.slope = append(w.slope, sin/cos)
		w.xMax = append(w.xMax, cos)
	}
	for _, g := range w.group {
		// x is uniform on (0, width): E x = width/2, E x² = width²/3.
		width, slope := w.xMax[g], w.slope[g]
		m := moments{xx: width * width / 3, x: width / 2}
		m.xy, m.y = slope*m.xx, slope*m.x
		m.yy = float64(slope*m.xy) + float64(w.sigma*w.sigma)
		w.moments = append(w.moments, m)
	}
	return w, nil
}

func (w *linreg) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	chance := b.Chance(2 * n)
	w.RandomNumbers(chance, s)
	w.FromNumbers(b, client, chance)
}

func (w *linreg) RandomNumbers(dst []float64, s *rng.Stream) {
	n := len(dst) / 2
	s.Pairs(dst[:n], dst[n:])
}

func (w *linreg) FromNumbers(b *model.Batch, client int, chance []float64) {
	g, n := w.group[client], len(chance)/2
	width, slope, u, z := w.xMax[g], w.slope[g], chance[:n], chance[n:]
	b.Resize(n, 1)
	for j := range n {
		x := u[j] * width
		b.X[j] = float32(x)
		b.Y[j] = float32(float64(slope*x) + float64(w.sigma*z[j]))
	}
}

func (w *linreg) Distance(client int, params []float32, _ *theory.Subspace) float64 {
	slope, offset := float64(params[0])-w.slope[w.group[client]], float64(params[1])
	return math.Sqrt(float64(slope*slope) + float64(offset*offset))
}

func (w *linreg) Convexity() float64 {
	least := math.Inf(1)
	for i := range w.moments { // the eigenvalues of 2·[xx x; x 1] add up to 2·(xx + 1)
		m := &w.moments[i]
		least = min(least, 2*(m.xx+1)-m.curvature(true))
	}
	return least
}

func (w *linreg) Gradient(dst []float64, client int, params []float32) {
	m, slope, offset := &w.moments[client], float64(params[0]), float64(params[1])
	dst[0] = 2 * (float64(slope*m.xx) + float64(offset*m.x) - m.xy)
	dst[1] = 2 * (float64(slope*m.x) + offset - m.y)
}

func (w *linreg) Nodes(b *model.Batch, client int) {
	g := w.group[client]
	evenly(b, w.slope[g], func(p float64) float64 { return p * w.xMax[g] })
}

func (w *linreg) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	sc := drawPreview(w, s, seed)
	sc.Floor = w.sigma * w.sigma
	sc.Fan, sc.Alike = w.groups > 1, allEqual(w.slope) && allEqual(w.xMax)
	for _, m := range w.slope {
		sc.Truth = append(sc.Truth, trace.Line{Slope: float32(m)})
	}
	// A box that stays the same while Δφ is dragged: x in (0, 1), and y as far as the outermost line at x = cos φ and
	// 2.2 σ reach, at least ±0.85.
	sc.XMin, sc.XMax = 0, 1
	reach := 0.85
	for g := range w.slope {
		reach = max(reach, math.Abs(w.slope[g]*w.xMax[g])+float64(2.2*w.sigma))
	}
	sc.YMin, sc.YMax = float32(-reach), float32(reach)
	return sc
}
