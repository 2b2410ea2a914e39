package page_test

import (
	"math"
	"testing"

	"flockscope/ui/host"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// tick plays with a frame every 16 ms, up to a time, and returns when each round was reached. It
// stops when the player needs no more frames.
func tick(a *pagetest.Page, from, until float64) (came []float64) {
	for now := from; now <= until; now += 16 {
		before := a.Shown()
		again := a.Tick(now)
		for range a.Shown() - before {
			came = append(came, now)
		}
		if !again {
			break
		}
	}
	return came
}

// The first rounds are slow, to show what a round does, then faster.
func TestPace(t *testing.T) {
	a, _ := ready(t, "autostop=0")
	a.DoAt(0, TogglePlay{})
	came := tick(a, 0, 60000)
	if len(came) != 200 || a.Player.Playing || a.Shown() != 200 {
		t.Fatalf("%d rounds came, round %d is shown, playing: %v; want all 200", len(came), a.Shown(), a.Player.Playing)
	}
	for i := 1; i < len(came); i++ {
		gap := came[i] - came[i-1]
		switch {
		case i < SlowRounds && math.Abs(gap-SlowDelay) > 17:
			t.Errorf("round %d stays %v ms, want %v", i, gap, SlowDelay)
		case i > 30 && gap > FastDelay+17:
			t.Errorf("round %d stays %v ms, want %v", i, gap, FastDelay)
		}
	}
	if whole := came[len(came)-1]; whole < 10000 || whole > 18000 {
		t.Errorf("200 rounds take %v ms", whole)
	}
}

func TestSpeed(t *testing.T) {
	for _, speed := range Speeds {
		a, _ := ready(t, "")
		a.Do(SetSpeed{Speed: speed})
		a.DoAt(0, TogglePlay{})
		came := tick(a, 0, 4*SlowDelay/speed)
		if got, want := came[2]-came[1], SlowDelay/speed; math.Abs(got-want) > 17 {
			t.Errorf("at %v× the second round stays %v ms, want %v", speed, got, want)
		}
	}
}

func TestPlayAndPause(t *testing.T) {
	a, p := ready(t, "T=20")
	p.Changed()
	a.DoAt(0, TogglePlay{})
	if !a.Player.Playing || p.Changed()&host.Shell == 0 {
		t.Error("Play does not start")
	}
	a.Tick(0)
	a.Tick(800)
	if a.Shown() != 1 || p.Changed()&(host.Live|host.Figures) != host.Live|host.Figures {
		t.Errorf("after 800 ms round %d is shown", a.Shown())
	}
	a.DoAt(800, TogglePlay{})
	if a.Player.Playing || a.Tick(5000) || a.Shown() != 1 || p.Changed()&host.Link == 0 {
		t.Errorf("paused, round %d is shown, playing: %v", a.Shown(), a.Player.Playing)
	}
	// At the end it starts over, and seeking stops it.
	a.Do(Seek{Round: 20})
	a.DoAt(0, TogglePlay{})
	if !a.Player.Playing || a.Round != 0 {
		t.Errorf("played at the end, it stands at round %d", a.Round)
	}
	a.Do(Seek{Round: 7})
	if a.Player.Playing || a.Round != 7 {
		t.Errorf("sought, it plays: %v, at %d", a.Player.Playing, a.Round)
	}
	a.Do(Seek{Round: -5})
	if a.Round != 0 {
		t.Errorf("Seek(-5) = round %d", a.Round)
	}
	a.Do(StepRound{By: 99})
	if a.Round != 20 {
		t.Errorf("Step(99) = round %d", a.Round)
	}
}

// StartPlaying plays up to a round, then pauses.
func TestPlaysUntil(t *testing.T) {
	a, _ := ready(t, "")
	a.DoAt(0, StartPlaying{Until: 10})
	tick(a, 0, 30000)
	if a.Player.Playing || a.Shown() != 10 {
		t.Errorf("it stopped at %d, playing: %v; want 10, false", a.Shown(), a.Player.Playing)
	}
}

// The player waits for slow engines, and neither skips rounds nor hurries afterwards.
func TestWaitsForEngine(t *testing.T) {
	a, p := open(t, "")
	p.Rounds(p.Last(), -1, 2)
	a.Do(Seek{Round: 2})
	a.DoAt(0, TogglePlay{})
	tick(a, 0, 5000)
	if a.Shown() != 2 || !a.Player.Playing {
		t.Errorf("with two rounds there, %d is shown, playing: %v", a.Shown(), a.Player.Playing)
	}
	p.Rounds(p.Last(), 2, 100)
	if a.Shown() != 2 {
		t.Errorf("as rounds come, it jumps to %d", a.Shown())
	}
	came := tick(a, 5000, 7000)
	if len(came) < 2 || len(came) > 4 {
		t.Errorf("in the next two seconds %d rounds came, want about 3", len(came))
	}
}

// After a suspension playing continues at the same round.
func TestPlayAfterSuspension(t *testing.T) {
	a, _ := ready(t, "")
	a.DoAt(0, TogglePlay{})
	tick(a, 0, 1000)
	before := a.Shown()
	a.Tick(3600000)
	if a.Shown() > before+1 {
		t.Errorf("after an hour's sleep it jumps from %d to %d", before, a.Shown())
	}
}

// Marks slide to their positions; with reduced motion they jump.
func TestSlide(t *testing.T) {
	for _, still := range []bool{false, true} {
		a, _ := ready(t, "")
		a.Player.ReducedMotion = still
		a.Do(Seek{Round: 1})
		a.DoAt(0, TogglePlay{})
		slid, last := false, float32(1)
		for now := 0.0; now < SlowDelay+400; now += 16 {
			a.Tick(now)
			back := a.View(0).Back
			if back < 0 || back > 1 {
				t.Fatalf("at %v ms marks are %v back", now, back)
			}
			slid = slid || back > 0
			last = back
		}
		if slid == still || last != 0 {
			t.Errorf("reduced motion %v: slid: %v, in the end %v back", still, slid, last)
		}
	}
	a, _ := ready(t, "")
	a.Do(Seek{Round: 5})
	if a.View(0).Back != 0 {
		t.Error("marks slide while nothing plays")
	}
}

func TestKeys(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca,clove")
	steps := []struct {
		key   string
		shift bool
		known bool
		check func() bool
	}{
		{"ArrowRight", false, true, func() bool { return a.Round == 1 }},
		{"ArrowRight", true, true, func() bool { return a.Round == 11 }},
		{"ArrowLeft", false, true, func() bool { return a.Round == 10 }},
		{"ArrowLeft", true, true, func() bool { return a.Round == 0 }},
		{"ArrowLeft", true, true, func() bool { return a.Round == 0 }},
		{"End", false, true, func() bool { return a.Round == 200 }},
		{"Home", false, true, func() bool { return a.Round == 0 }},
		{" ", false, true, func() bool { return a.Player.Playing }},
		{"k", false, true, func() bool { return !a.Player.Playing }},
		{"2", false, true, func() bool { return a.Phases.At == 2 && a.Round == 1 }},
		{"2", false, true, func() bool { return a.Phases.At == 0 }},
		{"w", false, true, func() bool { return a.Phases.At == 1 && a.Phases.Watching }},
		{"x", false, true, func() bool { return a.Phases.Exact }},
		{"x", false, true, func() bool { return !a.Phases.Exact }},
		{"l", false, true, func() bool { return a.Lane == 1 }},
		{"z", false, true, func() bool { return a.Zoom }},
		{"m", false, true, func() bool { return a.Map3D }},
		{"m", false, true, func() bool { return !a.Map3D }},
		{"R", true, true, func() bool { return a.Config.Value("sd") == "2" }},
		{"End", false, true, func() bool { return a.Round == 200 }},
		{"r", false, true, func() bool { return a.Round == 0 }},
		{"q", false, false, func() bool { return true }},
		{"F5", false, false, func() bool { return true }},
		{"Tab", false, false, func() bool { return true }},
	}
	for i, s := range steps {
		if got := a.Do(PressKey{Key: s.key, Shift: s.shift}); got != s.known || !s.check() {
			t.Errorf("step %d: Key(%q, %v) = %v, want %v; round %d, playing %v, lane %d", i, s.key, s.shift, got,
				s.known, a.Round, a.Player.Playing, a.Lane)
		}
	}
	a.Do(SelectClient{Client: 3})
	a.Do(ToggleDrawer{})
	a.SettingsLane = 1
	a.Do(PressKey{Key: "Escape", Shift: false})
	if a.SettingsLane != -1 || !a.Drawer {
		t.Error("Escape does not close a lane's settings first")
	}
	a.Do(PressKey{Key: "Escape", Shift: false})
	if a.Drawer || a.Selected != 3 {
		t.Error("Escape does not close the drawer first")
	}
	a.Do(PressKey{Key: "Escape", Shift: false})
	if a.Phases.At > 0 || a.Selected != 3 {
		t.Error("Escape does not end the phases first")
	}
	a.Do(PressKey{Key: "Escape", Shift: false})
	if a.Selected != -1 {
		t.Error("Escape does not let the client go")
	}
}
