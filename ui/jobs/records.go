package jobs

import (
	"strconv"
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/ui/host"
)

// sweepRecords is what a sweep has beyond its table: its plan, and a record of every cell that
// was computed, as flock has them. The browser keeps both, so that a sweep goes on in a
// page that is loaded again.
type sweepRecords struct {
	plan    *plan.Plan
	engine  int            // version of the engine that the records are of
	records []*plan.Record // by job
	waits   bool           // for what the browser keeps, or for another tab
	began   float64        // when it was last gone on with, in ms
	before  int            // runs that were there then
	keep    func(lines string)
	retry   bool // cells that failed are computed again
}

// newSweepBatch returns a sweep without records, at rest.
func newSweepBatch(p *plan.Plan, engine int) (*Batch, error) {
	drawn, err := sweepOf(p.Base, p.Axes, p.Seeds)
	if err != nil {
		return nil, err
	}
	order := make([]int, drawn.Jobs()) // one seed of everything after the other
	for i := range order {
		order[i] = i
	}
	t := newBatch(drawn, order)
	t.ended = true
	t.sweepRecords = &sweepRecords{plan: p, engine: engine, records: make([]*plan.Record, drawn.Jobs())}
	return t, nil
}

// Waiting reports whether a sweep has yet to learn which of its cells were computed.
func (t *Batch) Waiting() bool { return t.sweepRecords != nil && t.sweepRecords.waits }

// OtherEngine reports whether the results are those of another version of the engine.
func (t *Batch) OtherEngine() bool {
	return t.sweepRecords != nil && t.sweepRecords.engine != version.Engine
}

// Plan is the plan of a sweep.
func (t *Batch) Plan() *plan.Plan { return t.sweepRecords.plan }

// Engine is the version of the engine that a sweep's results are of.
func (t *Batch) Engine() int { return t.sweepRecords.engine }

// cell is the identity of a job of a sweep.
func (t *Batch) cell(job int) plan.Cell {
	c, seed := t.Table.Plan.Cell(job)
	return t.sweepRecords.plan.AtVersion(t.Table.Plan.Config(t.Table.Plan.Job(c, 0)), seed, t.sweepRecords.engine)
}

// put takes the result of a job.
func (t *Batch) put(job int, r *plan.Record) {
	if t.sweepRecords == nil {
		t.Table.Put(job, r.Run())
		return
	}
	cell := t.cell(job)
	if r.Query != cell.Query {
		t.refuse(job, "the engine computed another run")
		return
	}
	r.Cell, r.Data, r.Build = cell.ID, cell.Data, "flockscope in a browser"
	t.enter(job, r)
	t.store(r)
}

// refuse notes why a job cannot be played, and keeps that.
func (t *Batch) refuse(job int, why say.Message) {
	if t.sweepRecords != nil {
		cell := t.cell(job)
		r := cell.Failed(why.String())
		t.enter(job, &r)
		t.store(&r)
	}
	t.Table.Refuse(job, why)
}

func (t *Batch) store(r *plan.Record) {
	if t.sweepRecords.keep != nil {
		if line, err := r.AppendJSON(nil); err == nil {
			t.sweepRecords.keep(string(line) + "\n")
		}
	}
}

// enter enters a record; one that is there stays unless it failed.
func (t *Batch) enter(job int, r *plan.Record) {
	if before := t.sweepRecords.records[job]; before != nil && (before.Error == "" || r.Error != "") {
		return
	}
	t.sweepRecords.records[job] = r
	if r.Error != "" {
		t.Table.Refuse(job, say.Message(r.Error))
	} else {
		t.Table.Put(job, r.Run())
	}
}

// Failed returns how many cells of a sweep failed, and why the first of them.
func (t *Batch) Failed() (n int, why string) {
	for _, r := range t.sweepRecords.records {
		if r != nil && r.Error != "" {
			if n++; n == 1 {
				why = r.Error
			}
		}
	}
	return n, why
}

// lines are the records as flock prints them: a line each, in the order of the plan,
// without what differs from one computer to the next.
func (k *sweepRecords) lines(p *sweep.Plan) []byte {
	var out []byte
	for c := range p.Cells() {
		for seed := range p.Seeds {
			if r := k.records[p.Job(c, seed)]; r != nil {
				plain := r.Plain()
				out, _ = plain.AppendJSON(out) // an engine sends none that cannot be written
				out = append(out, '\n')
			}
		}
	}
	return out
}

// cells are the identities of all cells, a line each.
func (t *Batch) cells() string {
	var b strings.Builder
	for job := range t.Table.Plan.Jobs() {
		if c, _ := t.Table.Plan.Cell(job); t.Table.Plan.Fits(c) == nil {
			cell := t.cell(job)
			b.WriteString(cell.ID + "\n")
		}
	}
	return b.String()
}

