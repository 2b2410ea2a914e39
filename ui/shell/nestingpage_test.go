package shell

import (
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/ui/page"
)

// outline writes a list of settings as a person sees it.
func outline(nodes []page.Node) string {
	var lines []string
	for _, n := range nodes {
		line := strings.Repeat("-", n.Depth) + n.Field.Name
		if n.Of != "" {
			line += "(" + n.Of + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}

// The panel for pictures: what an option brings along is below it, what is
// advanced says where it belongs.
func TestPanelOfPictures(t *testing.T) {
	a, _ := open(t, "data=digits&avg=model&opt=adam")
	data := outline(a.Settings.Controls(param.Data, false))
	for _, want := range []string{"shift -angles -groupby", "split", "concept", "noise", "C", "b", "probe"} {
		if !strings.Contains(" "+data+" ", " "+want+" ") {
			t.Errorf("the panel has %q; want %q among them", data, want)
		}
	}
	if got := outline(a.Settings.Controls(param.Data, true)); !strings.Contains(got, "near(Rotated pictures)") {
		t.Errorf("the advanced settings are %q", got)
	}
	if got := outline(a.Settings.Controls(param.Models, true)); !strings.Contains(got, "avg -tau -opt --keep") {
		t.Errorf("the advanced settings of models are %q", got)
	}
	set(t, a, "shift", "none")
	if got := outline(a.Settings.Controls(param.Data, false)); strings.Contains(got, "angles") {
		t.Errorf("nothing is turned, and the panel has %q", got)
	}
	set(t, a, "shift", "corruptions")
	html := rendered(t, a)
	if !strings.Contains(html, `class="control nested nested-1"`) || !strings.Contains(html, `id="set-corrupt"`) {
		t.Error("the page shows nothing below the choice of corruptions")
	}
}
