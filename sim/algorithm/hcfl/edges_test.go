package hcfl

import (
	"math"
	"slices"
	"testing"
)

// TestWeighStepsHaveNumbers: every way of weighing clusters shows numbers of its own, or
// else the old weights and the new.
func TestWeighStepsHaveNumbers(t *testing.T) {
	plain := 0
	for choice, s := range stepsWeigh {
		want := s.Numbers
		if want == "" {
			want, plain = "[old] → [new]", plain+1
		}
		if got := weighStep(choice, "").Numbers; got != want {
			t.Errorf("%s shows %q, want %q", choice, got, want)
		}
	}
	if plain == 0 || plain == len(stepsWeigh) {
		t.Errorf("%d of %d steps show the old weights and the new: this proves little", plain, len(stepsWeigh))
	}
}

// TestClassesForget: the shares of classes are of what was heard from each client last,
// however often they were made before.
func TestClassesForget(t *testing.T) {
	c := classes{models: 2}
	c.start(2)
	c.set(0, []float32{1, 3, 2, 2})
	c.updateShares()
	c.set(1, []float32{3, 1, 6, 0})
	for range 3 {
		if c.updateShares(); !slices.Equal(c.shares, []float32{0.5, 0.5, 0.8, 0.2}) {
			t.Errorf("shares %v, want those of the last masses, [0.5 0.5 0.8 0.2]", c.shares)
		}
	}
}

// TestApartIsFinite: numbers that are not finite are no distance.
func TestApartIsFinite(t *testing.T) {
	if d := cosineDistance([]float32{1, float32(math.NaN())}, []float32{1, 0}); d != 0 {
		t.Errorf("apart of numbers that are not finite = %v, want 0", d)
	}
}
