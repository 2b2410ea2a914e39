package shell

import (
	rows "encoding/csv"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
	"flockscope/sim/trace"
	"flockscope/sim/version"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/jobs"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// TestSweepSheet fills in the sheet, stops, looks at a cell and opens its run.
func TestSweepSheet(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 3)
	a.Do(page.OpenSweep{})
	c := SweepSheet{App: a}
	if a.SheetTitle() != "Sweep" || c.count() != "100 runs of 2 methods" {
		t.Fatalf("the sheet %q begins with %q", a.SheetTitle(), c.count())
	}
	a.Do(page.EditSweepField{Field: "seeds", Text: "many"})
	if a.Do(page.StartSweep{}); a.Jobs.Sweep.Batch != nil || !strings.Contains(c.count(), "a whole number") {
		t.Errorf("a word for a number: %q", c.count())
	}
	a.Do(page.EditSweepField{Field: "0.count", Text: "2"})
	a.Do(page.EditSweepField{Field: "1.key", Text: "b"})
	a.Do(page.EditSweepField{Field: "1.count", Text: "2"})
	a.Do(page.EditSweepField{Field: "seeds", Text: "3"})
	a.Do(page.EditSweepField{Field: "7.key", Text: "b"}) // there is no such span
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	if len(s.jobs) != 2 {
		t.Fatalf("two workers have %d tasks", len(s.jobs))
	}
	s.report(s.jobs[0], 0.5)
	if got := c.count(); got != "Computing 4 pairs × 3 seeds … 8%" || c.startWords() != "Stop and keep results" {
		t.Errorf("under way it says %q and %q", got, c.startWords())
	}
	a.Do(page.StartSweep{})
	if c.busy() || len(s.called) != 2 {
		t.Error("it does not stop")
	}
	if got := c.result(); !strings.HasPrefix(got, "Stopped after 1 of 12 runs") {
		t.Errorf("stopped, it says %q", got)
	}
	a.Do(page.StartSweep{})
	s.exhaust()
	if c.busy() || !c.deep() || c.flat() {
		t.Error("it does not come to its end")
	}
	if done, of := a.Jobs.Sweep.Batch.Table.Done(); done != 12 || of != 12 {
		t.Errorf("%d of %d runs", done, of)
	}
	if head, rows := c.head(), c.rows(); len(head) != 3+2*2 || len(rows) != 4 || len(rows[0]) != len(head) {
		t.Errorf("the table has the head %v and %d rows", head, len(rows))
	}

	a.Do(page.MoveCell{X: 1, Y: 0}) // into the figure
	a.Do(page.MoveCell{X: 1, Y: 0})
	a.Do(page.MoveCell{X: 0, Y: 1})
	a.Do(page.MoveCell{X: 0, Y: 1}) // there is no further
	if got := a.Jobs.CellWords(); !strings.HasPrefix(got,
		"Gap Δφ 45°, Batch b 200: CFL-GP 1.00 ± 0.00 and IFCA") || !strings.Contains(got, "n = 3") {
		t.Errorf("in focus: %q", got)
	}
	before := a.Config.String()
	a.Do(page.OpenCell{Cell: a.Jobs.Sweep.Hovered})
	if a.Sheet != "" || a.Config.Value("dphi") != "45" || a.Config.Value("b") != "200" || a.Config.Value("sd") != "1" {
		t.Errorf("the run of the last cell is %s, sheet %q", a.Config, a.Sheet)
	}
	s.Finish()
	if a.Do(page.Undo{}); a.Config.String() != before {
		t.Errorf("undoing leads to %s", a.Config)
	}
	s.Finish()

	// The settings that were varied may change; others make the sweep an old one.
	const old = "These results are of other settings"
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
	if a.Do(page.StartSweep{}); !strings.HasSuffix(c.count(), "It waits for the run on the page.") {
		t.Errorf("while a run is under way the sweep says %q", c.count())
	}
}

