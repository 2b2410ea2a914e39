package workload

import (
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// TestWireless: every client is in one environment, which is its group, and
// nobody is asked for a class.
func TestWireless(t *testing.T) {
	w := build(t, "wireless", nil, "n=240", "split=classes", "per=1", "net=autoencoder", "D=4", "dtheta=20")
	of, groups := w.Groups()
	if groups != 4 || !slices.Equal(of, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}) || w.(Evaluated).Classes() != 0 {
		t.Errorf("%d groups %v and %d classes, want 4, three clients in each, and none", groups, of,
			w.(Evaluated).Classes())
	}
	var s rng.Stream
	g := w.DataPreview(&s, 1).Gallery
	if g.Height != 8 || g.Width != 8 || !slices.Equal(g.Groups, []say.Message{"−30°", "−10°", "10°", "30°"}) {
		t.Errorf("pictures of %d × %d of groups %q", g.Height, g.Width, g.Groups)
	}
	for j, label := range g.Label {
		if int(label) != of[j/g.Each] {
			t.Errorf("client %d holds a channel of environment %d, want %d", j/g.Each, label, of[j/g.Each])
		}
	}
	var b model.Batch
	w.Draw(&b, 0, 9, &s)
	if low, high := slices.Min(b.X), slices.Max(b.X); low < 0 || high > 1 || high-low < 0.3 {
		t.Errorf("numbers from %v to %v, want some of [0, 1]", low, high)
	}
}

// TestWirelessBehind: sectors that reach behind the antennas are refused.
func TestWirelessBehind(t *testing.T) {
	e, _ := Registry.Lookup("wireless")
	for _, tt := range []struct {
		gap, groups string
		ok          bool
	}{{"70", "3", true}, {"70.5", "3", false}, {"20", "8", true}, {"21", "8", false}, {"70", "1", true}} {
		v := words("C=8", "sd=1")
		defaults(v, e.Fields)
		set(v, "n=200", "net=autoencoder", "dtheta="+tt.gap, "D="+tt.groups)
		_, err := e.Make.Make(v.Values(), nil)
		if refused, is := err.(*param.Error); (err == nil) != tt.ok ||
			is && (refused.Field != "dtheta" || len(refused.Suggestions) == 0) {
			t.Errorf("Δθ = %s with %s groups: %v", tt.gap, tt.groups, err)
		}
	}
}
