package shell

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/jobs"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// troop stands in for the workers of a page.
type troop struct {
	*pagetest.Engines
	app    *App
	jobs   []task // what they were sent, in order
	called []uint32
}

type task struct {
	worker int
	id     uint32
	query  string
}

// withWorkers is a page whose first run is on screen, on a machine with processors.
func withWorkers(t *testing.T, query string, processors int) (*App, *troop) {
	t.Helper()
	a, p := open(t, query)
	s := &troop{Engines: p, app: a}
	a.Processors = processors
	p.OnWorker = func(worker int, message []byte) {
		id, records, err := wire.Open(message)
		if err != nil {
			t.Fatal(err)
		}
		for kind, payload := range records {
			switch kind {
			case wire.Measure:
				s.jobs = append(s.jobs, task{worker, id, string(payload)})
			case wire.Cancel:
				s.called = append(s.called, id)
			default:
				t.Errorf("a worker was sent a record of kind %d", kind)
			}
		}
	}
	p.Finish()
	return a, s
}

// jobs.Settle lets the time pass that settings must stand still for.
func (s *troop) settle() {
	s.Time += jobs.SettleTime
	s.app.Do(page.DispatchJobs{})
}

// arrive brings up all workers that the page has asked for.
func (s *troop) arrive() {
	for n := s.app.Jobs.Workers(); n < s.Workers; n++ {
		s.app.Do(page.WorkerStarted{Worker: n})
	}
}

// report answers the task of a worker.
func (s *troop) report(j task, ari float64) {
	c, _ := s.app.Schema.Parse(j.query)
	cell := plan.CellOf(c, 0, "")
	r := cell.Failed("")
	misplaced := 0
	var prints []uint64
	for i := range c.Lanes() {
		r.Lanes = append(r.Lanes, plan.Lane{Lane: c.Lanes()[i].ID(),
			Scores: plan.Scores{ARI: &ari, Misplaced: &misplaced,
				Fingerprint: fmt.Sprintf("%016x", math.Float64bits(ari))}})
		prints = append(prints, math.Float64bits(ari))
	}
	r.Fingerprint = trace.Result(prints)
	text, err := r.AppendJSON(nil)
	if err != nil {
		panic(err)
	}
	var m wire.Message
	m.Reset(j.id)
	m.Text(wire.Measured, string(text))
	s.app.Do(page.WorkerAnswered{Worker: j.worker, Message: m.Bytes()})
}

// runOf is the run of a trial that a worker was given last.
func (s *troop) runOf(t *jobs.Batch, worker int) int {
	query := ""
	for _, j := range s.jobs {
		if j.worker == worker {
			query = j.query
		}
	}
	for run := range t.Table.Plan.Jobs() {
		if t.Table.Plan.Config(run).String() == query {
			return run
		}
	}
	return -1
}

// exhaust answers tasks until there are no more.
func (s *troop) exhaust() {
	for n := 0; n < len(s.jobs); n++ {
		s.report(s.jobs[n], 1)
	}
}

func TestFirstSliderHasPreview(t *testing.T) {
	a, s := withWorkers(t, "", 4)
	if s.Workers != 0 || s.WakeAt == 0 {
		t.Fatalf("before settings stand still, %d workers are wanted and the page wakes at %v", s.Workers, s.WakeAt)
	}
	s.settle()
	s.arrive()
	if s.Workers != 3 {
		t.Fatalf("%d workers are started on four processors, want 3", s.Workers)
	}
	if len(s.jobs) != 3 {
		t.Fatalf("three workers have %d tasks", len(s.jobs))
	}
	if got := s.jobs[0].query; !strings.HasPrefix(got, "data=linreg&") || strings.Contains(got, "dphi=") {
		t.Errorf("the first task is %s, want the present value", got)
	}
	sc, _ := a.Jobs.Preview("dphi")
	if sc == nil || !sc.Auto || sc.Batch == nil {
		t.Fatalf("the first slider has the preview %+v", sc)
	}
	if s.exhaust(); !sc.Batch.Done() || len(s.jobs) != sc.Batch.Table.Plan.Cells()*jobs.SeedsPerValue {
		t.Errorf("%d runs for %d values, done %v", len(s.jobs), sc.Batch.Table.Plan.Cells(), sc.Batch.Done())
	}
	seen := map[string]bool{}
	for _, j := range s.jobs {
		if seen[j.query] {
			t.Errorf("%s is played twice", j.query)
		}
		seen[j.query] = true
	}
	// Idle workers go after a while.
	s.Time += jobs.IdleTimeout
	if a.Do(page.DispatchJobs{}); s.Workers != 0 {
		t.Errorf("%d workers stay for nothing", s.Workers)
	}
}

