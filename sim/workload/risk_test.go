package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// synthetic are the workloads that draw without end.
var synthetic = []struct {
	name, workload string
	words          []string
}{
	{"linreg, one group", "linreg", []string{"D=1", "dphi=20"}},
	{"linreg, two groups", "linreg", []string{"D=2", "dphi=80", "sigma=0.5"}},
	{"linreg, three groups", "linreg", []string{"D=3", "dphi=40"}},
	{"linreg, eight groups", "linreg", []string{"D=8", "dphi=20", "sigma=1"}},
	{"linreg, no noise", "linreg", []string{"D=3", "dphi=5", "sigma=0"}},
	{"mix1d", "mix1d", nil},
	{"mix1d, four slopes", "mix1d", []string{"star=-3,0,1,10", "sigma=2"}},
}

// TestRiskIsTheMeanLoss: Risk is the mean of the loss over many draws, within 5
// standard errors, for models right and wrong.
func TestRiskIsTheMeanLoss(t *testing.T) {
	const seed, batches, each = 1, 300, 100
	for _, tt := range synthetic {
		w := build(t, tt.workload, nil, tt.words...)
		of, groups := w.Groups()
		for g := range groups {
			client := slices.Index(of, g)
			for _, params := range [][]float32{{0, 0}, {0.7, -0.2}, {-1.3, 0.5}, {3.3, 1}} {
				params = params[:w.Model().Size()]
				var s rng.Stream
				var b model.Batch
				var sum, squares float64
				for n := range batches {
					s.Reset(seed, rng.Samples, n, client)
					w.Draw(&b, client, each, &s)
					l := w.Model().Loss(params, b)
					sum += l
					squares += l * l
				}
				mean := sum / batches
				deviation := math.Sqrt(max(0, squares/batches-mean*mean) / (batches - 1))
				if got := analytic(t, w).Risk(client, params); math.Abs(got-mean) > 5*deviation+1e-6*mean {
					t.Errorf("%s, seed %d: Risk(%d, %v) = %v, want the mean loss %v ± %v", tt.name, seed, client,
						params, got, mean, 5*deviation)
				}
			}
		}
	}
}

// TestRiskOfTheTruth: no model is better than the true line, whose risk is σ².
func TestRiskOfTheTruth(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	for _, tt := range synthetic {
		w := build(t, tt.workload, nil, tt.words...)
		of, _ := w.Groups()
		var s rng.Stream
		sc := w.DataPreview(&s, 1)
		for client, g := range of {
			params := []float32{sc.Truth[g].Slope, sc.Truth[g].Offset}[:w.Model().Size()]
			least := analytic(t, w).Risk(client, params)
			if !near(least, sc.Floor, 1e-6) {
				t.Errorf("%s: Risk of client %d's true line = %v, want σ² = %v", tt.name, client, least, sc.Floor)
			}
			for range 20 {
				other := slices.Clone(params)
				for j := range other {
					other[j] += float32(r.NormFloat64())
				}
				if got := analytic(t, w).Risk(client, other); got < least {
					t.Errorf("%s, seed %d: Risk(%d, %v) = %v, less than %v at the true line", tt.name, seed, client,
						other, got, least)
				}
			}
		}
	}
}

// TestCurvature compares with the largest eigenvalue of the Hessian of Risk,
// taken by finite differences, over all clients.
func TestCurvature(t *testing.T) {
	workloads := map[string]Workload{"csv": build(t, "csv", &File{Table: rows(t, 3, 5, 40)}, "scale=none")}
	for _, tt := range synthetic {
		workloads[tt.name] = build(t, tt.workload, nil, tt.words...)
	}
	for name, w := range workloads {
		d := w.Model().Size()
		want := 0.0
		for i := range w.Clients() {
			risk := func(a, b float32) float64 { return analytic(t, w).Risk(i, []float32{a, b}[:d]) }
			h := [2][2]float64{{risk(1, 0) - 2*risk(0, 0) + risk(-1, 0)}}
			if d == 2 {
				h[1][1] = risk(0, 1) - 2*risk(0, 0) + risk(0, -1)
				h[0][1] = (risk(1, 1) - risk(1, -1) - risk(-1, 1) + risk(-1, -1)) / 4
			}
			// Power iteration, far from the closed form under test.
			v := [2]float64{1, 0.7}
			length := 0.0
			for range 2000 {
				v = [2]float64{h[0][0]*v[0] + h[0][1]*v[1], h[0][1]*v[0] + h[1][1]*v[1]}
				length = math.Sqrt(v[0]*v[0] + v[1]*v[1])
				v[0], v[1] = v[0]/length, v[1]/length
			}
			want = max(want, length)
		}
		if got := analytic(t, w).Curvature(); !near(got, want, 1e-6) {
			t.Errorf("%s: Curvature() = %v, want %v", name, got, want)
		}
	}
}

