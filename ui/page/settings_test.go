package page_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flockscope/ui/host"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

const usual = "data=linreg&algos=cflgp,ifca"

// A text is accepted, or refused with a reason; a refused one stays in its field and nothing else
// changes.
func TestSet(t *testing.T) {
	tests := []struct {
		start, key, text string
		config           string // "" for no change
		value, why       string
	}{
		{"", "dphi", "5", "data=linreg&dphi=5&algos=cflgp,ifca", "5", ""},
		{"", "dphi", " 5.0 ", "data=linreg&dphi=5&algos=cflgp,ifca", "5", ""},
		{"", "dphi", "20", "", "20", ""},
		{"", "dphi", "900", "", "900", "Expected: a number from 0 to 80."},
		{"", "dphi", "", "", "", "Expected: a number from 0 to 80."},
		{"", "dphi", "NaN", "", "NaN", "Expected: a number from 0 to 80."},
		{"", "K", "2.6", "", "2.6", "Expected: a whole number from 1 to 64 (nearest is 3)."},
		{"", "K", "13", "", "13", "Expected: at most C = 12 (more models than clients)."},
		{"", "data", "mix1d", "data=mix1d&algos=cflgp,ifca", "", ""},
		{"data=mix1d", "star", "1,x", "", "1,x", `Expected: numbers from -10 to 10, separated by commas (number 2 is "x").`},
		{"", "cflgp.beta", "1", "data=linreg&algos=cflgp,ifca&cflgp.beta=1", "1", ""},
		{"", "cflgp.K", "99", "", "99", "Expected: a whole number from 1 to 64."},
		{"cflgp.K=4", "cflgp.K", "", usual, "3", ""},
		{"", "flavour", "1", "", "", "unknown setting flavour"},
	}
	for _, tt := range tests {
		a, p := ready(t, tt.start)
		before, asked := a.Config.String(), len(p.Requests)
		a.Do(ChangeSetting{Key: tt.key, Text: tt.text, Done: true})
		want := tt.config
		if want == "" {
			want = before
		}
		if got := a.Config.String(); got != want {
			t.Errorf("%s: Set(%q, %q) makes it %q, want %q", tt.start, tt.key, tt.text, got, want)
		}
		if tt.value != "" && a.Settings.Text(tt.key) != tt.value || a.Settings.Reason(tt.key) != tt.why {
			t.Errorf("%s: Set(%q, %q) leaves %q because %q, want %q because %q", tt.start, tt.key, tt.text,
				a.Settings.Text(tt.key), a.Settings.Reason(tt.key), tt.value, tt.why)
		}
		if changed := want != before; a.Settings.CanUndo() != changed ||
			len(p.Requests)-asked != map[bool]int{true: 1}[changed] {
			t.Errorf("%s: Set(%q, %q): can undo: %v, %d requests; want %v", tt.start, tt.key, tt.text,
				a.Settings.CanUndo(), len(p.Requests)-asked, changed)
		}
		if p.Changed()&host.Shell == 0 {
			t.Errorf("%s: Set(%q, %q) does not ask for the shell to be drawn", tt.start, tt.key, tt.text)
		}
		if tt.why != "" && !strings.HasPrefix(tt.key, "flavour") {
			// The next good text clears the reason.
			set(t, a, tt.key, catalogDefault(t, a, tt.key))
			if a.Settings.Reason(tt.key) != "" || a.Settings.Text(tt.key) == tt.text {
				t.Errorf("%s: after a good text %s still says %q because %q", tt.start, tt.key, a.Settings.Text(tt.key),
					a.Settings.Reason(tt.key))
			}
		}
	}
}

func catalogDefault(t *testing.T, a *pagetest.Page, key string) string {
	t.Helper()
	name := key[strings.LastIndex(key, ".")+1:]
	f, ok := a.Schema.Field(name)
	if !ok {
		t.Fatalf("no field %s", name)
	}
	return f.Default
}

// undone undoes all steps and returns the settings on the way.
func undone(a *pagetest.Page) (seen []string) {
	for a.Settings.CanUndo() {
		a.Do(Undo{})
		seen = append(seen, a.Config.String())
	}
	return seen
}

// Quick key presses on a slider are one step of undo, unless there is a pause, another change or an
// undo between them.
func TestUndoOfKeys(t *testing.T) {
	a, p := ready(t, "")
	p.Time = 5000
	press := func(text string, later float64) {
		p.Time += later
		a.Do(SlideSetting{Key: "dphi", Text: text, Done: false})
		a.Do(SlideSetting{Key: "dphi", Text: text, Done: true})
	}
	press("21", 0)
	press("22", 300)
	press("23", 900)
	press("24", 1100)
	set(t, a, "K", "4")
	press("25", 100)
	a.Do(Undo{})
	press("26", 100)
	press("27", 100)
	seen := undone(a)
	want := []string{"data=linreg&dphi=24&K=4&algos=cflgp,ifca", "data=linreg&dphi=24&algos=cflgp,ifca",
		"data=linreg&dphi=23&algos=cflgp,ifca", usual}
	if !slices.Equal(seen, want) {
		t.Errorf("undoing passes %q, want %q", seen, want)
	}
}

