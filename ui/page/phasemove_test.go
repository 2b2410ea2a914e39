package page_test

import (
	"slices"
	"testing"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/host"
	. "flockscope/ui/page"
)

// jitter gives clients positions and models that change in each round, unlike those of artificial
// runs.
func jitter(h *trace.Header, lane int, f *trace.Frame) {
	for i := range f.XY {
		f.XY[i] = float32(f.Round*100 + i)
	}
	for i := range f.Models {
		f.Models[i] = float32(f.Round*10 + i)
	}
	for i := range f.Label {
		f.Label[i] = uint16((i + f.Round) % 3)
	}
}

// The change of a phase is animated when the user goes to the phase, complete afterwards, and absent
// before.
func TestPhaseMoves(t *testing.T) {
	a, p := open(t, "algos=cflgp,ifca&t=2&T=20")
	p.EditFrame, p.Time = jitter, 1000
	p.Finish()
	frames := a.Run.Tracks[0].Frames
	before, now := &frames[1], &frames[2]
	if len(now.XY) == 0 || len(now.Models) == 0 || len(now.XY) != len(before.XY) {
		t.Fatalf("%d places and %d parameters", len(now.XY), len(now.Models))
	}
	at := func() trace.Frame {
		t.Helper()
		in := a.Phases.RoundDetail(0)
		if in == nil {
			t.Fatalf("round %d, phase %d: nothing inside", a.Round, a.Phases.At)
		}
		return in.Frame
	}
	if a.Phases.RoundDetail(0) != nil {
		t.Error("without a phase the figures show the inside of a round")
	}
	a.Do(PressKey{Key: ".", Shift: false})
	if f := at(); !slices.Equal(f.XY, before.XY) || !slices.Equal(f.Label, before.Label) {
		t.Error("before the phases are known the figures show the round's end")
	}
	p.Answer()
	seen := map[registry.Phase]bool{}
	for {
		now0, _ := a.Phases.Shown()
		seen[now0.Phase] = true
		old, new := "old", "new"
		places, models, labels := old, old, old
		switch {
		case now0.Phase == registry.Embed:
			places, models = "moves", new
		case seen[registry.Embed]:
			places, models = new, new
		}
		if now0.Phase == registry.Update {
			models = "moves"
		}
		if now0.Phase == registry.Match {
			labels = new
		}
		is := func(what string, got, was, will []float32, want string, way float64) {
			t.Helper()
			x := float64(got[0]-was[0]) / float64(will[0]-was[0])
			if ok := map[string]bool{old: x == 0, new: x == 1, "moves": x == way ||
				way < 0 && x > 0 && x < 1}[want]; !ok {
				t.Errorf("%s: %s are %g of their way, want %s", now0.Phase.Name(), what, x, want)
			}
		}
		check := func(way float64) {
			t.Helper()
			f := at()
			is("places", f.XY, before.XY, now.XY, places, way)
			if got := a.Phases.RoundDetail(0).PlaceProgress; places == old && got != 0 || places == new && got != 1 ||
				places == "moves" && (way >= 0 && float64(got) != way) {
				t.Errorf("%s: heights are %g of their way, want %s", now0.Phase.Name(), got, places)
			}
			is("models", f.Models, before.Models, now.Models, models, way)
			if want := map[string][]uint16{old: before.Label, new: now.Label}[labels]; !slices.Equal(f.Label, want) {
				t.Errorf("%s: the labels are not %s", now0.Phase.Name(), labels)
			}
		}
		check(0)
		if p.Time += MoveTime / 2; !a.Tick(p.Time) {
			t.Errorf("%s: nothing is on its way", now0.Phase.Name())
		}
		check(-1)
		p.Changes = 0
		if p.Time += MoveTime; a.Tick(p.Time) || p.Changes&host.Slides == 0 {
			t.Errorf("%s: the last picture is missing, or more are wanted", now0.Phase.Name())
		}
		check(1)
		p.Changes = 0
		if a.Tick(p.Time+1) || p.Changes != 0 {
			t.Errorf("%s: at rest something changes: %b", now0.Phase.Name(), p.Changes)
		}
		if now0.Phase == registry.Match {
			break
		}
		a.Do(PressKey{Key: ".", Shift: false})
	}
	if a.Phases.RoundDetail(1) != nil {
		t.Error("the other lane is inside a round too")
	}

	// With reduced motion, or after opening a link, changes are complete at once.
	a.Player.ReducedMotion = true
	a.Do(ShowPhase{Phase: registry.Embed})
	if f := at(); !slices.Equal(f.XY, now.XY) || a.Tick(p.Time) {
		t.Error("places move though they must not")
	}
	b, q := open(t, "algos=cflgp,ifca&t=2&T=20&ph=3")
	q.EditFrame, q.Time = jitter, 1000
	q.Finish()
	q.Answer()
	if f := b.Phases.RoundDetail(0).Frame; f.XY[0] != now.XY[0] || b.Tick(1001) {
		t.Error("a link opens on the way")
	}
}
