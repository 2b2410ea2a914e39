package page

import (
	"encoding/binary"
	"slices"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Hardware is what runs are computed on.
type Hardware struct {
	Problem    say.Message // why there is no engine; empty while there is one
	EngineMode string      // how the engine runs
	NoSIMD     bool        // networks train slowly here
	Engines    int         // how many engines there are to share the lanes of a run
	Workers    int         // how many workers there may be in all, 0 for as many as there are processors
	Processors int         // how many there are; 0 while that is not known
}

// WorkerCount is how many may be at work at a time.
func (m *Hardware) WorkerCount() int {
	if m.Workers > 0 {
		return m.Workers
	}
	return m.Processors
}

// Runs keeps order between the page and the engine. One run is asked for
// at a time. While it is on its way only the newest of later wishes is kept, so
// that a drag shows as many pictures as the engine can make and never waits for
// one that nobody wants any more.
type Runs struct {
	page    *State
	machine *Hardware

	id                 uint32     // of the last request
	arriving           *trace.Run // the run that is coming in, until it takes the screen
	requestPending     bool       // a newer configuration waits
	busy               bool       // a request is out and its run not yet on screen
	enginesUsed        int        // engines that the last run was shared among
	enginesDone        int        // of them, how many have played their lanes
	reusable           []trace.Run
	requestedAt        float64        // when the last run was asked for, in ms
	roundRate          roundRate      // of its rounds
	clientProgress     clientProgress // within the present one
	stopped            bool           // it was ended before its time
	stoppedBeforeStart bool           // and before its first round was on screen
	refusal            say.Message    // why the last run was refused, until one comes through
	suggestions        []Action       // what could be had instead
	// How long it took from the last wish to the picture of the round looked
	// at, and to all frames, in ms.
	answerTime, runTime float64
}

// ID is the number of the run asked for last.
func (r *Runs) ID() uint32 { return r.id }

// UpToDate reports whether the run on screen is that of the present settings: otherwise
// another is on its way, or there will be none.
func (r *Runs) UpToDate() bool {
	run, config := r.page.Run, r.page.Config
	return run != nil && run.Header.Query == config.String()
}

// Complete reports whether the run of the present settings is on screen with all of its
// rounds.
func (r *Runs) Complete() bool { return r.UpToDate() && r.page.Run.Done() && !r.busy }

// Abandon gives up the run that was asked for last: one is shown that no engine computes.
func (r *Runs) Abandon() {
	var m wire.Message
	m.Reset(r.id)
	m.Record(wire.Cancel, nil)
	for engine := range r.enginesUsed {
		r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
	}
	r.id++
	r.busy, r.requestPending, r.stopped, r.arriving = false, false, false, nil
}

// noSIMDNotice is said where networks train without the vectors of WebAssembly.
const noSIMDNotice = "WebAssembly SIMD cannot be used here, so networks train about ten times slower. The results are " +
	"the same to the last bit."

// OldFiguresNotice is said where no run has come of the present settings.
const OldFiguresNotice = "The figures still show the previous run."

// Request asks for a run of the present configuration.
func (r *Runs) Request() {
	if r.page.Files.WaitsForFile() {
		r.page.Notify(FilesNeededNotice)
		return
	}
	r.page.Withdraw(FilesNeededNotice)
	if r.busy {
		r.requestPending = true
		return
	}
	r.id++
	if r.machine.NoSIMD && r.page.Config.Reads("net") {
		r.page.Notify(noSIMDNotice)
	}
	r.busy, r.requestPending, r.stopped, r.arriving = true, false, false, nil
	r.clientProgress = clientProgress{}
	r.page.jobs().PauseAll()
	lanes := len(r.page.Config.Lanes())
	before := r.enginesUsed
	r.enginesUsed, r.enginesDone = min(lanes, r.machine.Engines), 0
	r.requestedAt = r.page.now
	query := r.page.Config.String()
	var m wire.Message
	for engine := range max(r.enginesUsed, before) {
		m.Reset(r.id)
		if engine >= r.enginesUsed {
			m.Record(wire.Cancel, nil)
			r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
			continue
		}
		m.Record(wire.ShownRound, func(dst []byte) []byte {
			return binary.LittleEndian.AppendUint32(dst,
				uint32(r.page.Round))
		})
		m.Record(wire.Lanes, func(dst []byte) []byte {
			for lane := engine; lane < lanes; lane += r.enginesUsed {
				dst = append(dst, byte(lane))
			}
			return dst
		})
		m.Record(wire.Shards, func(dst []byte) []byte { return append(dst, byte(r.shards())) })
		m.Text(wire.Run, query)
		r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
	}
}

// shards is how many workers of its own each engine of the present run may have:
// what the lanes leave of the processors.
func (r *Runs) shards() int {
	const most = 7
	return max(0, min(r.machine.WorkerCount()/r.enginesUsed-1, most))
}

// SetEngines tells that so many engines are there. More than one share the lanes of
// the runs to come; one less than before, and the present run is asked for anew,
// since some of its lanes may have gone with the engine.
func (r *Runs) SetEngines(engines int) {
	fewer := engines < r.machine.Engines
	r.machine.Engines = engines
	if fewer && !r.stopped {
		r.enginesUsed = min(r.enginesUsed, engines)
		r.busy = false
		r.Request()
	}
}

// Restart goes on with a new engine in the place of all that there were: the run
// that was lost with them is asked for again, unless the person has stopped it.
func (r *Runs) Restart() {
	r.machine.Engines, r.enginesUsed, r.busy, r.runTime = 1, 0, false, 0
	r.page.Phases.ForgetRequest()
	if !r.stopped {
		r.Request()
	}
}

// Busy reports whether a run was asked for that is not on screen yet.
func (r *Runs) Busy() bool { return r.busy }

// RunTime is how long it took from the last request to all of its frames, and
// AnswerTime to the first picture, in ms; 0 while that is not known.
func (r *Runs) RunTime() float64    { return r.runTime }
func (r *Runs) AnswerTime() float64 { return r.answerTime }

// How long a picture and the texts may wait for the rest of a run, in ms: most
// runs are complete within it, and one picture of a whole run is better than two
// of its parts, which would also keep the thread from the rest. Texts take the
// thread for longer, and are read more slowly.
const (
	maxFigureWait = 20
	maxTextWait   = 80
)

// CompleteSoon reports that the run asked for last will probably be complete by the next
// animation frame.
func (r *Runs) CompleteSoon(now float64) bool { return r.requestedWithin(now, maxFigureWait) }

// TextsCanWait reports that the texts had better wait for the run asked for last.
func (r *Runs) TextsCanWait(now float64) bool { return r.requestedWithin(now, maxTextWait) }

func (r *Runs) requestedWithin(now, patience float64) bool {
	return r.computing() && now-r.requestedAt < patience
}

// computing reports that a run is under way.
func (r *Runs) computing() bool {
	return !r.stopped && (r.busy || r.page.Run != nil && !r.page.Run.Done())
}

// UsesAllProcessors reports that the engines are at work on all processors, of which there are so
// few that it is felt when the page takes its part.
func (r *Runs) UsesAllProcessors() bool {
	const few = 2
	m := r.machine
	return r.computing() && r.enginesUsed > 0 && m.Processors > 0 && m.Processors <= few &&
		r.enginesUsed*(1+r.shards()) >= m.Processors
}
