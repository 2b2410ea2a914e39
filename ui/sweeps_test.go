package ui

import (
	rows "encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"flockscope/ui/chart"
)

func TestSpans(t *testing.T) {
	a, _ := open(t, "")
	tests := []struct {
		span Span
		want string // values, or part of the reason
	}{
		{Span{"dphi", "0", "45", "10"}, "0 5 10 15 20 25 30 35 40 45"},
		{Span{"dphi", "45", "0", "3"}, "45 22.5 0"},
		{Span{"dphi", "7", "9", "1"}, "7"},
		{Span{"b", "1", "200", "5"}, "1 4 14 53 200"}, // by equal ratios, as its slider moves
		{Span{"K", "2", "4", "9"}, "2 3 4"},           // no value twice
		{Span{"lr", "0.01", "1", "3"}, "0.01 0.1 1"},
		{Span{"dphi", "0", "900", "3"}, "a number from 0 to 80"},
		{Span{"dphi", "0", "", "3"}, "a number"},
		{Span{"dphi", "0", "45", "0"}, "1 to 200 values"},
		{Span{"dphi", "0", "45", "9999999999"}, "1 to 200 values"},
		{Span{"dphi", "NaN", "45", "3"}, "a number"},
	}
	for _, tt := range tests {
		f, _ := a.Schema.Field(tt.span.Key)
		values, err := tt.span.values(f)
		got := strings.Join(values, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%v: got %s, want %s", tt.span, got, tt.want)
		}
	}
}

// TestSweepSheet fills in the sheet, stops, looks at a cell and opens its run.
func TestSweepSheet(t *testing.T) {
	a, s := scouting(t, "scent=0", 3)
	a.OpenSweep()
	c := SweepSheet{App: a}
	if a.SheetTitle() != "Sweep" || c.count() != "100 runs of 2 lanes" {
		t.Fatalf("the sheet %q begins with %q", a.SheetTitle(), c.count())
	}
	a.SweepField("seeds", "many")
	if a.StartSweep(); a.Sweep.Trial != nil || !strings.Contains(c.count(), "a whole number") {
		t.Errorf("a word for a number: %q", c.count())
	}
	a.SweepField("0.count", "2")
	a.SweepField("1.key", "b")
	a.SweepField("1.count", "2")
	a.SweepField("seeds", "3")
	a.SweepField("7.key", "b") // there is no such span
	a.StartSweep()
	s.settle()
	s.arrive()
	if len(s.jobs) != 2 {
		t.Fatalf("two scouts have %d tasks", len(s.jobs))
	}
	s.report(s.jobs[0], 0.5)
	if got := c.count(); got != "Trying 4 pairs × 3 seeds … 8%" || c.startWords() != "Stop and keep" {
		t.Errorf("under way it says %q and %q", got, c.startWords())
	}
	a.StartSweep()
	if c.busy() || len(s.called) != 2 {
		t.Error("it does not stop")
	}
	if got := c.result(); !strings.HasPrefix(got, "Stopped after 1 of 12 runs") {
		t.Errorf("stopped, it says %q", got)
	}
	a.StartSweep()
	s.exhaust()
	if c.busy() || !c.deep() || c.flat() {
		t.Error("it does not come to its end")
	}
	if done, of := a.Sweep.Trial.Table.Done(); done != 12 || of != 12 {
		t.Errorf("%d of %d runs", done, of)
	}
	if head, rows := c.head(), c.rows(); len(head) != 3+2*2 || len(rows) != 4 || len(rows[0]) != len(head) {
		t.Errorf("the table has the head %v and %d rows", head, len(rows))
	}

	a.WalkSweep(1, 0) // into the figure
	a.WalkSweep(1, 0)
	a.WalkSweep(0, 1)
	a.WalkSweep(0, 1) // there is no further
	if got := a.LightWords(); !strings.HasPrefix(got, "Gap Δφ 45°, Batch b 200: CFL-GP 1.00 ± 0.00 and IFCA") || !strings.Contains(got, "n = 3") {
		t.Errorf("in the light: %q", got)
	}
	before := a.Config.String()
	a.OpenCell(a.Sweep.Light)
	if a.Sheet != "" || a.Config.Value("dphi") != "45" || a.Config.Value("b") != "200" || a.Config.Value("sd") != "1" {
		t.Errorf("the run of the last cell is %s, sheet %q", a.Config, a.Sheet)
	}
	s.finish()
	if a.Undo(); a.Config.String() != before {
		t.Errorf("undoing leads to %s", a.Config)
	}
	s.finish()

	// The settings that were varied may change; others make the sweep an old one.
	const old = "The page had other settings then"
	for _, tt := range []struct {
		key, text string
		old       bool
	}{{"dphi", "33", false}, {"lr", "0.2", true}, {"lr", "0.1", false}, {"algos", "cflgp", true}} {
		set(t, a, tt.key, tt.text)
		s.finish()
		if got := c.result(); strings.Contains(got, old) != tt.old {
			t.Errorf("with %s=%s the sweep says %q", tt.key, tt.text, got)
		}
	}
	set(t, a, "C", "13")
	if a.StartSweep(); !strings.HasSuffix(c.count(), "It waits for the run on the page.") {
		t.Errorf("while a run is under way the sweep says %q", c.count())
	}
}

// Both figures of a sweep can be drawn and described at any time, and every cell
// answers to the pointer.
func TestSweepFigures(t *testing.T) {
	for _, second := range []string{"", "b"} {
		a, s := scouting(t, "scent=0", 2)
		a.OpenSweep()
		a.SweepField("0.count", "3")
		a.SweepField("1.key", second)
		a.SweepField("1.count", "2")
		a.SweepField("seeds", "2")
		a.StartSweep()
		s.settle()
		s.arrive()
		s.report(s.jobs[0], 0.5)
		kind := "sweep"
		if second != "" {
			kind = "heat"
		}
		for range 2 {
			f := Painter{app: a}
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
			if cells := a.Sweep.Trial.Table.Plan.Cells(); len(seen) != cells+1 {
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
	a, s := scouting(t, "scent=0", 2)
	a.SaveSweep("csv") // nothing yet
	a.OpenSweep()
	a.SweepField("0.count", "2")
	a.SweepField("seeds", "2")
	a.StartSweep()
	s.settle()
	s.arrive()
	s.exhaust()
	a.SaveSweep("csv")
	text := s.saved["flockscope-sweep.csv text/csv"]
	if lines, err := rows.NewReader(strings.NewReader(text)).ReadAll(); err != nil || len(lines) != 1+2*2*2 || a.Sweep.Text != text {
		t.Errorf("got %d rows, %v", len(lines), err)
	}
	a.SaveSweep("json")
	if !json.Valid([]byte(s.saved["flockscope-sweep.json application/json"])) || len(s.saved) != 2 {
		t.Errorf("s.saved %d files, the JSON one is no JSON", len(s.saved))
	}
}

// New files mean that what was tried with others says nothing any more.
func TestFilesForgetTrials(t *testing.T) {
	a, s := scouting(t, "", 2)
	s.settle()
	s.arrive()
	s.exhaust()
	a.forgetTrials()
	if sc, _ := a.Scent("dphi"); s.want != 0 || sc.Trial != nil || a.Sweep.Trial != nil {
		t.Error("old trials are kept")
	}
}