// Both figures of a sweep can be drawn and described at any time, and every cell
// answers to the pointer.
func TestSweepFigures(t *testing.T) {
	for _, second := range []string{"", "b"} {
		a, s := withWorkers(t, "scent=0", 2)
		a.Do(page.OpenSweep{})
		a.Do(page.EditSweepField{Field: "0.count", Text: "3"})
		a.Do(page.EditSweepField{Field: "1.key", Text: second})
		a.Do(page.EditSweepField{Field: "1.count", Text: "2"})
		a.Do(page.EditSweepField{Field: "seeds", Text: "2"})
		a.Do(page.StartSweep{})
		s.settle()
		s.arrive()
		s.report(s.jobs[0], 0.5)
		kind := "sweep"
		if second != "" {
			kind = "heat"
		}
		for range 2 {
			f := page.NewPainter(a.State)
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
			if cells := a.Jobs.Sweep.Batch.Table.Plan.Cells(); len(seen) != cells+1 {
				t.Errorf("%s: the pointer meets %d of %d cells", kind, len(seen)-1, cells)
			}
			if text := a.Describe(kind, 1); !strings.Contains(text, "Gap Δφ 0°") {
				t.Errorf("%s says %q", kind, text)
			}
			s.exhaust()
		}
		(&SweepSheet{App: a}).exportPicture()
		if at := a.Export.ChosenPicture(); a.Sheet != "take" || at.Kind != kind {
			t.Errorf("the picture of a sweep is %v, in the sheet %q", at, a.Sheet)
		}
	}
}

func TestSaveSweep(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	a.Do(page.SaveSweep{Format: "csv"}) // nothing yet
	a.Do(page.OpenSweep{})
	a.Do(page.EditSweepField{Field: "0.count", Text: "2"})
	a.Do(page.EditSweepField{Field: "seeds", Text: "2"})
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	s.exhaust()
	a.Do(page.SaveSweep{Format: "csv"})
	text := s.Saved["flockscope-sweep.csv text/csv"]
	if lines, err := rows.NewReader(strings.NewReader(text)).ReadAll(); err != nil || len(lines) != 1+2*2*2 ||
		a.Jobs.Sweep.CopyText != text {
		t.Errorf("got %d rows, %v", len(lines), err)
	}
	a.Do(page.SaveSweep{Format: "jsonl"})
	lines := strings.Split(strings.TrimSpace(s.Saved["flockscope-sweep.jsonl application/jsonl"]), "\n")
	p := a.Jobs.Sweep.Batch.Plan()
	for i, line := range lines { // by point, then by seed, as flock writes them
		r, err := plan.ParseRecord([]byte(line))
		c, _ := p.Cell(p.Join(i/2, i%2))
		if err != nil || r.Cell != c.ID || r.Seconds != 0 || r.Build != "" {
			t.Errorf("record %d is %s, %v", i, line, err)
		}
	}
	if len(lines) != 4 {
		t.Errorf("%d records", len(lines))
	}
}

// tab opens a further page on the same browser.
func (s *troop) tab(t *testing.T, query string) (*App, *troop) {
	a, next := withWorkers(t, query, 2)
	next.Store = s.store()
	return a, next
}

func (s *troop) store() *pagetest.Store {
	if s.Store == nil {
		s.Store = &pagetest.Store{}
	}
	return s.Store
}

// small types a sweep of two values and three seeds.
func small(a *App) {
	a.Do(page.OpenSweep{})
	a.Do(page.EditSweepField{Field: "0.count", Text: "2"})
	a.Do(page.EditSweepField{Field: "seeds", Text: "3"})
}

