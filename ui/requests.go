package ui

import (
	"encoding/binary"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/files"
	"flockscope/ui/notices"
)

// requests keeps order between the page and the engine. One run is asked for
// at a time. While it is on its way only the newest of later wishes is kept, so
// that a drag shows as many pictures as the engine can make and never waits for
// one that nobody wants any more.
type requests struct {
	id      uint32     // of the last request
	arrives *trace.Run // the run that is coming in, until it takes the stage
	waiting bool       // a newer configuration waits
	busy    bool       // a request is out and its run not yet on stage
	at      int        // engines that the last run was shared among
	done    int        // of them, how many have played their lanes
	spare   []trace.Run
	sent    float64       // when the last run was asked for, in ms
	tempo   tempo         // of its rounds
	counted counted       // within the present one
	stopped bool          // it was ended before its time
	early   bool          // and before its first round was on stage
	refusal string        // why the last run was refused, until one comes through
	offers  []notices.Way // what could be had instead
	// How long it took from the last wish to the picture of the round looked
	// at, and to all frames, in ms.
	answered, took float64
}

// noVectors is said where networks train without the vectors of WebAssembly.
const noVectors = "WebAssembly SIMD cannot be used here, so networks train about ten times slower. The results are the same to the last bit."

// oldFigures is said where no run has come of the present settings.
const oldFigures = "The figures are still those of the run before."

// Request asks for a run of the present configuration.
func (a *App) Request() {
	r := &a.requests
	if a.Files.WaitsForFile() {
		a.Notify(files.Needed)
		return
	}
	a.Withdraw(files.Needed)
	if r.busy {
		r.waiting = true
		return
	}
	r.id++
	if a.NoVectors && a.Config.Reads("net") {
		a.Notify(noVectors)
	}
	r.busy, r.waiting, r.stopped, r.arrives = true, false, false, nil
	r.counted = counted{}
	a.Background.Yield()
	lanes := len(a.Config.Lanes())
	before := r.at
	r.at, r.done = min(lanes, a.Engines), 0
	r.sent = a.Host.Now()
	query := a.Config.String()
	var m wire.Message
	for engine := range max(r.at, before) {
		m.Reset(r.id)
		if engine >= r.at {
			m.Record(wire.Cancel, nil)
			a.Host.Send(engine, m.Bytes())
			continue
		}
		m.Record(wire.Look, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(dst, uint32(a.Round)) })
		m.Record(wire.Lanes, func(dst []byte) []byte {
			for lane := engine; lane < lanes; lane += r.at {
				dst = append(dst, byte(lane))
			}
			return dst
		})
		m.Record(wire.Shards, func(dst []byte) []byte { return append(dst, byte(a.shards())) })
		m.Text(wire.Run, query)
		a.Host.Send(engine, m.Bytes())
	}
}

// shards is how many workers of its own each engine of the present run may have:
// what the lanes leave of the processors.
func (a *App) shards() int {
	const most = 7
	return max(0, min(a.WorkerCount()/a.requests.at-1, most))
}

// Enlist tells that so many engines are there. More than one share the lanes of
// the runs to come; one less than before, and the present run is asked for anew,
// since some of its lanes may have gone with the engine.
func (a *App) Enlist(engines int) {
	fewer := engines < a.Engines
	a.Engines = engines
	if fewer && !a.requests.stopped {
		a.requests.at = min(a.requests.at, engines)
		a.requests.busy = false
		a.Request()
	}
}

// Revive goes on with a new engine in the place of all that there were: the run
// that was lost with them is asked for again, unless the person has stopped it.
func (a *App) Revive() {
	a.Engines, a.requests.at, a.requests.busy, a.requests.took = 1, 0, false, 0
	a.Phases.Forget()
	if !a.requests.stopped {
		a.Request()
	}
}

// Busy reports whether a run was asked for that is not on screen yet.
func (r *requests) Busy() bool { return r.busy }

// RunTime is how long it took from the last request to all of its frames, and
// AnswerTime to the first picture, in ms; 0 while that is not known.
func (r *requests) RunTime() float64    { return r.took }
func (r *requests) AnswerTime() float64 { return r.answered }

// How long a picture and the texts may wait for the rest of a run, in ms: most
// runs are complete within it, and one picture of a whole run is better than two
// of its parts, which would also keep the thread from the rest. Texts take the
// thread for longer, and are read more slowly.
const (
	patience     = 20
	longPatience = 80
)

// Soon reports that the run asked for last will probably be complete by the next
// animation frame.
func (a *App) Soon(now float64) bool { return a.awaits(now, patience) }

// Awaits reports that the texts had better wait for the run asked for last.
func (a *App) Awaits(now float64) bool { return a.awaits(now, longPatience) }

func (a *App) awaits(now, patience float64) bool {
	r := &a.requests
	return a.computes() && now-r.sent < patience
}

// computes reports that a run is under way.
func (a *App) computes() bool {
	return !a.requests.stopped && (a.requests.busy || a.Run != nil && !a.Run.Done())
}
