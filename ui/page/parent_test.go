package page_test

import (
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// kinds returns the types of messages, and the kinds of events.
func kinds(posts []Post) string {
	var out []string
	for _, p := range posts {
		text := p["type"].(string)
		if p["kind"] != nil {
			text += fmt.Sprintf(" %v %v %v", p["kind"], p["lane"], p["t"])
		}
		if p["message"] != nil {
			text += fmt.Sprintf(": %v", p["message"])
		}
		out = append(out, text)
	}
	return strings.Join(out, "|")
}

// The surrounding page controls the page as its own controls do.
func TestParentCalls(t *testing.T) {
	tests := []struct {
		call    ParentCall
		answers string
		check   func(a *pagetest.Page) bool
	}{
		{ParentCall{Kind: "play"}, "", func(a *pagetest.Page) bool { return a.Player.Playing }},
		{ParentCall{Kind: "pause"}, "", func(a *pagetest.Page) bool { return !a.Player.Playing }},
		{ParentCall{Kind: "seek", T: 14}, "", func(a *pagetest.Page) bool { return a.Round == 14 }},
		{ParentCall{Kind: "seek", T: -7}, "", func(a *pagetest.Page) bool { return a.Round == 0 }},
		{ParentCall{Kind: "step", By: 3}, "", func(a *pagetest.Page) bool { return a.Round == 8 }},
		{ParentCall{Kind: "get"}, "state", nil},
		{ParentCall{Kind: "set", Params: [][2]string{{"cflgp:b.beta", "1"}, {"algos", "cflgp:b"}, {"dphi", "8"}}}, "", func(a *pagetest.Page) bool {
			return a.Config.String() == "data=linreg&dphi=8&algos=cflgp:b&cflgp:b.beta=1"
		}},
		{ParentCall{Kind: "set", Params: [][2]string{{"t", "9"}, {"view", "curves"}, {"lane", "2"}, {"speed", "2"}}}, "", func(a *pagetest.Page) bool {
			return a.Round == 9 && a.Tab == "curves" && a.Lane == 1 && a.Speed == 2 && a.Config.String() == usual
		}},
		{ParentCall{Kind: "set", Params: [][2]string{{"T", "300"}, {"t", "250"}}}, "", func(a *pagetest.Page) bool { return a.Round == 250 }},
		{ParentCall{Kind: "set", Params: [][2]string{{"T", "20"}, {"t", "30"}}}, "", func(a *pagetest.Page) bool { return a.Round == 20 }},
		{ParentCall{Kind: "set", Params: [][2]string{{"dphi", "900"}, {"t", "9"}}}, `error: dphi: got "900", want a number from 0 to 80`, func(a *pagetest.Page) bool {
			return a.Config.String() == usual && a.Round == 5
		}},
		{ParentCall{Kind: "set", Params: [][2]string{{"sigmo", "1"}}}, `error: unknown setting sigmo (did you mean "sigma"?)`, nil},
		{ParentCall{Kind: "eat"}, "error: there is no flockscope/eat", nil},
	}
	for _, tt := range tests {
		a, _ := ready(t, "t=5")
		got := kinds(a.Posts(tt.call))
		if got != tt.answers || tt.check != nil && !tt.check(a) {
			t.Errorf("%v is answered by %q, want %q; the page stands at %s", tt.call, got, tt.answers, a.Query())
		}
	}
}

// A change by the surrounding page can be undone as any other.
func TestCallIsUndone(t *testing.T) {
	a, _ := ready(t, "")
	a.Posts(ParentCall{Kind: "set", Params: [][2]string{{"dphi", "8"}, {"b", "20"}}})
	a.Do(Undo{})
	if got := a.Config.String(); got != usual {
		t.Errorf("undone, the page has %q", got)
	}
}

// The two words of reveal.js start and stop playing, unless the author forbids it.
func TestFollowSlide(t *testing.T) {
	tests := []struct {
		query, words string
		playing      bool
	}{
		{"", "slide:start", true},
		{"", "slide:start slide:stop", false},
		{"", "slide:stop", false},
		{"autoplay=0", "slide:start", false},
		{"motion=none", "slide:start", false},
		{"lesson=1", "slide:start", false},
		{"lesson=1&autoplay=1", "slide:start", false},
		{"", "slide:sing", false},
	}
	for _, tt := range tests {
		a, _ := ready(t, tt.query)
		for _, word := range strings.Fields(tt.words) {
			a.Do(FollowSlide{Word: word})
		}
		if a.Player.Playing != tt.playing {
			t.Errorf("%q with %s plays: %v", tt.query, tt.words, a.Player.Playing)
		}
	}
}

// There are at most four reports a second, each state is reported once, and the last one always.
func TestReports(t *testing.T) {
	a, p := ready(t, "")
	p.Time = 1000
	if posts, wait := a.ReportToParent(); kinds(posts) != "round|state" || wait != 0 {
		t.Errorf("at first the page tells %q", kinds(posts))
	}
	told := 0
	for range 100 { // two seconds of seeking
		p.Time += 20
		a.Do(StepRound{By: 1})
		posts, wait := a.ReportToParent()
		told += len(posts)
		if len(posts) == 0 && (wait <= 0 || wait > ReportInterval) {
			t.Fatalf("nothing is told, and asked for again in %v ms", wait)
		}
	}
	if told < 4 || told > 9 {
		t.Errorf("in two seconds %d messages were told, want at most four a second", told)
	}
	a.Do(Seek{Round: 3})
	p.Time += ReportInterval
	posts, _ := a.ReportToParent()
	if len(posts) != 1 || posts[0]["t"] != 3 {
		t.Errorf("the last round is told as %v", posts)
	}
	p.Time += ReportInterval
	if posts, wait := a.ReportToParent(); len(posts) > 0 || wait != 0 {
		t.Errorf("news are told twice: %v", posts)
	}
}

// Events are reported when the shown round passes them.
func TestEventPosts(t *testing.T) {
	a, p := open(t, "T=40&algos=cflgp,ifca")
	p.EditFrame = func(h *trace.Header, lane int, f *trace.Frame) {
		if lane == 1 && f.Round >= 9 {
			f.Events |= trace.Diverged
		}
	}
	p.EditSummary = func(h *trace.Header, lane int, s *trace.Summary) {
		s.Settled = [...]int{7, -1}[lane]
	}
	p.Finish()
	events := func(after, to int) string { return kinds(EventPosts(a.Run, after, to)) }
	for _, tt := range []struct {
		after, to int
		want      string
	}{
		{0, 6, ""}, {6, 7, "event all-correct cflgp 7"}, {7, 40, "event diverged ifca 9"}, {9, 40, ""},
		{0, 40, "event all-correct cflgp 7|event diverged ifca 9"},
	} {
		if got := events(tt.after, tt.to); got != tt.want {
			t.Errorf("from round %d to %d happened %q, want %q", tt.after, tt.to, got, tt.want)
		}
	}
}

// Events of a run with other settings than the present ones are not reported.
func TestNoEventsOfOldRuns(t *testing.T) {
	a, p := open(t, "T=40&algos=cflgp,ifca")
	p.EditSummary = func(h *trace.Header, lane int, s *trace.Summary) { s.Settled = 7 }
	p.Finish()
	a.Do(Seek{Round: 0})
	p.Time += ReportInterval
	a.ReportToParent()
	p.Time += ReportInterval
	a.Posts(ParentCall{Kind: "set", Params: [][2]string{{"dphi", "8"}, {"t", "14"}}})
	if got, _ := a.ReportToParent(); strings.Contains(kinds(got), "event") {
		t.Errorf("before the new run is there, the news are %q", kinds(got))
	}
}

// A refused run is reported once.
func TestReportOfRefusal(t *testing.T) {
	a, p := ready(t, "T=40")
	a.ReportToParent()
	a.Posts(ParentCall{Kind: "set", Params: [][2]string{{"dphi", "8"}}})
	p.SendText(p.Last().ID, wire.Refused, "C: there is no room")
	for _, want := range []string{"error: C: there is no room. " + OldFiguresNotice + "|state", ""} {
		p.Time += ReportInterval
		if got, _ := a.ReportToParent(); kinds(got) != want {
			t.Errorf("the news are %q, want %q", kinds(got), want)
		}
	}
}

// An invalid view is refused, and nothing changes.
func TestInvalidView(t *testing.T) {
	a, _ := ready(t, "T=40")
	before := a.Query()
	for _, p := range [][2]string{{"view", "sky"}, {"t", "soon"}, {"theme", "pink"}, {"speed", "9"}, {"sel", "x"}} {
		got := a.Posts(ParentCall{Kind: "set", Params: [][2]string{{"dphi", "8"}, p}})
		if len(got) != 1 || got[0]["type"] != "error" || a.Query() != before {
			t.Errorf("%v is answered %q, and the page shows %s", p, kinds(got), a.Query())
		}
	}
}

// A state has no verdicts if the groups are unknown.
func TestReportWithoutTruth(t *testing.T) {
	a, p := open(t, "T=10")
	p.NoTruth = true
	p.Finish()
	for _, lane := range a.Posts(ParentCall{Kind: "get"})[0]["lanes"].([]any) {
		lane := lane.(map[string]any)
		if lane["ari"] != nil || lane["misplaced"] != nil || lane["loss"] == nil {
			t.Errorf("a lane without truth is told as %v", lane)
		}
	}
}