// A sweep goes on in a page that is loaded again; no cell is computed twice.
func TestSweepOutlivesThePage(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	s.store()
	small(a)
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	s.report(s.jobs[0], 1)
	s.report(s.jobs[1], 1) // the third is under way when the page goes
	text := s.Store.Plan
	s.ReleaseSweep() // as the browser does then

	b, next := s.tab(t, "scent=0")
	b.Do(page.SweepRecalled{Plan: text, Engine: version.Engine, Running: true})
	next.settle()
	next.arrive()
	if done, of := b.Jobs.Sweep.Batch.Table.Done(); done != 2 || of != 6 {
		t.Errorf("%d of %d runs are back", done, of)
	}
	next.exhaust()
	seen := map[string]bool{s.jobs[0].query: true, s.jobs[1].query: true}
	for _, j := range next.jobs {
		if seen[j.query] {
			t.Errorf("%s is computed twice", j.query)
		}
		seen[j.query] = true
	}
	if done, _ := b.Jobs.Sweep.Batch.Table.Done(); done != 6 || s.Store.Kept != 6 || len(s.Store.Records) != 6 {
		t.Errorf("%d runs, %d kept of %d cells", done, s.Store.Kept, len(s.Store.Records))
	}

	// Opened a day later, the sheet shows it; a larger one computes what is new.
	c, third := s.tab(t, "scent=0")
	c.Do(page.OpenSweep{})
	if done, _ := c.Jobs.Sweep.Batch.Table.Done(); done != 6 || c.Jobs.Sweep.Batch.Busy() {
		t.Errorf("%d runs are shown", done)
	}
	c.Do(page.EditSweepField{Field: "0.count", Text: "2"})
	c.Do(page.EditSweepField{Field: "seeds", Text: "4"})
	c.Do(page.StartSweep{})
	third.settle()
	third.arrive()
	third.exhaust()
	if len(third.jobs) != 2 || !c.Jobs.Sweep.Batch.Done() {
		t.Errorf("a fourth seed takes %d runs, want 2", len(third.jobs))
	}

	// A store of another version of the engine is shown, and neither continued nor mixed.
	d, fourth := s.tab(t, "scent=0")
	d.Do(page.SweepRecalled{Plan: text, Engine: version.Engine - 1, Running: true})
	sheet := SweepSheet{App: d}
	if d.Do(page.ContinueSweep{}); sheet.busy() || !strings.Contains(sheet.notice(), "of the engine") ||
		len(fourth.jobs) != 0 {
		t.Errorf("results of another version: %q", sheet.notice())
	}
}

// Stop and keep goes on where it was, also when other settings are typed meanwhile.
func TestSweepContinues(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	small(a)
	c := SweepSheet{App: a}
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	s.report(s.jobs[0], 1)
	a.Do(page.StartSweep{})
	if c.startWords() != "Continue" || c.resumes() {
		t.Errorf("stopped, it offers %q", c.startWords())
	}
	a.Do(page.EditSweepField{Field: "seeds", Text: "5"})
	if c.startWords() != "Run" || !c.resumes() {
		t.Errorf("with other seeds it offers %q", c.startWords())
	}
	a.Do(page.ContinueSweep{})
	for n := 2; n < len(s.jobs); n++ {
		s.report(s.jobs[n], 1)
	}
	// One was called off.
	if done, of := a.Jobs.Sweep.Batch.Table.Done(); done != 6 || of != 6 || len(s.jobs) != 7 {
		t.Errorf("%d of %d runs after %d tasks", done, of, len(s.jobs))
	}
}

// One tab computes at a time: another one waits, and counts what the first has computed.
func TestSweepInTwoTabs(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	s.store()
	small(a)
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	b, other := s.tab(t, "scent=0")
	small(b)
	b.Do(page.StartSweep{})
	other.settle()
	other.arrive()
	c := SweepSheet{App: b}
	if len(other.jobs) != 0 || !strings.HasPrefix(c.count(), "Waiting: another tab") {
		t.Errorf("the second tab has %d tasks and says %q", len(other.jobs), c.count())
	}
	s.exhaust()
	other.exhaust()
	if done, of := b.Jobs.Sweep.Batch.Table.Done(); done != of || len(other.jobs) != 0 || s.Store.Kept != 6 {
		t.Errorf("the second tab has %d of %d runs after %d tasks; %d are kept", done, of, len(other.jobs),
			s.Store.Kept)
	}
}

