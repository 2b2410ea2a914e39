package fl

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

var kinds = map[string]RuleKind{"mean": WeightedMean, "median": Median, "trimmed": Trimmed,
	"geomedian": GeometricMedian, "clipped": Clipped, "krum": Krum, "multikrum": MultiKrum, "bulyan": Bulyan}

// averaged returns the average of vectors by a rule.
func averaged(rule Rule, weights []float64, vectors [][]float32) []float64 {
	out := make([]float64, len(vectors[0]))
	a := NewAverage(rule, len(vectors)).Begin(out)
	for i, u := range vectors {
		a.Add(weights[i], u)
	}
	total := a.End()
	for j := range out {
		out[j] /= total
	}
	return out
}

// TestGoldenAverages repeats what testdata/average.py computes with NumPy and SciPy from the definitions of the papers.
func TestGoldenAverages(t *testing.T) {
	text, err := os.ReadFile("testdata/average.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Kind          string
			Vectors       [][]float32
			Weights, Want []float64
			Share, Bound  float64
			Liars         int
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n, c := range file.Cases {
		seen[c.Kind]++
		rule := Rule{Kind: kinds[c.Kind], Share: c.Share, Bound: c.Bound, Liars: c.Liars}
		tolerance := 1e-5 // vectors have 24 bits
		if c.Kind == "geomedian" {
			tolerance = 2e-3 // it stops when the sum of distances falls by less than 10⁻⁹ of it
			if got, least := distances(averaged(rule, c.Weights, c.Vectors), c.Weights, c.Vectors),
				distances(c.Want, c.Weights, c.Vectors); got > least*(1+1e-6) {
				t.Errorf("case %d: the sum of distances is %v, the least is %v", n, got, least)
			}
		}
		got := averaged(rule, c.Weights, c.Vectors)
		for j, want := range c.Want {
			if math.Abs(got[j]-want) > tolerance*(1+math.Abs(want)) {
				t.Errorf("case %d: %s of %d vectors is %v, want %v", n, c.Kind, len(c.Vectors), got, c.Want)
				break
			}
		}
	}
	for kind := range kinds {
		if seen[kind] < 3 {
			t.Errorf("%s has %d cases, want 3 or more", kind, seen[kind])
		}
	}
}

// distances returns the weighted sum of distances to z.
func distances(z, weights []float64, vectors [][]float32) (sum float64) {
	for i, u := range vectors {
		sum += weights[i] * math.Sqrt(squaredDistance(z, u))
	}
	return sum
}

// cloud returns n vectors around (3, 3, 3, 3), of which the first are far away, all in the same direction.
func cloud(r *rand.Rand, n, far int, distance float64) (vectors [][]float32, weights []float64) {
	for i := range n {
		u := make([]float32, 4)
		for j := range u {
			u[j] = float32(3 + r.NormFloat64())
			if i < far {
				u[j] -= float32(distance)
			}
		}
		vectors, weights = append(vectors, u), append(weights, 1)
	}
	return vectors, weights
}

// TestBreakdownPoints: with as many liars as a rule bears, the average stays near honest vectors however far they lie; with
// more it follows them.
func TestBreakdownPoints(t *testing.T) {
	for _, tt := range []struct {
		name        string
		rule        Rule
		n           int
		bears, fall int // liars
	}{
		{"mean", Rule{}, 11, 0, 1},
		{"median", Rule{Kind: Median}, 11, 5, 6},
		{"geometric median", Rule{Kind: GeometricMedian}, 11, 5, 6},
		{"trimmed mean", Rule{Kind: Trimmed, Share: 0.2}, 15, 3, 4},
		{"Krum", Rule{Kind: Krum, Liars: 4}, 11, 4, 8},
		{"multi-Krum", Rule{Kind: MultiKrum, Liars: 4}, 11, 4, 5},
		{"Bulyan", Rule{Kind: Bulyan, Liars: 2}, 11, 2, 8},
	} {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 1))
			for _, liars := range []int{tt.bears, tt.fall} {
				vectors, weights := cloud(r, tt.n, liars, 1e6)
				z := averaged(tt.rule, weights, vectors)
				off := 0.0
				for _, v := range z {
					off = max(off, math.Abs(v-3))
				}
				if liars == tt.bears && off > 6 {
					t.Errorf("%s, seed %d: %d of %d liars move it by %v, want less than 6", tt.name, seed, liars, tt.n, off)
				}
				if liars == tt.fall && off < 1e4 {
					t.Errorf("%s, seed %d: %d of %d liars move it by %v, want more", tt.name, seed, liars, tt.n, off)
				}
			}
		}
	}
	// A clipped mean follows liars, but only as far as its bound.
	vectors, weights := cloud(rand.New(rand.NewPCG(1, 1)), 11, 2, 1e6)
	if z := averaged(Rule{Kind: Clipped, Bound: 1}, weights, vectors); math.Abs(z[0]-3) > 3 {
		t.Errorf("the clipped mean is %v, want near 3", z)
	}
}

