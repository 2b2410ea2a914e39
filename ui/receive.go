package ui

import (
	"encoding/binary"
	"slices"
	"strings"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/files"
	"flockscope/ui/host"
	"flockscope/ui/notices"
)

// Receive takes a message from an engine.
func (a *App) Receive(engine int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		a.fail("The engine sent something the page does not understand. Reload the page.")
		return
	}
	if id == files.MessageID && engine > 0 {
		return // they all say the same
	}
	if id == files.MessageID {
		for kind, payload := range records {
			a.Files.Answer(kind, string(payload))
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
		a.Phases.Take(d)
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
	a.Phases.Ask()
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
	a.Notify(r.refusal, append(r.offers, a.Files.WayBack()...)...)
	r.offers = nil
	r.busy, r.arrives = false, nil
	r.stopped, r.early = a.Run != nil && !a.Run.Done(), false // the engine has let go of that, too
	a.Phases.Forget()
	if r.waiting {
		a.Request()
	}
}

// incoming is the run that frames belong to: the one arriving or, once that is
// on stage, the one on stage.
func (a *App) incoming() *trace.Run {
	if a.requests.arrives != nil {
		return a.requests.arrives
	}
	return a.Run
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
	a.Phases.Ask()
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
func (a *App) offerSetting(key, value string) notices.Way {
	name := key
	if f, ok := a.Schema.Field(key); ok {
		name = f.Label
	}
	return notices.Way{Words: "Set " + name + " to " + value, Do: func() { a.Settings.Set(key, value, true) }}
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
func (r *requests) recycle(h *trace.Header) *trace.Run {
	run := trace.NewRun(h)
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
