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
	f.Events |= trace.Reclustered
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

// The change of a phase is animated when the user goes to the phase, complete afterwards, and absent before, in all
// methods on screen.
func TestPhaseMoves(t *testing.T) {
	a, p := open(t, "algos=cflgp,ifca&t=2&T=20")
	p.EditFrame, p.Time = jitter, 1000
	p.Finish()
	frames := a.Run.Tracks[0].Frames
	before, now := &frames[1], &frames[2]
	if len(now.XY) == 0 || len(now.Models) == 0 || len(now.XY) != len(before.XY) {
		t.Fatalf("%d places and %d parameters", len(now.XY), len(now.Models))
	}
	if a.Phases.RoundDetail(0) != nil {
		t.Error("without a phase the figures show the inside of a round")
	}
	for phase := range registry.Phases {
		a.Do(PressKey{Key: ".", Shift: false})
		for len(p.Questions) > 0 {
			p.Answer()
		}
		is := func(what string, changes registry.Phase, got, was, will, part float32) {
			t.Helper()
			x := (got - was) / (will - was)
			if ok := map[bool]bool{phase < changes: x == 0,
				phase == changes: part > 0 && part < 1 && x > 0 && x < 1 || x == part,
				phase > changes:  x == 1}; !ok[true] {
				t.Errorf("%s: %s are %g of their way", phase.Name(), what, x)
			}
		}
		check := func(part float32) {
			t.Helper()
			in := a.Phases.RoundDetail(0)
			if in == nil || in.Phase != phase || in.Part != part || a.Phases.RoundDetail(1) == nil {
				t.Fatalf("%s: inside are %+v", phase.Name(), in)
			}
			is("places", registry.Embed, in.Frame.XY[0], before.XY[0], now.XY[0], part)
			is("models", registry.Update, in.Frame.Models[0], before.Models[0], now.Models[0], part)
			want := before.Label
			if phase >= registry.Match {
				want = now.Label
			}
			if !slices.Equal(in.Frame.Label, want) {
				t.Errorf("%s: the labels are not those of %v", phase.Name(), want)
			}
		}
		check(0)
		in := a.Phases.RoundDetail(0)
		for in.Part < 0.4 {
			if p.Time += 50; !a.Tick(p.Time) {
				t.Fatalf("%s: nothing moves", phase.Name())
			}
			in = a.Phases.RoundDetail(0)
		}
		check(in.Part)
		p.Changes = 0
		if p.Time += 3000; a.Tick(p.Time) || p.Changes&host.Slides == 0 {
			t.Errorf("%s: the last picture is missing, or more are wanted", phase.Name())
		}
		check(1)
		p.Changes = 0
		if a.Tick(p.Time+1) || p.Changes != 0 {
			t.Errorf("%s: at rest something changes: %b", phase.Name(), p.Changes)
		}
	}

	// With reduced motion, or after opening a link, changes are complete at once.
	a.Player.ReducedMotion = true
	a.Do(ShowPhase{Phase: registry.Embed})
	if in := a.Phases.RoundDetail(0); !slices.Equal(in.Frame.XY, now.XY) || a.Tick(p.Time) {
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
