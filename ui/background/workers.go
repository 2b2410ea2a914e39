// Package background plays whole runs in workers, for previews along sliders and for
// sweeps, while the page does something else.
//
//	workers.go   hands jobs to workers: engines that play one run at a time
//	trials.go    a sweep that is being filled, with what is still to be played
//	previews.go  how every lane would end along the range of a slider
//	sweep.go     the sweep that a person asks for
//	kept.go      the records of a sweep, which outlive the page
//	results.go   files of results
package background

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

// Page is what the background sees of the page, and asks of it.
type Page interface {
	Host() host.Host
	Config() experiment.Config
	Run() *trace.Run        // on screen, nil for none
	RunTime() float64       // of the run asked for last, in ms
	Complete() bool         // the run on screen has all of its rounds
	Computing() bool        // a run is computed for the page
	Waiting() bool          // nobody sees the page, or a setting is on the move
	Crowded() bool          // pictures that follow each other need all processors
	HasWorkers() bool       // engines can be had in workers
	Processors() int        // how many workers may be busy at a time
	Hero() *param.Field     // the setting at hand, nil for none
	PreviewsUnasked() bool  // sliders may have previews that nobody asked for
	Dragged() string        // key of the slider on the move, "" for none
	Measure() sweep.Measure // what the curves show
	Title(lane int) string  // of a lane
	TitleIn(c experiment.Config, lane int) string
	SweepOpen() bool          // the sheet of the sweep is open
	Show(c experiment.Config) // puts a run on screen; undoing brings back what was there
	CloseSheet()
	Parse(query string) (experiment.Config, []experiment.Problem)
	Files() (names []string, hash string) // that the experiment is about
}

// Background is what goes on beside the page. Workers come when there is something to
// try, stop while a run is computed for the page itself, and go when they have been
// idle for long.
type Background struct {
	Sweep Sweep

	page     Page
	previews []*Preview // that of the page's own choice first
	// dismissed are the sliders from which the person took the preview away.
	dismissed map[string]bool

	jobs    []job   // by worker
	want    int     // how many workers there should be
	id      uint32  // of the newest job
	changed float64 // when a setting was changed last, in ms
	idle    float64 // since when there has been nothing to do, in ms; −1 while there is
	lost    int     // how many workers have stopped by themselves
}

// New returns the background of a page.
func New(page Page) *Background {
	return &Background{page: page, dismissed: map[string]bool{}, idle: -1}
}

// job is what a worker does.
type job struct {
	ready bool   // the worker has started
	id    uint32 // of the message it answers, 0 while it does nothing
	trial *Trial
	run   int // of the trial
}

// Times in ms: how long settings must have stood still before something is tried,
// and how long workers stay for nothing.
const (
	Settle      = 400
	IdleTimeout = 20000
	MostLost    = 3 // workers that may be lost before the page goes without
)

// Changed notes that a setting has changed.
func (b *Background) Changed() { b.changed = b.page.Host().Now() }

// Available reports whether anything can be tried in the background: not without
// workers.
func (b *Background) Available() bool { return b.page.HasWorkers() && b.lost <= MostLost }

// Workers is how many there are.
func (b *Background) Workers() int { return len(b.jobs) }

// workerCount is how many workers there may be: the page's own engines keep one
// processor.
func (b *Background) workerCount() int {
	const most = 7
	return max(1, min(b.page.Processors()-1, most))
}

// trials are all that is being tried, the most important first. What nobody has
// asked for waits while it is crowded.
func (b *Background) trials() []*Trial {
	var out []*Trial
	if b.Sweep.Trial != nil {
		out = append(out, b.Sweep.Trial)
	}
	for _, p := range b.previews {
		if p.Trial != nil && !(p.Auto && b.page.Crowded()) {
			out = append(out, p.Trial)
		}
	}
	return out
}

func (b *Background) change(what host.Change) { b.page.Host().Change(what) }

// Dispatch gives workers something to do, if it is time. It is called whenever
// that may have changed.
func (b *Background) Dispatch() {
	b.dismissStale()
	if b.page.Computing() || b.page.Waiting() || !b.Available() {
		return
	}
	if wait := b.changed + Settle - b.page.Host().Now(); wait > 0 {
		b.page.Host().Wake(wait)
		return
	}
	b.renewPreviews()
	trials := b.trials()
	if !slices.ContainsFunc(trials, (*Trial).Busy) {
		if b.dismissIdle(); b.page.Crowded() {
			b.page.Host().Wake(Settle)
		}
		return
	}
	b.idle = -1
	if n := b.workerCount(); b.want != n {
		b.want = n
		b.page.Host().SetWorkers(n)
	}
	for i := range b.jobs {
		if e := &b.jobs[i]; e.ready && e.id == 0 {
			b.send(i, trials)
		}
	}
}

