package theory

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"flockscope/clusterer"
)

//go:embed testdata/theory.json
var goldenText []byte

// spread is means over seeds, with their standard errors.
type spread struct{ Mean, Error []float64 }

// golden is what NumPy computes from the papers alone, see testdata/theory.py.
var golden = func() (g struct {
	Bounds []struct {
		In struct {
			C, K, P, B, D, T                          int
			Rho, V, Mu, L, W, Gap, Delta, Zeta, Noise float64
		}
		Out struct {
			Lambda, Misplaced, Expected, Share, First, Last, Contraction, Optimal float64
			Rate, Measured                                                        *float64
		}
	}
	Lines []struct {
		Degrees, Sigma, Slope, Offset, Noise float64
		Group                                int
		Gradient, Curvature                  [2]float64
	}
	CFLGP []struct {
		T int
		spread
	}
	CLoVE  spread
	HCFL   map[string][]int
	Spaces []struct {
		B        []float32
		Star     []float64
		Width    int
		Distance float64
	}
	Theorem []struct {
		In  [7]float64
		Out float64
	}
}) {
	if err := json.Unmarshal(goldenText, &g); err != nil {
		panic(err)
	}
	return g
}()

// near reports whether two numbers agree to so many parts of the second.
func near(got, want, part float64) bool { return math.Abs(got-want) <= part*math.Abs(want) }

// TestBounds: bounds of CFL-GP are those that NumPy computes from the equations as printed.
func TestBounds(t *testing.T) {
	finite := 0
	for _, g := range golden.Bounds {
		in := g.In
		s := Setting{Clients: in.C, Models: in.K, Period: in.P, Batch: in.B, Size: in.D, Smallest: in.Rho, Noise: in.V,
			Convexity: in.Mu, Smoothness: in.L, Norm: in.W, Gap: in.Gap}
		for _, tt := range []struct {
			what      string
			got, want float64
		}{
			{"λ", Lambda(in.Zeta), g.Out.Lambda},
			{"(18)", MisplacedBound(in.K, in.Noise, in.Gap), g.Out.Misplaced},
			{"(73)", s.ExpectedNoise(s.Updates(in.T), in.Zeta), g.Out.Expected},
			{"Lemma 1", s.MisplacedShare(in.T, in.Delta, in.Zeta), g.Out.Share},
			{"the first round of Theorem 1", s.FirstRound(in.Delta, Lambda(in.Zeta)), g.Out.First},
			{"T_cl", s.LastClustering(in.Delta, Lambda(in.Zeta)), g.Out.Last},
			{"(4)", s.Contraction(), g.Out.Contraction},
			{"Remark 3", s.OptimalRate(in.Delta), g.Out.Optimal},
		} {
			if !near(tt.got, tt.want, 1e-9) {
				t.Errorf("%+v: %s = %v, want %v", in, tt.what, tt.got, tt.want)
			}
		}
		for _, tt := range []struct {
			what string
			got  float64
			want *float64
		}{
			{"(5)", s.ErrorRate(in.T, in.Delta, Lambda(in.Zeta)), g.Out.Rate},
			{"(57)", s.MeasuredRate(in.Delta, in.Noise), g.Out.Measured},
		} {
			if tt.want == nil && !math.IsInf(tt.got, 1) || tt.want != nil && !near(tt.got, *tt.want, 1e-9) {
				t.Errorf("%+v: %s = %v, want %v", in, tt.what, tt.got, tt.want)
			}
			if tt.want != nil {
				finite++
			}
		}
	}
	if finite < 4 {
		t.Errorf("%d finite error rates, want 4 to compare", finite)
	}
}

// TestLines: gradient, noise and curvature of section 5.1 are the integrals.
func TestLines(t *testing.T) {
	for _, g := range golden.Lines {
		l := Lines(3, g.Degrees, g.Sigma)[g.Group]
		gradient := l.Gradient(g.Slope, g.Offset)
		convexity, smoothness := l.Curvature()
		got := []float64{gradient[0], gradient[1], l.Noise(g.Slope, g.Offset), convexity, smoothness}
		want := []float64{g.Gradient[0], g.Gradient[1], g.Noise, g.Curvature[0], g.Curvature[1]}
		for j := range got {
			if !near(got[j], want[j], 1e-9) {
				t.Errorf("%v: number %d is %v, want %v", g, j, got[j], want[j])
			}
		}
		best := l.Gradient(l.Slope, 0)
		if math.Abs(best[0])+math.Abs(best[1]) > 1e-15 || l.Distance(l.Slope+3, 4) != 5 {
			t.Errorf("%v: the gradient of the best model is %v, and (3, 4) is %v away", l, best, l.Distance(l.Slope+3, 4))
		}
	}
}

// TestGaps: the gap of a block is at most that of entire rows, which is the root of their squares.
func TestGaps(t *testing.T) {
	m := &clusterer.Matrix{Rows: 3, Cols: 4, Data: []float64{0, 0, 0, 0, 3, 4, 0, 12, 0, 6, 8, 0}}
	if block, whole := GradientGaps(m, 2); block != math.Sqrt(13) || whole != 10 {
		t.Errorf("gaps %v and %v, want √13 and 10", block, whole)
	}
}

