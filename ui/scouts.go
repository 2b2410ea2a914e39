package ui

import (
	"slices"

	"flockscope/sim/sweep"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Scouts are engines that play whole runs for trials and tell how they ended,
// one run at a time each. They come when there is something to try, rest while a
// run is computed for the page itself, and go when they have been idle for long.
type scouts struct {
	errands []errand // by scout
	want    int      // how many there should be
	id      uint32   // of the newest errand
	changed float64  // when a setting was changed last, in ms
	idle    float64  // since when there has been nothing to do, in ms; −1 while there is
	lost    int      // how many have stopped by themselves
}

// errand is what a scout does.
type errand struct {
	ready bool   // it has started
	id    uint32 // of the message it answers, 0 while it does nothing
	trial *Trial
	job   int
}

// Times in ms: how long settings must have stood still before something is tried,
// and how long scouts stay for nothing.
const (
	settle  = 400
	loiter  = 20000
	willing = 3 // scouts that may be lost before the page goes without
)

// MayTry reports whether anything can be tried in the background: not without
// workers.
func (a *App) MayTry() bool {
	return a.Problem == "" && a.How != "main thread" && a.scouts.lost <= willing
}

// scoutCount is how many scouts there may be: the page's own engines keep one
// processor.
func (a *App) scoutCount() int {
	const most = 7
	return max(1, min(a.workers()-1, most))
}

// workers is how many may be at work at a time.
func (a *App) workers() int {
	if a.Workers > 0 {
		return a.Workers
	}
	return a.Processors
}

// crowded reports that pictures which follow each other need all processors: the
// page takes one, and the browser much of another.
func (a *App) crowded() bool { return a.Playing && !a.Frame.Loop && a.workers() <= 2 }

// tight reports that the engines are at work on all processors, of which there are so
// few that it is felt when the page takes its part.
func (a *App) tight() bool {
	const few = 2
	at := a.requests.at
	return a.computes() && at > 0 && a.Processors > 0 && a.Processors <= few && at*(1+a.shards()) >= a.Processors
}

// trials are all that is being tried, the most important first. What nobody has
// asked for waits while it is crowded.
func (a *App) trials() []*Trial {
	var out []*Trial
	if a.Sweep.Trial != nil {
		out = append(out, a.Sweep.Trial)
	}
	for _, s := range a.scents {
		if s.Trial != nil && !(s.Auto && a.crowded()) {
			out = append(out, s.Trial)
		}
	}
	return out
}

// Dispatch gives scouts something to do, if it is time. It is called whenever
// that may have changed.
func (a *App) Dispatch() {
	s := &a.scouts
	a.dismissStale()
	if _, computing := a.underWay(); computing || a.held || a.editing != "" || !a.MayTry() {
		return
	}
	if wait := s.changed + settle - a.Host.Now(); wait > 0 {
		a.Host.Wake(wait)
		return
	}
	a.renewScents()
	trials := a.trials()
	if !slices.ContainsFunc(trials, (*Trial).Busy) {
		if a.loiter(); a.crowded() {
			a.Host.Wake(settle)
		}
		return
	}
	s.idle = -1
	if n := a.scoutCount(); s.want != n {
		s.want = n
		a.Host.SetWorkers(n)
	}
	for i := range s.errands {
		if e := &s.errands[i]; e.ready && e.id == 0 {
			a.send(i, trials)
		}
	}
}

// send hands a scout the most important job there is.
func (a *App) send(scout int, trials []*Trial) {
	for _, t := range trials {
		job, ok := t.take()
		if !ok {
			continue
		}
		a.scouts.id++
		a.scouts.errands[scout] = errand{true, a.scouts.id, t, job}
		var m wire.Message
		m.Reset(a.scouts.id)
		m.Text(wire.Try, t.Table.Plan.Config(job).String())
		a.Host.SendWorker(scout, m.Bytes())
		return
	}
}

// loiter sends scouts home that have had nothing to do for long.
func (a *App) loiter() {
	s := &a.scouts
	switch now := a.Host.Now(); {
	case s.want == 0:
	case s.idle < 0:
		s.idle = now
		a.Host.Wake(loiter)
	case now-s.idle >= loiter:
		a.dismiss()
	default:
		a.Host.Wake(s.idle + loiter - now)
	}
}

// dismiss sends all scouts home.
func (a *App) dismiss() {
	a.recall(func(*Trial) bool { return true })
	a.scouts.errands, a.scouts.want = nil, 0
	a.Host.SetWorkers(0)
}

// forgetTrials lets go of what was tried with other files. Scouts that come later
// are told of the new ones.
func (a *App) forgetTrials() {
	for _, s := range a.scents {
		s.Trial, s.at = nil, nil
	}
	a.Sweep.Trial = nil
	if a.scouts.want > 0 {
		a.dismiss()
	}
	a.Host.Change(host.Shell | host.Tries)
}

// dismissStale ends the runs of trials that nobody wants any more.
func (a *App) dismissStale() {
	trials := a.trials()
	a.recall(func(t *Trial) bool { return t.ended || !slices.Contains(trials, t) })
}

// makeWay ends what scouts do while a run is computed for the page: it has all
// processors for itself. What they were at is played later.
func (a *App) makeWay() { a.recall(func(*Trial) bool { return true }) }

// recall ends the errands for some of the trials.
func (a *App) recall(these func(*Trial) bool) {
	for i := range a.scouts.errands {
		e := &a.scouts.errands[i]
		if e.id == 0 || !these(e.trial) {
			continue
		}
		e.trial.back = append(e.trial.back, e.job)
		var m wire.Message
		m.Reset(e.id)
		m.Record(wire.Cancel, nil)
		a.Host.SendWorker(i, m.Bytes())
		*e = errand{ready: e.ready}
	}
}

// ScoutReady tells that a scout has started; those before it are there.
func (a *App) ScoutReady(n int) {
	for len(a.scouts.errands) <= n {
		a.scouts.errands = append(a.scouts.errands, errand{})
	}
	a.scouts.errands[n] = errand{ready: true}
	a.Dispatch()
}

// An End is why a scout is no more.
type End uint8

// The ways in which scouts end.
const (
	Broke  End = iota // it stopped by itself
	Full              // for want of memory
	Called            // another one had stopped
)

// ScoutLost tells that a scout is no more. Another one may come in its place.
func (a *App) ScoutLost(n int, end End) {
	s := &a.scouts
	var e errand
	if n < len(s.errands) {
		e, s.errands[n] = s.errands[n], errand{}
	}
	busy := e.id != 0
	switch {
	case end == Called && busy:
		e.trial.back = append(e.trial.back, e.job)
	case end == Called:
	case end == Full && busy:
		e.trial.tooLarge(e.job) // and what is smaller may well fit
	default:
		s.lost++
		if busy { // what ended this one might end the next
			e.trial.Table.Refuse(e.job, "the engine stopped")
		}
	}
	if !a.MayTry() {
		a.dismiss()
		a.Host.Change(host.Shell | host.Tries)
	}
}

// ReceiveScout takes a message from a scout.
func (a *App) ReceiveScout(n int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil || n >= len(a.scouts.errands) || a.scouts.errands[n].id != id || id == 0 {
		return // about a file, or about a run that was called off
	}
	e := &a.scouts.errands[n]
	for kind, payload := range records {
		switch kind {
		case wire.Tried:
			if r, err := sweep.DecodeRun(payload); err == nil {
				e.trial.Table.Put(e.job, r)
			} else {
				e.trial.Table.Refuse(e.job, err.Error())
			}
		case wire.Refused:
			e.trial.Table.Refuse(e.job, string(payload))
		}
	}
	told := host.Tries
	if a.tells(e.trial) {
		told |= host.Live
	}
	if e.trial.Done() {
		told |= host.Shell
	}
	*e = errand{ready: true}
	a.Host.Change(told)
	a.Dispatch()
}

// tells reports whether somebody reads how far a trial is.
func (a *App) tells(t *Trial) bool {
	return t == a.Sweep.Trial && a.Sheet == "sweep" ||
		slices.ContainsFunc(a.scents, func(s *Scent) bool { return s.Trial == t && !s.Auto })
}