// send hands a worker the most important job there is.
func (b *Background) send(worker int, trials []*Trial) {
	for _, t := range trials {
		run, ok := t.next()
		if !ok {
			continue
		}
		b.id++
		b.jobs[worker] = job{true, b.id, t, run}
		var m wire.Message
		m.Reset(b.id)
		if t.kept != nil && t.kept.plan.Floats > 0 {
			m.Text(wire.Budget, param.FormatFloat(t.kept.plan.Floats))
		}
		m.Text(wire.Try, t.Table.Plan.Config(run).String())
		b.page.Host().SendWorker(worker, m.Bytes())
		return
	}
}

// dismissIdle sends workers home that have had nothing to do for long.
func (b *Background) dismissIdle() {
	switch now := b.page.Host().Now(); {
	case b.want == 0:
	case b.idle < 0:
		b.idle = now
		b.page.Host().Wake(IdleTimeout)
	case now-b.idle >= IdleTimeout:
		b.dismiss()
	default:
		b.page.Host().Wake(b.idle + IdleTimeout - now)
	}
}

// dismiss sends all workers home.
func (b *Background) dismiss() {
	b.recall(func(*Trial) bool { return true })
	b.jobs, b.want = nil, 0
	b.page.Host().SetWorkers(0)
}

// Forget lets go of what was tried with other files. Workers that come later
// are told of the new ones. A sweep that is being looked at is asked for anew: it may be
// about the new files.
func (b *Background) Forget() {
	for _, p := range b.previews {
		p.Trial, p.at = nil, nil
	}
	b.release(b.Sweep.Trial)
	b.Sweep.Trial = nil
	if b.page.SweepOpen() && b.Sweep.Results == nil {
		b.page.Host().RecallSweep()
	}
	if b.want > 0 {
		b.dismiss()
	}
	b.change(host.Shell | host.Previews)
}

// dismissStale ends the runs of trials that nobody wants any more.
func (b *Background) dismissStale() {
	trials := b.trials()
	b.recall(func(t *Trial) bool { return t.ended || !slices.Contains(trials, t) })
}

// Yield ends what workers do while a run is computed for the page: it has all
// processors for itself. What they were at is played later.
func (b *Background) Yield() { b.recall(func(*Trial) bool { return true }) }

// recall ends the jobs for some of the trials.
func (b *Background) recall(these func(*Trial) bool) {
	for i := range b.jobs {
		e := &b.jobs[i]
		if e.id == 0 || !these(e.trial) {
			continue
		}
		e.trial.back = append(e.trial.back, e.run)
		var m wire.Message
		m.Reset(e.id)
		m.Record(wire.Cancel, nil)
		b.page.Host().SendWorker(i, m.Bytes())
		*e = job{ready: e.ready}
	}
}

// Ready tells that a worker has started; those before it are there.
func (b *Background) Ready(n int) {
	for len(b.jobs) <= n {
		b.jobs = append(b.jobs, job{})
	}
	b.jobs[n] = job{ready: true}
	b.Dispatch()
}

// An End is why a worker is no more.
type End uint8

// The ways in which workers end.
const (
	Broke  End = iota // it stopped by itself
	Full              // for want of memory
	Called            // another one had stopped
)

// Lost tells that a worker is no more. Another one may come in its place.
func (b *Background) Lost(n int, end End) {
	var e job
	if n < len(b.jobs) {
		e, b.jobs[n] = b.jobs[n], job{}
	}
	busy := e.id != 0
	switch {
	case end == Called && busy:
		e.trial.back = append(e.trial.back, e.run)
	case end == Called:
	case end == Full && busy:
		e.trial.tooLarge(e.run) // and what is smaller may well fit
	default:
		b.lost++
		if busy { // what ended this one might end the next
			e.trial.refuse(e.run, "the engine stopped")
		}
	}
	if !b.Available() {
		b.dismiss()
		b.change(host.Shell | host.Previews)
	}
}

// Receive takes a message from a worker.
func (b *Background) Receive(n int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil || n >= len(b.jobs) || b.jobs[n].id != id || id == 0 {
		return // about a file, or about a run that was called off
	}
	e := &b.jobs[n]
	for kind, payload := range records {
		switch kind {
		case wire.Tried:
			if r, err := plan.ParseRecord(payload); err == nil {
				e.trial.put(e.run, &r)
			} else {
				e.trial.refuse(e.run, say.Messagef("the record %s", err))
			}
		case wire.Refused:
			e.trial.refuse(e.run, say.Message(payload))
		}
	}
	told := host.Previews
	if b.tells(e.trial) {
		told |= host.Live
	}
	if e.trial.Done() {
		told |= host.Shell
		b.release(e.trial)
	}
	*e = job{ready: true}
	b.change(told)
	b.Dispatch()
}

// tells reports whether somebody reads how far a trial is.
func (b *Background) tells(t *Trial) bool {
	return t == b.Sweep.Trial && b.page.SweepOpen() ||
		slices.ContainsFunc(b.previews, func(s *Preview) bool { return s.Trial == t && !s.Auto })
}
