package param_test

import (
	"math"
	"strconv"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/param"
)

// sliders are all fields with a slider.
func sliders() []*param.Field {
	var out []*param.Field
	for _, f := range catalog.Schema().Fields() {
		if f.Kind == param.Int || f.Kind == param.Float {
			out = append(out, f)
		}
	}
	return out
}

// The ladder's rungs rise, are numbers that a person would type, and are
// nowhere far apart.
func TestLadder(t *testing.T) {
	found := 0
	for _, f := range sliders() {
		if !f.Log {
			continue
		}
		found++
		rungs := param.Ladder(f)
		for i, v := range rungs {
			if text := param.FormatFloat(v); len(text) > 6 {
				t.Errorf("%s: rung %s is no number that a person would type", f.Name, text)
			}
			if i > 0 && v <= rungs[i-1] {
				t.Errorf("%s: rung %v follows %v", f.Name, v, rungs[i-1])
			}
			if i > 0 && f.Kind == param.Float && v > 1.7*rungs[i-1] {
				t.Errorf("%s: from %v the next rung is %v", f.Name, rungs[i-1], v)
			}
		}
	}
	if found == 0 {
		t.Error("no slider moves by ratios")
	}
}

// A thumb that is put where a value stands gives that value back.
func TestPositions(t *testing.T) {
	for _, f := range sliders() {
		if !f.Log {
			if got := param.FromPosition(f, "3"); got != "3" {
				t.Errorf("%s: position 3 is %s", f.Name, got)
			}
			continue
		}
		rungs := param.Ladder(f)
		for i, v := range rungs {
			want := param.FormatFloat(v)
			if got := param.FromPosition(f, strconv.Itoa(i)); got != want {
				t.Errorf("%s: position %d is %s, want %s", f.Name, i, got, want)
			}
			if at := param.Fraction(f, want); math.Abs(float64(at)-float64(i)/float64(len(rungs)-1)) > 1e-6 {
				t.Errorf("%s: %s stands at %v of the slider", f.Name, want, at)
			}
		}
		if got := param.FromPosition(f, "x"); got != "x" {
			t.Errorf("%s: no position is %s", f.Name, got)
		}
	}
}
