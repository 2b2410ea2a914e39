package shell

import (
	rows "encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"flockscope/ui"
	"flockscope/ui/chart"
)

// TestSweepSheet fills in the sheet, stops, looks at a cell and opens its run.
func TestSweepSheet(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 3)
	a.OpenSweep()
	c := SweepSheet{App: a}
	if a.SheetTitle() != "Sweep" || c.count() != "100 runs of 2 lanes" {
		t.Fatalf("the sheet %q begins with %q", a.SheetTitle(), c.count())
	}
	a.Background.SweepField("seeds", "many")
	if a.Background.StartSweep(); a.Background.Sweep.Trial != nil || !strings.Contains(c.count(), "a whole number") {
		t.Errorf("a word for a number: %q", c.count())
	}
	a.Background.SweepField("0.count", "2")
	a.Background.SweepField("1.key", "b")
	a.Background.SweepField("1.count", "2")
	a.Background.SweepField("seeds", "3")
	a.Background.SweepField("7.key", "b") // there is no such span
	a.Background.StartSweep()
	s.settle()
	s.arrive()
	if len(s.jobs) != 2 {
		t.Fatalf("two workers have %d tasks", len(s.jobs))
	}
	s.report(s.jobs[0], 0.5)
	if got := c.count(); got != "Trying 4 pairs × 3 seeds … 8%" || c.startWords() != "Stop and keep" {
		t.Errorf("under way it says %q and %q", got, c.startWords())
	}
	a.Background.StartSweep()
	if c.busy() || len(s.called) != 2 {
		t.Error("it does not stop")
	}
	if got := c.result(); !strings.HasPrefix(got, "Stopped after 1 of 12 runs") {
		t.Errorf("stopped, it says %q", got)
	}
	a.Background.StartSweep()
	s.exhaust()
	if c.busy() || !c.deep() || c.flat() {
		t.Error("it does not come to its end")
	}
	if done, of := a.Background.Sweep.Trial.Table.Done(); done != 12 || of != 12 {
		t.Errorf("%d of %d runs", done, of)
	}
	if head, rows := c.head(), c.rows(); len(head) != 3+2*2 || len(rows) != 4 || len(rows[0]) != len(head) {
		t.Errorf("the table has the head %v and %d rows", head, len(rows))
	}

	a.Background.WalkSweep(1, 0) // into the figure
	a.Background.WalkSweep(1, 0)
	a.Background.WalkSweep(0, 1)
	a.Background.WalkSweep(0, 1) // there is no further
	if got := a.Background.LightWords(); !strings.HasPrefix(got, "Gap Δφ 45°, Batch b 200: CFL-GP 1.00 ± 0.00 and IFCA") || !strings.Contains(got, "n = 3") {
		t.Errorf("in focus: %q", got)
	}
	before := a.Config.String()
	a.Background.OpenCell(a.Background.Sweep.Light)
	if a.Sheet != "" || a.Config.Value("dphi") != "45" || a.Config.Value("b") != "200" || a.Config.Value("sd") != "1" {
		t.Errorf("the run of the last cell is %s, sheet %q", a.Config, a.Sheet)
	}
	s.Finish()
	if a.Settings.Undo(); a.Config.String() != before {
		t.Errorf("undoing leads to %s", a.Config)
	}
	s.Finish()

	// The settings that were varied may change; others make the sweep an old one.
	const old = "The page had other settings then"
	for _, tt := range []struct {
		key, text string
		old       bool
	}{{"dphi", "33", false}, {"lr", "0.2", true}, {"lr", "0.1", false}, {"algos", "cflgp", true}} {
		set(t, a, tt.key, tt.text)
		s.Finish()
		if got := c.result(); strings.Contains(got, old) != tt.old {
			t.Errorf("with %s=%s the sweep says %q", tt.key, tt.text, got)
		}
	}
	set(t, a, "C", "13")
	if a.Background.StartSweep(); !strings.HasSuffix(c.count(), "It waits for the run on the page.") {
		t.Errorf("while a run is under way the sweep says %q", c.count())
	}
}

// Both figures of a sweep can be drawn and described at any time, and every cell
// answers to the pointer.
func TestSweepFigures(t *testing.T) {
	for _, second := range []string{"", "b"} {
		a, s := withWorkers(t, "scent=0", 2)
		a.OpenSweep()
		a.Background.SweepField("0.count", "3")
		a.Background.SweepField("1.key", second)
		a.Background.SweepField("1.count", "2")
		a.Background.SweepField("seeds", "2")
		a.Background.StartSweep()
		s.settle()
		s.arrive()
		s.report(s.jobs[0], 0.5)
		kind := "sweep"
		if second != "" {
			kind = "heat"
		}
		for range 2 {
			f := ui.NewPainter(a)
			var hits chart.Hits
			for _, box := range []chart.Box{{W: 0, H: 0}, {W: 70, H: 30}, {W: 330, H: 260}} {
				f.Draw(kind, 1, box, &hits)
			}
			seen := map[int]bool{}
			for x := float32(0); x < 330; x += 3 {
				for y := float32(0); y < 260; y += 3 {
					seen[hits.Nearest(x, y, 2)] = true
				}
			}
			if cells := a.Background.Sweep.Trial.Table.Plan.Cells(); len(seen) != cells+1 {
				t.Errorf("%s: the pointer meets %d of %d cells", kind, len(seen)-1, cells)
			}
			if text := a.Describe(kind, 1); !strings.Contains(text, "Gap Δφ 0°") {
				t.Errorf("%s says %q", kind, text)
			}
			s.exhaust()
		}
	}
}

func TestSaveSweep(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	a.Background.SaveSweep("csv") // nothing yet
	a.OpenSweep()
	a.Background.SweepField("0.count", "2")
	a.Background.SweepField("seeds", "2")
	a.Background.StartSweep()
	s.settle()
	s.arrive()
	s.exhaust()
	a.Background.SaveSweep("csv")
	text := s.Saved["flockscope-sweep.csv text/csv"]
	if lines, err := rows.NewReader(strings.NewReader(text)).ReadAll(); err != nil || len(lines) != 1+2*2*2 || a.Background.Sweep.Text != text {
		t.Errorf("got %d rows, %v", len(lines), err)
	}
	a.Background.SaveSweep("json")
	if !json.Valid([]byte(s.Saved["flockscope-sweep.json application/json"])) || len(s.Saved) != 2 {
		t.Errorf("s.saved %d files, the JSON one is no JSON", len(s.Saved))
	}
}

// New files mean that what was tried with others says nothing any more.
func TestFilesForgetTrials(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	s.arrive()
	s.exhaust()
	a.Background.Forget()
	if sc, _ := a.Background.Preview("dphi"); s.want != 0 || sc.Trial != nil || a.Background.Sweep.Trial != nil {
		t.Error("old trials are kept")
	}
}
