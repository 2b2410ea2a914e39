package cflgp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// whole returns Gᵀ, in whichever form the memory keeps it.
func (m *memory) whole() *clusterer.Matrix {
	out := &clusterer.Matrix{}
	out.Reshape(m.clients, m.models*m.width)
	if m.short() {
		copy(out.Data, m.flat.Data)
		return out
	}
	for i := range m.clients {
		for k := range m.models {
			for j, v := range m.blocks[k*m.clients+i] {
				out.Row(i)[k*m.width+j] = float64(v)
			}
		}
	}
	return out
}

// fill mixes a random gradient of each client into the blocks of one model:
// one direction a group, and noise.
func (m *memory) fill(r *rand.Rand, groups, model int, beta float64) {
	direction := rand.New(rand.NewPCG(7, uint64(model)))
	means := make([][]float64, groups)
	for g := range means {
		means[g] = make([]float64, m.width)
		for j := range means[g] {
			means[g][j] = float64(1+g) * direction.NormFloat64()
		}
	}
	g := make([]float32, m.width)
	for i := range m.clients {
		for j := range g {
			g[j] = float32(means[i%groups][j] + 0.3*r.NormFloat64())
		}
		m.mix(i, model, beta, g)
	}
	m.update(model)
}

func TestMemoryIsShort(t *testing.T) {
	tests := []struct {
		name                   string
		clients, models, width int
		want                   bool
	}{
		{"linear regression", 12, 3, 2, true},
		{"as long as few", 2, 8, 8, true},
		{"longer than few", 2, 5, 13, false},
		{"longer than few, more clients", 200, 5, 13, true},
		{"as many clients as numbers", 65, 5, 13, true},
		{"one client less", 64, 5, 13, false},
		{"a network", 32, 4, 159010, false},
	}
	for _, tt := range tests {
		if got := (&memory{clients: tt.clients, models: tt.models, width: tt.width}).short(); got != tt.want {
			t.Errorf("%s: %d × %d·%d: short() = %v, want %v", tt.name, tt.clients, tt.models, tt.width, got, tt.want)
		}
	}
}

// TestMemoryFeatures: after many rounds the features are those of the whole
// matrix. They are known up to a turn within the leading directions, so it is
// their inner products that are compared: R·Rᵀ is the best approximation of
// W = Gᵀ·G of rank K.
//
// An inner product of float32 is off by at most 36 units of the product of
// lengths (kernel.Dot), so W by ‖E‖ ≤ 36·2⁻²⁴·‖G‖² in the Frobenius norm. By Davis
// and Kahan's theorem (in the form of Yu, Wang and Samworth, Biometrika 2015) the
// approximations then differ by no more than ‖E‖·(1 + 2√2·σ₁²/(σ_K² − σ_{K+1}²)).
func TestMemoryFeatures(t *testing.T) {
	const rounds = 40
	for seed := range uint64(10) {
		for _, tt := range []struct{ clients, models, width int }{{5, 1, 70}, {9, 3, 40}, {30, 4, 300}, {17, 2, 1000},
			{4, 3, 2}, {300, 3, 30}} {
			m := newMemory(tt.clients, tt.models, tt.width)
			r := rand.New(rand.NewPCG(seed, 1))
			var got, want clusterer.Matrix
			for round := range rounds {
				m.fill(r, tt.models, round%tt.models, 1/float64(round/tt.models+1))
				if round%13 == 0 {
					m.features(&got, tt.models) // leaves nothing behind for the next
				}
			}
			m.features(&got, tt.models)
			whole := m.whole()
			var spectral clusterer.Spectral
			spectral.Fit(&want, whole, tt.models)
			name := fmt.Sprintf("seed %d, %+v", seed, tt)
			if m.short() {
				if !slices.Equal(got.Data, want.Data) {
					t.Errorf("%s: features = %v, want %v", name, got.Data, want.Data)
				}
				continue
			}
			squared := 0.0
			for _, v := range whole.Data {
				squared += v * v
			}
			next := 0.0
			if tt.models < len(spectral.Values) {
				next = spectral.Values[tt.models]
			}
			first, last := spectral.Values[0], spectral.Values[tt.models-1]
			bound := 36 * 0x1p-24 * squared * (1 + 2*math.Sqrt2*first*first/(last*last-next*next))
			worst := 0.0
			for i := range tt.clients {
				for j := range tt.clients {
					difference := 0.0
					for k := range tt.models {
						difference += got.Row(i)[k]*got.Row(j)[k] - want.Row(i)[k]*want.Row(j)[k]
					}
					worst = max(worst, math.Abs(difference))
				}
			}
			if worst > bound {
				t.Errorf("%s: inner products of features are off by %v, want at most %v", name, worst, bound)
			}
			if bound > 0.01*squared {
				t.Errorf("%s: the bound %v of ‖G‖² = %v proves nothing", name, bound, squared)
			}
		}
	}
}