// TestGradientIsUnbiased: the mean gradient over many draws is the gradient of
// Risk, by central differences, within 5 standard errors.
func TestGradientIsUnbiased(t *testing.T) {
	const seed, batches, each, step = 4, 400, 25, 1. / 32
	for _, tt := range synthetic {
		w := build(t, tt.workload, nil, tt.words...)
		d := w.Model().Size()
		params, g := []float32{0.5, 0.25}[:d], make([]float32, d)
		for client := range w.Clients() {
			var s rng.Stream
			var b model.Batch
			sum, squares := make([]float64, d), make([]float64, d)
			for n := range batches {
				s.Reset(seed, rng.Samples, n, client)
				w.Draw(&b, client, each, &s)
				w.Model().Gradient(g, params, b)
				for j, v := range g {
					sum[j] += float64(v)
					squares[j] += float64(v) * float64(v)
				}
			}
			for j := range g {
				up, down := slices.Clone(params), slices.Clone(params)
				up[j] += step
				down[j] -= step
				want := (analytic(t, w).Risk(client, up) - analytic(t, w).Risk(client, down)) / (2 * step)
				mean := sum[j] / batches
				deviation := math.Sqrt(max(0, squares[j]/batches-mean*mean) / (batches - 1))
				if math.Abs(mean-want) > 5*deviation+1e-5 {
					t.Errorf("%s, seed %d: client %d, mean gradient %d = %v ± %v, want the slope of Risk %v", tt.name,
						seed, client, j, mean, deviation, want)
				}
			}
		}
	}
}

func TestContiguousGroups(t *testing.T) {
	tests := []struct {
		name            string
		clients, groups int
		want            string
	}{
		{"even", 12, 3, "[0 0 0 0 1 1 1 1 2 2 2 2]"},
		{"one group", 3, 1, "[0 0 0]"},
		{"one client each", 4, 4, "[0 1 2 3]"},
		{"uneven", 7, 3, "[0 0 0 1 1 2 2]"},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(contiguous(tt.clients, tt.groups)); got != tt.want {
			t.Errorf("%s: contiguous(%d, %d) = %v, want %v", tt.name, tt.clients, tt.groups, got, tt.want)
		}
	}
	for clients := 1; clients <= 60; clients++ {
		for groups := 1; groups <= min(8, clients); groups++ {
			of, size := contiguous(clients, groups), make([]int, groups)
			for i, g := range of {
				size[g]++
				if i > 0 && g < of[i-1] {
					t.Fatalf("contiguous(%d, %d) = %v falls", clients, groups, of)
				}
			}
			if slices.Max(size)-slices.Min(size) > 1 || slices.Min(size) == 0 {
				t.Fatalf("contiguous(%d, %d) has groups of %v, want sizes that differ by at most 1", clients,
					groups, size)
			}
		}
	}
}

