// Package jobs computes whole runs in web workers, for previews along sliders and for sweeps, while
// the page computes nothing itself.
//
// workers.go   starts workers, engines that play one run at a time, and sends them jobs batch.go the
// runs of a sweep or preview, and which are still to be computed previews.go  the outcome of every
// lane along the range of a slider sweep.go     the sweep that the user defines records.go   the
// records of a sweep, which the browser stores results.go   files of results that the user opens
package jobs

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Page is the state of the page that jobs depend on. The page updates it before each call.
type Page struct {
	Effects *host.Effects
	Now     float64 // in ms

	Schema             *experiment.Schema
	Config             experiment.Config
	Title              func(c experiment.Config, lane int) string
	Run                *trace.Run      // on screen, nil for none
	RunTime            float64         // of the last requested run, in ms
	Complete           bool            // the run on screen has all of its rounds
	Computing          bool            // engines compute a run for the page
	Paused             bool            // the page is hidden, or the user drags a setting
	NeedsAllProcessors bool            // playing needs all processors
	HasWorkers         bool            // the browser can run engines in workers
	Processors         int             // maximum number of busy workers
	MainSetting        *param.Field    // the setting shown without the panel, nil for none
	AutoPreviews       bool            // sliders may have previews that the user has not requested
	Dragged            string          // key of the slider being dragged, "" for none
	Measure            sweep.Measure   // that of the curves
	SweepOpen          bool            // the sheet of the sweep is open
	StartMessages      func() [][]byte // messages that a new worker needs first
	FileNames          []string        // files of the experiment
	FilesHash          string          // their hash, as the flock command computes it
}

// Jobs are the background jobs of the page. Workers start when there are jobs, pause while engines
// compute a run for the page, and end after some idle time.
type Jobs struct {
	Sweep Sweep

	Page     Page       // set by the page
	previews []*Preview // the automatic one first
	// dismissed are the keys of sliders whose automatic preview the user has removed.
	dismissed map[string]bool

	jobs          []job   // by worker
	workersWanted int     // target number of workers
	id            uint32  // of the last job
	lastChange    float64 // when a setting changed last, in ms
	idleSince     float64 // start of the idle time, in ms; −1 while there are jobs
	workersLost   int     // how many workers have crashed
}

// New returns empty jobs.
func New() *Jobs { return &Jobs{dismissed: map[string]bool{}, idleSince: -1} }

// job is the state of a worker.
type job struct {
	ready bool   // the worker has started
	id    uint32 // of the pending message, 0 if the worker is idle
	batch *Batch
	run   int // of the batch
}

// Times in ms.
const (
	SettleTime     = 400   // time after a change of settings before jobs start
	IdleTimeout    = 20000 // idle time after which workers end
	MaxLostWorkers = 3     // crashed workers after which the page has no more jobs
)

// SettingChanged records that a setting has changed.
func (b *Jobs) SettingChanged() { b.lastChange = b.Page.Now }

// Available reports whether the browser can compute jobs.
func (b *Jobs) Available() bool { return b.Page.HasWorkers && b.workersLost <= MaxLostWorkers }

// Workers returns how many workers have started.
func (b *Jobs) Workers() (n int) {
	for i := range b.jobs {
		if b.jobs[i].ready {
			n++
		}
	}
	return n
}

// workerCount returns the maximum number of workers: the page's own engines keep one processor.
func (b *Jobs) workerCount() int {
	const most = 7
	return max(1, min(b.Page.Processors-1, most))
}

// activeBatches returns the batches to compute, the most important first. Automatic previews wait
// while playing needs all processors.
func (b *Jobs) activeBatches() []*Batch {
	var out []*Batch
	if b.Sweep.Batch != nil {
		out = append(out, b.Sweep.Batch)
	}
	for _, p := range b.previews {
		if p.Batch != nil && !(p.Auto && b.Page.NeedsAllProcessors) {
			out = append(out, p.Batch)
		}
	}
	return out
}

