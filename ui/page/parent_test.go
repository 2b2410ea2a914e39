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

// The surrounding page is told of each step of a lesson, and of the answers in all lessons.
func TestLessonMessages(t *testing.T) {
	a, p := ready(t, "?lesson=1&marks=2%2C-2%2C100%3B&hide=lessons")
	p.EditFrame = func(h *trace.Header, lane int, f *trace.Frame) {
		c, _ := a.Schema.Parse(h.Query)
		if f.Loss = 0.04; h.Lanes[lane].Algorithm == "fedavg" {
			f.Loss += c.Values(-1).Float("dphi") * 0.02 / 17.5
		}
	}
	// told returns the message that comes with a message to the page, "" for none.
	told := func(m Message) string {
		var out []string
		for _, m := range a.Posts(m) {
			if m["type"] != "lesson" {
				t.Errorf("a lesson sends %v", m)
			}
			if m["link"] != a.Link() || m["fingerprint"] != a.Fingerprint() || m["fingerprint"] == "" {
				t.Errorf("%v is not of the run on screen", m)
			}
			out = append(out, fmt.Sprintf("%v: %v of which %v, %v %v %v, %v", m["lesson"], m["step"], m["shown"], m["answered"],
				m["right"], m["passed"], m["marks"]))
		}
		return strings.Join(out, "|")
	}
	finish := func() string {
		before := len(p.Posts)
		p.Finish()
		var out []string
		for _, m := range p.Posts[before:] {
			out = append(out, fmt.Sprintf("%v %v %v %v", m["step"], m["shown"], m["passed"], m["marks"]))
		}
		return strings.Join(out, "|")
	}
	for _, tt := range []struct {
		what string
		do   func() string
		want string
	}{
		{"an answer", func() string { return told(AnswerQuestion{Option: 2}) }, "1: 0 of which 0, true true false, 1,2,000;2,-2,100;"},
		{"the end of the run", func() string {
			for a.Player.Playing {
				p.Time += 1000
				if text := told(Tick{}); text != "" {
					return text
				}
			}
			return ""
		}, "1: 0 of which 0, true true false, 1,2,100;2,-2,100;"},
		{"a step that the page does", func() string { return told(ShowStep{Step: 1}) + finish() }, "1 1 false 1,2,103;2,-2,100;"},
		{"a step that the user does", func() string { set(t, a, "dphi", "0"); return finish() }, "2 1 true 1,2,113;2,-2,100;"},
		{"the next lesson", func() string { return told(BeginLesson{Number: 2}) }, "2: 0 of which 0, true false false, 1,2,113;2,-2,100;"},
		{"no lesson", func() string { return told(LeaveLesson{}) }, ""},
	} {
		if got := tt.do(); got != tt.want {
			t.Errorf("of %s the page tells %q, want %q", tt.what, got, tt.want)
		}
	}
	if p.KeptMarks != "" {
		t.Errorf("the browser stores %q, which the surrounding page does", p.KeptMarks)
	}
	if got := a.Query(); !strings.HasSuffix(got, "&hide=lessons&marks=1%2C2%2C113%3B2%2C-2%2C100%3B") {
		t.Errorf("reloaded, the frame begins with %s", got)
	}
}

// A frame begins with the answers that the surrounding page has, and not with any other.
func TestMarksOfFrame(t *testing.T) {
	for _, tt := range []struct {
		link, marks string
		kept        bool
		round       int
	}{
		{"?lesson=1&marks=1,2,132;", "1,2,132;", true, 200}, {"?lesson=1&marks=", "", true, 0},
		{"?lesson=1&marks=%00;1,9,111;77,1,111;1,2", "", true, 0}, {"?lesson=1", "", false, 0},
	} {
		a, _ := ready(t, tt.link)
		if got := a.Lessons.Progress.Encode(); got != tt.marks || a.Frame.KeepsMarks != tt.kept || a.Round != tt.round {
			t.Errorf("%s begins with %q in round %d, stored by the surrounding page: %v; want %q, %d, %v", tt.link, got, a.Round,
				a.Frame.KeepsMarks, tt.marks, tt.round, tt.kept)
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
