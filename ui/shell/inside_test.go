package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	"flockscope/ui/page"
)

// The keys go from phase to phase, over the borders of rounds, and the link says
// which one it is.
func TestPhases(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=2&T=20")
	var passed []string
	press := func(key string) {
		a.Do(page.PressKey{Key: key, Shift: false})
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
	if got, want := strings.Join(passed, " "), "2B 2P 2E 2C 2M 2U 3B 3P 3E 3P 3B 2U"; got != want {
		t.Errorf("the keys lead to %s, want %s", got, want)
	}
	if got := a.Link(); !strings.Contains(got, "&t=2&ph=6") {
		t.Errorf("the link is %s", got)
	}
	if got := (&Root{App: a}).class(); !strings.Contains(got, "phased phase-update") {
		t.Errorf("the page is of class %s", got)
	}
	// The phases are those of all lanes.
	passed = passed[:0]
	press("l")
	press("4")
	press("1")
	if got := strings.Join(passed, " "); got != "2U 2C 2B" || a.Lane != 1 {
		t.Errorf("in lane %d the digits lead to %s", a.Lane, got)
	}
	for _, key := range []string{"Escape", "1"} { // the digit of the phase on screen ends it as well
		if press(key); a.Phases.At != 0 || strings.Contains(a.Link(), "ph=") {
			t.Errorf("after %s, phase %d is shown, the link is %s", key, a.Phases.At, a.Link())
		}
		a.Do(page.ShowPhase{Phase: registry.Broadcast})
	}
	b, q := ready(t, "algos=cflgp,ifca&t=2&T=20&ph=4")
	q.Answer()
	if got := phase(b); got != "2C" {
		t.Errorf("the link leads to %s", got)
	}
}

// Where a replay would take long, it is only made for those who insist.
func TestLongReplay(t *testing.T) {
	a, p := open(t, "T=100&t=50")
	p.Time = 100
	p.Time = 9000
	p.Finish()
	a.Do(page.PressKey{Key: ".", Shift: false})
	card := &InsideCard{App: a}
	if len(p.Questions) != 0 || !card.offers() || card.status() != "To look inside, this method must be computed again up to this round: about 5 s." {
		t.Fatalf("%d questions, %q", len(p.Questions), card.status())
	}
	a.Do(page.ForceDetail{})
	if len(p.Questions) != 1 || card.offers() {
		t.Errorf("insisted, there are %d questions", len(p.Questions))
	}
	p.Answer()
	if card.status() != "" || len(card.steps()) == 0 {
		t.Errorf("answered, it says %q", card.status())
	}
}

// A round without the phase that somebody asks for says so, and leads to one that has it.
func TestAbsentPhase(t *testing.T) {
	a, p := open(t, "algos=cflgp&t=13")
	p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) {
		if f.Round%2 == 0 {
			f.Events |= trace.Reclustered
		}
	}
	p.Finish()
	card, head := &InsideCard{App: a}, &StageHead{App: a}
	a.Do(page.ShowPhase{Phase: registry.Cluster})
	p.Answer()
	if card.status() != "In round 13, CFL-GP has no Cluster phase for client 1." ||
		head.elsewhere() != "Go to round 14, where clients are clustered" {
		t.Fatalf("the card says %q, and the head offers %q", card.status(), head.elsewhere())
	}
	a.Do(page.ShowPhase{Phase: registry.Update})
	if card.status() != "" || head.elsewhere() != "" {
		t.Errorf("in the last phase the card says %q, and the head offers %q", card.status(), head.elsewhere())
	}
	a.Do(page.ShowPhase{Phase: registry.Cluster})
	head.goElsewhere()
	p.Answer()
	if got := phase(a); got != "14C" || card.status() != "" || head.elsewhere() != "" {
		t.Errorf("the button leads to %s, where the card says %q", got, card.status())
	}
	a.Do(page.ShowPhase{Phase: registry.Embed})
	if got := phase(a); got != "14E" || card.status() != "" {
		t.Errorf("the round has %s, and the card says %q", got, card.status())
	}
}

// A message says what travels, how large it is, and how many other clients send the like.
func TestMessages(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=14&sel=6")
	card := &InsideCard{App: a}
	for _, want := range []struct{ phase, wires string }{
		{"14B", card.wire("down", "parameters of A, B", "4 numbers, 16 bytes", "11 other clients")},
		{"14P", card.wire("up", "gradient", "2 numbers, 8 bytes", "7 other clients")},
		{"14E", card.wire("still", "Nothing is sent.", "", "")},
		{"14C", card.wire("still", "Nothing is sent.", "", "")},
		{"14M", card.wire("still", "Nothing is sent.", "", "")},
		{"14U", card.wire("up", "update of model B", "2 numbers, 8 bytes", "11 other clients")},
	} {
		if a.Do(page.PressKey{Key: ".", Shift: false}); len(p.Questions) > 0 {
			p.Answer()
		}
		if got := card.wires(); phase(a) != want.phase || string(got) != want.wires {
			t.Errorf("%s: the messages are %s, want in %s %s", phase(a), got, want.phase, want.wires)
		}
	}
}

