package page

import (
	"encoding/binary"
	"math"
	"slices"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Hardware describes the processors and engines that compute runs.
type Hardware struct {
	Problem    say.Message // why there is no engine; "" while there is one
	EngineMode string      // how the first engine runs
	NoSIMD     bool        // no WebAssembly SIMD: networks train slowly
	Engines    int         // number of engines that share the lanes of a run
	Workers    int         // maximum number of workers, 0 for the number of processors
	Processors int         // number of processors; 0 if unknown
	Phone      bool        // a small device: long runs wait for the user
}

// WorkerCount returns how many workers may work at the same time.
func (m *Hardware) WorkerCount() int {
	if m.Workers > 0 {
		return m.Workers
	}
	return m.Processors
}

// Runs requests runs from the engines, one at a time. While a run is on its way only the newest
// later request waits, so a drag shows as many runs as the engines can compute and never waits for
// an obsolete one.
type Runs struct {
	page    *State
	machine *Hardware

	id                 uint32         // of the last request
	arriving           *trace.Run     // the run that is being received, until it is on screen
	requestPending     bool           // a newer configuration waits
	busy               bool           // a run was requested and is not on screen yet
	enginesUsed        int            // number of engines that compute the last run
	enginesDone        int            // how many of them have played their lanes
	reusable           []trace.Run    // a run whose memory can be reused
	requestedAt        float64        // when the last run was requested, in ms
	roundRate          roundRate      // of the rounds computed
	clientProgress     clientProgress // within the current round
	stopped            bool           // the user stopped the run
	stoppedBeforeStart bool           // before its first round was on screen
	start              *trace.Run     // start of the requested run, without results; nil unless it begins slowly
	waiting            bool           // the run is stopped because it takes long, until the user starts it
	work               float64        // multiply-adds of the run that waits
	accepted           float64        // the most multiply-adds that the user has accepted
	measuredSpeed      float64        // multiply-adds per second of the last long run, 0 if unknown
	paused             bool           // the user has paused a long run
	pausedAt           float64        // when, in ms
	stored             string         // keys of stored runs, in any text
	key                string         // of the requested run, under which it is stored; "" if it must not be
	recalling          bool           // the browser loads the requested run
	refusal            say.Message    // notice of the last refusal, until a run succeeds
	suggestions        []Action       // settings that an engine suggests in place of a refused run
	// Time from the last request to the figures of the selected round, and to all frames, in ms.
	answerTime, runTime float64
}

// ID returns the id of the last requested run.
func (r *Runs) ID() uint32 { return r.id }

// UpToDate reports whether the run on screen has the present settings.
func (r *Runs) UpToDate() bool {
	run, config := r.page.Run, r.page.Config
	return run != nil && run.Header.Query == config.String()
}

// Complete reports whether the run of the present settings is on screen with all its rounds. Every message of an engine
// asks, so what takes long, the comparison of settings, comes last.
func (r *Runs) Complete() bool {
	return r.page.Run != nil && r.page.Run.Done() && !r.busy && r.UpToDate()
}

// Abandon cancels the requested run, because the page shows a run of a file.
func (r *Runs) Abandon() {
	r.sendCancel()
	r.id++
	r.busy, r.requestPending, r.stopped, r.arriving = false, false, false, nil
	r.reset()
}

// reset forgets what only the last requested run had.
func (r *Runs) reset() {
	if r.waiting {
		r.withdrawRefusal()
	}
	r.start, r.waiting, r.recalling = nil, false, false
	r.setPaused(false)
}

// sendCancel cancels the last requested run on all engines.
func (r *Runs) sendCancel() {
	var m wire.Message
	m.Reset(r.id)
	m.Record(wire.Cancel, nil)
	for engine := range r.enginesUsed {
		r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
	}
}

// noSIMDNotice explains why networks train slowly without WebAssembly SIMD.
const noSIMDNotice = "WebAssembly SIMD cannot be used here, so networks train about ten times slower. The results are " +
	"the same to the last bit."

// OldFiguresNotice says that the figures show a run with other settings.
const OldFiguresNotice = "The figures still show the previous run."

// Request requests a run of the present configuration.
func (r *Runs) Request() {
	if r.page.Files.WaitsForFile() {
		r.page.Notify(FilesNeededNotice)
		r.page.Files.loadReader()
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
	r.reset()
	r.clientProgress = clientProgress{}
	r.page.jobs().PauseAll()
	r.requestedAt = r.page.now
	if !r.recall() {
		r.compute()
	}
}

// compute requests the present run from the engines.
func (r *Runs) compute() {
	lanes := len(r.page.Config.Lanes())
	before := r.enginesUsed
	r.enginesUsed, r.enginesDone = min(lanes, r.machine.Engines), 0
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
			return binary.LittleEndian.AppendUint32(dst, uint32(r.page.Round))
		})
		m.Record(wire.Lanes, func(dst []byte) []byte {
			for lane := engine; lane < lanes; lane += r.enginesUsed {
				dst = append(dst, byte(lane))
			}
			return dst
		})
		m.Record(wire.Shards, func(dst []byte) []byte { return append(dst, byte(r.shards())) })
		if limit := r.limit(); limit > 0 {
			m.Record(wire.Limit, func(dst []byte) []byte {
				return binary.LittleEndian.AppendUint64(dst, math.Float64bits(limit))
			})
		}
		m.Text(wire.Run, query)
		r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
	}
}