func TestNoPreview(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		change      func(a *App)
	}{
		{"by the link", "scent=0", nil},
		{"on one worker", "workers=1", func(a *App) { a.Workers = 1 }},
		{"without workers", "", func(a *App) { a.EngineMode = "main thread" }},
	} {
		a, s := withWorkers(t, tt.query, 4)
		if tt.change != nil {
			tt.change(a)
		}
		s.settle()
		if s.Workers != 0 || len(a.Jobs.Previews()) != 0 {
			t.Errorf("%s: %d workers for %d previews", tt.name, s.Workers, len(a.Jobs.Previews()))
		}
	}
	if a, _ := open(t, "scent=0"); !strings.Contains(a.Query(), "&scent=0") {
		t.Errorf("the link %s forgets that there is no scent", a.Query())
	}
}

// The page's own run has all processors: workers rest, and go on afterwards.
func TestWorkersRest(t *testing.T) {
	a, s := withWorkers(t, "", 3)
	s.settle()
	s.arrive()
	first := s.jobs[0]
	a.Do(page.ChangeSetting{Key: "dphi", Text: "10", Done: false}) // a drag of the scented slider itself
	if len(s.called) != 2 {
		t.Fatalf("%d of two tasks are called off while a run is computed", len(s.called))
	}
	s.Finish()
	s.report(first, 0) // too late
	s.settle()
	if len(s.jobs) != 2 {
		t.Fatal("workers work during a drag")
	}
	a.Do(page.ChangeSetting{Key: "dphi", Text: "10", Done: true})
	s.Finish()
	if s.settle(); len(s.jobs) != 4 {
		t.Fatalf("after the drag there are %d tasks, want 4", len(s.jobs))
	}
	if q := s.jobs[2].query; !strings.Contains(q, "dphi=10&") {
		t.Errorf("after the drag to 10° workers go on with %s", q)
	}
	sc, _ := a.Jobs.Preview("dphi")
	s.exhaust()
	if !sc.Batch.Done() || sc.Batch.Table.Stat(sc.Batch.Table.Plan.Cells()-1, 0, sweep.ARI).Mean != 1 {
		t.Error("the trial did not go on where it was, or took what came too late")
	}
}

// Another setting makes another curve.
func TestPreviewGoesStale(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	s.arrive()
	s.report(s.jobs[0], 1)
	before, _ := a.Jobs.Preview("dphi")
	trial := before.Batch
	a.Do(page.ChangeSetting{Key: "b", Text: "20", Done: true})
	if before.Batch != nil {
		t.Fatal("a curve that was made with another batch is still there")
	}
	s.Finish()
	if s.settle(); before.Batch == nil || before.Batch == trial {
		t.Fatal("there is no new curve")
	}
	if last := s.jobs[len(s.jobs)-1].query; !strings.Contains(last, "b=20") {
		t.Errorf("the new curve begins with %s", last)
	}
	// Undo brings the old settings, not the old curve: it is made anew.
	a.Do(page.Undo{})
	if s.Finish(); before.Batch != nil {
		t.Error("the curve of the other batch is still there")
	}
}

// Any slider can be tried on demand, be stopped, and be plain again.
func TestPreviewOnDemand(t *testing.T) {
	a, s := withWorkers(t, "scent=0", 2)
	c := Control{App: a, Name: "b"}
	c.Field, _ = a.Schema.Field("b")
	if c.previewed() || c.previewLabel() != "Preview the whole range of Batch b" {
		t.Errorf("the button says %q", c.previewLabel())
	}
	a.Do(page.TogglePreview{Key: "b"})
	s.settle()
	s.arrive()
	s.report(s.jobs[0], 1)
	if got := c.previewRuns(); !strings.HasPrefix(got, "Computing 13 values × 10 seeds … 0%") {
		t.Errorf("it says %q", got)
	}
	sc, _ := a.Jobs.Preview("b")
	a.Do(page.TogglePreview{Key: "b"})
	if sc.Batch.Busy() || c.previewRuns() != "" || !c.previewed() || len(s.called) != 1 {
		t.Error("stopping does not stop, or takes the curve away")
	}
	if a.Do(page.TogglePreview{Key: "b"}); c.previewed() {
		t.Error("the curve cannot be taken away")
	}
}

// What is taken from the first slider stays away.
func TestPreviewTakenAway(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	s.arrive()
	s.exhaust()
	a.Do(page.TogglePreview{Key: "dphi"})
	a.Do(page.ChangeSetting{Key: "b", Text: "20", Done: true})
	s.Finish()
	if s.settle(); len(a.Jobs.Previews()) != 0 {
		t.Error("the preview is back")
	}
}

