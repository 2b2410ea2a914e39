package jobs

import (
	"slices"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
)

// Batch is a sweep that is being filled in the background.
type Batch struct {
	Table    *sweep.Table
	order    []int // its jobs, as they are wanted
	at       int   // those before it have been handed out,
	returned []int // and these have come back unplayed
	ended    bool  // the person has enough
	leftOut  bool  // some runs needed too much memory

	sweepRecords *sweepRecords // of a sweep; nil for a preview
}

// newBatch returns a trial that plays jobs in this order.
func newBatch(p *sweep.Plan, order []int) *Batch {
	return &Batch{Table: sweep.NewTable(p), order: order}
}

// next hands out the next run; ok is false when there is none.
func (t *Batch) next() (job int, ok bool) {
	if t.ended || t.Waiting() {
		return 0, false
	}
	for n := len(t.returned); n > 0; n = len(t.returned) {
		if job, t.returned = t.returned[n-1], t.returned[:n-1]; t.Table.Open(job) {
			return job, true
		}
	}
	for ; t.at < len(t.order); t.at++ {
		if job = t.order[t.at]; t.Table.Open(job) {
			t.at++
			return job, true
		}
	}
	return 0, false
}

// restart begins again with jobs in another order.
func (t *Batch) restart(order []int) { t.order, t.at, t.returned = order, 0, nil }

// tooLarge leaves out a run that no memory was enough for, and those that differ
// from it in nothing but their seeds.
func (t *Batch) tooLarge(job int) {
	t.leftOut = true
	p := t.Table.Plan
	cell, _ := p.Cell(job)
	for seed := range p.Seeds {
		if j := p.Job(cell, seed); t.Table.Open(j) {
			t.refuse(j, "it needs more memory than there is")
		}
	}
}

// MissingWords says that something is left out for good.
func (t *Batch) MissingWords() string {
	if !t.leftOut {
		return ""
	}
	return "Some of it needs more memory than the browser provides, and is omitted."
}

// Done reports whether all runs are there.
func (t *Batch) Done() bool {
	done, of := t.Table.Done()
	return done == of
}

// Busy reports whether runs are still to come.
func (t *Batch) Busy() bool { return !t.ended && !t.Done() }

// Percent is how far the trial is.
func (t *Batch) Percent() int {
	done, of := t.Table.Done()
	return 100 * done / max(of, 1)
}

// Words say what is tried and how far it is.
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

// nearestFirst orders jobs so that the values near one, by their places, come first,
// and a few seeds of all values before the rest of the seeds: what the curve is
// like is seen early, how sure it is comes later.
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
