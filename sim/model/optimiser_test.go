package model

import (
	"slices"
	"testing"
)

// walk takes steps along gradients of its own and returns where they lead.
func walk(o *Optimiser, steps, seed int) []float32 {
	s := stream(seed, 0, 3)
	params, gradient := make([]float32, 5), make([]float32, 5)
	for range steps {
		for i := range gradient {
			gradient[i] = float32(s.Normal())
		}
		o.Step(params, gradient, 0.25)
	}
	return params
}

// TestOptimiserMemory: a reset optimiser is a new one, and a state that is taken
// along leads to the same steps elsewhere, whatever happens to the original.
func TestOptimiserMemory(t *testing.T) {
	for _, rule := range []string{"sgd", "momentum", "adam"} {
		for seed := range 5 {
			o := optimiser(rule)
			walk(o, 7, seed)
			saved := slices.Clone(o.State())
			moved := optimiser(rule)
			moved.Restore(o.State())
			want := walk(o, 3, seed+100)
			if got := walk(moved, 3, seed+100); !slices.Equal(got, want) {
				t.Errorf("%s: seed %d: steps with a restored state lead to %v, want %v", rule, seed, got, want)
			}
			moved.Restore(saved)
			if got := walk(moved, 3, seed+100); !slices.Equal(got, want) {
				t.Errorf("%s: seed %d: steps with a copied state lead to %v, want %v", rule, seed, got, want)
			}
			o.Reset()
			if len(o.State()) != 0 {
				t.Errorf("%s: State() after Reset = %v, want nothing", rule, o.State())
			}
			if got, want := walk(o, 3, seed), walk(optimiser(rule), 3, seed); !slices.Equal(got, want) {
				t.Errorf("%s: seed %d: steps after Reset lead to %v, want %v as at first", rule, seed, got, want)
			}
			o.Restore(nil)
			if got, want := walk(o, 3, seed), walk(optimiser(rule), 3, seed); !slices.Equal(got, want) {
				t.Errorf("%s: seed %d: steps after restoring nothing lead to %v, want %v as at first", rule, seed,
					got, want)
			}
		}
	}
}

// TestStateSizes: as documented.
func TestStateSizes(t *testing.T) {
	for rule, want := range map[string]int{"sgd": 0, "momentum": 5, "adam": 11} {
		o := optimiser(rule)
		if walk(o, 4, 1); len(o.State()) != want {
			t.Errorf("%s: State() has %d numbers for 5 parameters, want %d", rule, len(o.State()), want)
		}
		if rule == "adam" && o.State()[0] != 4 {
			t.Errorf("adam: State()[0] = %v after 4 steps, want 4", o.State()[0])
		}
	}
}
