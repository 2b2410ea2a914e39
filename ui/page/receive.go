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
		r.tempo.note(r.page.now, r.page.Run.Finished())
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
		r.page.Phases.Take(d)
	case wire.Offer:
		if key, value, ok := strings.Cut(string(payload), "="); ok {
			if _, err := r.page.Config.With(key, value); err == nil {
				r.offers = append(r.offers, r.page.Settings.Offer(key, value))
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
	if !h.Sound() {
		return errOrder
	}
	if r.arrives != nil || !r.busy {
		return nil // another engine of the same run was first
	}
	r.arrives = r.recycle(h)
	r.tempo.begin(r.page.now)
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
	r.counted = counted{}
	return nil
}

// takeCount takes how many clients of a lane are done within a round that takes long.
func (r *Runs) takeCount(payload []byte) {
	if len(payload) == 5 && (r.counted.done == 0 || int(payload[0]) <= r.counted.lane) {
		r.counted = counted{int(payload[0]), int(binary.LittleEndian.Uint32(payload[1:]))}
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
	if r.done++; r.done < r.at {
		return
	}
	r.took, r.stopped = r.page.now-r.sent, false // it was faster than the wish to stop it
	r.page.Phases.Ask()
	what := host.Shell
	if r.arrives == nil {
		what |= host.Figures // those on screen have the scales of the rounds that were there
	}
	r.page.effects.Redraw(what)
}

// takeRefusal says why an engine does not play what it was asked for.
func (r *Runs) takeRefusal(why say.Message) {
	r.DropRefusal()
	r.refusal = why
	if r.page.Run != nil && !r.Current() {
		r.refusal = say.Messagef("%s %s", why, say.Message(OldFigures))
	}
	r.page.Parent.Refused(r.refusal.String())
	r.page.Notify(r.refusal, append(r.offers, r.page.Files.WayBack()...)...)
	r.offers = nil
	r.busy, r.arrives = false, nil
	r.stopped, r.early = r.page.Run != nil && !r.page.Run.Done(), false // the engine has let go of that, too
	r.page.Phases.Forget()
	if r.waiting {
		r.Request()
	}
}

// incoming is the run that frames belong to: the one arriving or, once that is
// on screen, the one on screen.
func (r *Runs) incoming() *trace.Run {
	if r.arrives != nil {
		return r.arrives
	}
	return r.page.Run
}

// showArriving puts the arriving run on screen as soon as it has the round that is
// looked at; until then the old picture stays, so nothing flickers.
func (r *Runs) showArriving() {
	if r.arrives == nil || (r.arrives.Finished() < min(r.page.Round, r.arrives.Header.Rounds) &&
		!r.arrives.Done() && !r.slowToArrive()) {
		return
	}
	r.putOnScreen()
	if r.waiting {
		r.Request()
	}
}

// putOnScreen puts the arriving run on screen as it is.
func (r *Runs) putOnScreen() {
	if run := r.page.Run; run != nil && run != r.page.Pinned.Run() {
		r.spare = append(r.spare[:0], *run)
	}
	arrived := r.arrives
	r.arrives, r.busy = nil, false
	r.DropRefusal()
	r.answered = r.page.now - r.sent
	r.page.showRun(arrived)
	r.page.effects.Redraw(host.Shell | host.Figures)
}

// DropRefusal takes back the notice of the last refusal: a later run was refused for
// another reason, or came through.
func (r *Runs) DropRefusal() {
	r.page.Withdraw(r.refusal)
}

// slowToArrive reports whether the arriving run is one that takes its time: then its
// first rounds are better than an old picture.
func (r *Runs) slowToArrive() bool {
	return (r.arrives.Header.Clients > 200 || r.page.now-r.sent > Slow) && r.arrives.Finished() >= 0
}

// Slow is how long an old picture may stay, in ms, before the first rounds of
// the run that follows it are shown instead.
const Slow = 400

// recycle returns an empty run under h in the memory of one that has left the
// screen: a slider makes sixty of them a second.
func (r *Runs) recycle(h *trace.Header) *trace.Run {
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
func (r *Runs) Fail(why say.Message) {
	r.machine.Problem = why
	r.busy = false
	r.page.Player.Playing = false
	r.page.effects.Redraw(host.Shell)
}

var errOrder = say.Errorf("a record out of order")
