package exact

import (
	_ "embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

//go:embed testdata/exp.json
var goldenExp []byte

func TestExpGolden(t *testing.T) {
	var file struct {
		Versions map[string]string
		Exp      []struct {
			X    float64
			Want reference
		}
	}
	if err := json.Unmarshal(goldenExp, &file); err != nil {
		t.Fatal(err)
	}
	if file.Versions["mpmath"] == "" || len(file.Exp) < 100 {
		t.Fatalf("exp.json: versions %v and %d cases, want a version and 100 cases", file.Versions, len(file.Exp))
	}
	worst := 0.0
	for _, tt := range file.Exp {
		got := Exp(tt.X)
		e := tt.Want.ulps(got)
		worst = max(worst, e)
		if !(e <= 1) {
			t.Errorf("Exp(%v) = %v, want %v: off by %.2f ulps, want at most 1", tt.X, got, tt.Want[0], e)
		}
	}
	t.Logf("Exp: largest error %.3f ulps", worst)
}

// TestExpDense looks between the golden points: math.Exp is good to 1 ulp.
func TestExpDense(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	for range 200_000 {
		x := -708 + r.Float64()*1417
		got, want := Exp(x), math.Exp(x)
		if e := (reference{want}).ulps(got); !(e <= 2) {
			t.Fatalf("seed %d: Exp(%v) = %v, want %v within 2 ulps, off by %.2f", seed, x, got, want, e)
		}
	}
}

func TestExpRises(t *testing.T) {
	last := 0.0
	for i := -7_000_000; i <= 7_000_000; i += 7 {
		x := float64(i) / 10_000
		y := Exp(x)
		if y <= last {
			t.Fatalf("Exp(%v) = %v, want more than the %v before it", x, y, last)
		}
		last = y
	}
}

func TestExpEnds(t *testing.T) {
	tests := []struct{ x, want float64 }{
		{0, 1},
		{math.Copysign(0, -1), 1},
		{1e-300, 1},
		{-1e-300, 1},
		{-745.2, 0},
		{-1e300, 0},
		{math.Inf(-1), 0},
		{-745.13, 5e-324},
	}
	for _, tt := range tests {
		if got := Exp(tt.x); got != tt.want {
			t.Errorf("Exp(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
	if got := Exp(709.782712893384); !(got > 1.797e308) || math.IsInf(got, 1) {
		t.Errorf("Exp(709.782712893384) = %v, want the largest numbers there are", got)
	}
}

func TestExpPanics(t *testing.T) {
	for _, x := range []float64{710, math.Inf(1), math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Exp(%v) returned, want a panic", x)
				}
			}()
			Exp(x)
		}()
	}
}