func (b *Jobs) redraw(what host.Change) { b.Page.Effects.Redraw(what) }

// Dispatch sends jobs to idle workers if it is time. The page calls it after every change that
// matters.
func (b *Jobs) Dispatch() {
	b.cancelStale()
	if b.Page.Computing || b.Page.Paused || !b.Available() {
		return
	}
	if wait := b.lastChange + SettleTime - b.Page.Now; wait > 0 {
		b.Page.Effects.Do(host.Wake{After: wait})
		return
	}
	b.renewPreviews()
	batches := b.activeBatches()
	if !slices.ContainsFunc(batches, (*Batch).Busy) {
		if b.endIdleWorkers(); b.Page.NeedsAllProcessors {
			b.Page.Effects.Do(host.Wake{After: SettleTime})
		}
		return
	}
	b.idleSince = -1
	if n := b.workerCount(); b.workersWanted != n {
		b.setWorkers(n)
	}
	for i := range b.jobs {
		if e := &b.jobs[i]; e.ready && e.id == 0 {
			b.sendRun(i, batches)
		}
	}
}

// sendRun sends a worker the most important run.
func (b *Jobs) sendRun(worker int, batches []*Batch) {
	for _, t := range batches {
		run, ok := t.nextRun()
		if !ok {
			continue
		}
		b.id++
		b.jobs[worker] = job{true, b.id, t, run}
		var m wire.Message
		m.Reset(b.id)
		if t.sweepRecords != nil && t.sweepRecords.plan.Floats > 0 {
			m.Text(wire.Budget, param.FormatFloat(t.sweepRecords.plan.Floats))
		}
		m.Text(wire.Measure, t.Table.Plan.Config(run).String())
		b.Page.Effects.Do(host.SendWorker{Worker: worker, Message: slices.Clone(m.Bytes())})
		return
	}
}

// endIdleWorkers ends workers after the idle timeout.
func (b *Jobs) endIdleWorkers() {
	switch now := b.Page.Now; {
	case b.workersWanted == 0:
	case b.idleSince < 0:
		b.idleSince = now
		b.Page.Effects.Do(host.Wake{After: IdleTimeout})
	case now-b.idleSince >= IdleTimeout:
		b.endWorkers()
	default:
		b.Page.Effects.Do(host.Wake{After: b.idleSince + IdleTimeout - now})
	}
}

// endWorkers ends all workers.
func (b *Jobs) endWorkers() {
	b.cancel(func(*Batch) bool { return true })
	b.setWorkers(0)
}

// ForgetFiles drops results of other files and ends the workers that have them. If the sheet of the
// sweep is open, it recalls the stored sweep, which may be about the new files.
func (b *Jobs) ForgetFiles() {
	for _, p := range b.previews {
		p.Batch, p.positions = nil, nil
	}
	b.releaseSweep(b.Sweep.Batch)
	b.Sweep.Batch = nil
	if b.Page.SweepOpen && b.Sweep.Results == nil {
		b.Page.Effects.Do(host.RecallSweep{})
	}
	if b.workersWanted > 0 {
		b.endWorkers()
	}
	b.redraw(host.Shell | host.Previews)
}

// cancelStale cancels runs of batches that are no longer active.
func (b *Jobs) cancelStale() {
	batches := b.activeBatches()
	b.cancel(func(t *Batch) bool { return t.ended || !slices.Contains(batches, t) })
}

// PauseAll cancels all runs of workers, because a run for the page needs all processors. They are
// repeated later.
func (b *Jobs) PauseAll() { b.cancel(func(*Batch) bool { return true }) }

// cancel cancels the runs of the batches for which these returns true.
func (b *Jobs) cancel(these func(*Batch) bool) {
	for i := range b.jobs {
		e := &b.jobs[i]
		if e.id == 0 || !these(e.batch) {
			continue
		}
		e.batch.returned = append(e.batch.returned, e.run)
		var m wire.Message
		m.Reset(e.id)
		m.Record(wire.Cancel, nil)
		b.Page.Effects.Do(host.SendWorker{Worker: i, Message: slices.Clone(m.Bytes())})
		*e = job{ready: e.ready}
	}
}