// TestLinregAngles: D lines, Δφ apart, centred on the x axis, the steepest
// first, and x from 0 to cos φ: the paper's (Δφ, 0, −Δφ) for D = 3.
func TestLinregAngles(t *testing.T) {
	tests := []struct {
		name, dphi, groups string
		want               []float64 // degrees
	}{
		{"the paper's", "20", "3", []float64{20, 0, -20}},
		{"one", "20", "1", []float64{0}},
		{"two", "80", "2", []float64{40, -40}},
		{"eight", "20", "8", []float64{70, 50, 30, 10, -10, -30, -50, -70}},
		{"no gap", "0", "2", []float64{0, 0}},
	}
	for _, tt := range tests {
		w := build(t, "linreg", nil, "C=8", "dphi="+tt.dphi, "D="+tt.groups, "sigma=0")
		of, n := w.Groups()
		if n != len(tt.want) {
			t.Errorf("%s: %d groups, want %d", tt.name, n, len(tt.want))
			continue
		}
		var s rng.Stream
		var b model.Batch
		truth := w.DataPreview(&s, 1).Truth
		for client, g := range of {
			phi := tt.want[g] * math.Pi / 180
			if got := float64(truth[g].Slope); !near(got, math.Tan(phi), 1e-6) {
				t.Errorf("%s: slope %d = %v, want tan %v° = %v", tt.name, g, got, tt.want[g], math.Tan(phi))
			}
			s.Reset(1, rng.Samples, 1, client)
			w.Draw(&b, client, 2000, &s)
			most := 0.0
			for j, x := range b.X {
				most = max(most, float64(x))
				if x < 0 || !near(float64(b.Y[j]), float64(x)*math.Tan(phi), 1e-6) {
					t.Fatalf("%s: client %d draws (%v, %v), want a point of the line at %v°", tt.name, client, x,
						b.Y[j], tt.want[g])
				}
			}
			if width := math.Cos(phi); most > width*(1+1e-6) || most < 0.98*width {
				t.Errorf("%s: client %d draws x up to %v, want up to cos %v° = %v", tt.name, client, most,
					tt.want[g], width)
			}
		}
	}
}

func TestStart(t *testing.T) {
	tests := []struct {
		name, workload string
		words          []string
		want           []float64 // NaN: drawn from the start range
	}{
		{"linreg", "linreg", []string{"init=0.8"}, []float64{math.NaN(), math.NaN(), math.NaN()}},
		{"linreg, all the same", "linreg", []string{"init=0"}, []float64{0, 0, 0}},
		{"mix1d", "mix1d", nil, []float64{0, 3.3, math.NaN()}},
		{"mix1d, none given", "mix1d", []string{"theta0="}, []float64{math.NaN(), math.NaN()}},
		{"mix1d, twins", "mix1d", []string{"theta0=1,1"}, []float64{1, 1}},
	}
	for _, tt := range tests {
		w := build(t, tt.workload, nil, tt.words...)
		drawn := map[float32]bool{}
		for k, want := range tt.want {
			var s rng.Stream
			s.Reset(1, rng.Models, k, 0)
			params := []float32{9, 9}[:w.Model().Size()]
			w.Start(params, k, &s)
			switch {
			case len(params) == 2 && params[1] != 0:
				t.Errorf("%s: Start of model %d has offset %v, want 0", tt.name, k, params[1])
			case math.IsNaN(want):
				if math.Abs(float64(params[0])) > 0.8 || drawn[params[0]] {
					t.Errorf("%s: Start of model %d has slope %v, want one of its own from −0.8 to 0.8", tt.name, k,
						params[0])
				}
				drawn[params[0]] = true
			case params[0] != float32(want):
				t.Errorf("%s: Start of model %d has slope %v, want %v", tt.name, k, params[0], want)
			}
		}
	}
}

// TestDrawIsFromItsStream: the same stream gives the same samples, whatever b
// held before, and more samples start with the fewer.
func TestDrawIsFromItsStream(t *testing.T) {
	workloads := map[string]Workload{"csv": build(t, "csv", &File{Table: rows(t, 5, 4, 60)}, "scale=none")}
	for _, tt := range synthetic {
		workloads[tt.name] = build(t, tt.workload, nil, tt.words...)
	}
	for name, w := range workloads {
		for client := range w.Clients() {
			var s rng.Stream
			var few, many, again model.Batch
			s.Reset(6, rng.Samples, 2, client)
			w.Draw(&many, client, 50, &s)
			again.Resize(80, 1)
			s.Reset(6, rng.Samples, 2, client)
			w.Draw(&again, client, 50, &s)
			if !slices.Equal(many.X, again.X) || !slices.Equal(many.Y, again.Y) {
				t.Errorf("%s: client %d draws other samples from the same stream", name, client)
			}
			for n := 1; n <= many.N; n += 7 {
				s.Reset(6, rng.Samples, 2, client)
				w.Draw(&few, client, n, &s)
				if few.N != n || !slices.Equal(few.X, many.X[:n]) || !slices.Equal(few.Y, many.Y[:n]) {
					t.Errorf("%s: client %d: a draw of %d is not the start of a draw of %d", name, client, n, many.N)
				}
			}
			s.Reset(6, rng.Samples, 3, client)
			w.Draw(&again, client, 50, &s)
			if slices.Equal(many.X, again.X) && len(slices.Compact(slices.Sorted(slices.Values(many.X)))) > 3 {
				t.Errorf("%s: client %d draws the same samples in another round", name, client)
			}
			if n := testing.AllocsPerRun(5, func() { w.Draw(&again, client, 50, &s) }); n != 0 {
				t.Errorf("%s: Draw allocates %v times, want 0", name, n)
			}
		}
	}
}

