package rng

import (
	"math"
	"testing"
)

// TestDrawsByTheDozen: many numbers drawn at a time are those drawn one by one, to the
// bit, and leave the stream where these do.
func TestDrawsByTheDozen(t *testing.T) {
	for n := range 40 {
		for seed := range uint64(50) {
			var one, pairs, plain Stream
			one.Reset(seed, Samples, n, 1)
			pairs = one
			u, z := make([]float64, n), make([]float64, n)
			pairs.Pairs(u, z)
			for i := range n {
				if x := one.Float64(); x != u[i] {
					t.Fatalf("seed %d: uniform number %d of %d = %v, want %v", seed, i, n, u[i], x)
				}
				if x := one.Normal(); x != z[i] {
					t.Fatalf("seed %d: normal number %d of %d = %v, want %v", seed, i, n, z[i], x)
				}
			}
			if pairs != one {
				t.Fatalf("seed %d: after %d pairs the stream is elsewhere", seed, n)
			}
			plain = one
			plain.Normals(z)
			for i := range n {
				if x := one.Normal(); x != z[i] {
					t.Fatalf("seed %d: number %d of %d = %v, want %v", seed, i, n, z[i], x)
				}
			}
			if plain != one {
				t.Fatalf("seed %d: after %d numbers the stream is elsewhere", seed, n)
			}
		}
	}
}

// TestRareDraws: the same for words that hardly ever come, far out in both tails and
// at the borders between the rational functions.
func TestRareDraws(t *testing.T) {
	var words []uint64
	for shift := range 52 {
		for _, near := range []uint64{0, 1, 2, 3} {
			w := (uint64(1)<<shift + near) << 12
			words = append(words, w, ^w)
		}
	}
	for _, p := range []float64{0.075, 0.5, 0.925, math.Exp(-25)} {
		for d := range uint64(9) {
			words = append(words, (uint64(p*(1<<52))+d-4)<<12)
		}
	}
	for _, w := range append(words, 0, math.MaxUint64) {
		one := Stream{state: unmix(w)}
		if got := one; got.word() != w {
			t.Fatalf("unmix(%#x) is wrong", w)
		}
		many := one
		var z [3]float64
		many.Normals(z[:])
		for i, got := range z {
			if want := one.Normal(); got != want {
				t.Errorf("word %#x: number %d = %v, want %v", w, i, got, want)
			}
		}
	}
}

// unmix returns the state whose word is w.
func unmix(w uint64) uint64 {
	unshift := func(x uint64, by int) uint64 { // of x ^ x>>by
		for s := by; s < 64; s *= 2 {
			x ^= x >> s
		}
		return x
	}
	invert := func(odd uint64) uint64 { // modulo 2⁶⁴, by Newton's iteration
		x := odd
		for range 6 {
			x *= 2 - odd*x
		}
		return x
	}
	x := unshift(w, 31) * invert(0x94D049BB133111EB)
	x = unshift(x, 27) * invert(0xBF58476D1CE4E5B9)
	return unshift(x, 30) - golden
}