// Workers that stop are replaced some times; then the page goes without.
func TestWorkersLost(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	for range jobs.MaxLostWorkers {
		a.Do(page.WorkerStarted{Worker: 0})
		a.Do(page.WorkerLost{Worker: 0, OutOfMemory: false})
		if !a.Jobs.Available() {
			t.Fatal("the page gives up at once")
		}
	}
	a.Do(page.WorkerStarted{Worker: 0})
	sc, _ := a.Jobs.Preview("dphi")
	if done, _ := sc.Batch.Table.Done(); done != jobs.MaxLostWorkers {
		t.Errorf("%d runs that end their engine are left out, want %d", done, jobs.MaxLostWorkers)
	}
	if a.Do(page.WorkerLost{Worker: 0, OutOfMemory: false}); a.Jobs.Available() || s.Workers != 0 {
		t.Error("the page goes on")
	}
}

// A worker whose memory is full leaves its value out, with all seeds of it, and says
// so; that is no reason to give up, whatever number of values it is. One that goes
// because another has gone leaves its run for later.
func TestWorkersFull(t *testing.T) {
	a, s := withWorkers(t, "", 3)
	s.settle()
	sc, _ := a.Jobs.Preview("dphi")
	plan, left := sc.Batch.Table.Plan, map[int]bool{}
	for range 2 * jobs.MaxLostWorkers {
		a.Do(page.WorkerStarted{Worker: 0})
		a.Do(page.WorkerStarted{Worker: 1})
		full, other := s.runOf(sc.Batch, 0), s.runOf(sc.Batch, 1)
		cell, _ := plan.Cell(full)
		if left[cell] {
			t.Errorf("a value that was too large is tried again")
		}
		left[cell] = true
		a.Do(page.WorkerLost{Worker: 0, OutOfMemory: true})
		if beside, _ := plan.Cell(other); !left[beside] && !sc.Batch.Table.Open(other) {
			t.Error("what another worker was at is left out, too")
		}
		if done, _ := sc.Batch.Table.Done(); done != len(left)*plan.Seeds || !a.Jobs.Available() {
			t.Fatalf("with %d values too large %d runs are left out, and the page goes on: %v", len(left), done,
				a.Jobs.Available())
		}
	}
	if sc.Batch.MissingWords() == "" {
		t.Error("nothing is said of what is left out")
	}
	for range jobs.MaxLostWorkers + 1 { // without anything to do it is as good as broken
		a.Do(page.WorkerLost{Worker: 0, OutOfMemory: true})
	}
	if a.Jobs.Available() {
		t.Error("workers for which there is never enough memory come again and again")
	}
}

func TestOpenRun(t *testing.T) {
	a, s := withWorkers(t, "", 2)
	s.settle()
	s.arrive()
	s.exhaust()
	sc, n := a.Jobs.Preview("dphi")
	f := page.NewPainter(a.State)
	figure := f.Figure("scent", n).(*sweeps.Preview)
	box := chart.Box{W: 210, H: 30}
	var hits chart.Hits
	f.Draw("scent", n, box, &hits)
	job, ok := figure.RunAt(box, 205, 2)
	if !ok {
		t.Fatal("there is no run at the right end")
	}
	a.Do(page.OpenPreviewRun{Key: sc.Key, Job: job})
	if got := a.Config.Value("dphi"); got != "45" {
		t.Errorf("the run at the right end has dphi=%s", got)
	}
	if a.Do(page.Undo{}); a.Config.String() != "data=linreg&algos=cflgp,ifca" {
		t.Errorf("undoing leads to %s", a.Config)
	}
	if text := a.Describe("scent", n); !strings.Contains(text, "n = 10 runs") {
		t.Errorf("the figure says %q", text)
	}
}

// A page that leaves the engines no processor of their own follows a run less closely.
func TestTight(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		processors  int
		want        bool
	}{
		{"two processors, two workers", "", 2, true},
		{"one processor", "", 1, true},
		{"one worker of two", "workers=1", 2, false},
		{"two workers of four", "workers=2", 4, false},
		{"four processors, four workers", "", 4, false},
		{"nobody knows", "", 0, false},
	} {
		a, p := open(t, tt.query)
		a.Processors = tt.processors
		if got := a.Runs.UsesAllProcessors(); got != tt.want {
			t.Errorf("%s, while a run is computed: %v", tt.name, got)
		}
		p.Finish()
		if a.Runs.UsesAllProcessors() {
			t.Errorf("%s: the run is complete", tt.name)
		}
	}
}
