package page

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// pageOf returns a page with a complete run on screen whose only lane is focused.
func pageOf(run *trace.Run, round int) *State {
	schema := *catalog.Schema()
	schema.Steps = []registry.Step{{Name: "send", Phase: registry.Broadcast}, {Name: "move", Phase: registry.Update}}
	s := New(&schema, "algos=fedavg")
	run.Header.Lanes[0].ID = "fedavg"
	s.Run, s.Round, s.Runs.runTime, s.Player.ReducedMotion = run, round, 10, true
	return s
}

// questions counts the page's questions about rounds.
func questions(effects host.Effects) (n int) {
	for _, e := range effects.List {
		if send, ok := e.(host.Send); ok {
			_, records, _ := wire.Open(send.Message)
			for kind := range records {
				if kind == wire.Explain {
					n++
				}
			}
		}
	}
	return n
}

// threeModels returns a complete run of three clients with three models, named by alias.
func threeModels(alias []uint16) *trace.Run {
	h := &trace.Header{Clients: 3, Groups: 3, Rounds: 2, Group: []int16{0, 1, 2},
		Lanes: []trace.Lane{{ID: "a", Title: "A", Models: 3, Columns: 3, Size: 1}}}
	run := trace.NewRun(h)
	label := make([]uint16, 3)
	for k, g := range alias {
		label[g] = uint16(k)
	}
	for round := range 3 {
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, trace.Frame{Round: round, Label: label})
	}
	run.Tracks[0].Summary = &trace.Summary{Alias: alias, Diverged: -1}
	return run
}

// The user steps through all phases, and to the next round; the end of the run is last.
func TestStep(t *testing.T) {
	s := pageOf(threeModels([]uint16{0, 1, 2}), 1)
	p := s.Phases
	if questions(s.Update(0, StepPhase{By: 1})) != 1 || p.Notes(0, registry.Broadcast) != nil {
		t.Error("no engine is asked, or the notes are known before it has answered")
	}
	p.ReceiveDetail(&trace.Detail{Lane: 0, Round: 1, Notes: []trace.Note{{Step: "send"}, {Step: "move"}, {Step: "unknown"}}})
	if len(p.Notes(0, registry.Broadcast)) != 1 {
		t.Error("the notes are not those of the answer")
	}
	if got := p.Names(); !slices.Equal(got, []any{"Broadcast", "Update"}) {
		t.Errorf("the phases of the round are %v", got)
	}
	for n := range 2*int(registry.Phases) + 1 {
		want := min(n+1, 2*int(registry.Phases)-1)
		round, at := 1+want/int(registry.Phases), 1+want%int(registry.Phases)
		if s.Update(0, StepPhase{By: 1}); s.Round != round || p.At != at {
			t.Errorf("step %d: round %d, phase %d; want round %d, phase %d", n, s.Round, p.At, round, at)
		}
	}
	s.Update(0, Seek{1})
	s.Update(0, ShowPhase{registry.Broadcast})
	if s.Update(0, StepPhase{By: -1}); s.Round != 1 || p.At != 1 {
		t.Errorf("before the first phase of round 1 is round %d, phase %d", s.Round, p.At)
	}
	if s.Update(0, ShowPhase{registry.Broadcast}); p.At != 0 {
		t.Errorf("selected again, phase %d is shown", p.At)
	}
}

// A watched round shows all phases, each until its motion has ended and could be read, and then its end. Between the end
// of a motion and the next phase the page needs no animation frame.
func TestWatchRound(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		s := pageOf(threeModels([]uint16{0, 1, 2}), 1)
		s.Player.ReducedMotion = reduced
		s.Update(1000, WatchRound{})
		var seen []int
		now, frames := 1000.0, 0
		for ; now < 60000; now += 50 {
			s.Update(now, Tick{})
			frames++
			if due := s.Phases.NextDue(); due > now {
				now = due - 50
			}
			if at := s.Phases.At; len(seen) == 0 || seen[len(seen)-1] != at {
				seen = append(seen, at)
			}
			if !s.Animating {
				break
			}
		}
		if !slices.Equal(seen, []int{1, 2, 3, 4, 5, 6, 0}) || s.Phases.Watching || s.Round != 1 {
			t.Errorf("reduced motion %v: phases %v, round %d", reduced, seen, s.Round)
		}
		if reduced && frames > 2*int(registry.Phases)+1 {
			t.Errorf("without motion it takes %d frames", frames)
		}
		if took := now - 1000; took < 9000 || took > 20000 {
			t.Errorf("reduced motion %v: it takes %v ms", reduced, took)
		}
	}
	s := pageOf(threeModels([]uint16{0, 1, 2}), 1)
	s.Update(0, WatchRound{})
	s.Update(1, WatchRound{})
	if s.Phases.Watching || s.Phases.At != 1 {
		t.Errorf("ended, it watches: %v, phase %d", s.Phases.Watching, s.Phases.At)
	}
}

// Models are in the order of their letters, whatever their indices, and so are the losses: the first
// is that of model A.
func TestModelOrder(t *testing.T) {
	p := pageOf(threeModels([]uint16{2, 0, 1}), 0).Phases
	n := trace.Note{Values: []trace.Value{{Name: "k", Numbers: []float64{0, 1, 2}},
		{Name: "losses", Numbers: []float64{30, 10, 20}}}}
	slot := p.FillSlots(0, &n)
	if letters, _ := slot("k", "model"); !slices.Equal(letters, []string{"A", "B", "C"}) {
		t.Errorf("the models are %q, want A, B and C", letters)
	}
	if losses, _ := slot("losses", "models"); !slices.Equal(losses, []string{"10", "20", "30"}) {
		t.Errorf("the losses on A, B and C are %q, want 10, 20 and 30", losses)
	}
}

// A few numbers are shown completely, of many the first three or the last ones.
func TestSlotLength(t *testing.T) {
	p := pageOf(threeModels([]uint16{0, 1, 2}), 0).Phases
	long := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for _, tt := range []struct {
		value trace.Value
		want  string
	}{
		{trace.Value{Numbers: long[:2]}, "1 2"},
		{trace.Value{Numbers: long[:4]}, "1 2 3 4"},
		{trace.Value{Numbers: long[:5]}, "1 2 3 4 …"},
		{trace.Value{Numbers: long, More: true}, "1 2 3 …"},
		{trace.Value{Numbers: long, More: true, Last: true}, "… 6 7 8"},
	} {
		tt.value.Name = "x"
		got, vector := p.FillSlots(0, &trace.Note{Values: []trace.Value{tt.value}})("x", "")
		if strings.Join(got, " ") != tt.want || !vector {
			t.Errorf("%+v is told as %q, a vector: %v; want %q", tt.value, got, vector, tt.want)
		}
	}
}