// A drag is one step of undo, however many values it passes.
func TestUndoOfDrags(t *testing.T) {
	a, _ := ready(t, "")
	drag := func(key string, texts ...string) {
		for i, text := range texts {
			a.Do(ChangeSetting{Key: key, Text: text, Done: i == len(texts)-1})
		}
	}
	drag("dphi", "21", "22", "23")
	drag("dphi", "24", "25")
	drag("K", "4", "5")
	set(t, a, "dphi", "26")
	set(t, a, "dphi", "26")
	seen := undone(a)
	want := []string{"data=linreg&dphi=25&K=5&algos=cflgp,ifca", "data=linreg&dphi=25&algos=cflgp,ifca",
		"data=linreg&dphi=23&algos=cflgp,ifca", usual}
	if !slices.Equal(seen, want) {
		t.Errorf("undoing passes %q, want %q", seen, want)
	}
	for range want {
		a.Do(Redo{})
	}
	if a.Config.String() != "data=linreg&dphi=26&K=5&algos=cflgp,ifca" || a.Settings.CanRedo() {
		t.Errorf("redoing all leads to %q, more to redo: %v", a.Config.String(), a.Settings.CanRedo())
	}
	a.Do(Undo{})
	set(t, a, "sigma", "0.5")
	if a.Settings.CanRedo() {
		t.Error("after a new change there is still something to redo")
	}
}

// Random changes, undo and redo follow a simple model: a list of configurations and an index.
func TestUndoModel(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	a, _ := ready(t, "")
	list, at := []string{usual}, 0
	for step := range 400 {
		switch r.IntN(9) {
		case 0, 1, 2:
			if at > 0 {
				at--
			}
			a.Do(Undo{})
		case 3:
			if at < len(list)-1 {
				at++
			}
			a.Do(Redo{})
		default:
			switch r.IntN(6) {
			case 0:
				a.Do(ChangeSetting{Key: "dphi", Text: fmt.Sprint(r.IntN(45)), Done: true})
			case 1:
				a.Do(ChangeSetting{Key: "K", Text: fmt.Sprint(r.IntN(20)), Done: true}) // some are refused
			case 2:
				a.Do(ChangeSetting{Key: "data", Text: []string{"linreg", "mix1d"}[r.IntN(2)], Done: true})
			case 3:
				if n := len(a.Config.Lanes()); n > 1 && r.IntN(2) == 0 {
					a.Do(RemoveLane{Lane: r.IntN(n)})
				} else if n < MaxLanes {
					a.Do(AddLane{Algorithm: []string{"ifca", "clove"}[r.IntN(2)]})
				}
			case 4:
				a.Do(ChangeLane{Lane: r.IntN(len(a.Config.Lanes())), Algorithm: []string{"cflgp", "fedavg", "local"}[r.IntN(3)]})
			case 5:
				a.Do(NewSeeds{})
			}
			if got := a.Config.String(); got != list[at] {
				list = append(list[:at+1], got)
				at++
			}
		}
		if got := a.Config.String(); got != list[at] {
			t.Fatalf("seed %d, step %d: the settings are %q, want %q", seed, step, got, list[at])
		}
		if a.Settings.CanRedo() != (at < len(list)-1) || a.Settings.CanUndo() != (at > 0) && at < MaxUndoSteps {
			t.Fatalf("seed %d, step %d: can undo %v, redo %v at %d of %d", seed, step, a.Settings.CanUndo(),
				a.Settings.CanRedo(), at, len(list))
		}
		if len(list) > MaxUndoSteps {
			return // older steps are forgotten from here on
		}
	}
}

func TestUndoDepth(t *testing.T) {
	a, _ := ready(t, "")
	for i := range MaxUndoSteps + 20 {
		set(t, a, "sd", fmt.Sprint(100+i))
	}
	n := 0
	for ; a.Settings.CanUndo(); n++ {
		a.Do(Undo{})
	}
	if n != MaxUndoSteps || a.Config.Value("sd") != "119" {
		t.Errorf("undid %d steps to sd=%s, want %d to 119", n, a.Config.Value("sd"), MaxUndoSteps)
	}
	a.Do(Undo{}) // nothing happens
	if a.Config.Value("sd") != "119" {
		t.Error("undoing nothing changed something")
	}
}

// Settings that the present data do not use survive undo as they survive a change of the data.
func TestUndoKeepsUnusedSettings(t *testing.T) {
	a, _ := ready(t, "")
	set(t, a, "dphi", "5")
	set(t, a, "data", "mix1d")
	set(t, a, "lr", "0.5")
	a.Do(Undo{})
	set(t, a, "data", "linreg")
	if got := a.Config.Value("dphi"); got != "5" {
		t.Errorf("Δφ was set to 5 and is now %s: undoing another setting lost it", got)
	}
}

