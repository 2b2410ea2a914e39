package ui

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
)

func phase(a *App) string {
	if p, ok := a.Phases.Shown(); ok {
		return itoa(a.Shown()) + p.Phase.Name()[:1]
	}
	return itoa(a.Shown()) + "-"
}

// Back and Forward lead to a phase of the run on screen, and out of it.
func TestReturnToPhase(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=2")
	a.Return("?algos=cflgp,ifca&T=20&t=3&ph=2")
	p.Answer()
	if got := phase(a); got != "3U" {
		t.Errorf("a link to a phase leads to %s", got)
	}
	a.Return("?algos=cflgp,ifca&T=20&t=3")
	if got := phase(a); got != "3-" || len(p.Questions) > 0 {
		t.Errorf("a link without one leads to %s, with %d questions", got, len(p.Questions))
	}
}

// A question is out at a time; the newest of those that come meanwhile is asked
// when it is answered, and an answer that nobody waits for any more is dropped.
func TestQuestions(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=3")
	a.Key(".", false)
	for range 4 {
		a.Player.Step(1)
	}
	a.Select(7)
	if len(p.Questions) != 1 || p.Questions[0].Round != 3 || p.Questions[0].Client != 0 {
		t.Fatalf("five moments are asked about as %+v", p.Questions)
	}
	p.Answer()
	if len(p.Questions) != 1 || p.Questions[0].Round != 7 || p.Questions[0].Client != 7 {
		t.Fatalf("then %+v is asked", p.Questions)
	}
	if a.Phases.All() != nil {
		t.Error("an old answer is shown")
	}
	if d := p.Answer(); d.Client != 7 || phase(a) != "7B" {
		t.Errorf("shown is %s of client %d", phase(a), d.Client)
	}
	// A run that follows is asked about anew.
	set(t, a, "dphi", "40")
	p.Finish()
	if len(p.Questions) != 1 || !strings.Contains(p.Questions[0].Query, "dphi=40") {
		t.Errorf("of the run that follows %+v is asked", p.Questions)
	}
}

// Models are told in the order of their letters, whatever order they began in, and
// so are the losses on them: the first is that on model A.
func TestModelsAreToldInOrder(t *testing.T) {
	a, p := ready(t, "T=12&algos=clove")
	p.Finish()
	a.Run.Tracks[0].Summary.Alias = []uint16{2, 0, 1}
	n := trace.Note{Values: []trace.Value{{Name: "k", Numbers: []float64{0, 1, 2}}, {Name: "losses", Numbers: []float64{30, 10, 20}}}}
	slot := a.Phases.Slot(&n)
	if letters, _ := slot("k", "model"); !slices.Equal(letters, []string{"A", "B", "C"}) {
		t.Errorf("the models are %q, want A, B and C", letters)
	}
	if losses, _ := slot("losses", "models"); !slices.Equal(losses, []string{"10", "20", "30"}) {
		t.Errorf("the losses on A, B and C are %q, want 10, 20 and 30", losses)
	}
}

// A few numbers are told whole; of many the first three, or the last ones.
func TestNumbersAreTold(t *testing.T) {
	a, _ := ready(t, "algos=cflgp&t=2")
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
		got, vector := a.Phases.Slot(&trace.Note{Values: []trace.Value{tt.value}})("x", "")
		if strings.Join(got, " ") != tt.want || !vector {
			t.Errorf("%+v is told as %q, a vector: %v; want %q", tt.value, got, vector, tt.want)
		}
	}
}

// At the slowest pace playing goes through the phases.
func TestPlayThroughPhases(t *testing.T) {
	a, p := open(t, "algos=ifca&T=20&speed=0.25")
	p.Time = 50
	p.Finish()
	a.Player.Play(0)
	var seen []string
	for now := 0.0; now < 9000; now += 100 {
		a.Player.Tick(now)
		if len(p.Questions) > 0 {
			p.Answer()
		}
		if at := phase(a); len(seen) == 0 || seen[len(seen)-1] != at {
			seen = append(seen, at)
		}
	}
	if got := strings.Join(seen, " "); got != "0- 1- 1B 1P 1M 1U 2- 2B 2P 2M 2U 3- 3B" && got != "0- 1B 1P 1M 1U 2B 2P 2M 2U 3B" {
		t.Errorf("playing shows %s", got)
	}
}
