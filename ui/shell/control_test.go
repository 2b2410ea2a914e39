package shell

import (
	"math"
	"strconv"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/param"
	"flockscope/ui/page"
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

// A slider's thumb, wherever it is put, stands for a value that is taken as
// it is and brings the thumb back to the same place: so that arrow keys never
// stick, and nothing jumps when a drag ends.
func TestSliderPositions(t *testing.T) {
	for _, f := range sliders() {
		a, _ := open(t, "")
		c := &Control{App: a, Field: f, Name: f.Name}
		low, high, step := number(t, c.min()), number(t, c.max()), number(t, c.step())
		if low >= high || step <= 0 || (high-low)/step < 4 {
			t.Errorf("%s: the slider goes from %v to %v by %v", f.Name, low, high, step)
		}
		seen := map[string]bool{}
		for i := 0; ; i++ {
			// As browsers count: from the low end, by steps.
			at := math.Round((low+float64(i)*step)*1e9) / 1e9
			if at > high+1e-9 {
				break
			}
			position := param.FormatFloat(at)
			text := param.FromPosition(f, position)
			canonical, err := f.Canonical(text)
			if err != nil {
				t.Errorf("%s: position %s gives %q: %v", f.Name, position, text, err)
				continue
			}
			if canonical != text {
				t.Errorf("%s: position %s gives %q, which is written %q", f.Name, position, text, canonical)
			}
			if seen[text] {
				t.Errorf("%s: position %s gives %q again: a key would stick", f.Name, position, text)
			}
			seen[text] = true
			// The thumb is put where the value says, without the limits
			// that settings together may have.
			a.Config, _ = a.Schema.Parse("data=" + workloadOf(f.Name) + "&algos=" + algorithmOf(f.Name) +
				"&D=1&C=2000&T=10&" + f.Name + "=" + text)
			if got := a.Config.Value(f.Name); got != text {
				continue // not with the others
			}
			if got := c.position(); got != position {
				t.Errorf("%s = %s: the thumb stands at %s, was put at %s", f.Name, text, got, position)
			}
		}
		lowest, highest := f.Range()
		if f.Log && (!seen[param.FormatFloat(lowest)] || !seen[param.FormatFloat(highest)]) {
			t.Errorf("%s: the ladder misses an end of %v to %v", f.Name, lowest, highest)
		}
		if !seen[f.Default] {
			t.Errorf("%s: the default %s is on no position of the slider", f.Name, f.Default)
		}
	}
}

// workloadOf and algorithmOf name one that reads the field.
func workloadOf(name string) string {
	for _, w := range catalog.Schema().Workloads {
		for _, f := range w.Fields {
			if f.Name == name && !w.FromFile {
				return w.Name
			}
		}
	}
	return "linreg"
}

func algorithmOf(name string) string {
	for _, a := range catalog.Schema().Algorithms {
		for _, f := range a.Fields {
			if f.Name == name {
				return a.Name
			}
		}
	}
	return "fedavg"
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A value between two rungs stands at the nearer one, one beyond the ends at
// the end; looking at it changes nothing.
func TestPositionBetweenRungs(t *testing.T) {
	tests := []struct {
		query, name, spoken string
		near                float64
	}{
		{"b=13", "b", "13", 12}, {"b=5000", "b", "5000", 200}, {"b=17", "b", "17", 15}, {"lr=0.105", "lr", "0.105", 0.1},
		{"dphi=80&D=2", "dphi", "80°", math.NaN()}, {"dphi=7.25", "dphi", "7.25°", math.NaN()},
	}
	for _, tt := range tests {
		a, _ := open(t, tt.query)
		f, _ := a.Schema.Field(tt.name)
		c := &Control{App: a, Field: f, Name: tt.name}
		if got := c.spoken(); got != tt.spoken {
			t.Errorf("%s is spoken %q, want %q", tt.query, got, tt.spoken)
		}
		if math.IsNaN(tt.near) {
			continue
		}
		if got := param.FromPosition(f, c.position()); got != param.FormatFloat(tt.near) {
			t.Errorf("%s stands at %s, want %v", tt.query, got, tt.near)
		}
	}
	f, _ := catalog.Schema().Field("b")
	for _, position := range []string{"", "-1", "99", "x", "1.5"} {
		if got := param.FromPosition(f, position); got != position {
			t.Errorf("position %q gives %q: it should be refused as it is", position, got)
		}
	}
}

// TestThresholdsShowClusters: beside a threshold stands how many clusters come out, of every
// lane that reads it.
func TestThresholdsShowClusters(t *testing.T) {
	a, _ := ready(t, "algos=pacfl,pacfl:wide,ifca&pacfl.cut=1&pacfl:wide.cut=90&T=3&t=2")
	a.ShownFrame(0).Clusters = 9
	for _, tt := range []struct{ field, name, want string }{
		{"cut", "cut", "PACFL: 9 clusters · PACFL · wide: 1 cluster"},
		{"cut", "pacfl:wide.cut", "1 cluster"},
		{"far", "far", ""},
	} {
		f, _ := a.Schema.Field(tt.field)
		if got := (&Control{App: a, Field: f, Name: tt.name}).hint(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	f, _ := a.Schema.Field("cut")
	alone, _ := open(t, "algos=pacfl")
	if got := (&Control{App: alone, Field: f, Name: "cut"}).hint(); got != "" {
		t.Errorf("before a run: %q, want nothing", got)
	}
}

func TestToggle(t *testing.T) {
	a, _ := ready(t, "")
	f, _ := a.Schema.Field("stop")
	c := &Control{App: a, Field: f, Name: "cflgp.stop"}
	c.toggle()
	if a.Config.String() != usual+"&cflgp.stop=1" || c.class() != "control" || c.id() != "set-cflgp.stop" {
		t.Errorf("toggled, it is %q", a.Config.String())
	}
	c.toggle()
	if a.Config.String() != usual {
		t.Errorf("toggled back, it is %q", a.Config.String())
	}
	a.Do(page.ChangeSetting{Key: "cflgp.stop", Text: "perhaps", Done: true})
	if c.class() != "control refused" {
		t.Errorf("refused, its class is %q", c.class())
	}
}