// Bytes are counted four to a number.
func TestSize(t *testing.T) {
	for floats, want := range map[int]string{1: "1 number, 4 bytes", 3: "3 numbers, 12 bytes", 250: "250 numbers, 1 kB",
		12_730: "12730 numbers, 50.9 kB", 1_000_000: "1000000 numbers, 4 MB"} {
		if got := size(floats); got != want {
			t.Errorf("%d floats are %q, want %q", floats, got, want)
		}
	}
}

// Sentences and formulas of all algorithms have a number in every slot.
func TestStepsAreTold(t *testing.T) {
	a, p := ready(t, "T=12")
	for _, meta := range a.Schema.Algorithms {
		set(t, a, "algos", meta.Name)
		p.Finish()
		for round := 1; round <= 12; round++ {
			a.Do(page.Seek{Round: round})
			if a.Phases.At == 0 {
				a.Do(page.StepPhase{By: 1})
			}
			for len(p.Questions) > 0 {
				p.Answer()
			}
			d := a.Phases.Detail(0)
			for i := range d.Notes {
				s, ok := meta.StepOf(d.Notes[i].Step, a.Schema.Steps)
				if !ok {
					t.Fatalf("%s: no step %q", meta.Name, d.Notes[i].Step)
				}
				slot := a.Phases.FillSlots(0, &d.Notes[i])
				for _, name := range slices.Concat(formula.Slots(s.Says), formula.Slots(s.Numbers)) {
					if numbers, _ := slot(name, ""); len(numbers) == 0 && name != "theta" {
						t.Errorf("%s, round %d, %s: nothing for [%s] among %+v", meta.Name, round, s.Name, name,
							d.Notes[i].Values)
					}
				}
			}
			told := 0
			for phase := range registry.Phases {
				a.Do(page.ShowPhaseIn{Round: round, Phase: phase})
				card := &InsideCard{App: a}
				wires, steps := string(card.wires()), card.steps()
				if said := card.status(); (said == "") != (len(steps) > 0) || (wires == "") != (len(steps) == 0) {
					t.Errorf("%s, round %d, %s: it has %d steps, the messages %q and says %q", meta.Name, round,
						phase.Name(), len(steps), wires, said)
				}
				if wires != "" && !strings.Contains(wires, "<b>Server</b><span>") ||
					strings.Contains(wires, "<b>Server</b><span></span>") || strings.ContainsAny(wires, "[]_") {
					t.Errorf("%s, round %d, %s: the messages are %s", meta.Name, round, phase.Name(), wires)
				}
				for _, s := range steps {
					if told++; strings.ContainsAny(s.Says, "[]") {
						t.Errorf("%s, round %d, %s: %q", meta.Name, round, phase.Name(), s.Says)
					}
				}
			}
			if told != len(d.Notes) {
				t.Errorf("%s, round %d: %d steps are told of %d", meta.Name, round, told, len(d.Notes))
			}
		}
	}
}

// What HCFL tells of a round, and the code beside it, are of the choices that its
// tiers are made of, and of no others.
func TestStepsOfChoices(t *testing.T) {
	forms, weighs := []string{"label", "ratio", "joint"}, []string{"loss", "count", "em", "sample", "near", "labels",
		"member"}
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
			a.Do(page.Seek{Round: round})
			if a.Phases.At == 0 {
				a.Do(page.StepPhase{By: 1})
			}
			for len(p.Questions) > 0 {
				p.Answer()
			}
			card := &InsideCard{App: a}
			if n := len(card.code()); n != tt.listed {
				t.Errorf("%s: %d lines of code, want %d: %v", tt.query, n, tt.listed, card.code())
			}
			d, meta := a.Phases.Detail(0), a.Algorithm(0)
			for i := range d.Notes {
				told[d.Notes[i].Step] = true
				s, _ := meta.StepOf(d.Notes[i].Step, a.Schema.Steps)
				slot := a.Phases.FillSlots(0, &d.Notes[i])
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
	a.Do(page.PressKey{Key: ".", Shift: false})
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
	a.Do(page.PressKey{Key: ".", Shift: false})
	a.Do(page.PressKey{Key: "x"})
	v, _ := d.Notes[1].Value("losses")
	want := chart.Number(v.Numbers[0])
	if html := rendered(t, a); !strings.Contains(html, "<mn>"+want+"</mn>") || !strings.Contains(html, "5–7") {
		t.Errorf("the page does not show the loss %s", want)
	}
}
