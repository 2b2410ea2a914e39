package jobs

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
)

func config(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return c
}

func TestSpans(t *testing.T) {
	c := config(t, "")
	tests := []struct {
		span Span
		want string // values, or part of the reason
	}{
		{Span{"dphi", "0", "45", "10"}, "0 5 10 15 20 25 30 35 40 45"},
		{Span{"dphi", "45", "0", "3"}, "45 22.5 0"},
		{Span{"dphi", "7", "9", "1"}, "7"},
		{Span{"b", "1", "200", "5"}, "1 4 14 53 200"}, // by equal ratios, as its slider moves
		{Span{"K", "2", "4", "9"}, "2 3 4"},           // no value twice
		{Span{"lr", "0.01", "1", "3"}, "0.01 0.1 1"},
		{Span{"dphi", "0", "900", "3"}, "a number from 0 to 80"},
		{Span{"dphi", "0", "", "3"}, "a number"},
		{Span{"dphi", "0", "45", "0"}, "1 to 200 values"},
		{Span{"dphi", "0", "45", "9999999999"}, "1 to 200 values"},
		{Span{"dphi", "NaN", "45", "3"}, "a number"},
	}
	for _, tt := range tests {
		f, _ := c.Field(tt.span.Key)
		values, err := tt.span.values(f)
		got := strings.Join(values, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%v: got %s, want %s", tt.span, got, tt.want)
		}
	}
}

// The values of a preview are possible positions of the thumb.
func TestPreviewValues(t *testing.T) {
	for _, f := range config(t, "").Active() {
		if f.Kind != param.Int && f.Kind != param.Float {
			continue
		}
		values := PreviewValues(f)
		if len(values) < 2 || len(values) > maxSteps+2 {
			t.Errorf("%s: %d values", f.Name, len(values))
		}
		for _, v := range values {
			if canonical, err := f.Canonical(v); err != nil || canonical != v {
				t.Errorf("%s: %s is %s, %v", f.Name, v, canonical, err)
			}
		}
		for i := range values[1:] {
			if param.Fraction(f, values[i]) >= param.Fraction(f, values[i+1]) {
				t.Errorf("%s: the slider has no place for %s before %s", f.Name, values[i], values[i+1])
			}
		}
		low, high := f.Range()
		if param.Fraction(f, values[0]) != 0 || param.Fraction(f, values[len(values)-1]) != 1 || high <= low {
			t.Errorf("%s: %v do not reach from end to end", f.Name, values)
		}
	}
}
