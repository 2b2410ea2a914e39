package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart/progress"
	. "flockscope/ui/page"
)

// A link restores the state of the page.
func TestLinkRoundTrip(t *testing.T) {
	for _, query := range []string{
		usual + "&t=0",
		usual + "&t=14",
		"data=mix1d&algos=clove&t=60&view=data",
		"data=linreg&dphi=5&algos=cflgp,cflgp:b,ifca&cflgp:b.beta=1&sd=9&t=1&lane=3&sel=12&view=losses&curve=cost&theme=dark&speed=0.25&zoom=1&heat=own&embed=1",
		usual + "&t=0&curve=misplaced&theme=light&speed=4",
		usual + "&t=5&zoom=1&map=3d.250.10",
	} {
		a := New(catalog.Schema(), "?"+query)
		if got := a.Query(); got != query {
			t.Errorf("%q comes back as %q", query, got)
		}
		if len(noticed(a)) > 0 {
			t.Errorf("%q is noticed: %q", query, noticed(a))
		}
		if got := New(catalog.Schema(), a.Query()).Query(); got != query {
			t.Errorf("%q comes back twice as %q", query, got)
		}
	}
}

func TestReadPage(t *testing.T) {
	tests := []struct {
		query string
		check func(a *State) bool
	}{
		{"t=14", func(a *State) bool { return a.Round == 14 }},
		{"t=900", func(a *State) bool { return a.Round == 200 }},
		{"t=900&T=50", func(a *State) bool { return a.Round == 50 }},
		{"dphi=5", func(a *State) bool { return a.Round == 200 }}, // CFL-GP clusters in even rounds
		{"dphi=5&cflgp.P=7", func(a *State) bool { return a.Round == 198 }},
		{"dphi=5&cflgp.as=released", func(a *State) bool { return a.Round == 199 }},
		{"algos=ifca,clove&T=40", func(a *State) bool { return a.Round == 40 }},
		{"lane=2&sel=1", func(a *State) bool { return a.Lane == 1 && a.Selected == 0 }},
		{"motion=none&embed=1", func(a *State) bool { return a.Player.ReducedMotion && a.Embed }},
		{"#t=14&dphi=5", func(a *State) bool { return a.Round == 14 && a.Config.Value("dphi") == "5" }},
		{"?dphi=5&t=14#top", func(a *State) bool { return a.Round == 14 && a.Config.Value("dphi") == "5" }},
		{"https://host/page?dphi=5&t=14", func(a *State) bool { return a.Round == 14 && a.Config.Value("dphi") == "5" }},
	}
	for _, tt := range tests {
		a := New(catalog.Schema(), tt.query)
		if !tt.check(a) {
			t.Errorf("%q is read as %q", tt.query, a.Query())
		}
		if len(noticed(a)) > 0 {
			t.Errorf("%q is noticed: %q", tt.query, noticed(a))
		}
	}
	// Invalid values are reported and ignored.
	a := New(catalog.Schema(), "t=x&lane=9&sel=0&view=sky&curve=up&theme=pink&speed=3&zoom=yes&workers=x&heat=x&motion=x&autostop=x")
	if a.Round != 0 || a.Lane != 0 || a.Selected != -1 || a.Tab != "map" || a.Metric != progress.ARI || a.Theme != "" ||
		a.Speed != 1 {
		t.Errorf("what makes no sense is read as %q", a.Query())
	}
	if len(noticed(a)) != 12 {
		t.Errorf("what makes no sense is noticed as %q", noticed(a))
	}
}

// A selected client that the run does not have leaves the selection.
func TestSelectionBeyondRun(t *testing.T) {
	a, _ := ready(t, "sel=99")
	if a.Selected != -1 || a.Card().Head != "" {
		t.Errorf("client 100 of 12 is selected: %d, %q", a.Selected, a.Card().Head)
	}
	a, p := ready(t, "sel=11")
	set(t, a, "C", "6")
	p.Finish()
	if a.Selected != -1 {
		t.Errorf("client 11 of 6 is selected")
	}
}

func TestNoticesOfLinks(t *testing.T) {
	var names []string
	for _, a := range catalog.Schema().Algorithms {
		names = append(names, a.Name)
	}
	tests := []struct{ query, want string }{
		{"dphi=900", `dphi: got "900", want a number from 0 to 80. The default is used instead.`},
		{"xyz=1", "This link has unknown settings: xyz. The run is computed without them."},
		{"xyz=1&rounds=5&utm_source=mail", "This link has unknown settings: xyz, rounds (the setting is called T). The run is computed without them."},
		{"“dphi=8”", "The link was repaired: quotation marks or punctuation around it."},
		{"algos=icfa", `algos: got "icfa", want one to four of ` + strings.Join(names, ", ") + `, separated by commas (did you mean "ifca"?). The default is used instead.`},
		{"C=3&data=digits", "K is 3 here instead of 4, to go with C = 3."},
		{"K=20&C=5", `K: got "20", want at most C = 5 (more models than clients). The default is used instead.`},
		{"dphi=5&dphi=6", `dphi: got "6", want each setting once (it is set twice). The first value is used.`},
		{"dphi", `query: got "dphi", want key=value with & between them. It is ignored.`},
		{"t=soon&theme=pink&speed=9&lang=", "t=soon is not valid here: expected a whole number from 0.|theme=pink is not valid here: expected one of dark, light, projector.|speed=9 is not valid here: expected one of 0.25, 0.5, 1, 2, 4."},
		{"t=-3", "t=-3 is not valid here: expected a whole number from 0."},
		{"sel=a&lang=xx&lesson=99", "sel=a is not valid here: expected clients such as 1,4-6.|lang=xx is not valid here: expected en or zh, or a tag such as zh-CN.|lesson=99 is not valid here: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11."},
		{"map=3", "map=3 is not valid here: expected 3d, 3d with two angles such as 3d.30.20, or flat."},
		{"map=flat", ""},
		{"t=14&theme=projector&speed=0.5&lang=zh&sel=2-4&view=flow&curve=loss", ""},
	}
	for _, tt := range tests {
		a := New(catalog.Schema(), tt.query)
		if got := strings.Join(noticed(a), "|"); got != tt.want {
			t.Errorf("%s is noticed as\n%q, want\n%q", tt.query, got, tt.want)
		}
	}
	a := New(catalog.Schema(), "dphi=900&xyz=1&lr=x")
	if len(noticed(a)) != 3 {
		t.Fatalf("the notices are %q", noticed(a))
	}
	first, last := noticed(a)[0], noticed(a)[2]
	a.Update(0, DismissNotice{Notice: 1})
	if len(noticed(a)) != 2 || noticed(a)[0] != first || noticed(a)[1] != last {
		t.Errorf("with the second dismissed the notices are %q", noticed(a))
	}
}
