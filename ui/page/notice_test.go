package page_test

import (
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
)

// A run that diverges has a notice from that round on, with remedies.
func TestDivergence(t *testing.T) {
	a, p := open(t, "lr=0.9&ifca.lr=3&algos=cflgp,ifca")
	p.EditSummary = func(_ *trace.Header, lane int, s *trace.Summary) {
		if s.Settled = -1; lane == 1 {
			s.Diverged, s.DivergedModel, s.SuggestedRate = 6, 1, 0.4
			s.Cause = "the models diverged in round 6: learning rate 3 is above 2/L = 0.81; try 0.4"
		}
	}
	p.Finish()
	a.Do(Seek{Round: 5})
	if got := noticed(a); len(got) != 0 {
		t.Errorf("before it happens the notices are %q", got)
	}
	a.Do(Seek{Round: 6})
	all := a.AllNotices()
	if len(all) != 1 || all[0].Text.String() != "IFCA: Model B diverged in round 6: learning rate 3 is above 2/L = 0.81." {
		t.Fatalf("in round 6 the notices are %q", noticed(a))
	}
	if len(all[0].Actions) != 2 || all[0].Actions[0].Label.String() != "Set the learning rate to 0.4" ||
		all[0].Actions[1].Label.String() != "Back to round 5" {
		t.Fatalf("it offers %+v", all[0].Actions)
	}
	a.Do(RunAction{Notice: 0, Action: 1})
	if a.Round != 5 || len(noticed(a)) != 0 {
		t.Errorf("back leads to round %d, with notices %q", a.Round, noticed(a))
	}
	a.Do(Seek{Round: 9})
	a.Do(RunAction{Notice: 0, Action: 0})
	if got := a.Config.String(); a.Config.LaneValue(1, "lr") != "0.4" || a.Config.Value("lr") != "0.9" {
		t.Errorf("the rate of the lane that has its own becomes %s", got)
	}
	a.Do(Undo{})
	if a.Config.LaneValue(1, "lr") != "3" {
		t.Error("the way out cannot be undone")
	}
	p.Finish()
	a.Do(DismissNotice{Notice: 0})
	if got := noticed(a); len(got) != 0 {
		t.Errorf("dismissed, the notices are %q", got)
	}
	a.Do(Seek{Round: 20})
	if got := noticed(a); len(got) != 0 {
		t.Errorf("dismissed, in another round the notices are %q", got)
	}
	a.Do(NewSeeds{})
	p.Finish()
	if got := noticed(a); len(got) != 1 {
		t.Errorf("of another run the notices are %q", got)
	}
}

// A setting that an engine suggests in place of a refused run is a button.
func TestSuggestions(t *testing.T) {
	a, p := ready(t, "")
	set(t, a, "C", "96")
	p.SendMessage(p.Last().ID, func(m *wire.Message) {
		m.Text(wire.Suggestion, "C=60")
		m.Text(wire.Refused, "too much")
	})
	all := a.AllNotices()
	if len(all) != 1 || len(all[0].Actions) != 1 || all[0].Actions[0].Label.String() != "Set Clients C to 60" {
		t.Fatalf("refused, the notices are %+v", all)
	}
	a.Do(RunAction{Notice: 0, Action: 0})
	if a.Config.Value("C") != "60" || len(noticed(a)) != 0 {
		t.Errorf("C is %s, the notices are %q", a.Config.Value("C"), noticed(a))
	}
	p.Finish()
	if a.Run.Header.Clients != 60 {
		t.Errorf("the run has %d clients", a.Run.Header.Clients)
	}
}

