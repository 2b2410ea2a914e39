package ui

import (
	"slices"

	"encoding/binary"
	"strings"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
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
	sent    float64 // when the last run was asked for, in ms
	tempo   tempo   // of its rounds
	counted counted // within the present one
	stopped bool    // it was ended before its time
	early   bool    // and before its first round was on stage
	refusal string  // why the last run was refused, until one comes through
	offers  []Way   // what could be had instead
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
	if a.WaitsForFile() {
		a.Notify(needFile)
		return
	}
	a.Withdraw(needFile)
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
	a.detail.asked = detailKey{}
	if !a.requests.stopped {
		a.Request()
	}
}

// Receive takes a message from an engine.
func (a *App) Receive(engine int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		a.fail("The engine sent something the page does not understand. Reload the page.")
		return
	}
	if id == aboutFile && engine > 0 {
		return // they all say the same
	}
	if id == aboutFile {
		for kind, payload := range records {
			a.answer(kind, string(payload))
		}
		return
	}
	if id != a.requests.id {
		return // about a run that nobody wants any more
	}
	shown := a.Shown()
	for kind, payload := range records {
		if err := a.record(kind, payload); err != nil {
			a.fail("The engine sent something the page does not understand (" + err.Error() + "). Reload the page.")
			return
		}
	}
	a.stage()
	if a.Run != nil && !a.requests.busy {
		a.requests.tempo.note(a.Host.Now(), a.Run.Finished())
	}
	a.nameModels()
	a.Background.Dispatch()
	a.checkSteps()
	if a.Shown() != shown { // a slow run comes nearer to the round looked at
		a.Host.Change(host.Figures)
	}
	// What arrives ahead of the round looked at changes the curves, and can
	// wait for the texts' next turn.
	a.Host.Change(host.Live)
}

// record takes one record of a message.
func (a *App) record(kind wire.Kind, payload []byte) error {
	switch kind {
	case wire.Begin:
		return a.takeHeader(payload)
	case wire.Frame:
		return a.takeFrame(payload)
	case wire.Count:
		a.takeCount(payload)
	case wire.End:
		return a.takeSummary(payload)
	case wire.Done:
		a.takeDone()
	case wire.Explained:
		d, err := trace.DecodeDetail(payload)
		if err != nil {
			return err
		}
		a.takeDetail(d)
	case wire.Offer:
		if key, value, ok := strings.Cut(string(payload), "="); ok {
			if _, err := a.Config.With(key, value); err == nil {
				a.requests.offers = append(a.requests.offers, a.offerSetting(key, value))
			}
		}
	case wire.Refused:
		a.takeRefusal(string(payload) + ".")
	}
	return nil
}

// takeHeader begins the run that is on its way.
func (a *App) takeHeader(payload []byte) error {
	h, err := trace.DecodeHeader(payload)
	if err != nil {
		return err
	}
	if !h.Sound() {
		return errOrder
	}
	r := &a.requests
	if r.arrives != nil || !r.busy {
		return nil // another engine of the same run was first
	}
	r.arrives = a.recycle(h)
	r.tempo.begin(a.Host.Now())
	return nil
}

// laneOf returns the run that a record belongs to, and the track of the lane with which
// it begins.
func (a *App) laneOf(payload []byte) (run *trace.Run, track *trace.Track, err error) {
	run = a.incoming()
	if run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks) {
		return nil, nil, errOrder
	}
	return run, &run.Tracks[payload[0]], nil
}

// takeFrame takes one round of a lane.
func (a *App) takeFrame(payload []byte) error {
	run, track, err := a.laneOf(payload)
	if err != nil {
		return err
	}
	track.Frames = extend(track.Frames)
	frame := &track.Frames[len(track.Frames)-1]
	rest, err := trace.DecodeFrame(frame, payload[1:])
	if err != nil || len(rest) != 0 || !run.Header.Admits(int(payload[0]), frame) {
		return errOrder
	}
	a.requests.counted = counted{}
	return nil
}

// takeCount takes how many clients of a lane are done within a round that takes long.
func (a *App) takeCount(payload []byte) {
	r := &a.requests
	if len(payload) == 5 && (r.counted.done == 0 || int(payload[0]) <= r.counted.lane) {
		r.counted = counted{int(payload[0]), int(binary.LittleEndian.Uint32(payload[1:]))}
		a.Host.Change(host.Live)
	}
}

// takeSummary takes how a lane has ended.
func (a *App) takeSummary(payload []byte) error {
	_, track, err := a.laneOf(payload)
	if err != nil {
		return err
	}
	s, err := trace.DecodeSummary(payload[1:])
	if err != nil {
		return err
	}
	track.Summary = s
	return nil
}

// takeDone notes that an engine has played its lanes.
func (a *App) takeDone() {
	r := &a.requests
	if r.done++; r.done < r.at {
		return
	}
	r.took, r.stopped = a.Host.Now()-r.sent, false // it was faster than the wish to stop it
	a.askDetail()
	a.Host.Change(host.Shell)
}

