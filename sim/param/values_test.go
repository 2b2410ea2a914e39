package param

import (
	"slices"
	"testing"
)

func TestValues(t *testing.T) {
	v := Values{"K": "3", "lr": "0.1", "on": "1", "off": "0", "star": "1,-2.5", "none": "", "beta": "mean"}
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
}

func TestValuesPanic(t *testing.T) {
	v := Values{"K": "three"}
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
