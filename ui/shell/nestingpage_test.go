package shell

import (
	"strings"
	"testing"

	"flockscope/sim/param"
)

// The panel for pictures: what an option brings along is below it, what is
// advanced says where it belongs.
func TestPanelOfPictures(t *testing.T) {
	a, _ := open(t, "data=digits&avg=model&opt=adam")
	data := outline(a.Controls(param.Data, false))
	for _, want := range []string{"shift -angles -groupby", "split", "concept", "noise", "C", "b", "probe"} {
		if !strings.Contains(" "+data+" ", " "+want+" ") {
			t.Errorf("the panel has %q; want %q among them", data, want)
		}
	}
	if got := outline(a.Controls(param.Data, true)); !strings.Contains(got, "near(Turned pictures)") {
		t.Errorf("the advanced settings are %q", got)
	}
	if got := outline(a.Controls(param.Models, true)); !strings.Contains(got, "avg -tau -opt --keep") {
		t.Errorf("the advanced settings of models are %q", got)
	}
	set(t, a, "shift", "none")
	if got := outline(a.Controls(param.Data, false)); strings.Contains(got, "angles") {
		t.Errorf("nothing is turned, and the panel has %q", got)
	}
	set(t, a, "shift", "corruptions")
	html := page(t, a)
	if !strings.Contains(html, `class="control nested nested-1"`) || !strings.Contains(html, `id="set-corrupt"`) {
		t.Error("the page shows nothing below the choice of corruptions")
	}
}
