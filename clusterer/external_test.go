package clusterer

import (
	"math"
	"slices"
	"testing"
)

func TestAdjustedRand(t *testing.T) {
	tests := []struct {
		name          string
		truth, labels []int
		want          float64
	}{
		// The first two are scikit-learn's own examples.
		{"partly right", []int{0, 0, 1, 2}, []int{0, 0, 1, 1}, 4.0 / 7},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5},
		{"two of 3x4 merged", []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 12.0 / 23},
		{"renamed", []int{0, 0, 1, 1}, []int{7, 7, 3, 3}, 1},
		{"all in one", []int{0, 0, 1, 1}, []int{0, 0, 0, 0}, 0},
		{"all singletons", []int{0, 0, 1, 1}, []int{0, 1, 2, 3}, 0},
		{"one against one", []int{0, 0, 0}, []int{2, 2, 2}, 1},
		{"singletons against singletons", []int{0, 1, 2}, []int{2, 1, 0}, 1},
		{"one against singletons", []int{0, 0, 0}, []int{0, 1, 2}, 0},
		{"one point", []int{0}, []int{5}, 1},
		{"empty", nil, nil, 1},
		{"unlabelled points left out", []int{0, 0, 1, 1, 1, -1}, []int{1, 1, 0, 0, -1, 1}, 1},
	}
	for _, tt := range tests {
		if got := AdjustedRand(tt.truth, tt.labels); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%s: AdjustedRand(%v, %v) = %v, want %v", tt.name, tt.truth, tt.labels, got, tt.want)
		}
	}
	wantPanic(t, "lengths", func() { AdjustedRand([]int{1}, nil) })
}

// The spec's second hand value: four classes of eight found as eight fours.
func TestAdjustedRandHalvedClasses(t *testing.T) {
	truth, labels := make([]int, 32), make([]int, 32)
	for i := range truth {
		truth[i], labels[i] = i/8, i/4
	}
	// S = B = 8·6 = 48, A = 4·28 = 112, E = 112·48/496.
	e := 112.0 * 48 / 496
	want := (48 - e) / (80 - e)
	if got := AdjustedRand(truth, labels); got != want || math.Abs(got-0.5373) > 5e-5 {
		t.Errorf("AdjustedRand of halved classes = %v, want %v", got, want)
	}
}

// Identical trivial labelings agree at every size, however A·A/A comes out.
func TestAdjustedRandTrivialAtEverySize(t *testing.T) {
	var c Contingency
	for n := range 300 {
		one, each := make([]int, n), make([]int, n)
		for i := range each {
			each[i] = i
		}
		if a, b := c.AdjustedRand(one, one), c.AdjustedRand(each, each); a != 1 || b != 1 {
			t.Errorf("n %d: AdjustedRand = %v for one cluster, %v for singletons, want 1, 1", n, a, b)
		}
	}
}

func TestMetricProperties(t *testing.T) {
	var c Contingency
	for seed := range uint64(200) {
		r := source(seed)
		n, k := 2+r.IntN(40), 1+r.IntN(6)
		a, b := randomLabels(r, n, k), randomLabels(r, n, k)
		perm := r.Perm(k)

		ari := c.AdjustedRand(a, b)
		if got := c.AdjustedRand(b, a); got != ari {
			t.Errorf("seed %d: AdjustedRand = %v one way, %v the other", seed, ari, got)
		}
		if got := c.AdjustedRand(a, renamed(b, perm)); got != ari {
			t.Errorf("seed %d: AdjustedRand = %v after renaming, want %v", seed, got, ari)
		}
		if ari < -0.5 || ari > 1 {
			t.Errorf("seed %d: AdjustedRand = %v, want −0.5 … 1", seed, ari)
		}
		wrong := c.Misplaced(a, b)
		if got := c.Misplaced(b, a); got != wrong {
			t.Errorf("seed %d: Misplaced = %v one way, %v the other", seed, wrong, got)
		}
		if got := c.Misplaced(a, renamed(b, perm)); got != wrong {
			t.Errorf("seed %d: Misplaced = %v after renaming, want %v", seed, got, wrong)
		}
		if (ari == 1) != (wrong == 0) {
			t.Errorf("seed %d: AdjustedRand = %v but Misplaced = %v", seed, ari, wrong)
		}
	}
}

