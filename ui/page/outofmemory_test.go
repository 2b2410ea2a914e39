package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/wire"
	. "flockscope/ui/page"
)

// An engine that runs out of memory ends the run but keeps the settings, and a notice offers a
// smaller run.
func TestOutOfMemory(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca&C=40&T=20")
	a.Do(EngineLost{OutOfMemory: true, Why: "Full."})
	if len(a.AllNotices()) > 0 || a.Problem != "Full." {
		t.Error("an engine without anything to do ended over something")
	}
	b, p := ready(t, "algos=cflgp,ifca&C=40&T=20")
	a = b
	a.Do(ChangeSetting{Key: "b", Text: "30", Done: true})
	before := a.Config.String()
	a.Do(EngineLost{OutOfMemory: true})
	if a.Config.String() != before || !a.Runs.Stopped() || a.Problem != "" {
		t.Errorf("after %q ran out of memory the page is at %q, stopped %v, %q", before, a.Config, a.Runs.Stopped(),
			a.Problem)
	}
	all := a.AllNotices()
	n := all[len(all)-1]
	if n.Text != OutOfMemoryNotice || len(n.Actions) != 2 || n.Actions[0].Label.String() != "Set Clients C to 20" ||
		n.Actions[1].Label.String() != "Set Compression to 100" {
		t.Fatalf("the page says %+v", n)
	}
	a.Do(RunAction{Notice: len(all) - 1, Action: 0})
	if !strings.Contains(a.Config.String(), "C=20") || p.Last().Query != a.Config.String() {
		t.Errorf("what was offered leads to %q", a.Config)
	}
}

// Files that do not fit are refused, and the earlier ones stay.
func TestOutOfMemoryWithFiles(t *testing.T) {
	a, _ := ready(t, "")
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "big.csv", Data: []byte("client,x,y\n")}}})
	a.Do(EngineLost{OutOfMemory: true})
	if a.Files.PendingAnswers() != 0 {
		t.Error("the files are still there")
	}
	if got := noticed(a); len(got) != 1 || got[0] != "big.csv does not fit into the memory that the browser provides. Nothing was changed." {
		t.Errorf("the page says %q", got)
	}
}