// Without a place to keep anything a sweep goes on and says so; a run that failed is kept
// with its reason, shown, and computed again if wanted.
func TestSweepFailures(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	s.store().Broken = "nothing is kept here"
	small(a)
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	var m wire.Message
	m.Reset(s.jobs[0].id)
	m.Text(wire.Refused, "it cannot be")
	a.Do(page.WorkerAnswered{Worker: s.jobs[0].worker, Message: m.Bytes()})
	for n := 1; n < len(s.jobs); n++ {
		s.report(s.jobs[n], 1)
	}
	c := SweepSheet{App: a}
	if got := c.notice(); got != "nothing is kept here 1 run failed, the first one: it cannot be." || c.busy() ||
		!c.retries() {
		t.Errorf("it says %q", got)
	}
	a.Do(page.SaveSweep{Format: "jsonl"})
	if text := s.Saved["flockscope-sweep.jsonl application/jsonl"]; strings.Count(text, "\n") != 6 ||
		!strings.Contains(text, `"error":"it cannot be"`) {
		t.Errorf("the file is %s", text)
	}
	before := len(s.jobs)
	a.Do(page.RetrySweep{})
	for n := before; n < len(s.jobs); n++ {
		s.report(s.jobs[n], 1)
	}
	if len(s.jobs) != before+1 || c.retries() || c.busy() {
		t.Errorf("%d runs again; it says %q", len(s.jobs)-before, c.notice())
	}
}