func TestScenery(t *testing.T) {
	for _, tt := range synthetic {
		for _, clients := range []string{"C=1", "C=8", "C=100"} {
			if tt.name != "linreg, one group" && clients == "C=1" {
				continue
			}
			w := build(t, tt.workload, nil, append(tt.words, clients)...)
			_, groups := w.Groups()
			var s rng.Stream
			sc := w.DataPreview(&s, 1)
			if len(sc.Truth) != groups || len(sc.Points) == 0 || len(sc.Points) > 400 {
				t.Errorf("%s %s: %d lines and %d points, want %d and 1 to 400", tt.name, clients, len(sc.Truth),
					len(sc.Points), groups)
			}
			if !(sc.XMin < sc.XMax && sc.YMin < sc.YMax) {
				t.Errorf("%s %s: box x %v to %v, y %v to %v is empty", tt.name, clients, sc.XMin, sc.XMax, sc.YMin,
					sc.YMax)
			}
			for _, p := range sc.Points {
				if p.Client < 0 || int(p.Client) >= w.Clients() {
					t.Errorf("%s %s: a point of client %d of %d", tt.name, clients, p.Client, w.Clients())
				}
			}
		}
	}
}

func TestEveryWorkloadIsDocumented(t *testing.T) {
	if len(Registry.All()) < 3 {
		t.Errorf("%d workloads, want linreg, mix1d and csv at least", len(Registry.All()))
	}
	for _, e := range Registry.All() {
		if e.Doc == "" || e.Title == "" || e.Paper.Title == "" || e.Paper.Authors == "" || e.Paper.Venue == "" ||
			e.Paper.Year < 1950 || e.Paper.URL == "" {
			t.Errorf("%s: incomplete: %+v", e.Name, e.Meta)
		}
		for _, f := range e.Fields {
			if f.Doc == "" || f.Label == "" {
				t.Errorf("%s: field %s lacks a label or a doc", e.Name, f.Name)
			}
		}
	}
}

// No model near the best one of a group has a smaller loss on the group's clients.
func TestBestModels(t *testing.T) {
	for _, tt := range []struct {
		name  string
		words []string
	}{
		{"pairs8", []string{"C=16"}}, {"pairs8", []string{"C=16", "truth=pairs"}}, {"mix2", []string{"C=9", "blend=0.3"}},
	} {
		w := build(t, tt.name, nil, tt.words...)
		group, groups := w.Groups()
		var s rng.Stream
		best, size := w.DataPreview(&s, 1).Best, w.Model().Size()
		if len(best) != groups*size {
			t.Fatalf("%s %v: %d numbers for %d groups", tt.name, tt.words, len(best), groups)
		}
		loss := func(g int, params []float32) (sum float64) {
			for i, other := range group {
				if other == g {
					sum += w.(Analytic).Risk(i, params)
				}
			}
			return sum
		}
		for g := range groups {
			params := slices.Clone(best[g*size : (g+1)*size])
			least := loss(g, params)
			for j := range params {
				for _, step := range []float32{-0.01, 0.01} {
					params[j] += step
					if v := loss(g, params); v < least {
						t.Errorf("%s %v: parameter %d of group %d %+v changes the loss from %v to %v", tt.name, tt.words, j,
							g, step, least, v)
					}
					params[j] = best[g*size+j]
				}
			}
		}
	}
}
