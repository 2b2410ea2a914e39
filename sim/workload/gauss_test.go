package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// gaussian are the workloads that draw from weights of their clients.
var gaussian = []struct {
	name, workload string
	words          []string
}{
	{"pairs8", "pairs8", []string{"C=16"}},
	{"pairs8, by pairs", "pairs8", []string{"C=16", "truth=pairs", "within=0.15"}},
	{"mix2", "mix2", nil},
	{"mix2, mostly the first kind, noisy", "mix2", []string{"blend=0.9", "sigma=1"}},
	{"mix2, no mixture", "mix2", []string{"blend=0"}},
}

// TestGaussRisk: Risk is the mean of the loss over many draws, and its slope, by
// central differences, the mean gradient, both within 5 standard errors.
func TestGaussRisk(t *testing.T) {
	const seed, batches, each, step = 1, 300, 50, 1. / 32
	for _, tt := range gaussian {
		w := build(t, tt.workload, nil, tt.words...)
		d, net, risk := w.Model().Size(), model.Fresh(w.Model()), analytic(t, w)
		of, groups := w.Groups()
		for g := range groups {
			client := slices.Index(of, g)
			params, grad := make([]float32, d), make([]float32, d)
			for j := range params {
				params[j] = float32(j%3)/2 - 0.4
			}
			means := make([]mean, d+1)
			var s rng.Stream
			var b model.Batch
			for n := range batches {
				s.Reset(seed, rng.Samples, n, client)
				w.Draw(&b, client, each, &s)
				means[d].add(net.Gradient(grad, params, b))
				for j, v := range grad {
					means[j].add(float64(v))
				}
			}
			for j := range means {
				want := risk.Risk(client, params)
				if j < d {
					up, down := slices.Clone(params), slices.Clone(params)
					up[j], down[j] = up[j]+step, down[j]-step
					want = (risk.Risk(client, up) - risk.Risk(client, down)) / (2 * step)
				}
				if got, deviation := means[j].of(batches); math.Abs(got-want) > 5*deviation+1e-5 {
					t.Errorf("%s, seed %d: client %d: mean %d of %d is %v ± %v, want %v", tt.name, seed, client, j, d,
						got, deviation, want)
				}
			}
		}
	}
}

// mean adds up numbers and their squares.
type mean struct{ sum, squares float64 }

func (m *mean) add(v float64) { m.sum += v; m.squares += v * v }

// of returns the mean of n numbers and its standard error.
func (m *mean) of(n float64) (mean, deviation float64) {
	mean = m.sum / n
	return mean, math.Sqrt(max(0, m.squares/n-mean*mean) / (n - 1))
}

// TestGaussCurvature: along every axis the second difference of Risk is the
// curvature, and across two axes it is 0.
func TestGaussCurvature(t *testing.T) {
	for _, tt := range gaussian {
		w := build(t, tt.workload, nil, tt.words...)
		d, risk := w.Model().Size(), analytic(t, w)
		at := func(client, a, b int, x, y float32) float64 {
			params := make([]float32, d)
			params[a] += x
			params[b] += y
			return risk.Risk(client, params)
		}
		for client := range w.Clients() {
			for a := range d {
				if got := at(client, a, a, 1, 0) - 2*at(client, a, a, 0, 0) +
					at(client, a, a, -1, 0); !near(got, risk.Curvature(), 1e-9) {
					t.Errorf("%s: client %d bends by %v along axis %d, want %v", tt.name, client, got, a,
						risk.Curvature())
				}
				b := (a + 1) % d
				if got := at(client, a, b, 1, 1) - at(client, a, b, 1, -1) - at(client, a, b, -1, 1) +
					at(client, a, b, -1, -1); !near(got, 0, 1e-9) {
					t.Errorf("%s: client %d bends by %v across axes %d and %d, want 0", tt.name, client, got, a, b)
				}
			}
		}
	}
}

