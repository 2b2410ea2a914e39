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

// sweepRecords is the plan of a sweep and a record of every computed cell, as the flock command
// writes them. The browser stores both, so a sweep continues after a reload of the page.
type sweepRecords struct {
	plan       *plan.Plan
	engine     int                // version of the engine of the records
	records    []*plan.Record     // by job
	waiting    bool               // for the stored records, or for another tab
	startedAt  float64            // when it was last continued, in ms
	doneBefore int                // number of runs computed before that
	keep       func(lines string) // stores records
	retry      bool               // failed cells are to be recomputed
}

// newSweepBatch returns a stopped sweep without records.
func newSweepBatch(p *plan.Plan, engine int) (*Batch, error) {
	drawn, err := drawnPlan(p.Base, p.Axes, p.Seeds)
	if err != nil {
		return nil, err
	}
	order := make([]int, drawn.Jobs()) // seed by seed
	for i := range order {
		order[i] = i
	}
	t := newBatch(drawn, order)
	t.ended = true
	t.sweepRecords = &sweepRecords{plan: p, engine: engine, records: make([]*plan.Record, drawn.Jobs())}
	return t, nil
}

// Waiting reports whether the computed cells of a sweep are still unknown.
func (t *Batch) Waiting() bool { return t.sweepRecords != nil && t.sweepRecords.waiting }

// OtherEngine reports whether the results are of another version of the engine.
func (t *Batch) OtherEngine() bool {
	return t.sweepRecords != nil && t.sweepRecords.engine != version.Engine
}

// Plan returns the plan of a sweep.
func (t *Batch) Plan() *plan.Plan { return t.sweepRecords.plan }

// Engine returns the version of the engine of a sweep's results.
func (t *Batch) Engine() int { return t.sweepRecords.engine }

// cellOf returns the cell of a job of a sweep.
func (t *Batch) cellOf(job int) plan.Cell {
	c, seed := t.Table.Plan.Cell(job)
	return t.sweepRecords.plan.AtVersion(t.Table.Plan.Config(t.Table.Plan.Job(c, 0)), seed, t.sweepRecords.engine)
}

// storeResult stores the result of a job.
func (t *Batch) storeResult(job int, r *plan.Record) {
	if t.sweepRecords == nil {
		t.Table.Put(job, r.Run())
		return
	}
	cell := t.cellOf(job)
	if r.Query != cell.Query {
		t.markFailed(job, "the engine computed another run")
		return
	}
	r.Cell, r.Data, r.Build = cell.ID, cell.Data, "flockscope in a browser"
	t.setRecord(job, r)
	t.keepRecord(r)
}

// markFailed records why a job cannot be computed.
func (t *Batch) markFailed(job int, why say.Message) {
	if t.sweepRecords != nil {
		cell := t.cellOf(job)
		r := cell.Failed(why.String())
		t.setRecord(job, &r)
		t.keepRecord(&r)
	}
	t.Table.Refuse(job, why)
}

// keepRecord stores a record in the browser.
func (t *Batch) keepRecord(r *plan.Record) {
	if t.sweepRecords.keep != nil {
		if line, err := r.AppendJSON(nil); err == nil {
			t.sweepRecords.keep(string(line) + "\n")
		}
	}
}

