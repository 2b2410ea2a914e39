package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"flockscope/sim/lab/stats"
)

// The interval is that of an independent program, which counts all resamples of few values, with ties as without;
// SciPy's, from other random numbers, is near.
func TestBootstrap(t *testing.T) {
	text, err := os.ReadFile("testdata/bootstrap.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		X             []float64
		Low, High, SD float64
		SciPy         [2]float64
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 30 {
		t.Fatalf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		low, high := stats.Bootstrap(c.X)
		near(t, "the lower end", low, c.Low)
		near(t, "the upper end", high, c.High)
		error := 0.12 * c.SD / math.Sqrt(float64(len(c.X))) // of quantiles far out, from 10 000 means
		if len(c.X) <= 8 {
			error = 0.5 * c.SD // few different means: SciPy interpolates between them
		}
		if math.Abs(low-c.SciPy[0]) > error || math.Abs(high-c.SciPy[1]) > error {
			t.Errorf("%v: %g to %g, SciPy has %v", c.X, low, high, c.SciPy)
		}
	}
	for _, few := range [][]float64{nil, {1}} {
		if low, high := stats.Bootstrap(few); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%v: %g to %g", few, low, high)
		}
	}
}