// TestGaussFloor: no model has a lower mean risk than the floor, and the best
// model of each client, the mean of its weights, comes to it.
func TestGaussFloor(t *testing.T) {
	for _, tt := range gaussian {
		w := build(t, tt.workload, nil, tt.words...).(*gauss)
		sum, nudged := 0.0, 0.0
		for client := range w.Clients() {
			best := make([]float32, w.Model().Size())
			for j := range best {
				best[j] = float32(w.first[client][j])
				if w.second[client] != nil {
					first := w.probability[client]
					best[j] = float32(first*w.first[client][j] + (1-first)*w.second[client][j])
				}
			}
			sum += w.Risk(client, best)
			best[client%len(best)] += 0.1
			nudged += w.Risk(client, best)
		}
		n := float64(w.Clients())
		if floor := w.DataPreview(new(rng.Stream), 1).Floor; !near(sum/n, floor, 1e-6) || nudged <= sum {
			t.Errorf("%s: best models have a mean risk of %v, others of %v; the floor is %v", tt.name, sum/n,
				nudged/n, floor)
		}
	}
}

// TestGaussGroups: who belongs with whom, by eights and by pairs, and weights
// that are as far apart as the settings say.
func TestGaussGroups(t *testing.T) {
	tests := []struct {
		workload string
		words    []string
		want     string
	}{
		{"pairs8", []string{"C=8"}, "[0 1 2 3 4 5 6 7] 8"},
		{"pairs8", []string{"C=8", "truth=pairs"}, "[0 0 1 1 2 2 3 3] 4"},
		{"pairs8", []string{"C=3", "truth=pairs"}, "[0 0 1] 2"},
		{"mix2", []string{"C=6"}, "[0 0 1 1 2 2] 3"},
		{"mix2", []string{"C=2"}, "[0 1] 2"},
	}
	for _, tt := range tests {
		of, groups := build(t, tt.workload, nil, tt.words...).Groups()
		if got := fmt.Sprint(of, groups); got != tt.want {
			t.Errorf("%s %v: groups %s, want %s", tt.workload, tt.words, got, tt.want)
		}
	}
	w := build(t, "pairs8", nil, "C=8", "within=0.25", "truth=pairs").(*gauss)
	for i, a := range w.first {
		for j, b := range w.first[:i] {
			want := 2 + 2*0.25*0.25
			if i/2 == j/2 {
				want = 4 * 0.25 * 0.25
			}
			if got := squared(a, b); !near(got, want, 1e-12) {
				t.Errorf("groups %d and %d are √%v apart, want √%v", i, j, got, want)
			}
		}
	}
}

// TestGaussDraws: the same stream gives the same samples, more samples start with
// the fewer, and nothing is allocated.
func TestGaussDraws(t *testing.T) {
	for _, tt := range gaussian {
		w := build(t, tt.workload, nil, tt.words...)
		d := w.Model().Inputs()
		var s rng.Stream
		var few, many model.Batch
		for client := range w.Clients() {
			s.Reset(6, rng.Samples, 2, client)
			w.Draw(&many, client, 50, &s)
			for n := 1; n < 50; n += 7 {
				s.Reset(6, rng.Samples, 2, client)
				if w.Draw(&few, client, n, &s); few.N != n || !slices.Equal(few.X, many.X[:n*d]) ||
					!slices.Equal(few.Y, many.Y[:n]) {
					t.Errorf("%s: client %d: a draw of %d is not the start of a draw of 50", tt.name, client, n)
				}
			}
			if n := testing.AllocsPerRun(5, func() { w.Draw(&many, client, 50, &s) }); n != 0 {
				t.Errorf("%s: Draw allocates %v times, want 0", tt.name, n)
			}
		}
	}
}

// TestGaussStart: weights within the start range, other ones for each model.
func TestGaussStart(t *testing.T) {
	for _, tt := range gaussian {
		w := build(t, tt.workload, nil, append(tt.words, "init=0.3")...)
		seen := map[float32]bool{}
		for k := range 4 {
			var s rng.Stream
			s.Reset(1, rng.Models, k, 0)
			params := make([]float32, w.Model().Size())
			w.Start(params, k, &s)
			for _, v := range params {
				if v < -0.3 || v > 0.3 || seen[v] {
					t.Errorf("%s: model %d starts with %v, want another number from −0.3 to 0.3", tt.name, k, v)
				}
				seen[v] = true
			}
		}
	}
}
