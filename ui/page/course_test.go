package page

import (
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lesson"
)

// Decode reads what Encode writes, and ignores invalid parts.
func TestEncodeLessons(t *testing.T) {
	var c LessonProgress
	c.Open(lesson.ByNumber(1))
	if !c.AwaitsAnswer() || c.Encode() != "" || c.Reveal() {
		t.Fatalf("before an answer, kept is %q", c.Encode())
	}
	c.Mark(1).Answer = Skipped
	if !c.Reveal() || c.Reveal() || c.AwaitsAnswer() || c.Encode() != "1,-2,100;" {
		t.Errorf("after it, kept is %q", c.Encode())
	}
	var d LessonProgress
	d.Decode(c.Encode() + "2,1,023;3,9,111;99,0,111;x;4,0;5,0,1")
	if got := d.Encode(); got != "1,-2,100;2,1,023;" || len(d.Marks) != 2 {
		t.Errorf("recalled are %d marks: %q", len(d.Marks), got)
	}
}

func TestTour(t *testing.T) {
	p := New(catalog.Schema(), "")
	var tour Tour
	tour.Start(p)
	for n := range TourStops {
		if tour.GoTo(n, p); !tour.On || tour.Stop != n || (p.SettingsLane >= 0) != (TourStops[n].Leave != nil) {
			t.Errorf("stop %d: at %d, lane %d is tuned", n, tour.Stop, p.SettingsLane)
		}
	}
	tour.GoTo(slices.IndexFunc(TourStops, func(s TourStop) bool { return s.Title == "Round by round" }), p)
	if tour.TryDone(p) {
		t.Error("the round has not changed yet")
	}
	p.Round += 5
	tried := tour.TryDone(p)
	if p.Round -= 5; !tried || !tour.TryDone(p) {
		t.Error("what was tried once is not tried")
	}
	if tour.GoTo(len(TourStops), p); tour.On {
		t.Error("the tour goes on past its end")
	}
}
