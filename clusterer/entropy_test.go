package clusterer

import (
	"testing"
)

func TestEntropyGolden(t *testing.T) {
	type row struct {
		Name                                      string
		Truth, Labels                             []int
		Homogeneity, Completeness, V, NMI, Purity float64
	}
	var c Contingency
	for _, tt := range golden[row](t, "entropy") {
		h, k, v := c.VMeasure(tt.Truth, tt.Labels)
		if !near(h, tt.Homogeneity, 1e-13) || !near(k, tt.Completeness, 1e-13) || !near(v, tt.V, 1e-13) {
			t.Errorf("%s: VMeasure = %v, %v, %v, want %v, %v, %v", tt.Name, h, k, v, tt.Homogeneity,
				tt.Completeness, tt.V)
		}
		if got := c.NMI(tt.Truth, tt.Labels); !near(got, tt.NMI, 1e-13) {
			t.Errorf("%s: NMI = %v, want %v", tt.Name, got, tt.NMI)
		}
		if got := c.Purity(tt.Truth, tt.Labels); !near(got, tt.Purity, 1e-15) {
			t.Errorf("%s: Purity = %v, want %v", tt.Name, got, tt.Purity)
		}
		ari, misplaced, nmi, purity := c.Scores(tt.Truth, tt.Labels)
		if ari != c.AdjustedRand(tt.Truth, tt.Labels) || misplaced != c.Misplaced(tt.Truth, tt.Labels) ||
			nmi != c.NMI(tt.Truth, tt.Labels) || purity != c.Purity(tt.Truth, tt.Labels) {
			t.Errorf("%s: Scores = %v, %v, %v, %v, not what the four scores are", tt.Name, ari, misplaced, nmi, purity)
		}
	}
}

func TestVMeasure(t *testing.T) {
	tests := []struct {
		name          string
		truth, labels []int
		h, c, v       float64
		purity        float64
	}{
		{"renamed", []int{0, 0, 1, 1, 2}, []int{7, 7, 0, 0, 3}, 1, 1, 1, 1},
		{"all in one", []int{0, 0, 1, 1}, []int{0, 0, 0, 0}, 0, 1, 0, 0.5},
		{"single points", []int{0, 0, 1, 1}, []int{0, 1, 2, 3}, 1, 0.5, 2.0 / 3, 1},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0, 0, 0, 0.5},
		{"one class", []int{0, 0}, []int{0, 1}, 1, 0, 0, 1},
		{"one against one", []int{4, 4}, []int{1, 1}, 1, 1, 1, 1},
		{"empty", nil, nil, 1, 1, 1, 1},
		{"unlabelled points left out", []int{0, 0, 1, 1, 1, -1}, []int{1, 1, 0, 0, -1, 1}, 1, 1, 1, 1},
	}
	var c Contingency
	for _, tt := range tests {
		h, k, v := c.VMeasure(tt.truth, tt.labels)
		if !near(h, tt.h, 1e-15) || !near(k, tt.c, 1e-15) || !near(v, tt.v, 1e-15) {
			t.Errorf("%s: VMeasure = %v, %v, %v, want %v, %v, %v", tt.name, h, k, v, tt.h, tt.c, tt.v)
		}
		if got := c.Purity(tt.truth, tt.labels); got != tt.purity {
			t.Errorf("%s: Purity = %v, want %v", tt.name, got, tt.purity)
		}
	}
	wantPanic(t, "lengths", func() { c.VMeasure([]int{1}, nil) })
	wantPanic(t, "lengths", func() { c.Purity([]int{1}, nil) })
}

func TestVMeasureProperties(t *testing.T) {
	var c Contingency
	for seed := range uint64(200) {
		r := source(seed)
		n, k := 2+r.IntN(40), 1+r.IntN(6)
		a, b := randomLabels(r, n, k), randomLabels(r, n, k)
		perm := r.Perm(k)

		// To the last bit: labels of equal quality must tie when methods are compared.
		h, k1, v := c.VMeasure(a, b)
		if x, y, w := c.VMeasure(b, a); x != k1 || y != h || w != v {
			t.Errorf("seed %d: VMeasure = %v, %v, %v exchanged, want %v, %v, %v", seed, x, y, w, k1, h, v)
		}
		if x, y, w := c.VMeasure(renamed(a, r.Perm(k)), renamed(b, perm)); x != h || y != k1 || w != v {
			t.Errorf("seed %d: VMeasure = %v, %v, %v after renaming, want %v, %v, %v", seed, x, y, w, h, k1, v)
		}
		for _, x := range []float64{h, k1, v} {
			if x < 0 || x > 1 {
				t.Errorf("seed %d: VMeasure = %v, %v, %v, want 0 … 1", seed, h, k1, v)
			}
		}
		if x, y, w := c.VMeasure(a, renamed(a, perm)); x != 1 || y != 1 || w != 1 {
			t.Errorf("seed %d: VMeasure of the same labels = %v, %v, %v, want exactly 1", seed, x, y, w)
		}
		p := c.Purity(a, b)
		if got := c.Purity(a, renamed(b, perm)); got != p {
			t.Errorf("seed %d: Purity = %v after renaming, want %v", seed, got, p)
		}
		// A matching of labels to classes places no more points than the best
		// class of every label does.
		if placed := 1 - float64(c.Misplaced(a, b))/float64(n); p < placed-1e-15 || p > 1 {
			t.Errorf("seed %d: Purity = %v, want %v … 1", seed, p, placed)
		}
	}
}

// Labels that tell nothing of the truth score 0, and no less for the error of the
// logarithms.
func TestVMeasureIndependent(t *testing.T) {
	var c Contingency
	for a := 2; a < 16; a++ {
		for b := 2; b < 16; b++ {
			truth, labels := make([]int, a*b), make([]int, a*b)
			for i := range truth {
				truth[i], labels[i] = i%a, i/a
			}
			h, k, v := c.VMeasure(truth, labels)
			for _, x := range []float64{h, k, v} {
				if x < 0 || x > 1e-14 {
					t.Errorf("%d × %d: VMeasure = %v, %v, %v, want 0", a, b, h, k, v)
				}
			}
		}
	}
}
