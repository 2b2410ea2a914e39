package page_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// settling returns runs whose lanes are right from a round on, −1 for never.
func settling(p *pagetest.Engines, rounds ...int) {
	p.EditSummary = func(_ *trace.Header, lane int, s *trace.Summary) { s.Settled = rounds[lane] }
}

func TestPinned(t *testing.T) {
	a, p := open(t, "scent=0")
	settling(p, 12, -1)
	p.Finish()
	if a.Pinned.DescribeChanges() != "" || a.View(0).Pinned != nil {
		t.Fatal("there is a pinned run before one was pinned")
	}
	a.Do(PressKey{Key: "g", Shift: false})
	first := a.Run
	if !a.Pinned.IsPinned() || a.View(0).Pinned != nil || !strings.HasPrefix(a.Pinned.DescribeChanges(), "Pinned.") {
		t.Errorf("right after pinning it says %q", a.Pinned.DescribeChanges())
	}
	loss := first.Tracks[0].Frames[3].Loss
	for _, tt := range []struct {
		key, text string
		rounds    []int
		want      string
	}{
		{"dphi", "8", []int{41, -1}, "Gap Δφ 20° → 8°: CFL-GP correct from round 12 → 41; IFCA never correct, ARI "},
		{"dphi", "5", []int{-1, 30}, "Gap Δφ 20° → 5°: CFL-GP correct from round 12 → never; IFCA never correct → from round 30."},
		{"dphi", "20", []int{12, -1}, "Other methods: CFL-GP correct from round 12 as before; IFCA never correct"},
	} {
		settling(p, tt.rounds...)
		a.Do(ChangeSetting{Key: tt.key, Text: tt.text, Done: true})
		if !strings.Contains(a.Pinned.DescribeChanges(), "pinned run") && a.Pinned.DrawnRun() != nil {
			t.Errorf("while it is computed: %q", a.Pinned.DescribeChanges())
		}
		p.Finish()
		if got := a.Pinned.DescribeChanges(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s=%s: %q, want %q", tt.key, tt.text, got, tt.want)
		}
		if a.View(0).Pinned != first || first.Tracks[0].Frames[3].Loss != loss {
			t.Error("the pinned run is another run, or has changed")
		}
	}
	a.Do(NewSeeds{})
	p.Finish()
	if got := a.Pinned.DescribeChanges(); !strings.HasPrefix(got, "New seeds: ") {
		t.Errorf("new seeds: %q", got)
	}
	if strings.Contains(a.Query(), "pinned run") {
		t.Error("the link tells of a pinned run that it cannot bring")
	}
	if a.Do(PressKey{Key: "g", Shift: false}); a.Pinned.IsPinned() || a.Pinned.DescribeChanges() != "" {
		t.Error("it cannot be let go of")
	}
}

// The pinned run is drawn in curves and in comparable maps. It is the run on screen with its own
// settings, even if later settings were refused.
func TestPinnedOfAnEarlierRun(t *testing.T) {
	a, p := ready(t, "dphi=20&scent=0")
	a.Do(ChangeSetting{Key: "dphi", Text: "8", Done: true})
	if a.Pinned.CanToggle() {
		t.Error("while the next run is awaited there is something to pin")
	}
	p.SendText(p.Last().ID, wire.Refused, "dphi: not today")
	a.Do(PressKey{Key: "g", Shift: false})
	a.Do(ChangeSetting{Key: "dphi", Text: "5", Done: true})
	p.Finish()
	if got := a.Pinned.DescribeChanges(); !strings.HasPrefix(got, "Gap Δφ 20° → 5°") {
		t.Errorf("after a refusal, pinned and changed: %q", got)
	}
}

func TestPinnedIsDrawn(t *testing.T) {
	box := chart.Box{W: 400, H: 300}
	draw := func(pinned bool) map[string][]byte {
		a, p := open(t, "scent=0&algos=ifca&t=14")
		p.EditHeader = func(h *trace.Header) { h.Lanes[0].Map = trace.LossPair }
		p.Finish()
		if pinned {
			a.Do(TogglePin{})
		}
		a.Do(ChangeSetting{Key: "dphi", Text: "8", Done: true})
		p.Finish()
		f := NewPainter(a.State)
		return map[string][]byte{"curves": slices.Clone(f.Draw("curves", 0, box, nil)), "map": f.Draw("map", 0, box, nil)}
	}
	plain := draw(false)
	for kind, picture := range draw(true) {
		if bytes.Equal(picture, plain[kind]) {
			t.Errorf("%s shows no pinned run", kind)
		}
	}
}
