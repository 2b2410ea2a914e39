package page

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// page is a page with a run on screen whose only lane is in focus. It counts the questions
// that an engine is asked.
type page struct {
	host.None
	run       *trace.Run
	round     int
	questions int
}

func (p *page) Send(engine int, message []byte) {
	_, records, _ := wire.Open(message)
	for kind := range records {
		if kind == wire.Explain {
			p.questions++
		}
	}
}

func (p *page) Host() host.Host             { return p }
func (p *page) Run() *trace.Run             { return p.run }
func (p *page) Request() uint32             { return 1 }
func (p *page) RunTime() float64            { return 10 }
func (p *page) Lane() int                   { return 0 }
func (p *page) LaneOfRun(int) int           { return 0 }
func (p *page) Shown() int                  { return p.round }
func (p *page) Rounds() int                 { return p.run.Header.Rounds }
func (p *page) Still() bool                 { return true }
func (p *page) Speaker() int                { return 0 }
func (p *page) Algorithm(int) registry.Meta { return registry.Meta{} }
func (p *page) View(lane int) chart.View    { return chart.View{Run: p.run, Lane: lane, Round: p.round} }
func (p *page) StopPlaying()                {}
func (p *page) LookAt(round int)            { p.round = round }

// Steps are those that the answer of an engine tells of.
func (p *page) Steps() []registry.Step {
	return []registry.Step{{Name: "send", Phase: registry.Broadcast}, {Name: "move", Phase: registry.Update}}
}

// threeModels is a complete run of three clients with three models, named by alias.
func threeModels(alias []uint16) *trace.Run {
	h := &trace.Header{Clients: 3, Groups: 3, Rounds: 2, Group: []int16{0, 1, 2},
		Lanes: []trace.Lane{{ID: "a", Title: "A", Models: 3, Columns: 3, Size: 1}}}
	run := trace.NewRun(h)
	for round := range 3 {
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, trace.Frame{Round: round, Label: []uint16{0, 1, 2}})
	}
	run.Tracks[0].Summary = &trace.Summary{Alias: alias, Diverged: -1}
	return run
}

// From phase to phase, and on into the next round; the end of the run is the last.
func TestStep(t *testing.T) {
	on := &page{run: threeModels([]uint16{0, 1, 2}), round: 1}
	p := New(on)
	answer := func() {
		if on.questions != 1 {
			t.Fatalf("round %d: %d questions, want 1", on.round, on.questions)
		}
		on.questions = 0
		p.Take(&trace.Detail{Lane: 0, Round: on.round,
			Notes: []trace.Note{{Step: "send"}, {Step: "move"}, {Step: "unknown"}}})
	}
	p.Step(1)
	if p.All() != nil {
		t.Error("the phases are known before an engine has answered")
	}
	answer()
	for _, want := range []struct{ round, at int }{{1, 2}, {2, 1}, {2, 2}, {2, 2}} {
		if p.Step(1); on.questions > 0 {
			answer()
		}
		if on.round != want.round || p.At != want.at || len(p.All()) != 2 {
			t.Errorf("round %d, phase %d of %d; want round %d, phase %d of 2", on.round, p.At, len(p.All()), want.round,
				want.at)
		}
	}
	if p.Toggle(); p.At != 0 {
		t.Errorf("let go of, phase %d is shown", p.At)
	}
}

// Models are told in the order of their letters, whatever order they began in, and
// so are the losses on them: the first is that on model A.
func TestModelsAreToldInOrder(t *testing.T) {
	p := New(&page{run: threeModels([]uint16{2, 0, 1})})
	n := trace.Note{Values: []trace.Value{{Name: "k", Numbers: []float64{0, 1, 2}},
		{Name: "losses", Numbers: []float64{30, 10, 20}}}}
	slot := p.Slot(&n)
	if letters, _ := slot("k", "model"); !slices.Equal(letters, []string{"A", "B", "C"}) {
		t.Errorf("the models are %q, want A, B and C", letters)
	}
	if losses, _ := slot("losses", "models"); !slices.Equal(losses, []string{"10", "20", "30"}) {
		t.Errorf("the losses on A, B and C are %q, want 10, 20 and 30", losses)
	}
}

// A few numbers are told whole; of many the first three, or the last ones.
func TestNumbersAreTold(t *testing.T) {
	p := New(&page{run: threeModels([]uint16{0, 1, 2})})
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
		got, vector := p.Slot(&trace.Note{Values: []trace.Value{tt.value}})("x", "")
		if strings.Join(got, " ") != tt.want || !vector {
			t.Errorf("%+v is told as %q, a vector: %v; want %q", tt.value, got, vector, tt.want)
		}
	}
}
