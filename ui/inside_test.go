package ui

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
)

func phase(a *App) string {
	if p, ok := a.ShownPhase(); ok {
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

// The keys go from phase to phase, over the borders of rounds, and the link says
// which one it is.
func TestPhases(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=2&T=20")
	var passed []string
	press := func(key string) {
		a.Key(key, false)
		if len(p.Questions) > 0 {
			p.Answer()
		}
		passed = append(passed, phase(a))
	}
	for range 9 {
		press(".")
	}
	for range 3 {
		press(",")
	}
	if got, want := strings.Join(passed, " "), "2B 2U 2E 2C 2M 3B 3U 4B 4P 4B 3U 3B"; got != want {
		t.Errorf("the keys lead to %s, want %s", got, want)
	}
	if got := a.Link(); !strings.Contains(got, "&t=3&ph=1") {
		t.Errorf("the link is %s", got)
	}
	if got := (&Root{App: a}).class(); !strings.Contains(got, "phased phase-broadcast") {
		t.Errorf("the page is of class %s", got)
	}
	// Another lane is another story.
	a.Focus(1)
	p.Answer()
	passed = passed[:0]
	press(",")
	press(",")
	if got := strings.Join(passed, " "); got != "2U 2M" {
		t.Errorf("in the other lane the keys lead to %s", got)
	}
	a.Key("Escape", false)
	if a.Phase != 0 || strings.Contains(a.Link(), "ph=") {
		t.Errorf("let go of, phase %d is shown, the link is %s", a.Phase, a.Link())
	}
	b, q := ready(t, "algos=cflgp,ifca&t=2&T=20&ph=4")
	q.Answer()
	if got := phase(b); got != "2C" {
		t.Errorf("the link leads to %s", got)
	}
}

// A question is out at a time; the newest of those that come meanwhile is asked
// when it is answered, and an answer that nobody waits for any more is dropped.
func TestQuestions(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=3")
	a.Key(".", false)
	for range 4 {
		a.Step(1)
	}
	a.Select(7)
	if len(p.Questions) != 1 || p.Questions[0].Round != 3 || p.Questions[0].Client != 0 {
		t.Fatalf("five moments are asked about as %+v", p.Questions)
	}
	p.Answer()
	if len(p.Questions) != 1 || p.Questions[0].Round != 7 || p.Questions[0].Client != 7 {
		t.Fatalf("then %+v is asked", p.Questions)
	}
	if a.RoundPhases() != nil {
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

// Where a replay would take long, it is only made for those who insist.
func TestLongReplay(t *testing.T) {
	a, p := open(t, "T=100&t=50")
	p.Time = 100
	p.Time = 9000
	p.Finish()
	a.Key(".", false)
	card := &InsideCard{App: a}
	if len(p.Questions) != 0 || !card.offers() || card.status() != "To look inside, this lane has to be played once more up to here: about 5 s." {
		t.Fatalf("%d questions, %q", len(p.Questions), card.status())
	}
	a.Insist()
	if len(p.Questions) != 1 || card.offers() {
		t.Errorf("insisted, there are %d questions", len(p.Questions))
	}
	p.Answer()
	if card.status() != "" || len(card.steps()) == 0 {
		t.Errorf("answered, it says %q", card.status())
	}
}

// Sentences and formulas of all algorithms have a number in every slot.
func TestStepsAreTold(t *testing.T) {
	a, p := ready(t, "T=12")
	for _, meta := range a.Schema.Algorithms {
		set(t, a, "algos", meta.Name)
		p.Finish()
		for round := 1; round <= 12; round++ {
			a.Seek(round)
			if a.Phase == 0 {
				a.StepPhase(1)
			}
			for len(p.Questions) > 0 {
				p.Answer()
			}
			d := a.insight.detail
			for i := range d.Notes {
				s, ok := meta.StepOf(d.Notes[i].Step, a.Schema.Steps)
				if !ok {
					t.Fatalf("%s: no step %q", meta.Name, d.Notes[i].Step)
				}
				slot := a.Slot(&d.Notes[i])
				for _, name := range slices.Concat(formula.Slots(s.Says), formula.Slots(s.Numbers)) {
					if numbers, _ := slot(name, ""); len(numbers) == 0 && name != "theta" {
						t.Errorf("%s, round %d, %s: nothing for [%s] among %+v", meta.Name, round, s.Name, name, d.Notes[i].Values)
					}
				}
			}
			for _, told := range (&InsideCard{App: a}).steps() {
				if strings.ContainsAny(told.Says, "[]") {
					t.Errorf("%s, round %d: %q", meta.Name, round, told.Says)
				}
			}
		}
	}
}

// Models are told in the order of their letters, whatever order they began in, and
// so are the losses on them: the first is that on model A.
func TestModelsAreToldInOrder(t *testing.T) {
	a, p := ready(t, "T=12&algos=clove")
	p.Finish()
	a.Run.Tracks[0].Summary.Alias = []uint16{2, 0, 1}
	n := trace.Note{Values: []trace.Value{{Name: "k", Numbers: []float64{0, 1, 2}}, {Name: "losses", Numbers: []float64{30, 10, 20}}}}
	slot := a.Slot(&n)
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
		got, vector := a.Slot(&trace.Note{Values: []trace.Value{tt.value}})("x", "")
		if strings.Join(got, " ") != tt.want || !vector {
			t.Errorf("%+v is told as %q, a vector: %v; want %q", tt.value, got, vector, tt.want)
		}
	}
}

// What HCFL tells of a round, and the code beside it, are of the choices that its
// tiers are made of, and of no others.
func TestStepsOfChoices(t *testing.T) {
	forms, weighs := []string{"label", "ratio", "joint"}, []string{"loss", "count", "em", "sample", "near", "labels", "member"}
	dists := []string{"any", "concept", "update", "anchor"}
	for _, tt := range []struct {
		query  string
		told   []string // of the tiers' steps, in some round
		listed int      // lines of code
	}{
		{"data=linreg", []string{"label", "em"}, 5},
		{"data=linreg&form=joint&weigh=count", []string{"joint", "count", "moments"}, 6},
		{"data=linreg&weigh=loss&adapt=merge&after=1", []string{"label", "loss", "pull", "unite"}, 7},
		{"data=linreg&weigh=member&adapt=merge", []string{"label", "member", "pull", "unite"}, 7},
		{"data=linreg&weigh=near&adapt=split&dist=anchor", []string{"label", "near", "pull", "anchor", "divide"}, 8},
		{"data=linreg&weigh=sample&adapt=both&dist=update", []string{"label", "sample", "update", "divide"}, 8},
		{"data=digits&n=80&C=4&K=2&exam=5&net=softmax&form=ratio&weigh=labels&adapt=both&dist=concept", []string{"label", "labels", "concept", "divide"}, 8},
		{"data=digits&n=80&C=4&K=2&exam=5&net=softmax&form=ratio&adapt=both&avg=model", []string{"ratio", "em", "any", "divide"}, 8},
	} {
		a, p := ready(t, "T=6&algos=hcfl&"+tt.query)
		told := map[string]bool{}
		for round := 1; round <= 6; round++ {
			a.Seek(round)
			if a.Phase == 0 {
				a.StepPhase(1)
			}
			for len(p.Questions) > 0 {
				p.Answer()
			}
			card := &InsideCard{App: a}
			if n := len(card.code()); n != tt.listed {
				t.Errorf("%s: %d lines of code, want %d: %v", tt.query, n, tt.listed, card.code())
			}
			d, meta := a.insight.detail, a.Algorithm(0)
			for i := range d.Notes {
				told[d.Notes[i].Step] = true
				s, _ := meta.StepOf(d.Notes[i].Step, a.Schema.Steps)
				slot := a.Slot(&d.Notes[i])
				for _, name := range slices.Concat(formula.Slots(s.Says), formula.Slots(s.Numbers)) {
					if numbers, _ := slot(name, ""); len(numbers) == 0 && name != "theta" {
						t.Errorf("%s, round %d, %s: nothing for [%s]", tt.query, round, s.Name, name)
					}
				}
			}
		}
		for _, name := range slices.Concat(forms, weighs, dists, []string{"pull", "unite", "divide", "moments"}) {
			if told[name] != slices.Contains(tt.told, name) && !(name == "label" && told["ratio"]) {
				t.Errorf("%s tells of %s: %v", tt.query, name, told[name])
			}
		}
	}
}

// The card marks the lines of the phase, with the numbers that the paper prints.
func TestPseudoCode(t *testing.T) {
	a, p := ready(t, "algos=clove&t=3")
	a.Key(".", false)
	d := p.Answer()
	card := &InsideCard{App: a}
	var on []string
	for _, l := range card.code() {
		if l.On {
			on = append(on, l.Number)
		}
	}
	if !slices.Equal(on, []string{"4"}) {
		t.Errorf("in %s the lines %q are marked", phase(a), on)
	}
	a.Key(".", false)
	v, _ := d.Notes[1].Value("losses")
	want := chart.Number(v.Numbers[0])
	if html := page(t, a); !strings.Contains(html, "<mn>"+want+"</mn>") || !strings.Contains(html, "5–7") {
		t.Errorf("the page does not show the loss %s", want)
	}
}

// At the slowest pace playing goes through the phases.
func TestPlayThroughPhases(t *testing.T) {
	a, p := open(t, "algos=ifca&T=20&speed=0.25")
	p.Time = 50
	p.Finish()
	a.Play(0)
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
	if got := strings.Join(seen, " "); got != "0- 1- 1B 1P 1M 1U 2- 2B 2P 2M 2U 3- 3B" && got != "0- 1B 1P 1M 1U 2B 2P 2M 2U 3B" {
		t.Errorf("playing shows %s", got)
	}
}
