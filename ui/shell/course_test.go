package shell

import (
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// excess paints losses as far apart as Δφ says, so that steps of the first lesson
// can be done without an engine.
func excess(a *App) func(h *trace.Header, lane int, f *trace.Frame) {
	return func(h *trace.Header, lane int, f *trace.Frame) {
		f.Loss = 0.04
		if h.Lanes[lane].Algorithm == "fedavg" {
			c, _ := a.Schema.Parse(h.Query)
			f.Loss += c.Values(-1).Float("dphi") * 0.02 / 17.5
		}
	}
}

// taught is a page with the first lesson open, and its run on screen.
func taught(t *testing.T, query string) (*App, *pagetest.Engines) {
	t.Helper()
	a, p := ready(t, query)
	p.EditFrame = excess(a)
	a.Do(page.BeginLesson{Number: 1})
	p.Finish()
	return a, p
}

// watch plays to the end.
func watch(a *App, p *pagetest.Engines) {
	for a.Player.Playing {
		p.Time += 1000
		a.Do(page.Tick{})
	}
}

func TestLessonLinks(t *testing.T) {
	for _, tt := range []struct{ link, query string }{
		{"?lesson=2", "data=mix1d&algos=ifca,clove&lesson=2"},
		{"?lesson=3&embed=1", "data=linreg&dphi=5&algos=cflgp,cflgp:forget,clove&cflgp:forget.beta=1&lesson=3&embed=1"},
		{"?lesson=1&t=7", "data=linreg&dphi=40&algos=cflgp,fedavg&t=7&lane=2&view=data&curve=loss&lesson=1"},
		{"?lesson=1&data=linreg&dphi=3", "data=linreg&dphi=3&algos=cflgp,ifca&lesson=1"},
	} {
		a, _ := ready(t, tt.link)
		if got := a.Query(); got != tt.query || len(a.Notices) > 0 {
			t.Errorf("%s opens %q with notices %v, want %q", tt.link, got, a.Notices, tt.query)
		}
	}
	for _, link := range []string{"?lesson=99", "?lesson=x"} {
		a, _ := ready(t, link)
		if got := a.Query(); got != "data=linreg&algos=cflgp,ifca&t=0" || len(a.Notices) != 1 {
			t.Errorf("%s opens %q with notices %v, want the usual run and one notice", link, got, a.Notices)
		}
	}
	// A lesson from a link has nothing to give back.
	a, p := ready(t, "?lesson=2")
	a.Do(page.LeaveLesson{})
	p.Finish()
	if got, want := a.Query(), "data=mix1d&algos=ifca,clove&t=0"; got != want {
		t.Errorf("left, the page is at %q, want %q", got, want)
	}
	a.Do(page.HistoryReturn{Query: "?data=linreg&dphi=3&algos=ifca&t=4"})
	if p.Finish(); a.Lessons.Lesson() != nil || a.Query() != "data=linreg&dphi=3&algos=ifca&t=4" {
		t.Errorf("back in the history is %q", a.Query())
	}
	a.Do(page.HistoryReturn{Query: "?data=linreg&dphi=9&algos=fedavg,cflgp&lesson=1"})
	if p.Finish(); a.Lessons.Lesson() == nil || a.Query() != "data=linreg&dphi=9&algos=fedavg,cflgp&lesson=1" {
		t.Errorf("and on is %q", a.Query())
	}
}
