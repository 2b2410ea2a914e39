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

// The user steps from phase to phase, and to the next round; the end of the run is last.
func TestStep(t *testing.T) {
	s := pageOf(threeModels([]uint16{0, 1, 2}), 1)
	p := s.Phases
	step := func() bool { return questions(s.Update(0, StepPhase{By: 1})) > 0 }
	answer := func() {
		p.ReceiveDetail(&trace.Detail{Lane: 0, Round: s.Round,
			Notes: []trace.Note{{Step: "send"}, {Step: "move"}, {Step: "unknown"}}})
	}
	if !step() || p.All() != nil {
		t.Error("no engine is asked, or the phases are known before it has answered")
	}
	answer()
	for _, want := range []struct{ round, at int }{{1, 2}, {2, 1}, {2, 2}, {2, 2}} {
		if step() {
			answer()
		}
		if s.Round != want.round || p.At != want.at || len(p.All()) != 2 {
			t.Errorf("round %d, phase %d of %d; want round %d, phase %d of 2", s.Round, p.At, len(p.All()), want.round,
				want.at)
		}
	}
	if s.Update(0, TogglePhases{}); p.At != 0 {
		t.Errorf("closed, phase %d is shown", p.At)
	}
}

// Models are in the order of their letters, whatever their indices, and so are the losses: the first
// is that of model A.
func TestModelOrder(t *testing.T) {
	p := pageOf(threeModels([]uint16{2, 0, 1}), 0).Phases
	p.detail = &trace.Detail{}
	n := trace.Note{Values: []trace.Value{{Name: "k", Numbers: []float64{0, 1, 2}},
		{Name: "losses", Numbers: []float64{30, 10, 20}}}}
	slot := p.FillSlots(&n)
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
		got, vector := p.FillSlots(&trace.Note{Values: []trace.Value{tt.value}})("x", "")
		if strings.Join(got, " ") != tt.want || !vector {
			t.Errorf("%+v is told as %q, a vector: %v; want %q", tt.value, got, vector, tt.want)
		}
	}
}