// TestSubspace: distances are those of the principal angles; dependent columns have the distance 1.
func TestSubspace(t *testing.T) {
	var s Subspace
	for _, g := range golden.Spaces {
		star := &clusterer.Matrix{Rows: g.Width, Cols: len(g.Star) / g.Width, Data: g.Star}
		if got := s.Distance(g.B, star); math.Abs(got-g.Distance) > 1e-6 {
			t.Errorf("%d of %d directions: distance %v, want %v", star.Rows, star.Cols, got, g.Distance)
		}
		if got := s.Distance(make([]float32, len(g.B)), star); got != 1 {
			t.Errorf("no directions: distance %v, want 1", got)
		}
	}
}

// TestTheoremB12: the bound is (142), and its limit is where it stays.
func TestTheoremB12(t *testing.T) {
	for _, g := range golden.Theorem {
		s := Shares{Rate: g.In[1], Groups: int(g.In[2]), Least: g.In[3], Most: g.In[4], Diversity: g.In[5],
			InitialDistance: g.In[6]}
		if got := s.Next(g.In[0]); !near(got, g.Out, 1e-9) {
			t.Errorf("%+v: %v, want %v", s, got, g.Out)
		}
	}
	small := Shares{Rate: 1e-4, Groups: 3, Most: 1, Diversity: 1}
	for _, tt := range []struct{ ratio, want float64 }{
		{1, 0.1505}, {0.8, 0.264}, {0.606, 0.986}, {0.6, 1}, {1.0 / 6, 1},
	} {
		if small.Least = tt.ratio; !near(small.Limit(), tt.want, 0.01) {
			t.Errorf("the smallest group has %v of the largest: limit %v, want %v", tt.ratio, small.Limit(), tt.want)
		}
	}
	small.Rate = 3
	if got := small.Next(0.1); !math.IsInf(got, 1) {
		t.Errorf("with c_max = 3 the bound is %v, want none", got)
	}
}

// agrees reports whether the mean of rows is within five standard errors of means from other random numbers.
func agrees(t *testing.T, what string, got [][]float64, want spread) {
	t.Helper()
	for j := range want.Mean {
		mean, squares, n := 0.0, 0.0, float64(len(got))
		for _, row := range got {
			mean += row[j] / n
		}
		for _, row := range got {
			squares += (row[j] - mean) * (row[j] - mean) / (n * (n - 1))
		}
		if limit := 5 * math.Sqrt(squares+want.Error[j]*want.Error[j]); math.Abs(mean-want.Mean[j]) > limit {
			t.Errorf("%s: number %d is %v on average, want %v ± %v", what, j, mean, want.Mean[j], limit)
		}
	}
}

// TestCLoVEPlay: the first round and the decay are those of a simulation in NumPy, with other random numbers. k-means is
// right in the first round, although the proximity condition, without its large constant, does not hold.
func TestCLoVEPlay(t *testing.T) {
	var all [][]float64
	const delta = 1
	for seed := range 8 {
		m := Mixture{Clients: 20, Groups: 4, Inputs: 20, Samples: 200, Delta: delta, Sigma: 0.05,
			Rate: LearningRate(delta), Seed: uint64(seed)}
		first, errors, wrong := m.Play(6)
		if first.Separation < first.Promised {
			t.Errorf("seed %d: groups are %v apart, less than Lemma A.1's %v", seed, first.Separation, first.Promised)
		}
		if slices.Max(wrong) > 0 {
			t.Errorf("seed %d: misplaced %v", seed, wrong)
		}
		all = append(all, append([]float64{first.Separation, first.Margin, first.Asked}, errors...))
	}
	agrees(t, "CLoVE", all, golden.CLoVE)
}

// TestSeparationOfProximal: models within Δ/4 of the best keep loss vectors as far apart as Lemma A.2 says.
func TestSeparationOfProximal(t *testing.T) {
	best := [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	delta := math.Sqrt2
	models := [][]float64{{1, delta / 4, 0}, {delta / 4, 1, 0}, {0, delta / 4, 1}}
	want := SeparationProximal(delta)
	if got := LeastDistance(LossCentres(models, best, 0.1)); got < want || want <= delta/2 {
		t.Errorf("loss vectors are %v apart, want %v", got, want)
	}
}

// TestHCFLPlay: rounds until the distance is below 0.1 are those of a simulation in NumPy: many more if groups are
// unequal, and seldom at all with shares of 0.9, 0.05 and 0.05.
func TestHCFLPlay(t *testing.T) {
	for name, samples := range map[string][]int{"equal": {1000, 1000, 1000}, "0.6 0.3 0.1": {1800, 900, 300}, "0.9 0.05 0.05": {2700, 150, 150}} {
		var here []int
		for seed := range 11 {
			r := Representation{Inputs: 20, Width: 3, Samples: samples, Sigma: 0.2, Rate: 0.5, Seed: uint64(seed)}
			distances, _ := r.Play(100, true)
			at := slices.IndexFunc(distances, func(d float64) bool { return d < 0.1 })
			here = append(here, at)
		}
		median := func(list []int) int {
			for i, v := range list {
				if v < 0 {
					list[i] = 1000
				}
			}
			slices.Sort(list)
			return list[len(list)/2]
		}
		there := slices.Clone(golden.HCFL[name])
		got, want := median(here), median(there)
		t.Logf("%s: median %d here, %d there; %v and %v", name, got, want, here, there)
		// The middle half of the other program's runs, and so many rounds more for chance.
		if low, high := there[len(there)/4], there[3*len(there)/4]; got < low || got > high {
			t.Errorf("%s: a median of %d rounds, want %d to %d", name, got, low, high)
		}
	}
}
