package page

import (
	"encoding/binary"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Receive takes a message from an engine.
func (r *Runs) Receive(engine int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		r.Fail("The engine sent something the page does not understand. Reload the page.")
		return
	}
	if id == MessageID && engine > 0 {
		return // they all say the same
	}
	if id == MessageID {
		for kind, payload := range records {
			r.page.Files.Answer(kind, string(payload))
		}
		return
	}
	if id != r.id {
		return // about a run that nobody wants any more
	}
	shown := r.page.Shown()
	for kind, payload := range records {
		if err := r.record(kind, payload); err != nil {
			r.Fail(say.Messagef("The engine sent something the page does not understand (%s). Reload the page.", err))
			return
		}
	}
	r.showArriving()
	if r.page.Run != nil && !r.busy {
		r.roundRate.note(r.page.now, r.page.Run.Finished())
	}
	r.page.nameModels()
	r.page.jobs().Dispatch()
	r.page.Lessons.Check()
	if r.page.Shown() != shown { // a slow run comes nearer to the round looked at
		r.page.effects.Redraw(host.Figures)
	}
	// What arrives ahead of the round looked at changes the curves, and can
	// wait for the texts' next turn.
	r.page.effects.Redraw(host.Live)
}

// record takes one record of a message.
func (r *Runs) record(kind wire.Kind, payload []byte) error {
	switch kind {
	case wire.Begin:
		return r.takeHeader(payload)
	case wire.Frame:
		return r.takeFrame(payload)
	case wire.Count:
		r.takeCount(payload)
	case wire.End:
		return r.takeSummary(payload)
	case wire.Done:
		r.takeDone()
	case wire.Explained:
		d, err := trace.DecodeDetail(payload)
		if err != nil {
			return err
		}
		r.page.Phases.TakeDetail(d)
	case wire.Suggestion:
		if key, value, ok := strings.Cut(string(payload), "="); ok {
			if _, err := r.page.Config.With(key, value); err == nil {
				r.offers = append(r.offers, r.page.Settings.offerSetting(key, value))
			}
		}
	case wire.Refused:
		r.takeRefusal(say.Messagef("%s.", say.Message(payload)))
	}
	return nil
}

// takeHeader begins the run that is on its way.
func (r *Runs) takeHeader(payload []byte) error {
	h, err := trace.DecodeHeader(payload)
	if err != nil {
		return err
	}
	if !h.Valid() {
		return errOrder
	}
	if r.arriving != nil || !r.busy {
		return nil // another engine of the same run was first
	}
	r.arriving = r.recycle(h)
	r.roundRate.begin(r.page.now)
	return nil
}

// laneOf returns the run that a record belongs to, and the track of the lane with which
// it begins.
func (r *Runs) laneOf(payload []byte) (run *trace.Run, track *trace.Track, err error) {
	run = r.incoming()
	if run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks) {
		return nil, nil, errOrder
	}
	return run, &run.Tracks[payload[0]], nil
}

// takeFrame takes one round of a lane.
func (r *Runs) takeFrame(payload []byte) error {
	run, track, err := r.laneOf(payload)
	if err != nil {
		return err
	}
	track.Frames = extend(track.Frames)
	frame := &track.Frames[len(track.Frames)-1]
	rest, err := trace.DecodeFrame(frame, payload[1:])
	if err != nil || len(rest) != 0 || !run.Header.Admits(int(payload[0]), frame) {
		return errOrder
	}
	r.clientProgress = clientProgress{}
	return nil
}

// takeCount takes how many clients of a lane are done within a round that takes long.
func (r *Runs) takeCount(payload []byte) {
	if len(payload) == 5 && (r.clientProgress.done == 0 || int(payload[0]) <= r.clientProgress.lane) {
		r.clientProgress = clientProgress{int(payload[0]), int(binary.LittleEndian.Uint32(payload[1:]))}
		r.page.effects.Redraw(host.Live)
	}
}

