package page_test

import (
	"strconv"
	"strings"
	"testing"

	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

func phase(a *pagetest.Page) string {
	if p, ok := a.Phases.Shown(); ok {
		return strconv.Itoa(a.Shown()) + p.Phase.Name()[:1]
	}
	return strconv.Itoa(a.Shown()) + "-"
}

// The back and forward buttons lead to a phase of the run on screen, and out of it.
func TestReturnToPhase(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=2")
	a.Do(HistoryReturn{Query: "?algos=cflgp,ifca&T=20&t=3&ph=2"})
	p.Answer()
	if got := phase(a); got != "3U" {
		t.Errorf("a link to a phase leads to %s", got)
	}
	a.Do(HistoryReturn{Query: "?algos=cflgp,ifca&T=20&t=3"})
	if got := phase(a); got != "3-" || len(p.Questions) > 0 {
		t.Errorf("a link without one leads to %s, with %d questions", got, len(p.Questions))
	}
}

// Only one request for detail is pending; the answer triggers the newest one made meanwhile, and
// obsolete answers are ignored.
func TestDetailRequests(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&T=20&t=3")
	a.Do(PressKey{Key: ".", Shift: false})
	for range 4 {
		a.Do(StepRound{By: 1})
	}
	a.Do(SelectClient{Client: 7})
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
	if got := strings.Join(seen, " "); got != "0- 1- 1B 1P 1M 1U 2- 2B 2P 2M 2U 3- 3B" &&
		got != "0- 1B 1P 1M 1U 2B 2P 2M 2U 3B" {
		t.Errorf("playing shows %s", got)
	}
}
