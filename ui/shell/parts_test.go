package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/page"
)

// What a frame's author says leaves out what it names and nothing else.
func TestLacks(t *testing.T) {
	tests := []struct {
		query string
		lacks string // of the parts, in order
	}{
		{"", ""},
		{"hide=data,curves", "data,curves"},
		{"hide=losses", ""}, // a figure, not a part
		{"controls=none", "lessons,lecture,settings,undo,share,export,theme,rewind,back,play,step,scrub,phases,speed,tabs,hero,lanes,metrics,sweep,tables,open"},
		{"controls=play,dphi,open", "lessons,lecture,settings,undo,share,export,theme,rewind,back,step,scrub,phases,speed,tabs,lanes,metrics,sweep,tables"},
		{"controls=hero,play,scrub,share&hide=title,share", "title,lessons,lecture,settings,undo,share,export,theme,rewind,back,step,phases,speed,tabs,lanes,metrics,sweep,tables,open"},
		{"controls=kappa&data=linreg", "lessons,lecture,settings,undo,share,export,theme,rewind,back,play,step,scrub,phases,speed,tabs,hero,lanes,metrics,sweep,tables,open"},
	}
	for _, tt := range tests {
		a := page.New(catalog.Schema(), tt.query)
		var got []string
		for _, p := range page.FrameParts {
			if a.Hides(p.Name) {
				got = append(got, p.Name)
			}
		}
		if strings.Join(got, ",") != tt.lacks {
			t.Errorf("%q goes without %q, want %q", tt.query, strings.Join(got, ","), tt.lacks)
		}
		for _, name := range got {
			if !slices.Contains(strings.Fields((&Root{App: &App{State: a}}).class()), "without-"+name) {
				t.Errorf("%q: the style sheet does not hear of %s", tt.query, name)
			}
		}
	}
}

// A figure that is left out has no tab, and is not shown instead of another.
func TestHiddenFigures(t *testing.T) {
	for _, query := range []string{"hide=losses", "hide=losses&view=losses", "hide=below", "hide=map&view=map",
		"hide=map,below,data", "hide=curves&view=curves"} {
		a, _ := ready(t, query)
		hidden := strings.Split(strings.TrimPrefix(strings.Split(query, "&")[0], "hide="), ",")
		if slices.Contains(hidden, a.ShownTab()) {
			t.Errorf("%s shows %s", query, a.ShownTab())
		}
		for _, tab := range (&Root{App: &App{State: a.State}}).tabs() {
			k, _ := figures.KindOf(tab)
			if slices.Contains(hidden, tab) || slices.Contains(hidden, "below") && k.Of == chart.OfLane {
				t.Errorf("%s has a tab for %s", query, tab)
			}
		}
	}
}