// TestMemoryOfOneModel: a round recomputes the inner products of its model and
// leaves those of the others as they are.
func TestMemoryOfOneModel(t *testing.T) {
	const clients, models, width = 6, 3, 50
	m := newMemory(clients, models, width)
	r := rand.New(rand.NewPCG(1, 1))
	for k := range models {
		m.fill(r, 2, k, 1)
	}
	const block = clients * clients
	for model := range models {
		before := slices.Clone(m.grams)
		for j := range m.grams {
			m.grams[j] = 1e9
		}
		m.fill(r, 2, model, 0.5)
		for k := range models {
			of := m.grams[k*block : (k+1)*block]
			untouched := !slices.ContainsFunc(of, func(v float64) bool { return v != 1e9 })
			if untouched != (k != model) {
				t.Errorf("update(%d): the products of model %d are untouched: %v, want %v", model, k, untouched,
					k != model)
			}
			if k != model {
				copy(of, before[k*block:])
			}
		}
		if slices.Equal(m.grams[model*block:(model+1)*block], before[model*block:(model+1)*block]) {
			t.Errorf("update(%d) changes nothing", model)
		}
	}
}

// TestMemoryIsZeroAtTheStart: with nothing to tell clients apart, features are 0.
func TestMemoryIsZeroAtTheStart(t *testing.T) {
	for _, width := range []int{2, 500} {
		m := newMemory(5, 2, width)
		var features clusterer.Matrix
		for range 2 {
			m.features(&features, 2)
			if features.Rows != 5 || features.Cols != 2 ||
				slices.ContainsFunc(features.Data, func(v float64) bool { return v != 0 }) {
				t.Errorf("width %d: features of nothing are %+v, want 5 × 2 zeros", width, features)
			}
			m.update(0)
		}
	}
}

func TestMemoryAllocatesNothing(t *testing.T) {
	for _, width := range []int{2, 500} {
		m := newMemory(12, 3, width)
		var features clusterer.Matrix
		r := rand.New(rand.NewPCG(1, 1))
		for k := range 3 {
			m.fill(r, 3, k, 1)
		}
		g := make([]float32, width)
		m.features(&features, 3)
		round := func() { m.mix(3, 1, 0.5, g); m.update(1); m.features(&features, 3) }
		if n := testing.AllocsPerRun(10, round); n != 0 {
			t.Errorf("width %d: a round of the memory allocates %v times, want 0", width, n)
		}
	}
}

// TestCoordinates: n different ones of d, in ascending order, by the algorithm's
// seed alone; and each as likely as any other: over many seeds within 5.5
// deviations of its binomial number.
func TestCoordinates(t *testing.T) {
	draw := func(seed uint64, d, n int) []int32 {
		return coordinates(&fl.Env{Size: d, Seed: seed}, model.Segment{Hi: d}, n)
	}
	for _, tt := range []struct{ d, n int }{{1, 1}, {2, 1}, {10, 10}, {100, 7}, {159010, 159}} {
		for seed := range uint64(20) {
			got := draw(seed, tt.d, tt.n)
			if len(got) != tt.n || got[0] < 0 || int(got[tt.n-1]) >= tt.d {
				t.Fatalf("seed %d: coordinates of %d among %d are %v", seed, tt.n, tt.d, got)
			}
			for j := range got[1:] {
				if got[j] >= got[j+1] {
					t.Errorf("seed %d: coordinates of %d among %d are %v, want them in ascending order", seed, tt.n,
						tt.d, got)
					break
				}
			}
			if again := draw(seed, tt.d, tt.n); !slices.Equal(got, again) {
				t.Errorf("seed %d: coordinates %v and then %v", seed, got, again)
			}
		}
	}
	if slices.Equal(draw(1, 1000, 10), draw(2, 1000, 10)) {
		t.Error("two seeds draw the same coordinates")
	}
	const d, n, seeds = 20, 3, 20000
	var count [d]float64
	for seed := range uint64(seeds) {
		for _, j := range draw(seed, d, n) {
			count[j]++
		}
	}
	const p = float64(n) / d
	for j, got := range count {
		if want, bound := seeds*p, 5.5*math.Sqrt(seeds*p*(1-p)); math.Abs(got-want) > bound {
			t.Errorf("coordinate %d came %v times, want %v ± %.0f", j, got, want, bound)
		}
	}
}