// shards returns how many shards each engine of the present run may have: the lanes leave these
// processors idle.
func (r *Runs) shards() int {
	const most = 7
	return max(0, min(r.machine.WorkerCount()/r.enginesUsed-1, most))
}

// SetEngines sets the number of engines. More engines share the lanes of the next runs. After a loss
// the present run is requested again, since the lost engine may have had some of its lanes.
func (r *Runs) SetEngines(engines int) {
	fewer := engines < r.machine.Engines
	r.machine.Engines = engines
	if fewer && !r.stopped {
		r.enginesUsed = min(r.enginesUsed, engines)
		r.busy = false
		r.Request()
	}
}

// Restart continues with one new engine in place of all: it requests the lost run again unless the
// user has stopped it.
func (r *Runs) Restart() {
	r.forgetEngines()
	r.busy, r.runTime = false, 0
	if !r.stopped {
		r.Request()
	}
}

// forgetEngines continues with one new engine, of which nothing was requested.
func (r *Runs) forgetEngines() {
	r.machine.Engines, r.enginesUsed = 1, 0
	r.page.Phases.ForgetRequest()
}

// Busy reports whether a requested run is not on screen yet.
func (r *Runs) Busy() bool { return r.busy }

// RunTime returns the time from the last request to all frames, and AnswerTime to the first figures,
// in ms; 0 if unknown.
func (r *Runs) RunTime() float64 { return r.runTime }

func (r *Runs) AnswerTime() float64 { return r.answerTime }

// How long figures and texts may wait for the rest of a run, in ms. Most runs are complete by then,
// and drawing a run in parts would delay the rest. Texts may wait longer: they take more time to
// render and to read.
const (
	maxFigureWait = 20
	maxTextWait   = 80
)

// CompleteSoon reports whether the requested run is probably complete by the next animation frame.
func (r *Runs) CompleteSoon(now float64) bool { return r.requestedWithin(now, maxFigureWait) }

// TextsCanWait reports whether texts should wait for the requested run.
func (r *Runs) TextsCanWait(now float64) bool { return r.requestedWithin(now, maxTextWait) }

// requestedWithin reports whether the running run was requested less than wait ms ago.
func (r *Runs) requestedWithin(now, wait float64) bool {
	return r.computing() && now-r.requestedAt < wait
}

// computing reports whether a run is being computed.
func (r *Runs) computing() bool {
	return !r.stopped && (r.busy || r.page.Run != nil && !r.page.Run.Done())
}

// UsesAllProcessors reports whether the engines use all of at most two processors, so that the
// page's own work slows them.
func (r *Runs) UsesAllProcessors() bool {
	const few = 2
	m := r.machine
	return r.computing() && r.enginesUsed > 0 && m.Processors > 0 && m.Processors <= few &&
		r.enginesUsed*(1+r.shards()) >= m.Processors
}
