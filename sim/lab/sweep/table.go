package sweep

import (
	"math"
	"slices"

	"flockscope/sim/say"
)

// Table holds the runs of a plan as they arrive.
type Table struct {
	Plan *Plan
	runs []*Run        // by job; nil until a job has been played
	why  []say.Message // by job, if an engine refused it
	done int

	values []float64 // scratch memory of Stat
}

// NewTable returns the empty table of a plan.
func NewTable(p *Plan) *Table {
	return &Table{Plan: p, runs: make([]*Run, p.Jobs()), why: make([]say.Message, p.Jobs())}
}

// Put keeps the outcome of a job. A run with other lanes does not belong to the plan and counts as refused.
func (t *Table) Put(job int, r *Run) {
	if len(r.Lanes) != len(t.Plan.Base.Lanes()) {
		t.Refuse(job, "the run has other methods")
		return
	}
	if t.Open(job) {
		t.done++
	}
	t.runs[job] = r
}

// Refuse records why a job cannot be played.
func (t *Table) Refuse(job int, why say.Message) {
	if t.Open(job) {
		t.done++
	}
	t.why[job] = why
}

// Reopen removes the refusal of a job.
func (t *Table) Reopen(job int) {
	if t.why[job] != "" {
		t.why[job] = ""
		if t.runs[job] == nil {
			t.done--
		}
	}
}

// Open reports whether a job is still to be played.
func (t *Table) Open(job int) bool {
	cell, _ := t.Plan.Cell(job)
	return t.runs[job] == nil && t.why[job] == "" && t.Plan.Fits(cell) == nil
}

// Run returns the outcome of a job, nil if there is none yet.
func (t *Table) Run(job int) *Run { return t.runs[job] }

// Done returns the number of finished jobs, and the number of jobs in cells that fit.
func (t *Table) Done() (done, of int) {
	for c := range t.Plan.Cells() {
		if t.Plan.Fits(c) == nil {
			of += t.Plan.Seeds
		}
	}
	return t.done, of
}

// Why returns why a cell is empty, "" if it is not or is not finished.
func (t *Table) Why(cell int) say.Message {
	if err := t.Plan.Fits(cell); err != nil {
		return say.Of(err)
	}
	for s := range t.Plan.Seeds {
		job := t.Plan.Job(cell, s)
		if t.runs[job] != nil {
			return ""
		}
		if t.why[job] != "" {
			return t.why[job]
		}
	}
	return ""
}

// Stat is a mean over N runs and their standard deviation, with N−1 in the denominator; with fewer than two runs SD is
// 0. Without runs, Mean is NaN.
type Stat struct {
	N        int
	Mean, SD float64
}

// Measure is one of the numbers that a lane ends with.
type Measure uint8

// The measures. Loss and accuracy leave out runs that diverged, whose numbers are those before the divergence; Settled
// leaves out runs that never did; Val and Test exist where there are test clients.
const (
	ARI Measure = iota
	Accuracy
	Misplaced
	Loss
	Settled
	Val
	Test
	Measures int = iota
)

func (m Measure) String() string {
	return [...]string{"ari", "accuracy", "misplaced", "loss", "settled", "val", "test"}[m]
}

// Judges reports whether a measure is about the clustering. Lanes that make no clusters do not have such measures.
func (m Measure) Judges() bool { return m == ARI || m == Misplaced || m == Settled }

// of returns a measure of one lane of a run; ok is false where there is none.
func (t *Table) of(m Measure, r *Run, lane int) (v float64, ok bool) {
	if m.Judges() && t.Plan.Base.Unclustered(lane) {
		return 0, false
	}
	return m.of(r, lane)
}

func (m Measure) of(r *Run, lane int) (v float64, ok bool) {
	o := &r.Lanes[lane]
	switch m {
	case ARI:
		return o.ARI, r.HasTruth
	case Accuracy:
		return o.Accuracy, r.Classifies && o.Diverged < 0
	case Misplaced:
		return float64(o.Misplaced), r.HasTruth
	case Loss:
		return o.Loss, o.Diverged < 0 && !math.IsNaN(o.Loss)
	case Val:
		return o.Val, r.hasTestClients() && o.Diverged < 0
	case Test:
		return o.Test, r.hasTestClients() && o.Diverged < 0
	}
	return float64(o.Settled), o.Settled >= 0
}

// hasTestClients reports whether any lane has test clients.
func (r *Run) hasTestClients() bool {
	return slices.ContainsFunc(r.Lanes, func(o Outcome) bool { return o.Val != 0 || o.Test != 0 })
}

// Has reports whether any lane of any run has the measure.
func (t *Table) Has(m Measure) bool {
	for _, r := range t.runs {
		if r == nil {
			continue
		}
		for lane := range r.Lanes {
			if _, ok := t.of(m, r, lane); ok {
				return true
			}
		}
	}
	return false
}

// Runs returns the number of finished runs of a cell.
func (t *Table) Runs(cell int) int {
	n := 0
	for s := range t.Plan.Seeds {
		if t.runs[t.Plan.Job(cell, s)] != nil {
			n++
		}
	}
	return n
}

// Stat returns the measure of a lane over the runs of a cell, summed in the order of seeds, so that the bits do not
// depend on the order in which runs finish.
func (t *Table) Stat(cell, lane int, m Measure) Stat {
	t.values = t.values[:0]
	for seed := range t.Plan.Seeds {
		if v, ok := t.Value(t.Plan.Job(cell, seed), lane, m); ok {
			t.values = append(t.values, v)
		}
	}
	return StatOf(t.values)
}

// StatOf returns mean and standard deviation of values, summed in their order.
func StatOf(values []float64) Stat {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	s := Stat{N: len(values), Mean: sum / float64(len(values))} // NaN if there are no runs
	if s.N < 2 {
		return s
	}
	square := 0.0
	for _, v := range values {
		square += float64((v - s.Mean) * (v - s.Mean))
	}
	s.SD = math.Sqrt(square / float64(s.N-1))
	return s
}

// Value returns the measure of a lane in one run; ok is false where there is none.
func (t *Table) Value(job, lane int, m Measure) (v float64, ok bool) {
	if t.runs[job] == nil {
		return 0, false
	}
	return t.of(m, t.runs[job], lane)
}
