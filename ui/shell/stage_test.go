package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/page"
)

// The buttons of the phases say which is shown and which are past, and each lane says what its method does in it, or
// that it does nothing.
func TestStageHead(t *testing.T) {
	a, p := open(t, "algos=cflgp,ifca&t=14")
	p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.Events |= trace.Reclustered }
	p.Finish()
	head := &StageHead{App: a}
	if html := rendered(t, a); strings.Count(html, `class="step"`) != int(registry.Phases) || strings.Contains(html, `class="says"`) ||
		head.watchWords() != "Watch this round" {
		t.Error("at the end of a round some phase is shown")
	}
	for phase := range registry.Phases {
		a.Do(page.ShowPhase{Phase: phase})
		for len(p.Questions) > 0 {
			p.Answer()
		}
		html := rendered(t, a)
		if strings.Count(html, `class="step past"`) != int(phase) || strings.Count(html, `class="step on"`) != 1 {
			t.Errorf("%s: other phases are marked", phase.Name())
		}
		if head.first() != phase.Name()+"." || head.rest() == "" {
			t.Errorf("%s: the headline is %q, %q", phase.Name(), head.first(), head.rest())
		}
		if n := strings.Count(html, `class="says"`); n != 2 || strings.Contains(html, `class="verdict"`) {
			t.Errorf("%s: %d methods say what they do, and a verdict stands before the round ends", phase.Name(), n)
		}
		for lane := range 2 {
			card := &LaneCard{App: a, Lane: lane}
			card.Compute()
			// IFCA compares no clients, and its clients choose their models, so there is nothing to match.
			skipped := lane == 1 && (phase == registry.Embed || phase == registry.Match)
			if (card.toldClass() == "told skipped") != skipped || !skipped && card.follows() != "client 1" {
				t.Errorf("%s of lane %d: %q, numbers of %q", phase.Name(), lane, card.toldClass(), card.follows())
			}
		}
	}
	a.Do(page.WatchRound{})
	if got := phase(a); got != "14B" || head.watchWords() != "Stop" {
		t.Errorf("a watched round begins with %s, and the button says %q", got, head.watchWords())
	}
}

// Every outcome has a sign of its own.
func TestSigns(t *testing.T) {
	var all []string
	for kind := verdict.Start; kind <= verdict.Diverged; kind++ {
		if signs[kind] == "" || slices.Contains(all, signs[kind]) {
			t.Errorf("outcome %d has the sign %q", kind, signs[kind])
		}
		all = append(all, signs[kind])
	}
}

// What methods wrote between asterisks is bold, and nothing else is markup.
func TestEmphasize(t *testing.T) {
	for text, want := range map[string]string{
		"In *8 of 12* it is <less>.": "In <b>8 of 12</b> it is &lt;less&gt;.", "plain": "plain", "*all*": "<b>all</b>", "": ""} {
		if got := string(emphasize(text)); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// A lecture goes from the question over the phases to the verdicts, and back.
func TestLecture(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=14")
	a.Do(page.PressKey{Key: "L", Shift: true})
	press := func(key string) string {
		a.Do(page.PressKey{Key: key})
		for len(p.Questions) > 0 {
			p.Answer()
		}
		a.Phases.ForgetRequest()
		p.Time += 5000 // the motion ends
		a.Do(page.Tick{})
		return phase(a) + " " + itoa(a.Lecture.Stop)
	}
	var passed []string
	for range 7 {
		passed = append(passed, press(" "))
	}
	if got, want := strings.Join(passed, ", "), "14B 1, 14P 2, 14E 3, 14C 4, 14M 5, 14U 6, 14- 7"; got != want {
		t.Errorf("the stops are %s, want %s", got, want)
	}
	html := rendered(t, a)
	if class := (&Root{App: a}).class(); !strings.Contains(class, "lecture stop-7") || strings.Contains(class, "phased") ||
		!strings.Contains(html, `aria-label="Leave the lecture"`) || !strings.Contains(text(html), "Round 14, result") {
		t.Errorf("at its end the page is of class %q", class)
	}
	if got := press(" "); got != "14- 7" {
		t.Errorf("after the last stop comes %s", got)
	}
	if got := press("ArrowLeft"); got != "14U 6" {
		t.Errorf("the last stop but one is %s", got)
	}
	if press("b"); !strings.Contains((&Root{App: a}).class(), "black") {
		t.Error("the screen does not turn black")
	}
	if press("b"); strings.Contains((&Root{App: a}).class(), "black") {
		t.Error("the screen stays black")
	}
	if press("0"); !strings.Contains((&Root{App: a}).class(), "stop-0") {
		t.Error("no key leads to the question")
	}
	if got := press("Escape"); got != "14- 0" || strings.Contains(rendered(t, a), "lecture-head") {
		t.Errorf("left, the page is at %s", got)
	}
}

// The keys on the sheet are those that the page handles.
func TestKeyWords(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=14")
	listed := ""
	for _, k := range keyWords {
		listed += " " + k.Keys + " "
	}
	for _, key := range []string{"k", "R", "r", "g", "z", "m", "t", "w", "x", "l", "L", "?", ".", ",", "[", "]", "Home", "End", "1", "6"} {
		name := strings.ToUpper(key)
		switch {
		case key == "R" || key == "L":
			name = "Shift+" + key
		case len(key) > 1:
			name = key
		}
		found := strings.Contains(listed, " "+name+" ") || strings.Contains(listed, " "+name+", ")
		if handled := a.Do(page.PressKey{Key: key}); !found || !handled {
			t.Errorf("%s is on the sheet: %v, and handled: %v", name, found, handled)
		}
		a.Do(page.CloseSheet{})
		a.Do(page.LeaveLecture{})
		p.Finish()
	}
	for _, key := range []string{"7", "q", "w w"} {
		if a.Do(page.PressKey{Key: key}) {
			t.Errorf("%q means something that the sheet does not tell", key)
		}
	}
}
