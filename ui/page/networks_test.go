package page_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart/samples"
	. "flockscope/ui/page"
	"flockscope/ui/testing/charttest"
)

// The text of one's own layers has a control. What engines refuse stands beside it until it is changed, and what the
// network costs once they compute it.
func TestLayers(t *testing.T) {
	a, p := ready(t, "data=digits&net=own&algos=cflgp,ifca")
	if !slices.ContainsFunc(a.Settings.Controls(param.Models, false),
		func(n Node) bool { return n.Field.Name == "layers" }) {
		t.Fatal("there is no control for layers")
	}
	p.EditHeader = func(h *trace.Header) { h.Blocks = charttest.ResNet8 }
	set(t, a, "layers", "conv16-pool9")
	if text := a.NetworkWords(); text != "" {
		t.Errorf("while the network is not known, the page says %q", text)
	}
	p.SendMessage(p.Last().ID, func(m *wire.Message) {
		m.Text(wire.RefusedSetting, "layers Expected: layers that fit together (layer 2, pool9: too large).")
		m.Text(wire.Refused, `layers: got "conv16-pool9", want layers that fit together (layer 2, pool9: too large)`)
	})
	if why := a.Settings.Reason("layers"); !strings.Contains(why, "layer 2, pool9") || a.Settings.Text("layers") != "conv16-pool9" {
		t.Errorf("beside %q it says %q", a.Settings.Text("layers"), why)
	}
	set(t, a, "layers", "conv16-pool")
	p.Finish()
	if text := a.NetworkWords(); text != "78 186 parameters, 12.5 M multiply-adds per sample." {
		t.Errorf("the page says of the network %q", text)
	}
}

// The roles of columns have a sheet of their own, and no control.
func TestColumnsHaveNoControl(t *testing.T) {
	a, _ := open(t, "data=samples")
	for _, section := range Sections {
		for _, advanced := range []bool{false, true} {
			for _, n := range a.Settings.Controls(section, advanced) {
				if n.Field.Name == "cols" {
					t.Error("the roles of columns have a control")
				}
			}
		}
	}
}

// By class the data figure and its hint are about classes; a run without pictures has nothing to arrange.
func TestByClass(t *testing.T) {
	a, _ := ready(t, "data=digits&algos=cflgp,ifca")
	before := a.DataHint()
	a.Do(ShowByClass{On: true})
	if hint := a.DataHint(); hint == before || !strings.Contains(hint, "classes") {
		t.Errorf("by class the data say %q", hint)
	}
	if g, ok := NewPainter(a.State).Figure("data", 0).(*samples.Gallery); !ok || !g.ByClass {
		t.Error("the gallery does not stand by class")
	}
	a.Do(ShowByClass{})
	if hint := a.DataHint(); hint != before {
		t.Errorf("by client again the data say %q, before %q", hint, before)
	}
}
