// Package background plays whole runs in workers, for previews along sliders and for
// sweeps, while the page does something else.
//
//	workers.go   hands jobs to workers: engines that play one run at a time
//	batch.go     a sweep that is being filled, with what is still to be played
//	previews.go  how every lane would end along the range of a slider
//	sweep.go     the sweep that a person asks for
//	records.go   the records of a sweep, which outlive the page
//	results.go   files of results
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

// Page is what the jobs know of the page, which fills it in before it calls.
type Page struct {
	Effects *host.Effects
	Now     float64 // in ms

	Schema             *experiment.Schema
	Config             experiment.Config
	Title              func(c experiment.Config, lane int) string
	Run                *trace.Run      // on screen, nil for none
	RunTime            float64         // of the run asked for last, in ms
	Complete           bool            // the run on screen has all of its rounds
	Computing          bool            // a run is computed for the page
	Paused             bool            // nobody sees the page, or a setting is on the move
	NeedsAllProcessors bool            // pictures that follow each other need all processors
	HasWorkers         bool            // engines can be had in workers
	Processors         int             // how many workers may be busy at a time
	MainSetting        *param.Field    // the setting at hand, nil for none
	AutoPreviews       bool            // sliders may have previews that nobody asked for
	Dragged            string          // key of the slider on the move, "" for none
	Measure            sweep.Measure   // what the curves show
	SweepOpen          bool            // the sheet of the sweep is open
	StartMessages      func() [][]byte // messages that a new worker needs first
	FileNames          []string        // the files that the experiment is about
	FilesHash          string          // the hash that flock has of them
}

// Jobs is what goes on beside the page. Workers come when there is something to
// try, stop while a run is computed for the page itself, and go when they have been
// idle for long.
type Jobs struct {
	Sweep Sweep

	Page     Page       // as the page has filled it in
	previews []*Preview // that of the page's own choice first
	// dismissed are the sliders from which the person took the preview away.
	dismissed map[string]bool

	jobs          []job   // by worker
	workersWanted int     // how many workers there should be
	id            uint32  // of the newest job
	lastChange    float64 // when a setting was changed last, in ms
	idleSince     float64 // since when there has been nothing to do, in ms; −1 while there is
	workersLost   int     // how many workers have stopped by themselves
}

// New returns jobs at rest.
func New() *Jobs { return &Jobs{dismissed: map[string]bool{}, idleSince: -1} }

// job is what a worker does.
type job struct {
	ready bool   // the worker has started
	id    uint32 // of the message it answers, 0 while it does nothing
	batch *Batch
	run   int // of the trial
}

// Times in ms: how long settings must have stood still before something is tried,
// and how long workers stay for nothing.
const (
	SettleTime     = 400
	IdleTimeout    = 20000
	MaxLostWorkers = 3 // workers that may be lost before the page goes without
)

// SettingChanged notes that a setting has changed.
func (b *Jobs) SettingChanged() { b.lastChange = b.Page.Now }

// Available reports whether anything can be tried in the background: not without
// workers.
func (b *Jobs) Available() bool { return b.Page.HasWorkers && b.workersLost <= MaxLostWorkers }

// Workers is how many have started.
func (b *Jobs) Workers() (n int) {
	for i := range b.jobs {
		if b.jobs[i].ready {
			n++
		}
	}
	return n
}

// workerCount is how many workers there may be: the page's own engines keep one
// processor.
func (b *Jobs) workerCount() int {
	const most = 7
	return max(1, min(b.Page.Processors-1, most))
}

// activeBatches are all that is being tried, the most important first. What nobody has
// asked for waits while it is crowded.
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

// Dispatch gives workers something to do, if it is time. It is called whenever
// that may have changed.
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
	trials := b.activeBatches()
	if !slices.ContainsFunc(trials, (*Batch).Busy) {
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
			b.sendRun(i, trials)
		}
	}
}

// sendRun hands a worker the most important job there is.
func (b *Jobs) sendRun(worker int, trials []*Batch) {
	for _, t := range trials {
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

// endIdleWorkers sends workers home that have had nothing to do for long.
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

// endWorkers sends all workers home.
func (b *Jobs) endWorkers() {
	b.cancel(func(*Batch) bool { return true })
	b.setWorkers(0)
}

// ForgetFiles lets go of what was tried with other files. Workers that come later
// are told of the new ones. A sweep that is being looked at is asked for anew: it may be
// about the new files.
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

// cancelStale ends the runs of trials that nobody wants any more.
func (b *Jobs) cancelStale() {
	trials := b.activeBatches()
	b.cancel(func(t *Batch) bool { return t.ended || !slices.Contains(trials, t) })
}

// PauseAll ends what workers do while a run is computed for the page: it has all
// processors for itself. What they were at is played later.
func (b *Jobs) PauseAll() { b.cancel(func(*Batch) bool { return true }) }

// cancel ends the jobs for some of the trials.
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

// setWorkers brings the number of workers to n: they start one after the other, so that a
// slow machine is not overrun.
func (b *Jobs) setWorkers(n int) {
	if b.workersWanted = n; len(b.jobs) > n {
		b.jobs = b.jobs[:n]
		b.Page.Effects.Do(host.CloseWorkers{From: n})
	}
	b.startNext()
}

// startNext starts the next worker if there should be more.
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

// WorkerStarted notes that a worker has started. One on the page's own thread would be in its way.
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

// An End is why a worker is no more.
type EndReason uint8

// The ways in which workers end.
const (
	Crashed     EndReason = iota // it stopped by itself
	OutOfMemory                  // for want of memory
)

// WorkerLost notes that a worker is no more. Those behind it are ended too, and others come in
// their places.
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
		lost.batch.skipTooLarge(lost.run) // and what is smaller may well fit
	default:
		b.workersLost++
		if busy { // what ended this one might end the next
			lost.batch.markFailed(lost.run, "the engine stopped")
		}
	}
	if !b.Available() {
		b.endWorkers()
		b.redraw(host.Shell | host.Previews)
	}
	b.startNext()
}

// Receive takes a message from a worker.
func (b *Jobs) Receive(n int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil || n >= len(b.jobs) || b.jobs[n].id != id || id == 0 {
		return // about a file, or about a run that was called off
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
	told := host.Previews
	if b.isFollowed(e.batch) {
		told |= host.Live
	}
	if e.batch.Done() {
		told |= host.Shell
		b.releaseSweep(e.batch)
	}
	*e = job{ready: true}
	b.redraw(told)
	b.Dispatch()
}

// isFollowed reports whether somebody reads how far a trial is.
func (b *Jobs) isFollowed(t *Batch) bool {
	return t == b.Sweep.Batch && b.Page.SweepOpen ||
		slices.ContainsFunc(b.previews, func(s *Preview) bool { return s.Batch == t && !s.Auto })
}
