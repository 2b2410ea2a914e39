package kernel

import (
	"math"
	"testing"
)

// ulps returns the error of got in units of the last place of want, as a
// float32, subnormal ones included.
func ulps(got float32, want float64) float64 {
	_, e := math.Frexp(want)
	ulp := math.Ldexp(1, max(e-24, -149))
	return math.Abs(float64(got)-want) / ulp
}

// TestExp takes every 997th number from which Exp does not over- or underflow.
// The reference is good to 1 unit of a float64.
func TestExp(t *testing.T) {
	const limit = 1.1
	worst, at := 0.0, float32(0)
	for _, end := range []float32{-103.9, 88.72} {
		last := math.Float32bits(end)
		for bits := last & (1 << 31); bits <= last; bits += 997 {
			x := math.Float32frombits(bits)
			if e := ulps(Exp(x), math.Exp(float64(x))); e > worst {
				worst, at = e, x
			}
		}
	}
	t.Logf("Exp: largest error %.3f ulps, at %v", worst, at)
	if worst > limit {
		t.Errorf("Exp(%v) = %v, want %v: off by %.3f ulps, want at most %v", at, Exp(at), math.Exp(float64(at)),
			worst, limit)
	}
}

func TestLog(t *testing.T) {
	const limit = 1
	worst, at := 0.0, float32(0)
	for bits := uint32(1); bits < 0x7f800000; bits += 997 {
		x := math.Float32frombits(bits)
		if e := ulps(Log(x), math.Log(float64(x))); e > worst {
			worst, at = e, x
		}
	}
	t.Logf("Log: largest error %.3f ulps, at %v", worst, at)
	if worst > limit {
		t.Errorf("Log(%v) = %v, want %v: off by %.3f ulps, want at most %v", at, Log(at), math.Log(float64(at)),
			worst, limit)
	}
}

func TestExpLogEnds(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	tests := []struct {
		name    string
		f       func(float32) float32
		x, want float32
	}{
		{"Exp", Exp, 0, 1},
		{"Exp", Exp, -200, 0},
		{"Exp", Exp, -inf, 0},
		{"Exp", Exp, 200, inf},
		{"Exp", Exp, inf, inf},
		{"Exp", Exp, nan, nan},
		{"Log", Log, 1, 0},
		{"Log", Log, 0, -inf},
		{"Log", Log, inf, inf},
		{"Log", Log, -1, nan},
		{"Log", Log, -inf, nan},
		{"Log", Log, nan, nan},
	}
	for _, tt := range tests {
		got := tt.f(tt.x)
		if got != tt.want && (got == got || tt.want == tt.want) {
			t.Errorf("%s(%v) = %v, want %v", tt.name, tt.x, got, tt.want)
		}
	}
}