// Playing stops if nothing has changed for thirty rounds and nothing will.
func TestAutoStop(t *testing.T) {
	still := func(_ *trace.Header, _ int, f *trace.Frame) { f.Loss = float64(8 - min(f.Round, 8)) }
	a, p := open(t, "T=100")
	p.EditFrame = still
	p.Finish()
	a.DoAt(0, TogglePlay{})
	tick(a, 0, 60000)
	if a.Player.Playing || a.Round != 38 || !slices.Equal(noticed(a),
		[]string{"Nothing changes any more. Stopped at round 38."}) {
		t.Fatalf("it stops at round %d with %q", a.Round, noticed(a))
	}
	a.Do(RunAction{Notice: 0, Action: 0})
	if !a.Player.Playing || len(noticed(a)) != 0 {
		t.Errorf("continued, it plays: %v, with %q", a.Player.Playing, noticed(a))
	}
	tick(a, p.Time, 60000)
	if a.Round != 100 {
		t.Errorf("continued, it stops at round %d", a.Round)
	}
	// Going to another round removes the notice, and playing from an earlier round continues.
	a.Do(Seek{Round: 38})
	if got := noticed(a); len(got) != 0 {
		t.Errorf("without playing, round 38 says %q", got)
	}
	a.Do(Seek{Round: 50})
	a.DoAt(0, TogglePlay{})
	tick(a, 0, 60000)
	if a.Round != 100 {
		t.Errorf("from round 50 it stops at round %d", a.Round)
	}
	// It does not stop if auto-stop is off, or if it would save few rounds.
	for _, query := range []string{"T=100&autostop=0", "T=40"} {
		a, p := open(t, query)
		p.EditFrame = still
		p.Finish()
		a.DoAt(0, TogglePlay{})
		tick(a, 0, 60000)
		if a.Round != a.Rounds() {
			t.Errorf("%s stops at round %d", query, a.Round)
		}
	}
}

// Brackets jump from event to event of the focused lane.
func TestJump(t *testing.T) {
	a, p := open(t, "T=100")
	p.EditFrame = func(_ *trace.Header, lane int, f *trace.Frame) {
		f.Loss = 1
		if f.Round == 3 {
			f.Events |= trace.Moved
		}
		if f.Round == 7+lane {
			f.Events |= trace.ClusteringStopped
		}
	}
	p.Finish()
	var rounds []int
	jump := func(key string) {
		a.Do(PressKey{Key: key, Shift: false})
		rounds = append(rounds, a.Shown())
	}
	for range 3 {
		jump("]")
	}
	jump("[")
	a.Do(FocusLane{Lane: 1})
	jump("]")
	jump("]")
	if want := []int{3, 7, 7, 3, 8, 8}; !slices.Equal(rounds, want) {
		t.Errorf("the jumps lead to %v, want %v", rounds, want)
	}
	if got := a.Player.RoundWords(); got != "round 8 of 100: clustering stopped" {
		t.Errorf("the scrubber says %q", got)
	}
}

// Undo restores lanes and seeds as it does settings.
func TestUndoOfLanesAndSeeds(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca")
	steps := []string{a.Config.String()}
	for _, change := range []func(){
		func() { a.Do(AddLane{Algorithm: "fedavg"}) }, func() { a.Do(ChangeLane{Lane: 1, Algorithm: "clove"}) }, func() {
			a.Do(RemoveLane{Lane: 0})
		}, func() { a.Do(NewSeeds{}) }, func() { set(t, a, "dphi", "33") },
	} {
		change()
		p.Finish()
		steps = append(steps, a.Config.String())
	}
	for i := len(steps) - 2; i >= 0; i-- {
		a.Do(Undo{})
		p.Finish()
		if got := a.Config.String(); got != steps[i] || a.Run.Header.Query != steps[i] {
			t.Errorf("undone to step %d: %s, want %s", i, got, steps[i])
		}
	}
	for i := 1; i < len(steps); i++ {
		a.Do(Redo{})
		p.Finish()
		if got := a.Config.String(); got != steps[i] {
			t.Errorf("redone to step %d: %s, want %s", i, got, steps[i])
		}
	}
}

// Models that trained badly have a notice at the end of the run, with remedies.
func TestBadTraining(t *testing.T) {
	a, p := open(t, "data=digits&algos=fedavg")
	p.EditSummary = func(_ *trace.Header, lane int, s *trace.Summary) {
		s.Diverged, s.Cause = -1, "the models learn poorly: numbers of the file go up to 4254, and are not scaled; set lr=0.2"
	}
	p.Finish()
	a.Do(Seek{Round: 5})
	if got := noticed(a); len(got) != 0 {
		t.Errorf("before the end the notices are %q", got)
	}
	a.Do(Seek{Round: a.Rounds()})
	all := a.AllNotices()
	if len(all) != 1 || all[0].Text.String() != "The models learn poorly: numbers of the file go up to 4254, and are not scaled." || len(all[0].Actions) != 1 {
		t.Fatalf("at the end the notices are %+v", all)
	}
	a.Do(RunAction{Notice: 0, Action: 0})
	if got := a.Config.Value("lr"); got != "0.2" {
		t.Errorf("what it offers sets lr to %s", got)
	}
}