// setRecord sets the record of a job. A successful record stays; a failed one may be replaced.
func (t *Batch) setRecord(job int, r *plan.Record) {
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

// Failed returns how many cells of a sweep have failed, and the first error.
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

// plainLines returns the records as the flock command prints them: one per line, in the order of the
// plan, without what differs between computers.
func (k *sweepRecords) plainLines(p *sweep.Plan) []byte {
	var out []byte
	for c := range p.Cells() {
		for seed := range p.Seeds {
			if r := k.records[p.Job(c, seed)]; r != nil {
				plain := r.Plain()
				out, _ = plain.AppendJSON(out) // records of engines are always valid
				out = append(out, '\n')
			}
		}
	}
	return out
}

// cellIDs returns the identifiers of all cells, one per line.
func (t *Batch) cellIDs() string {
	var b strings.Builder
	for job := range t.Table.Plan.Jobs() {
		if c, _ := t.Table.Plan.Cell(job); t.Table.Plan.Fits(c) == nil {
			cell := t.cellOf(job)
			b.WriteString(cell.ID + "\n")
		}
	}
	return b.String()
}

// RetrySweep recomputes failed cells.
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

// releaseSweep allows other tabs to compute.
func (b *Jobs) releaseSweep(t *Batch) {
	if t != nil && t == b.Sweep.Batch {
		t.sweepRecords.waiting = false
		b.Page.Effects.Do(host.ReleaseSweep{})
	}
}

// RestoreSweep shows the sweep of the stored plan, and continues it if this tab was computing it.
func (b *Jobs) RestoreSweep(text string, engine int, running bool) {
	if b.Sweep.Batch != nil || b.Sweep.Results != nil {
		return
	}
	draft, err := plan.ParseDraft(text)
	if err != nil {
		return
	}
	p, err := draft.Plan(b.Page.Schema.Parse)
	if err != nil {
		return // of another version of the page, with other settings
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
	b.Page.Effects.Do(host.LoadRecords{Cells: t.cellIDs()})
}

// SweepClaimed is called once no other tab computes a sweep.
func (b *Jobs) SweepClaimed() {
	if t := b.Sweep.Batch; t != nil && t.Busy() {
		b.Page.Effects.Do(host.LoadRecords{Cells: t.cellIDs()})
	} else {
		b.Page.Effects.Do(host.ReleaseSweep{})
	}
}

// ReceiveRecords adds the stored records to the sweep on screen, and stores those that were not
// stored yet.
func (b *Jobs) ReceiveRecords(lines string) {
	t := b.Sweep.Batch
	if t == nil {
		return
	}
	jobs := map[string]int{}
	for job := range t.Table.Plan.Jobs() {
		if c, _ := t.Table.Plan.Cell(job); t.Table.Plan.Fits(c) == nil {
			cell := t.cellOf(job)
			jobs[cell.ID] = job
		}
	}
	known := map[int]bool{}
	for line := range strings.Lines(lines) {
		r, err := plan.ParseRecord([]byte(line))
		job, ok := jobs[r.Cell]
		if ok && err == nil {
			cell := t.cellOf(job)
			err = r.Fits(&cell.Config)
		}
		if err != nil || !ok || r.Error != "" && t.sweepRecords.retry {
			continue // it is recomputed
		}
		if before := t.sweepRecords.records[job]; before != nil && before.Error == "" && r.Error == "" &&
			before.Fingerprint != r.Fingerprint {
			t.ended = true
			b.releaseSweep(t)
			b.Sweep.Problem = say.Textf("Two results of one run differ: %s has fingerprint %s in this browser and "+
				"%s in the file. The results were not merged.", r.Query, r.Fingerprint, before.Fingerprint)
			b.redraw(host.Shell)
			return
		}
		t.setRecord(job, &r)
		known[job] = true
	}
	t.sweepRecords.keep = func(lines string) { b.Page.Effects.Do(host.KeepRecords{Lines: lines}) }
	for job, r := range t.sweepRecords.records {
		if r != nil && !known[job] {
			t.keepRecord(r)
		}
	}
	t.sweepRecords.waiting, t.sweepRecords.retry = false, false
	t.sweepRecords.doneBefore, _ = t.Table.Done()
	t.sweepRecords.startedAt = b.Page.Now
	b.redraw(host.Shell | host.Previews)
	if t.Done() {
		t.ended = true
		b.releaseSweep(t)
	}
	b.Dispatch()
}

// RecordsNotKept stores why the browser cannot store records.
func (b *Jobs) RecordsNotKept(why string) {
	b.Sweep.NotKept = why
	b.redraw(host.Shell)
}

// Files returns the names and the hash of the experiment's files.
func (b *Jobs) Files() (names []string, hash string) { return b.Page.FileNames, b.Page.FilesHash }

// Pace returns the rate of a sweep and its remaining time, "" if unknown.
func (b *Jobs) Pace() string {
	t := b.Sweep.Batch
	if t == nil || t.sweepRecords.waiting {
		return ""
	}
	done, of := t.Table.Done()
	seconds := (b.Page.Now - t.sweepRecords.startedAt) / 1000
	if done -= t.sweepRecords.doneBefore; done < 5 || seconds < 1 {
		return ""
	}
	left := float64(of-done-t.sweepRecords.doneBefore) * seconds / float64(done)
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