func TestNewSeeds(t *testing.T) {
	a, p := ready(t, "")
	a.Do(NewSeeds{})
	if got := a.Config.String(); got != usual+"&sd=2&sm=2&sa=2" || p.Last().Query != got {
		t.Errorf("new seeds are %q, asked for %q", got, p.Last().Query)
	}
	a.Do(Undo{})
	if got := a.Config.String(); got != usual || a.Settings.CanUndo() {
		t.Errorf("one undo leaves %q", got)
	}
	a, _ = ready(t, "sd=4294967295&sm=4294967294&sa=4294967295")
	before := a.Config.Values(-1)
	a.Do(NewSeeds{})
	for _, f := range a.Schema.Seeds {
		if v := a.Config.Values(-1); v.Int(f.Name) == before.Int(f.Name) {
			t.Errorf("the largest %s, %d, stays", f.Name, v.Int(f.Name))
		}
	}
}

func TestLaneEditing(t *testing.T) {
	a, p := ready(t, "")
	steps := []struct {
		do   func()
		want string
	}{
		{func() { a.Do(AddLane{Algorithm: "cflgp"}) }, "cflgp,ifca,cflgp:b"},
		{func() { a.Do(AddLane{Algorithm: "cflgp"}) }, "cflgp,ifca,cflgp:b,cflgp:c"},
		{func() { a.Do(ChangeLane{Lane: 0, Algorithm: "cflgp"}) }, "cflgp,ifca,cflgp:b,cflgp:c"}, // it is that already
		{func() { a.Do(ChangeLane{Lane: 1, Algorithm: "cflgp"}) }, "cflgp,cflgp:d,cflgp:b,cflgp:c"},
		{func() { a.Do(RemoveLane{Lane: 0}) }, "cflgp:d,cflgp:b,cflgp:c"},
		{func() { a.Do(ChangeLane{Lane: 0, Algorithm: "ifca"}) }, "ifca,cflgp:b,cflgp:c"},
		{func() { a.Do(AddLane{Algorithm: "cflgp"}) }, "ifca,cflgp:b,cflgp:c,cflgp"},
		{func() { a.Do(AddLane{Algorithm: "local"}) }, "ifca,cflgp:b,cflgp:c,cflgp"}, // four are the most
		{func() { a.Do(RemoveLane{Lane: 1}) }, "ifca,cflgp:c,cflgp"},
		{func() { a.Do(RemoveLane{Lane: 1}) }, "ifca,cflgp"},
		{func() { a.Do(RemoveLane{Lane: 1}) }, "ifca"},
		{func() { a.Do(RemoveLane{Lane: 0}) }, "ifca"}, // one stays
	}
	for i, s := range steps {
		s.do()
		if got := lanes(a.Config); got != s.want {
			t.Fatalf("step %d: the lanes are %q, want %q", i, got, s.want)
		}
		p.Finish()
	}
	if len(noticed(a)) != 2 {
		t.Errorf("a fifth lane and removing the last are noticed as %q", noticed(a))
	}
	if p.Last().Query != a.Config.String() {
		t.Errorf("asked for %q, want %q", p.Last().Query, a.Config.String())
	}
}

// A lane keeps its open settings when other lanes are added or removed.
func TestLaneKeepsSettings(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca,clove")
	a.Do(FocusLane{Lane: 1})
	a.SettingsLane = 1
	a.Do(RemoveLane{Lane: 0})
	p.Finish()
	if got := a.Title(a.Lane); got != "IFCA" {
		t.Errorf("IFCA was looked at, now it is %s", got)
	}
	if a.SettingsLane != 0 {
		t.Errorf("the settings of IFCA were open, now those of lane %d are, want 0", a.SettingsLane)
	}
	a.Do(RemoveLane{Lane: 0})
	p.Finish()
	if a.SettingsLane != -1 || a.Lane != 0 {
		t.Errorf("IFCA is gone; the settings of lane %d are open, lane %d is looked at; want -1 and 0", a.SettingsLane,
			a.Lane)
	}
}

// A refusal that another setting caused disappears when that setting changes.
func TestRefusalsAreCheckedAgain(t *testing.T) {
	a, _ := ready(t, "")
	a.Do(ChangeSetting{Key: "K", Text: "20", Done: true})
	if a.Settings.Reason("K") == "" || a.Settings.Text("K") != "20" {
		t.Fatalf("K = 20 with 12 clients: why %q, text %q", a.Settings.Reason("K"), a.Settings.Text("K"))
	}
	a.Do(ChangeSetting{Key: "C", Text: "15", Done: true})
	if want := "Expected: at most C = 15 (more models than clients)."; a.Settings.Reason("K") != want {
		t.Errorf("with 15 clients the reason is %q, want %q", a.Settings.Reason("K"), want)
	}
	a.Do(ChangeSetting{Key: "C", Text: "30", Done: true})
	if a.Settings.Reason("K") != "" || a.Settings.Text("K") != "3" {
		t.Errorf("with 30 clients: why %q, text %q; want no reason and the value that holds, 3", a.Settings.Reason("K"),
			a.Settings.Text("K"))
	}
}
