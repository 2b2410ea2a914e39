package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/trace"

	. "flockscope/ui/page"
)

// TestToggleLiars: a key makes the selected clients liars, and honest again; every step can be undone.
func TestToggleLiars(t *testing.T) {
	for _, tt := range []struct {
		link, liars string
		selected    []int
		want        string
		action      string // before the key
	}{
		{"scent=0", "0", nil, "0", ""},
		{"scent=0", "0", []int{2}, "0,3", "Make it a liar (F)"},
		{"scent=0", "0", []int{2, 6}, "3,7", "Make them liars (F)"},
		{"scent=0&liars=3,7", "3,7", []int{2}, "0,7", "Make honest (F)"},
		{"scent=0&liars=3,7", "3,7", []int{2, 6}, "0", "Make honest (F)"},
		{"scent=0&liars=3,7", "3,7", []int{2, 4}, "3,5,7", "Make them liars (F)"},
		{"scent=0&liars=0,3", "0,3", []int{2}, "0", "Make honest (F)"},
	} {
		a, p := ready(t, tt.link)
		p.Finish()
		a.Do(SelectClients{Clients: tt.selected})
		if got := a.LiarAction(); got != tt.action {
			t.Errorf("%s, %v selected: the button says %q, want %q", tt.link, tt.selected, got, tt.action)
		}
		if handled := a.Do(PressKey{Key: "f"}); handled != (tt.action != "") {
			t.Errorf("%s, %v selected: the key is handled: %v", tt.link, tt.selected, handled)
		}
		if got := a.Config.Value("liars"); got != tt.want {
			t.Errorf("%s, %v selected: liars are %q, want %q", tt.link, tt.selected, got, tt.want)
		}
		if tt.want == tt.liars {
			continue
		}
		if a.Do(Undo{}); a.Config.Value("liars") != tt.liars {
			t.Errorf("%s: undo leaves liars %q, want %q", tt.link, a.Config.Value("liars"), tt.liars)
		}
	}
}

// TestLiarsByChance: those that chance has drawn stay when one more is made a liar.
func TestLiarsByChance(t *testing.T) {
	a, p := ready(t, "scent=0&liars=2")
	p.Finish()
	honest, lies := -1, 0
	for i := range a.Run.Header.Clients {
		if a.Run.Header.Lies(i) {
			lies++
		} else {
			honest = i
		}
	}
	a.Do(SelectClients{Clients: []int{honest}})
	a.Do(ToggleLiars{})
	p.Finish()
	if got := a.Run.Header.Clients - a.Run.Header.Honest(); lies != 2 || got != 3 || !a.Run.Header.Lies(honest) {
		t.Errorf("of %d liars there are %d after one more, %s", lies, got, a.Config.Value("liars"))
	}
}

// TestWhoIsHurt: the honest run is pinned before the first lie, or computed when the user asks, and texts compare with it.
func TestWhoIsHurt(t *testing.T) {
	a, p := ready(t, "scent=0&data=digits&algos=fedavg&t=14")
	p.Finish()
	if got := a.Score(0); strings.Contains(got, "honest") {
		t.Errorf("without liars the score is %q", got)
	}
	a.Do(SelectClients{Clients: []int{2}})
	a.Do(ToggleLiars{})
	if !a.Pinned.IsPinned() {
		t.Error("the honest run is not pinned")
	}
	p.EditFrame = func(h *trace.Header, _ int, f *trace.Frame) {
		if len(h.Liar) > 0 && len(f.Accuracies) > 0 {
			f.Accuracies[4] -= 0.5
		}
	}
	p.Finish()
	said := a.StageText(0).Cause
	if !strings.HasPrefix(said, "Honest clients lose ") || !strings.Contains(said, "client 5 most: 50.") ||
		!strings.Contains(said, "One liar pulls the model of ") {
		t.Errorf("the cause is %q", said)
	}
	if got := a.Score(0); !strings.HasSuffix(got, " · honest clients") {
		t.Errorf("the score is %q", got)
	}
	if got := a.Card().Head; got != "Client 3, a liar" {
		t.Errorf("the card is headed %q", got)
	}
	if len(a.LieSettings()) != 2 || a.CanPinHonest() {
		t.Errorf("%d settings of the lie, can pin: %v", len(a.LieSettings()), a.CanPinHonest())
	}

	a, p = ready(t, "scent=0&algos=fedavg&t=14&liars=0,3")
	p.Finish()
	if a.Pinned.IsPinned() || !a.CanPinHonest() {
		t.Fatal("the button is missing")
	}
	a.Do(PinHonest{})
	if got := a.Config.Value("liars"); got != "0" {
		t.Errorf("first comes the run with liars %s", got)
	}
	p.Finish()
	p.Finish()
	if a.Config.Value("liars") != "0,3" || !a.Run.Header.Lies(2) || a.CanPinHonest() ||
		!strings.HasPrefix(a.StageText(0).Cause, "The error of honest clients is ") {
		t.Errorf("liars %s; %q", a.Config.Value("liars"), a.StageText(0).Cause)
	}
	if a.Settings.CanUndo() {
		t.Error("the same settings are a step of undo")
	}
}

// TestGivenUp: who changes the settings while the honest run is computed keeps the new ones.
func TestGivenUp(t *testing.T) {
	a, p := ready(t, "scent=0&algos=fedavg&liars=0,3")
	p.Finish()
	a.Do(PinHonest{})
	a.Do(ChangeSetting{Key: "liars", Text: "2", Done: true})
	p.Finish()
	p.Finish()
	if got := a.Config.Value("liars"); got != "2" || a.Pinned.IsPinned() {
		t.Errorf("liars %s, pinned: %v", got, a.Pinned.IsPinned())
	}
}