// takeRefusal says why an engine does not play what it was asked for.
func (a *App) takeRefusal(why string) {
	r := &a.requests
	a.dropRefusal()
	r.refusal = why
	if a.Run != nil && !a.current() {
		r.refusal += " " + oldFigures
	}
	a.told.wrong = r.refusal
	a.Notify(r.refusal, append(r.offers, a.wayBack()...)...)
	r.offers = nil
	r.busy, r.arrives = false, nil
	r.stopped, r.early = a.Run != nil && !a.Run.Done(), false // the engine has let go of that, too
	a.detail.asked = detailKey{}
	if r.waiting {
		a.Request()
	}
}

// Busy reports whether a run was asked for that is not on screen yet.
func (a *App) Busy() bool { return a.requests.busy }

// RunTime is how long it took from the last request to all of its frames, and
// AnswerTime to the first picture, in ms; 0 while that is not known.
func (a *App) RunTime() float64    { return a.requests.took }
func (a *App) AnswerTime() float64 { return a.requests.answered }

// incoming is the run that frames belong to: the one arriving or, once that is
// on stage, the one on stage.
func (a *App) incoming() *trace.Run {
	if a.requests.arrives != nil {
		return a.requests.arrives
	}
	return a.Run
}

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

// stage puts the arriving run on screen as soon as it has the round that is
// looked at; until then the old picture stays, so nothing flickers.
func (a *App) stage() {
	r := &a.requests
	if r.arrives == nil || (r.arrives.Finished() < min(a.Round, r.arrives.Header.Rounds) && !r.arrives.Done() && !a.slowToArrive()) {
		return
	}
	a.putOnStage()
	if r.waiting {
		a.Request()
	}
}

// putOnStage puts the arriving run on screen as it is.
func (a *App) putOnStage() {
	r := &a.requests
	if a.Run != nil && a.Run != a.pinned.run {
		r.spare = append(r.spare[:0], *a.Run)
	}
	a.Run, r.arrives, r.busy = r.arrives, nil, false
	a.names.aliases = a.names.aliases[:0]
	a.dropRefusal()
	r.answered = a.Host.Now() - r.sent
	a.Keep(slices.DeleteFunc(slices.Clone(a.Chosen()), func(i int) bool { return i >= a.Run.Header.Clients }))
	a.Hover = min(a.Hover, a.Run.Header.Clients-1)
	a.askDetail()
	a.Host.Change(host.Shell | host.Figures)
}

// nameModels keeps the names of the models of a run that is under way.
func (a *App) nameModels() {
	if a.Run == nil || a.Run.Done() {
		a.names.aliases = a.names.aliases[:0]
		return
	}
	for lane := range a.Run.Header.Lanes {
		if lane == len(a.names.aliases) {
			a.names.aliases = append(a.names.aliases, nil)
		}
		a.names.aliases[lane] = a.names.aliaser.Alias(a.names.aliases[lane], a.Run, lane)
	}
	a.names.aliases = a.names.aliases[:len(a.Run.Header.Lanes)]
}

// offerSetting offers a setting in place of what was refused.
func (a *App) offerSetting(key, value string) Way {
	name := key
	if f, ok := a.Schema.Field(key); ok {
		name = f.Label
	}
	return Way{"Set " + name + " to " + value, func() { a.Set(key, value, true) }}
}

// dropRefusal takes back the notice of the last refusal: a later run was refused for
// another reason, or came through.
func (a *App) dropRefusal() {
	a.Withdraw(a.requests.refusal)
}

// slowToArrive reports whether the arriving run is one that takes its time: then its
// first rounds are better than an old picture.
func (a *App) slowToArrive() bool {
	r := &a.requests
	return (r.arrives.Header.Clients > 200 || a.Host.Now()-r.sent > slow) && r.arrives.Finished() >= 0
}

// slow is how long an old picture may stay, in ms, before the first rounds of
// the run that follows it are shown instead.
const slow = 400

// recycle returns an empty run under h in the memory of one that has left the
// stage: a slider makes sixty of them a second.
func (a *App) recycle(h *trace.Header) *trace.Run {
	run := trace.NewRun(h)
	r := &a.requests
	if len(r.spare) == 0 {
		return run
	}
	for i := range min(len(run.Tracks), len(r.spare[0].Tracks)) {
		run.Tracks[i].Frames = r.spare[0].Tracks[i].Frames[:0]
	}
	r.spare = r.spare[:0]
	return run
}

// extend returns frames with one more, keeping the slices of a frame that
// stood there before.
func extend(frames []trace.Frame) []trace.Frame {
	if len(frames) < cap(frames) {
		return frames[:len(frames)+1]
	}
	return append(frames, trace.Frame{})
}

// Fail says that there is no engine and why. The pictures stay.
func (a *App) Fail(why string) { a.fail(why) }

func (a *App) fail(why string) {
	a.Problem = why
	a.requests.busy = false
	a.Playing = false
	a.Host.Change(host.Shell)
}

type orderError struct{}

func (orderError) Error() string { return "a record out of order" }

var errOrder = orderError{}