// takeSummary takes how a lane has ended.
func (r *Runs) takeSummary(payload []byte) error {
	_, track, err := r.laneOf(payload)
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
func (r *Runs) takeDone() {
	if r.done++; r.done < r.enginesUsed {
		return
	}
	r.runTime, r.stopped = r.page.now-r.requestedAt, false // it was faster than the wish to stop it
	r.page.Phases.Ask()
	what := host.Shell
	if r.arriving == nil {
		what |= host.Figures // those on screen have the scales of the rounds that were there
	}
	r.page.effects.Redraw(what)
}

// takeRefusal says why an engine does not play what it was asked for.
func (r *Runs) takeRefusal(why say.Message) {
	r.withdrawRefusal()
	r.refusal = why
	if r.page.Run != nil && !r.Current() {
		r.refusal = say.Messagef("%s %s", why, say.Message(OldFiguresNotice))
	}
	r.page.Parent.Refused(r.refusal.String())
	r.page.Notify(r.refusal, append(r.offers, r.page.Files.undoAction()...)...)
	r.offers = nil
	r.busy, r.arriving = false, nil
	r.stopped, r.stoppedBeforeStart = r.page.Run != nil && !r.page.Run.Done(), false
	r.page.Phases.Forget()
	if r.newerWaits {
		r.Request()
	}
}

// incoming is the run that frames belong to: the one arriving or, once that is
// on screen, the one on screen.
func (r *Runs) incoming() *trace.Run {
	if r.arriving != nil {
		return r.arriving
	}
	return r.page.Run
}

// showArriving puts the arriving run on screen as soon as it has the round that is
// looked at; until then the old picture stays, so nothing flickers.
func (r *Runs) showArriving() {
	if r.arriving == nil || (r.arriving.Finished() < min(r.page.Round, r.arriving.Header.Rounds) &&
		!r.arriving.Done() && !r.slowToArrive()) {
		return
	}
	r.showArrived()
	if r.newerWaits {
		r.Request()
	}
}

// showArrived puts the arriving run on screen as it is.
func (r *Runs) showArrived() {
	if run := r.page.Run; run != nil && run != r.page.Pinned.Run() {
		r.recycled = append(r.recycled[:0], *run)
	}
	arrived := r.arriving
	r.arriving, r.busy = nil, false
	r.withdrawRefusal()
	r.answerTime = r.page.now - r.requestedAt
	r.page.showRun(arrived)
	r.page.effects.Redraw(host.Shell | host.Figures)
}

// withdrawRefusal takes back the notice of the last refusal: a later run was refused for
// another reason, or came through.
func (r *Runs) withdrawRefusal() {
	r.page.Withdraw(r.refusal)
}

// slowToArrive reports whether the arriving run is one that takes its time: then its
// first rounds are better than an old picture.
func (r *Runs) slowToArrive() bool {
	return (r.arriving.Header.Clients > 200 || r.page.now-r.requestedAt > SlowArrival) && r.arriving.Finished() >= 0
}

// SlowArrival is how long an old picture may stay, in ms, before the first rounds of
// the run that follows it are shown instead.
const SlowArrival = 400

// recycle returns an empty run under h in the memory of one that has left the
// screen: a slider makes sixty of them a second.
func (r *Runs) recycle(h *trace.Header) *trace.Run {
	run := trace.NewRun(h)
	if len(r.recycled) == 0 {
		return run
	}
	for i := range min(len(run.Tracks), len(r.recycled[0].Tracks)) {
		run.Tracks[i].Frames = r.recycled[0].Tracks[i].Frames[:0]
	}
	r.recycled = r.recycled[:0]
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
func (r *Runs) Fail(why say.Message) {
	r.machine.Problem = why
	r.busy = false
	r.page.Player.Playing = false
	r.page.effects.Redraw(host.Shell)
}

var errOrder = say.Errorf("a record out of order")