// A file of results is shown, and continued; the command has the same cells.
func TestOpenResults(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	small(a)
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	s.report(s.jobs[0], 1)
	s.report(s.jobs[1], 1)
	s.report(s.jobs[2], 1)
	a.Do(page.StartSweep{})
	want := a.Jobs.Sweep.Batch.Plan().String()
	a.Do(page.SaveSweep{Format: "jsonl"})
	file := s.Saved["flockscope-sweep.jsonl application/jsonl"]

	b, other := withWorkers(t, "data=mixreg&scent=0", 2)
	c := SweepSheet{App: b}
	b.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: "a.jsonl", Data: []byte(file + file + "{\"cell\":\n")}}})
	if b.Sheet != "sweep" || !strings.HasPrefix(c.result(), "Stopped after 3 of 4 runs") ||
		!strings.Contains(c.notice(), "1 line of the file is damaged") {
		t.Fatalf("sheet %q, %q, %q", b.Sheet, c.result(), c.notice())
	}
	b.Do(page.ContinueSweep{})
	other.settle()
	other.arrive()
	other.exhaust()
	if done, of := b.Jobs.Sweep.Batch.Table.Done(); done != of || len(other.jobs) != of-3 {
		t.Errorf("%d of %d runs after %d tasks", done, of, len(other.jobs))
	}
	if !strings.Contains(want, "seeds 3") || len(other.Store.Records) != 4 {
		t.Errorf("%d records are kept", len(other.Store.Records))
	}

	records := strings.Split(strings.TrimSpace(file), "\n")
	older := func(line string, engine int) string {
		r, err := plan.ParseRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		d := plan.Draft{Query: r.Query, Seeds: 1}
		p, err := d.Plan(a.Schema.Parse)
		if err != nil {
			t.Fatal(err)
		}
		cell := p.AtVersion(p.Base, 0, engine)
		r.Cell, r.Version = cell.ID, engine
		text, _ := r.AppendJSON(nil)
		return string(text)
	}
	utf16LE := []byte("\xff\xfe")
	for _, c := range []byte(file) {
		utf16LE = append(utf16LE, c, 0)
	}
	for name, data := range map[string]string{"a mark": "\ufeff" + file, "CRLF": strings.ReplaceAll(file, "\n", "\r\n"),
		"CR": strings.ReplaceAll(file, "\n", "\r"), "empty lines": "\r\n\n" + file, "UTF-16": string(utf16LE)} {
		d, _ := withWorkers(t, "scent=0", 2)
		d.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: name, Data: []byte(data)}}})
		sheet := SweepSheet{App: d}
		if !strings.HasPrefix(sheet.result(), "Stopped after 3 of 4 runs") || strings.Contains(sheet.notice(), "damaged") {
			t.Errorf("%s: %q, %q", name, sheet.result(), sheet.notice())
		}
	}
	store := make([]byte, 100)
	copy(store[16:], "\xed\xda\x0c\xed")
	for name, tt := range map[string]struct{ data, want string }{
		"mixed": {records[0] + "\n" + older(records[1], version.Engine-1), "of versions"},
		"cut":   {records[0][:50], "no complete result of a sweep"},
		"forged": {strings.Replace(records[0], `"misplaced":0`, `"misplaced":-5`, 1) + "\n" +
			strings.Replace(records[1], `"misplaced":0`, `"misplaced":5000`, 1), "no complete result of a sweep"},
		"bolt": {string(store), "flock results -jsonl bolt > results.jsonl"},
	} {
		d, _ := withWorkers(t, "scent=0", 2)
		if why := d.Jobs.OpenResults(name, []byte(tt.data)); !strings.Contains(why.String(), tt.want) ||
			d.Jobs.Sweep.Batch != nil {
			t.Errorf("%s: %q", name, why)
		}
		if !jobs.IsResults([]byte(tt.data)) {
			t.Errorf("%s is not seen to be results", name)
		}
	}
	d, _ := withWorkers(t, "scent=0", 2)
	sheet := SweepSheet{App: d}
	if why := d.Jobs.OpenResults("old", []byte(older(records[0], version.Engine-1)+"\n"+
		older(records[1], version.Engine-1))); why != "" ||
		!strings.Contains(sheet.notice(), "not continued") || sheet.resumes() || sheet.command() != "" {
		t.Errorf("an older file: %q, %q", why, sheet.notice())
	}
	d.Jobs.SaveSweep("jsonl")

	// Words are varied: the table has them.
	words := ""
	for _, algo := range []string{"ifca", "cflgp"} {
		for _, k := range []string{"2", "3"} {
			cfg, _ := a.Schema.Parse("algos=" + algo + "&K=" + k + "&dphi=20&lr=0.1")
			cell := plan.CellOf(cfg, 0, "")
			r := cell.Failed("")
			half := 0.5
			r.Lanes = []plan.Lane{{Lane: algo, Scores: plan.Scores{ARI: &half, Fingerprint: "00000000000000ff"}}}
			r.Fingerprint = trace.Result([]uint64{0xff})
			text, _ := r.AppendJSON(nil)
			words += string(text) + "\n"
		}
	}
	if why := d.Jobs.OpenResults("words", []byte(words)); why != "" || d.Jobs.Sweep.Results == nil {
		t.Fatalf("words: %q", why)
	}
	if res := d.Jobs.Sweep.Results; len(res.Rows) != 4 || !slices.Equal(res.Head[:3], []string{"K", "lane", "runs"}) ||
		!strings.HasPrefix(res.Words, "words: 4 runs.") || !slices.Contains(res.Rows[0], "0.5") {
		t.Errorf("the table is %v %v", res.Head, res.Rows)
	}
}

// Files that arrive while the sheet is open bring the kept sweep back, which may be about them.
func TestFilesRecallSweep(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	s.store()
	small(a)
	a.Do(page.OpenSweep{})
	a.Do(page.StartSweep{})
	s.settle()
	s.arrive()
	s.exhaust()
	before := a.Jobs.Sweep.Batch
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("new.csv")})
	s.SendText(pagetest.AboutFiles, wire.Accepted, "csv 2 clients")
	if after := a.Jobs.Sweep.Batch; after == nil || after == before {
		t.Fatal("the sheet is open without the sweep that is kept")
	}
	if done, of := a.Jobs.Sweep.Batch.Table.Done(); done != of || a.Jobs.Sweep.Batch.Busy() {
		t.Errorf("%d of %d runs are back", done, of)
	}
}

// New files mean that what was tried with others says nothing any more.
func TestFilesForgetTrials(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	s.arrive()
	s.exhaust()
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("new.csv")})
	s.SendText(pagetest.AboutFiles, wire.Accepted, "csv 2 clients")
	if sc, _ := a.Jobs.Preview("dphi"); s.Workers != 0 || sc.Batch != nil || a.Jobs.Sweep.Batch != nil {
		t.Error("old trials are kept")
	}
}
