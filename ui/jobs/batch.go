package jobs

import (
	"slices"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
)

// Batch is the runs of a sweep or preview, computed in the background.
type Batch struct {
	Table    *sweep.Table
	order    []int // the order in which to compute its runs
	position int   // index in order of the next run,
	returned []int // and cancelled runs to repeat
	ended    bool  // the user has stopped it
	leftOut  bool  // some runs needed too much memory

	sweepRecords *sweepRecords // nil for a preview
}

// newBatch returns a batch that computes runs in this order.
func newBatch(p *sweep.Plan, order []int) *Batch {
	return &Batch{Table: sweep.NewTable(p), order: order}
}

// nextRun returns the next run to compute; ok is false if there is none.
func (t *Batch) nextRun() (job int, ok bool) {
	if t.ended || t.Waiting() {
		return 0, false
	}
	for n := len(t.returned); n > 0; n = len(t.returned) {
		if job, t.returned = t.returned[n-1], t.returned[:n-1]; t.Table.Open(job) {
			return job, true
		}
	}
	for ; t.position < len(t.order); t.position++ {
		if job = t.order[t.position]; t.Table.Open(job) {
			t.position++
			return job, true
		}
	}
	return 0, false
}

// restart starts again with another order of runs.
func (t *Batch) restart(order []int) { t.order, t.position, t.returned = order, 0, nil }

// skipTooLarge marks a run that needs too much memory as failed, and those that differ only in their
// seeds.
func (t *Batch) skipTooLarge(job int) {
	t.leftOut = true
	p := t.Table.Plan
	cell, _ := p.Cell(job)
	for seed := range p.Seeds {
		if j := p.Job(cell, seed); t.Table.Open(j) {
			t.markFailed(j, "it needs more memory than there is")
		}
	}
}

// MissingWords says that some runs are left out.
func (t *Batch) MissingWords() string {
	if !t.leftOut {
		return ""
	}
	return "Some of it needs more memory than the browser provides, and is omitted."
}

// Done reports whether all runs are computed.
func (t *Batch) Done() bool {
	done, of := t.Table.Done()
	return done == of
}

// Busy reports whether the batch still computes runs.
func (t *Batch) Busy() bool { return !t.ended && !t.Done() }

// Percent returns the percentage of runs computed.
func (t *Batch) Percent() int {
	done, of := t.Table.Done()
	return 100 * done / max(of, 1)
}

// Words describes the batch and its progress.
func (t *Batch) Words() string {
	p := t.Table.Plan
	cells := say.Count(p.Cells(), "value")
	if len(p.Axes) == 2 {
		cells = say.Count(p.Cells(), "pair")
	}
	text := say.Textf("%s × %s", cells, say.Count(p.Seeds, "seed"))
	done, of := t.Table.Done()
	switch {
	case t.Busy():
		return say.Textf("Computing %s … %d%%", text, t.Percent())
	case done < of:
		return say.Textf("Stopped after %d of %s", done, say.Count(of, "run"))
	}
	return text
}

// nearestFirst orders runs so that values near one come first, and a few seeds of all values before
// the other seeds: the shape of the curve appears early, its uncertainty later.
func nearestFirst(p *sweep.Plan, from int) []int {
	const few = 3
	cells := make([]int, p.Cells())
	for i := range cells {
		cells[i] = i
	}
	slices.SortStableFunc(cells, func(a, b int) int { return distance(a, from) - distance(b, from) })
	var order []int
	pass := func(first, last int) {
		for _, c := range cells {
			for seed := first; seed < last; seed++ {
				order = append(order, p.Job(c, seed))
			}
		}
	}
	pass(0, min(few, p.Seeds))
	pass(min(few, p.Seeds), p.Seeds)
	return order
}

func distance(a, b int) int { return max(a-b, b-a) }