// TestAveragesOfPermutations: the order of clients changes nothing but the last bits of sums.
func TestAveragesOfPermutations(t *testing.T) {
	for name, kind := range kinds {
		rule := Rule{Kind: kind, Share: 0.2, Bound: 0.8, Liars: 2}
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 2))
			vectors, weights := cloud(r, 13, 2, 20)
			for i := range weights {
				weights[i] = float64(1 + r.IntN(3))
			}
			want := averaged(rule, weights, vectors)
			r.Shuffle(len(vectors), func(i, k int) {
				vectors[i], vectors[k] = vectors[k], vectors[i]
				weights[i], weights[k] = weights[k], weights[i]
			})
			for j, v := range averaged(rule, weights, vectors) {
				if math.Abs(v-want[j]) > 1e-9 {
					t.Errorf("%s, seed %d: %v in another order, want %v", name, seed, v, want[j])
				}
			}
		}
	}
}

// TestCopiesAreWeights: a vector of weight 2 is two vectors, by every rule that weighs.
func TestCopiesAreWeights(t *testing.T) {
	for name, kind := range kinds {
		if kind == Krum || kind == MultiKrum || kind == Bulyan {
			continue
		}
		rule := Rule{Kind: kind, Share: 0.15, Bound: 1}
		vectors, weights := cloud(rand.New(rand.NewPCG(3, 3)), 9, 1, 30)
		twice := averaged(rule, append(slices.Clone(weights), 1), append(slices.Clone(vectors), vectors[0]))
		weights[0] = 2
		for j, v := range averaged(rule, weights, vectors) {
			if math.Abs(v-twice[j]) > 1e-9 {
				t.Errorf("%s: weight 2 gives %v, two copies %v", name, v, twice[j])
			}
		}
	}
}

// TestFewVectors: in a cluster that is too small for a rule's liars, the average is still one of vectors.
func TestFewVectors(t *testing.T) {
	for name, kind := range kinds {
		for n := 1; n <= 7; n++ {
			vectors, weights := cloud(rand.New(rand.NewPCG(4, 4)), n, 0, 0)
			for _, v := range averaged(Rule{Kind: kind, Share: 0.4, Bound: 1, Liars: 3}, weights, vectors) {
				if !(math.Abs(v-3) < 5) {
					t.Errorf("%s of %d vectors is %v, want near 3", name, n, v)
				}
			}
		}
	}
	vectors := [][]float32{{float32(math.NaN()), 1}, {1, 2}, {1, 2}, {2, 3}, {2, 2}}
	got := averaged(Rule{Kind: Krum, Liars: 1}, []float64{1, 1, 1, 1, 1}, vectors)
	if !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("Krum with a vector that is not a number is %v, want [1 2]", got)
	}
}

// TestAveragesDoNotAllocate: once the buffers exist.
func TestAveragesDoNotAllocate(t *testing.T) {
	vectors, weights := cloud(rand.New(rand.NewPCG(5, 5)), 30, 2, 20)
	out := make([]float64, 4)
	for name, kind := range kinds {
		a := NewAverage(Rule{Kind: kind, Share: 0.2, Bound: 1, Liars: 2}, len(vectors))
		if n := testing.AllocsPerRun(20, func() {
			a.Begin(out)
			for i, u := range vectors {
				a.Add(weights[i], u)
			}
			a.End()
		}); n > 0 {
			t.Errorf("%s allocates %v times, want 0", name, n)
		}
	}
}

// TestRuleOfRound: ApplyMean and Accumulate average by the rule, and the weights scale nothing.
func TestRuleOfRound(t *testing.T) {
	for _, streams := range []bool{false, true} {
		r := fixture(1, 5)
		r.SetRule(Rule{Kind: Median})
		r.Begin(0)
		for i := range r.Label {
			r.AskUpdate(i, 0)
			copy(r.Exchange.Buffer(i, 0), []float32{float32(i), float32(10 * i)})
		}
		copy(r.Exchange.Buffer(4, 0), []float32{1e9, -1e9})
		before := slices.Clone(r.Bank.Params)
		if streams {
			for i := range r.Replies() {
				r.Accumulate(i, 3)
			}
		} else {
			r.Ask()
		}
		r.ApplyMean(nil)
		want := []float32{before[0] - 2, before[1] - 10} // the medians of 0 1 2 3 10⁹ and of −10⁹ 0 10 20 30
		if !slices.Equal(r.Bank.Params, want) {
			t.Errorf("streams %v: the model is %v, want %v", streams, r.Bank.Params, want)
		}
	}
}
