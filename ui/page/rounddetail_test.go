package page_test

import (
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/lesson"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

func phase(a *pagetest.Page) string {
	if p, ok := a.Phases.Phase(); ok {
		return strconv.Itoa(a.Shown()) + p.Name()[:1]
	}
	return strconv.Itoa(a.Shown()) + "-"
}

// The back and forward buttons lead to a phase of the run on screen, and out of it.
func TestReturnToPhase(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=2")
	a.Do(HistoryReturn{Query: "?algos=cflgp,ifca&T=20&t=3&ph=6"})
	p.Answer()
	p.Answer()
	if got := phase(a); got != "3U" {
		t.Errorf("a link to a phase leads to %s", got)
	}
	a.Do(HistoryReturn{Query: "?algos=cflgp,ifca&T=20&t=3"})
	if got := phase(a); got != "3-" || len(p.Questions) > 0 {
		t.Errorf("a link without one leads to %s, with %d questions", got, len(p.Questions))
	}
}

// Only one request for detail is pending; the answer triggers the newest one made meanwhile, first of the focused method
// and then of the others, and obsolete answers are ignored.
func TestDetailRequests(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=3&lane=2")
	a.Do(PressKey{Key: ".", Shift: false})
	for range 4 {
		a.Do(StepRound{By: 1})
	}
	a.Do(SelectClient{Client: 7})
	if q := p.Questions; len(q) != 1 || q[0].Round != 3 || q[0].Lane != 1 {
		t.Fatalf("five moments are asked about as %+v", q)
	}
	p.Answer()
	if q := p.Questions; len(q) != 1 || q[0].Round != 7 || q[0].Client != 7 || q[0].Lane != 1 {
		t.Fatalf("then %+v is asked", q)
	}
	if a.Phases.Detail(1) != nil {
		t.Error("an old answer is shown")
	}
	if d := p.Answer(); d.Client != 7 || phase(a) != "7B" || a.Phases.Detail(1) == nil || a.Phases.Detail(0) != nil {
		t.Errorf("shown is %s of client %d", phase(a), d.Client)
	}
	if q := p.Questions; len(q) != 1 || q[0].Lane != 0 {
		t.Fatalf("of the other method %+v is asked", q)
	}
	if p.Answer(); a.Phases.Detail(0) == nil || len(p.Questions) > 0 {
		t.Errorf("%d questions are left", len(p.Questions))
	}
	// The next run is requested again.
	set(t, a, "dphi", "40")
	p.Finish()
	if len(p.Questions) != 1 || !strings.Contains(p.Questions[0].Query, "dphi=40") {
		t.Errorf("of the run that follows %+v is asked", p.Questions)
	}
}

// At the slowest speed playing shows the phases.
func TestPlayThroughPhases(t *testing.T) {
	a, p := open(t, "algos=ifca&T=20&speed=0.25")
	p.Time = 50
	p.Finish()
	a.DoAt(0, TogglePlay{})
	var seen []string
	for now := 0.0; now < 9000; now += 100 {
		a.Tick(now)
		if len(p.Questions) > 0 {
			p.Answer()
		}
		if at := phase(a); len(seen) == 0 || seen[len(seen)-1] != at {
			seen = append(seen, at)
		}
	}
	if got := strings.ReplaceAll(strings.Join(seen, " "), "- ", ""); !strings.HasPrefix(got,
		"01B 1P 1E 1C 1M 1U 2B 2P 2E 2C 2M 2U 3B") {
		t.Errorf("playing shows %s", got)
	}
}

// A lecture opens on a round that clusters, goes through its stops with the keys of a clicker, and ends where it began.
func TestLecture(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=3")
	p.Time = 1000
	a.Do(PressKey{Key: "L", Shift: true})
	if !a.Lecture.On || a.Shown() == 0 || a.Lecture.Stop != 0 || !strings.Contains(a.Link(), "&lecture=1") {
		t.Fatalf("lecture %+v in round %d, link %s", a.Lecture, a.Shown(), a.Link())
	}
	round := a.Shown()
	for stop := 1; stop <= LectureEnd; stop++ {
		if a.Do(PressKey{Key: " "}); a.Lecture.Stop != stop || a.Phases.At != stop%LectureEnd {
			t.Errorf("stop %d, phase %d after %d presses", a.Lecture.Stop, a.Phases.At, stop)
		}
		if stop < LectureEnd && !a.Player.ReducedMotion {
			a.Do(PressKey{Key: " "}) // ends the motion
			if a.Lecture.Stop != stop || a.Phases.RoundDetail(0).Part != 1 {
				t.Errorf("stop %d: during a motion, the key leads to stop %d", stop, a.Lecture.Stop)
			}
		}
	}
	a.Do(PressKey{Key: "PageDown"})
	if a.Lecture.Stop != LectureEnd || a.Shown() != round {
		t.Errorf("behind the end are stop %d and round %d", a.Lecture.Stop, a.Shown())
	}
	a.Do(PressKey{Key: "3"})
	if p, _ := a.Phases.Phase(); a.Lecture.Stop != 3 || p != registry.Embed {
		t.Errorf("key 3 leads to stop %d", a.Lecture.Stop)
	}
	if a.Do(PressKey{Key: "b"}); !a.Lecture.Black {
		t.Error("the screen is not black")
	}
	if a.Do(PressKey{Key: "PageUp"}); a.Lecture.Black || a.Lecture.Stop != 2 {
		t.Errorf("back from black: %+v", a.Lecture)
	}
	if a.Do(PressKey{Key: "Escape"}); a.Lecture.On || a.Phases.At != 0 || strings.Contains(a.Link(), "lecture") {
		t.Errorf("left, lecture is %+v", a.Lecture)
	}
	for _, link := range []string{"lesson=2", "lesson=2&lecture=1"} {
		c, _ := ready(t, link)
		if !c.Lecture.On {
			c.Do(StartLecture{})
		}
		if want := lesson.ByNumber(2).Scene; c.Round != want {
			t.Errorf("%s: the lecture is on round %d, want %d, that of the lesson", link, c.Round, want)
		}
	}
	b, _ := ready(t, "algos=cflgp,ifca&T=20&lecture=1")
	if !b.Lecture.On || b.Shown() == 0 {
		t.Errorf("a link opens lecture %+v in round %d", b.Lecture, b.Shown())
	}
}

// The same link shows the same, whether its rounds arrive at once or slowly.
func TestLinkOfSlowRun(t *testing.T) {
	for _, link := range []string{"algos=cflgp,ifca&T=20&t=14", "algos=cflgp,ifca&T=20&t=3&lecture=1"} {
		jump := func(_ *trace.Header, _ int, f *trace.Frame) { // another client is misplaced in each round
			for i := range f.Label {
				f.Label[i] = uint16(i / 4)
			}
			i := f.Round%11 + 1
			f.Label[i] = (f.Label[i] + 1) % 3
			if f.Events = 0; f.Round == 9 {
				f.Events = trace.Reclustered
			}
		}
		a, p := open(t, link)
		p.EditFrame = jump
		p.Finish()
		b, q := open(t, link)
		q.EditFrame = jump
		q.Rounds(q.Last(), -1, 2)
		q.Time = 2000
		q.Rounds(q.Last(), 2, 5)
		q.Finish()
		if a.Followed() != b.Followed() || a.Round != b.Round || a.Followed() == 0 {
			t.Errorf("%s: at once, client %d in round %d; slowly, client %d in round %d", link, a.Followed()+1, a.Round,
				b.Followed()+1, b.Round)
		}
	}
}