// setWorkers sets the number of workers. They start one after another, to limit the load on slow
// machines.
func (b *Jobs) setWorkers(n int) {
	if b.workersWanted = n; len(b.jobs) > n {
		b.jobs = b.jobs[:n]
		b.Page.Effects.Do(host.CloseWorkers{From: n})
	}
	b.startNext()
}

// startNext starts the next worker, up to the target number.
func (b *Jobs) startNext() {
	n := len(b.jobs)
	if n >= b.workersWanted || !b.Available() || n > 0 && !b.jobs[n-1].ready {
		return
	}
	b.jobs = append(b.jobs, job{})
	b.Page.Effects.Do(host.StartWorker{Worker: n})
	for _, message := range b.Page.StartMessages() {
		b.Page.Effects.Do(host.SendWorker{Worker: n, Message: message})
	}
}

// WorkerStarted handles the start of a worker. A worker on the main thread would block the page and
// is ended.
func (b *Jobs) WorkerStarted(n int, onMainThread bool) {
	switch {
	case n >= len(b.jobs):
	case onMainThread:
		b.WorkerLost(n, Crashed)
	default:
		b.jobs[n] = job{ready: true}
		b.Dispatch()
		b.startNext()
	}
}

// EndReason is why a worker has stopped.
type EndReason uint8

// Reasons why workers stop.
const (
	Crashed     EndReason = iota // an error
	OutOfMemory                  // lack of memory
)

// WorkerLost handles the end of a worker. It ends the workers after it, too, and starts
// replacements.
func (b *Jobs) WorkerLost(n int, end EndReason) {
	if n >= len(b.jobs) {
		return
	}
	lost, behind := b.jobs[n], b.jobs[n+1:]
	for i := range behind {
		if behind[i].id != 0 {
			behind[i].batch.returned = append(behind[i].batch.returned, behind[i].run)
		}
	}
	b.jobs = b.jobs[:n]
	b.Page.Effects.Do(host.CloseWorkers{From: n})
	switch busy := lost.id != 0; {
	case end == OutOfMemory && busy:
		lost.batch.skipTooLarge(lost.run) // smaller runs may fit
	default:
		b.workersLost++
		if busy { // the run might crash the next worker, too
			lost.batch.markFailed(lost.run, "the engine stopped")
		}
	}
	if !b.Available() {
		b.endWorkers()
		b.redraw(host.Shell | host.Previews)
	}
	b.startNext()
}

// Receive handles a message of a worker.
func (b *Jobs) Receive(n int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil || n >= len(b.jobs) || b.jobs[n].id != id || id == 0 {
		return // about a file, or of a cancelled run
	}
	e := &b.jobs[n]
	for kind, payload := range records {
		switch kind {
		case wire.Measured:
			if r, err := plan.ParseRecord(payload); err == nil {
				e.batch.storeResult(e.run, &r)
			} else {
				e.batch.markFailed(e.run, say.Messagef("the record %s", err))
			}
		case wire.Refused:
			e.batch.markFailed(e.run, say.Message(payload))
		}
	}
	parts := host.Previews
	if b.isFollowed(e.batch) {
		parts |= host.Live
	}
	if e.batch.Done() {
		parts |= host.Shell
		b.releaseSweep(e.batch)
	}
	*e = job{ready: true}
	b.redraw(parts)
	b.Dispatch()
}

// isFollowed reports whether the page shows the progress of a batch.
func (b *Jobs) isFollowed(t *Batch) bool {
	return t == b.Sweep.Batch && b.Page.SweepOpen ||
		slices.ContainsFunc(b.previews, func(s *Preview) bool { return s.Batch == t && !s.Auto })
}
