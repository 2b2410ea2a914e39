package shell

import (
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/ui/page"
)

// What is being typed stays in its field, and nowhere else.
func TestType(t *testing.T) {
	a, p := ready(t, "")
	asked := len(p.Requests)
	a.Do(page.TypeSetting{Key: "dphi", Text: "3"})
	if a.Settings.Text("dphi") != "3" || a.Settings.Reason("dphi") != "" || a.Config.Value("dphi") != "20" ||
		len(p.Requests) != asked || a.Settings.CanUndo() {
		t.Errorf("typing 3 leaves %q because %q, and the setting at %s", a.Settings.Text("dphi"),
			a.Settings.Reason("dphi"), a.Config.Value("dphi"))
	}
	c := Control{App: a, Field: a.Settings.Controls(param.Data, false)[0].Field, Name: "dphi"}
	if c.position() != "20" {
		t.Errorf("while 3 is typed the slider stands at %s, want 20", c.position())
	}
	a.Do(page.TypeSetting{Key: "dphi", Text: "30"})
	a.Do(page.ChangeSetting{Key: "dphi", Text: "30", Done: true})
	if a.Settings.Text("dphi") != "30" || a.Config.Value("dphi") != "30" {
		t.Errorf("30 typed and entered leaves %q", a.Settings.Text("dphi"))
	}
	a.Do(page.TypeSetting{Key: "dphi", Text: "4"})
	a.Do(page.Undo{})
	if a.Settings.Text("dphi") != "20" {
		t.Errorf("after undoing, the field says %q, want 20", a.Settings.Text("dphi"))
	}
}

func TestLaneCard(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,cflgp:b,fedavg&cflgp:b.beta=1&cflgp:b.K=2")
	c := &LaneCard{App: a, Lane: 1}
	if c.label() != "b · K=2 · beta=1" || !c.own() || !c.removable() || c.running() != "cflgp" {
		t.Errorf("the card says label %q, own %v", c.label(), c.own())
	}
	a.Do(page.ResetLane{Lane: 1})
	if a.Config.String() != "data=linreg&algos=cflgp,cflgp:b,fedavg" || c.own() || c.label() != "b" {
		t.Errorf("as the others again, it is %q, label %q", a.Config.String(), c.label())
	}
	a.Do(page.Undo{})
	if !strings.Contains(a.Config.String(), "cflgp:b.K=2&cflgp:b.beta=1") {
		t.Errorf("undone, it is %q", a.Config.String())
	}
	a.Do(page.ToggleLaneSettings{Lane: 1})
	if a.SettingsLane != 1 {
		t.Errorf("Tuning = %d, want 1", a.SettingsLane)
	}
	a.Do(page.ToggleLaneSettings{Lane: 1})
	if a.SettingsLane != -1 {
		t.Errorf("Tuning = %d, want -1", a.SettingsLane)
	}
}

// Every setting that a run reads has one place: the panel, or its lane.
func TestEverySettingHasAPlace(t *testing.T) {
	for _, query := range []string{"", "data=mix1d", "data=csv", "data=digits",
		"data=digits&concept=beta&noise=pair&avg=model&opt=adam", "data=samples&split=classes", "algos=fedavg", "algos=local,clove", "algos=cflgp,ifca,clove,cflgp:b"} {
		a, _ := open(t, query)
		places := map[string]int{}
		for _, section := range page.Sections {
			for _, advanced := range []bool{false, true} {
				for _, n := range a.Settings.Controls(section, advanced) {
					f := n.Field
					if f.Section != section || f.Advanced != advanced {
						t.Errorf("%s: %s is in the wrong place", query, f.Name)
					}
					places[f.Name]++
				}
			}
		}
		for name, n := range places {
			if n != 1 {
				t.Errorf("%s: %s is %d times in the panel", query, name, n)
			}
		}
		for i := range a.Config.Lanes() {
			for _, f := range a.Config.LaneFields(i) {
				places[f.Name]++
			}
		}
		for _, f := range a.Config.Active() {
			if places[f.Name] == 0 && f.Kind != param.Text { // which has the sheet of columns
				t.Errorf("%s: %s cannot be set anywhere", query, f.Name)
			}
		}
		if query != "data=csv" && len(a.SideSettings()) == 0 {
			t.Errorf("%s: there is no slider at hand", query)
		}
	}
}