// Over many unrelated labelings the index averages 0: that is what "adjusted
// for chance" means. The standard error of this mean is about 0.0006.
func TestAdjustedRandChanceLevel(t *testing.T) {
	var c Contingency
	r := source(1)
	var mean float64
	const trials = 4000
	for range trials {
		mean += c.AdjustedRand(randomLabels(r, 60, 4), randomLabels(r, 60, 3)) / trials
	}
	if math.Abs(mean) > 0.003 {
		t.Errorf("mean AdjustedRand of unrelated labels = %v, want 0 ± 0.003", mean)
	}
}

func TestMisplaced(t *testing.T) {
	tests := []struct {
		name          string
		truth, labels []int
		want          int
	}{
		{"empty", nil, nil, 0},
		{"right", []int{0, 0, 1, 1}, []int{1, 1, 0, 0}, 0},
		{"one wrong", []int{0, 0, 0, 1, 1, 1}, []int{1, 1, 0, 0, 0, 0}, 1},
		{"all in one label", []int{0, 0, 1, 1, 2, 2}, []int{0, 0, 0, 0, 0, 0}, 4},
		{"a class split in two", []int{0, 0, 0, 0, 1, 1}, []int{0, 0, 1, 1, 2, 2}, 2},
		{"fewer labels than classes", []int{0, 0, 0, 1, 1, 2}, []int{0, 0, 0, 1, 1, 1}, 1},
		// Both classes have most points in label 0; the better pairing gives it
		// to class 1, though class 0 has it first.
		{"contested label", []int{0, 0, 0, 0, 0, 1, 1, 1}, []int{0, 0, 0, 1, 1, 0, 0, 0}, 3},
		{"gaps in the labels", []int{0, 0, 5, 5}, []int{9, 9, 2, 2}, 0},
		{"unlabelled points left out", []int{0, 0, 1, 1}, []int{0, 0, -1, 1}, 0},
	}
	var c Contingency
	for _, tt := range tests {
		if got := c.Misplaced(tt.truth, tt.labels); got != tt.want {
			t.Errorf("%s: Misplaced(%v, %v) = %v, want %v", tt.name, tt.truth, tt.labels, got, tt.want)
		}
	}
	wantPanic(t, "lengths", func() { c.Misplaced([]int{1}, nil) })
}

// Misplaced is the least number of changes: count them for every naming.
func TestMisplacedMatchesBruteForce(t *testing.T) {
	var c Contingency
	for seed := range uint64(300) {
		r := source(seed)
		k := 1 + r.IntN(5)
		truth, labels := randomLabels(r, 15, 1+r.IntN(k)), randomLabels(r, 15, 1+r.IntN(k))
		names := new(Matrix) // cost of calling class i by label j
		names.Reshape(k, k)
		clear(names.Data)
		for i, l := range labels {
			for j := range k {
				if j != l {
					names.Row(truth[i])[j]++
				}
			}
		}
		if _, want := bruteForce(names); c.Misplaced(truth, labels) != int(want) {
			t.Errorf("seed %d: Misplaced(%v, %v) = %v, want %v", seed, truth, labels, c.Misplaced(truth, labels), want)
		}
	}
}

func TestMetricsLeaveInputs(t *testing.T) {
	truth, labels := []int{0, 1, 2, 0, 1}, []int{2, 0, 1, 1, -1}
	a, b := slices.Clone(truth), slices.Clone(labels)
	points := gaussian(source(1), 5, 2)
	p := points.clone()
	var c Contingency
	c.AdjustedRand(truth, labels)
	c.Misplaced(truth, labels)
	Silhouette(points, labels)
	if !slices.Equal(a, truth) || !slices.Equal(b, labels) || !p.equal(points) {
		t.Error("a metric changed its inputs")
	}
}