// RetrySweep computes cells again that failed.
func (b *Jobs) RetrySweep() {
	t := b.Sweep.Batch
	if t == nil || t.Busy() || t.OtherEngine() {
		return
	}
	for job, r := range t.sweepRecords.records {
		if r != nil && r.Error != "" {
			t.sweepRecords.records[job] = nil
			t.Table.Reopen(job)
		}
	}
	t.leftOut, t.sweepRecords.retry = false, true
	b.ContinueSweep()
}

// release lets other tabs compute.
func (b *Jobs) release(t *Batch) {
	if t != nil && t == b.Sweep.Batch {
		t.sweepRecords.waits = false
		b.Page.Effects.Do(host.ReleaseSweep{})
	}
}

// Recall shows the sweep whose plan the browser has kept, and goes on with it where this
// tab was computing it.
func (b *Jobs) Recall(text string, engine int, running bool) {
	if b.Sweep.Batch != nil || b.Sweep.Results != nil {
		return
	}
	draft, err := plan.ParseDraft(text)
	if err != nil {
		return
	}
	p, err := draft.Plan(b.Page.Schema.Parse)
	if err != nil {
		return // of a version whose settings are not known any more
	}
	t, err := newSweepBatch(p, engine)
	if err != nil {
		return
	}
	b.showSweep(t)
	if running && !t.OtherEngine() {
		b.ContinueSweep()
		return
	}
	b.Page.Effects.Do(host.LoadRecords{Cells: t.cells()})
}

// Claimed tells that no other tab computes a sweep.
func (b *Jobs) Claimed() {
	if t := b.Sweep.Batch; t != nil && t.Busy() {
		b.Page.Effects.Do(host.LoadRecords{Cells: t.cells()})
	} else {
		b.Page.Effects.Do(host.ReleaseSweep{})
	}
}

// Loaded takes the records that the browser has kept of the sweep on screen, and keeps
// those that it has not.
func (b *Jobs) Loaded(lines string) {
	t := b.Sweep.Batch
	if t == nil {
		return
	}
	jobs := map[string]int{}
	for job := range t.Table.Plan.Jobs() {
		if c, _ := t.Table.Plan.Cell(job); t.Table.Plan.Fits(c) == nil {
			cell := t.cell(job)
			jobs[cell.ID] = job
		}
	}
	known := map[int]bool{}
	for line := range strings.Lines(lines) {
		r, err := plan.ParseRecord([]byte(line))
		job, ok := jobs[r.Cell]
		if ok && err == nil {
			cell := t.cell(job)
			err = r.Fits(&cell.Config)
		}
		if err != nil || !ok || r.Error != "" && t.sweepRecords.retry {
			continue // it is computed again
		}
		if before := t.sweepRecords.records[job]; before != nil && before.Error == "" && r.Error == "" &&
			before.Fingerprint != r.Fingerprint {
			t.ended = true
			b.release(t)
			b.Sweep.Why = say.Textf("Two results of one run differ: %s has fingerprint %s in this browser and "+
				"%s in the file. The results were not merged.", r.Query, r.Fingerprint, before.Fingerprint)
			b.change(host.Shell)
			return
		}
		t.enter(job, &r)
		known[job] = true
	}
	t.sweepRecords.keep = func(lines string) { b.Page.Effects.Do(host.KeepRecords{Lines: lines}) }
	for job, r := range t.sweepRecords.records {
		if r != nil && !known[job] {
			t.store(r)
		}
	}
	t.sweepRecords.waits, t.sweepRecords.retry = false, false
	t.sweepRecords.before, _ = t.Table.Done()
	t.sweepRecords.began = b.Page.Now
	b.change(host.Shell | host.Previews)
	if t.Done() {
		t.ended = true
		b.release(t)
	}
	b.Dispatch()
}

// NotKept tells that the browser keeps nothing, and why.
func (b *Jobs) NotKept(why string) {
	b.Sweep.NotKept = why
	b.change(host.Shell)
}

// Files are the names of the files that the page's experiment is about.
func (b *Jobs) Files() (names []string, hash string) { return b.Page.FileNames, b.Page.FilesHash }

// Pace says how fast a sweep goes and how long it still takes, "" while that is not known.
func (b *Jobs) Pace() string {
	t := b.Sweep.Batch
	if t == nil || t.sweepRecords.waits {
		return ""
	}
	done, of := t.Table.Done()
	seconds := (b.Page.Now - t.sweepRecords.began) / 1000
	if done -= t.sweepRecords.before; done < 5 || seconds < 1 {
		return ""
	}
	left := float64(of-done-t.sweepRecords.before) * seconds / float64(done)
	rate := strconv.FormatFloat(float64(done)/seconds, 'g', 2, 64)
	switch {
	case left < 90:
		return say.Textf("%s runs per second, %d s left.", rate, int(left))
	case left < 5400:
		return say.Textf("%s runs per second, %d min left.", rate, int(left/60))
	}
	return say.Textf("%s runs per second, %d hours left: the command below continues on other computers.", rate,
		int(left/3600))
}
