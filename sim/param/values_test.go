package param

import (
	"slices"
	"testing"
)

func TestValues(t *testing.T) {
	v := Given{"K": "3", "lr": "0.1", "on": "1", "off": "0", "star": "1,-2.5", "none": "", "beta": "mean"}.Values()
	if got := v.Int("K"); got != 3 {
		t.Errorf("Int(K) = %v, want 3", got)
	}
	if got := v.Float("lr"); got != 0.1 {
		t.Errorf("Float(lr) = %v, want 0.1", got)
	}
	if on, off := v.Switch("on"), v.Switch("off"); !on || off {
		t.Errorf("Switch(on), Switch(off) = %v, %v, want true, false", on, off)
	}
	if got := v.Numbers("star"); !slices.Equal(got, []float64{1, -2.5}) {
		t.Errorf("Numbers(star) = %v, want [1 -2.5]", got)
	}
	if got := v.Numbers("none"); got != nil {
		t.Errorf("Numbers(none) = %v, want nil", got)
	}
	if got := v.Text("beta"); got != "mean" {
		t.Errorf("Text(beta) = %q, want mean", got)
	}
	other := v.With(Given{"K": "4"})
	if k, rate, was := other.Int("K"), other.Float("lr"), v.Int("K"); k != 4 || rate != 0.1 || was != 3 {
		t.Errorf("But(K=4) has K = %v and lr = %v, v has K = %v; want 4, 0.1 and 3", k, rate, was)
	}
}

func TestValuesPanic(t *testing.T) {
	v := Given{"K": "three"}.Values()
	tests := []struct {
		name string
		read func()
	}{
		{"no such name", func() { v.Text("k") }},
		{"no such name, Switch", func() { v.Switch("stop") }},
		{"not a whole number", func() { v.Int("K") }},
		{"not a number", func() { v.Float("K") }},
		{"not numbers", func() { v.Numbers("K") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: returned, want a panic", tt.name)
				}
			}()
			tt.read()
		})
	}
}
