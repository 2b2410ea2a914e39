package shell

import (
	"bytes"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// The sheet has what it offers.
func TestTakeSheet(t *testing.T) {
	a, p := ready(t, "t=14")
	a.Do(page.OpenSheet{Name: "take"})
	words := text(rendered(t, a))
	for _, want := range []string{"Export", "Rounds, CSV", "Rounds, JSON", "Run", "Map of CFL-GP", "Map of IFCA",
		"Curves", "Course package", "flock run", "Citation"} {
		if !strings.Contains(words, want) {
			t.Errorf("the sheet has no %q", want)
		}
	}
	a.Do(page.ChoosePicture{Value: "map 1"})
	if a.Export.ChosenPicture() != (chart.FigureID{Kind: "map", Lane: 1}) {
		t.Errorf("the map of the second lane was chosen, and is %v", a.Export.ChosenPicture())
	}
	a.Do(page.ChoosePicture{Value: "map 9"})
	a.Do(page.RemoveLane{Lane: 1})
	if a.Export.ChosenPicture() != (chart.FigureID{Kind: "map", Lane: 0}) {
		t.Errorf("with its lane gone, the picture is %v", a.Export.ChosenPicture())
	}
	for _, option := range []string{"one", "grey", "caption playhead"} {
		a.Do(page.ChoosePicture{Value: option})
		if c := (ExportSheet{App: a}); !c.chosen(option) {
			t.Errorf("%s is not chosen", option)
		}
	}
	if theme := a.Export.PaperTheme(); theme != scene.Greyscale {
		t.Errorf("the colours are %v", theme)
	}
	a.Do(page.Export{Format: "csv", How: "save"})
	if p.Exported != "csv save" {
		t.Errorf("what is taken is %q", p.Exported)
	}
	a.Do(page.Exported{Words: "Copied."})
	if c := (ExportSheet{App: a}); c.result("csv") != "Copied." || c.result("txt", "bib") != "" {
		t.Errorf("beside the buttons stand %q and %q", c.result("csv"), c.result("txt", "bib"))
	}
	if words := text(rendered(t, a)); strings.Count(words, "Copied.") != 1 {
		t.Errorf("the sheet says %q", words)
	}
}

// A run file brings the run back, on any page, without asking an engine; the
// next change asks one.
func TestRunFile(t *testing.T) {
	a, _ := ready(t, "T=30&algos=cflgp,clove,local&dphi=8")
	pagetest.Fingerprint(a.Run)
	file := given(t, a, "run")
	want, query := given(t, a, "json"), a.Config.String()
	if !strings.HasSuffix(file.Name, ".flock") || file.IsText() {
		t.Errorf("the run is a file %q", file.Name)
	}
	b, p := ready(t, "t=40&sel=9&lane=2&algos=ifca,fedavg")
	asked := len(p.Requests)
	b.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: file.Name, Data: file.Data}}})
	if len(p.Requests) != asked {
		t.Errorf("to show a run, the page asked for %q", p.Queries()[asked:])
	}
	if got := given(t, b, "json"); b.Config.String() != query || !bytes.Equal(got.Data, want.Data) || b.Shown() != 30 ||
		b.Selected != -1 || !b.Runs.Complete() {
		t.Errorf("the run came back as %s at round %d", b.Config, b.Shown())
	}
	if len(noticed(b)) > 0 {
		t.Errorf("the file is noticed: %q", noticed(b))
	}
	rendered(t, b)
	set(t, b, "dphi", "40")
	if got := p.Last().Query; got != strings.Replace(query, "dphi=8", "dphi=40", 1) {
		t.Errorf("a change after it asks for %q", got)
	}
	p.Finish()
	b.Do(page.Undo{})
	p.Finish()
	if b.Config.String() != query {
		t.Errorf("undone, the page has %q", b.Config)
	}
}
